/** What explains an exchange: the comparisons of a client, and why the server refused. */

import { assertEquals } from "@std/assert";
import { h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ClientCheck, ShownExchange } from "../../../src/kit/timeline/exchange_props.ts";
import { Checks } from "../../../src/kit/timeline/checks.tsx";
import { Explained } from "../../../src/kit/timeline/explained.tsx";
import { RawMessages } from "../../../src/kit/timeline/raw_messages.tsx";
import { Why } from "../../../src/kit/timeline/why.tsx";
import { test } from "../../runner.ts";
import { findAll, readHtml, textOf } from "../../server/pages/read_html.ts";

/** The texts of the elements with one of the names. */
function read(node: unknown, ...names: readonly string[]): readonly string[] {
  const page = readHtml(`<!doctype html>${renderToString(node as VNode)}`);
  return names.flatMap((name) => findAll(page, name).map((each) => textOf(each).trim()));
}

test("explained: what is not true or open comes before what is true, and says what was compared", () => {
  const received = { text: "b" };
  const checks = [
    { name: "state", isMet: true, received },
    { name: "nonce", isMet: false, expected: { text: "a" }, received },
    { name: "iss", isMet: false },
    { name: "access_token_aud", isMet: undefined, received },
    { name: "aud", isMet: undefined, received },
  ].map((check) => ({ ...check, rule: "" })) as readonly ClientCheck[];
  const node = h(Checks, { checks });
  assertEquals(read(node, "dt", "dd", "p", "li"), [
    "✗ not true: nonce of the ID token is the one of the request",
    "✗ not true: iss of the ID token is the issuer",
    "– nothing to compare: aud of the access token is the requested API",
    "– nothing to compare: aud of the ID token names the client",
    ...["Expected: aReceived: b", "Expected: nothing was requestedReceived: nothing"],
    "no resource was requested, so the token is for the default audienceb",
    "the journal does not have the authorization requestb",
    ...["These were true:", "state is the one of the request b"],
  ]);
  const counts = checks.map((check) => read(h(Checks, { checks: [check] }), "dt", "li").length);
  assertEquals(counts, checks.map(() => 1), "also one comparison alone is shown");
});

const refusal = { error: "invalid_grant", reason: "code_expired", description: "The code has expired" };

test("explained: a refusal has its change, the hints that have words, and where two values differ", () => {
  const expected = "https://app.test/callback";
  const hints = [{ kind: "resource_missing" }, { kind: "unknown" }, {
    kind: "clock_turned",
    times: [60, 30],
  }];
  const props = {
    refusal: { ...refusal, expected, received: `${expected}/` },
    change: "Send it once.",
    hints,
    clock: "/c",
  };
  const node = h(Why, props as unknown as Parameters<typeof Why>[0]);
  assertEquals(read(node, "dt", "dd", "mark", "a"), [
    ...["To fix it", "Other requests show", "Other requests show", "Received", "Expected", "Error code"],
    "Send it once.",
    "The token was requested without the parameter resource, so it is for the default audience.",
    "The clock was turned ahead by 1 min in between. Without this turn, 30 s passed. Set the clock",
    ...[`${expected}/`, expected, "invalid_grant (code_expired)"],
    ...["/", "", "Set the clock"],
  ]);
  const plain = { ...refusal, expected: "a", received: "b", spec: "RFC 6749 §5.2" };
  assertEquals(read(h(Why, { refusal: plain }), "dt", "dd", "mark", "summary"), [
    ...["Received", "Expected", "Rule", "Error code"],
    ...["b", "a", "RFC 6749 §5.2", "invalid_grant (code_expired)"],
  ]);
});

test("explained: a cause is put into words, and a redirect URI is compared with the nearest registered one", () => {
  const redirectUris = ["https://other.test/", "https://app.test/callback"];
  const differing = {
    ...{ error: "invalid_request", reason: "redirect_uri_unknown", description: "d", redirectUris },
    ...{ expected: redirectUris.join(", "), received: "https://app.test/callbac" },
  };
  const [received] = read(h(Why, { refusal: differing }), "dd");
  assertEquals([received, read(h(Why, { refusal: differing }), "mark")], ["https://app.test/callbac", [
    "",
    "k",
  ]]);
  const lost = { ...refusal, received: "signed_out" };
  assertEquals(read(h(Why, { refusal: lost }), "dd")[0], "a grant whose person has signed out");
});

const shown = {
  ...{
    method: "POST",
    target: "/oauth2/token",
    status: 200,
    checks: [],
    failedChecks: [],
    remarks: [],
    hints: [],
  },
  ...{ scope: [], resource: [], arrivedBy: [], rpc: [], notified: [], related: [] },
  request: { parameters: [], headers: [], body: [] },
  response: { parameters: [], headers: [], body: [] },
} as unknown as ShownExchange;

const explain = (changed: Partial<ShownExchange>) =>
  h(Explained, { shown: { ...shown, ...changed }, link: (id) => `/${id}` });

test("explained: each fact about a request is a row, and what there is not has none", () => {
  assertEquals(read(explain({}), "dd"), []);
  const facts: Partial<ShownExchange> = {
    ...{ clientAuth: "none", scope: ["read", "write"], resource: ["https://one.test", "https://two.test"] },
    ...{ arrivedBy: ["pushed request", "request object"], provenKey: "jkt x", factorReason: "acr_values" },
    ...{ rpc: ["ping", "tools/call add"], fault: "TypeError" },
    trace: { traceId: "trace", parentId: "parent" } as NonNullable<ShownExchange["trace"]>,
    notified: [{ client: "app", result: "told" }, { client: "spa", result: "answered 400" }],
  };
  assertEquals(read(explain(facts), "dd"), [
    ...["none", "read write", "https://one.test https://two.test", "pushed request, request object", "jkt x"],
    ...["the request (acr_values)", "ping, tools/call add", "trace", "parent", "TypeError"],
    "app: told, spa: answered 400",
  ]);
});

test("explained: where a value comes from says when that was, and how the clock was turned since", () => {
  const related: ShownExchange["related"] = [
    { relation: "used_first", id: "1", before: 5, overlaps: true },
    { relation: "issued", id: "2", before: 90, turned: -60 },
  ];
  assertEquals(read(explain({ related, grantType: "refresh_token" }), "li"), [
    "The first request with this refresh token (at the same time: both requests ran together, a race)",
    "The response with this refresh token (1 min 30 s before). The clock was turned back by 1 min.",
  ]);
});

test("explained: of a response, the address comes last, with its parameters below it", () => {
  const headers = [{ name: "location", text: "https://app.test/" }, {
    name: "set-cookie: a",
    meaning: "set-cookie",
  }];
  const parameters = [{ name: "code", text: "x" }, { name: "state", text: "y" }];
  const body = [{ name: "grant_type", text: "a" }, { name: "scope", text: "b" }];
  const request = { parameters, headers: [{ name: "authorization: Bearer", text: "t" }], body };
  const changed = { ...shown, request, response: { parameters, headers, body: [] } };
  assertEquals(read(h(RawMessages, { shown: changed }), "code"), [
    ...["POST /oauth2/token", "?code=x", "&state=y", "authorization: Bearer t", "grant_type=a", "&scope=b"],
    ...["200", "set-cookie: a=…", "location: https://app.test/", "?code=x", "&state=y"],
  ]);
});
