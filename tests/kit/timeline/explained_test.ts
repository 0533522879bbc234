/** What explains an exchange: the comparisons of a client, and why the server refused. */

import { assertEquals } from "@std/assert";
import { h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ClientCheck, PkceSum, ShownExchange } from "../../../src/kit/timeline/exchange_props.ts";
import { Checks, Pkce } from "../../../src/kit/timeline/checks.tsx";
import { ClientSettings } from "../../../src/kit/timeline/client_settings.tsx";
import { listTokens } from "../../../src/kit/timeline/entry_tokens.tsx";
import { Explained } from "../../../src/kit/timeline/explained.tsx";
import { RawMessages } from "../../../src/kit/timeline/raw_messages.tsx";
import { Why } from "../../../src/kit/timeline/why.tsx";
import { visible } from "../../../src/ground/values/visible.ts";
import { test } from "../../runner.ts";
import { attribute, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";

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

test("explained: a name means in a response what the response gives, otherwise the same as in a request", () => {
  const values = ["scope", "code", "auth_time"].map((name) => ({ name, text: "1" }));
  const message = { parameters: [], headers: [{ name: "location", text: "/" }], body: values };
  const changed = { ...shown, request: message, response: message };
  const rows = read(h(RawMessages, { shown: changed }), "td").filter((_, at, all) =>
    /^(location|&?(scope|code|auth_time))/.test(all[at - 1] ?? "")
  );
  const [sent, received] = [rows.slice(0, 4), rows.slice(4)];
  const differs = sent.map((meaning, at) => meaning !== received[at]);
  assertEquals([sent.length, received.length, differs], [4, 4, [false, true, false, false]]);
  assertEquals(received.slice(0, 2), [
    "Where the browser goes next.",
    "What the token allows: the granted scope.",
  ]);
});

test("explained: each value of a setting of the client is shown, and a list without values says so", () => {
  const redirectUris = ["https://one.test/", "https://two.test/"];
  const lists = { redirectUris, grantTypes: ["authorization_code", "refresh_token"], scope: [] };
  const client = { id: "app", href: "/clients/app", method: "none", requirePkce: true, ...lists };
  const values = read(h(ClientSettings, { client }), "dd");
  assertEquals(values, [
    ...["app", "none: a public client, which has no secret", redirectUris.join("")],
    ...["authorization_coderefresh_token", "none", "required"],
  ]);
});

test("explained: a refusal names the library whose request it looks like, and shows hidden characters", () => {
  const looksLike = "node-oidc\u202e: set pkce";
  assertEquals(read(h(Why, { refusal: { ...refusal, looksLike } }), "dt", "dd").slice(0, 3), [
    ...["Looks like", "Error code", visible(looksLike)],
  ]);
});

test("explained: a time in what the server compared has its date, for each name of a time", () => {
  const compared: readonly (readonly [recorded: string, shown: string])[] = [
    ...["exp", "iat", "nbf", "auth_time", "after"].map((name) =>
      [`${name} 1800000000`, `${name} 2027-01-15 08:00:00 UTC (1800000000)`] as const
    ),
    [
      "iat 1800000000, exp 1800000001",
      "iat 2027-01-15 08:00:00 UTC (1800000000), exp 2027-01-15 08:00:01 UTC (1800000001)",
    ],
    ["max_age 1800000000", "max_age 1800000000"],
    ["exp 180000000", "exp 180000000"],
    ["exp 18000000000", "exp 18000000000"],
  ];
  for (const [received, shown] of compared) {
    assertEquals(read(h(Why, { refusal: { ...refusal, received } }), "dd")[0], shown);
    assertEquals(read(h(Why, { refusal: { ...refusal, expected: received } }), "dd")[0], shown);
  }
});

test("explained: of two times that differ, the dates are compared, too", () => {
  const times = { received: "exp 1800000000", expected: "exp 1800000060" };
  assertEquals(read(h(Why, { refusal: { ...refusal, ...times } }), "dd", "mark"), [
    ...["exp 2027-01-15 08:00:00 UTC (1800000000)", "exp 2027-01-15 08:01:00 UTC (1800000060)"],
    ...["invalid_grant (code_expired)", "0:00 UTC (180000000", "1:00 UTC (180000006"],
  ]);
});

test("explained: what to change in the configuration is there if there is a sentence or a line of it", () => {
  const summary = "Or change the configuration";
  const rows = [
    [{ instead: "Register the URI." }, [summary, "Register the URI."]],
    [{ remedy: "redirect_uris: []" }, [summary, "redirect_uris: []"]],
    [{ instead: "Register the URI.", remedy: "redirect_uris: []" }, [
      ...[summary, "Register the URI.", "redirect_uris: []"],
    ]],
    [{}, []],
  ] as const;
  for (const [help, shown] of rows) {
    assertEquals(read(h(Why, { refusal: { ...refusal, ...help } }), "summary", "p", "pre"), shown);
  }
  const { error: _error, ...withoutError } = refusal;
  assertEquals(read(h(Why, { refusal: withoutError }), "dd"), ["code_expired"]);
});

test("explained: PKCE is calculated, and only a hash and a challenge are compared (RFC 7636 §4.6)", () => {
  const verifier = { text: "v" };
  const rows: readonly (readonly [PkceSum, values: readonly string[], verdict: readonly string[]])[] = [
    [{ verifier, hash: "a", challenge: "a", challengeId: "1" }, ["v", "a", "a"], [
      "holds They are equal: the verifier is right.",
    ]],
    [{ verifier, hash: "a", challenge: "b" }, ["v", "a", "b"], [
      "fails They differ: this verifier does not belong to this code.",
    ]],
    [{ hash: "a" }, ["a", "No authorization request with a code_challenge is in the journal."], []],
    [{ challenge: "a" }, ["a"], []],
  ];
  for (const [sum, values, verdict] of rows) {
    const html = `<!doctype html>${renderToString(h(Pkce, { sum, link: (id) => `/${id}` }))}`;
    const page = readHtml(html);
    assertEquals(findAll(page, "dd").map(textOf), values);
    assertEquals(findAll(page, "p").map((each) => `${attribute(each, "class")} ${textOf(each)}`), verdict);
    const links = findAll(page, "a").map((each) => attribute(each, "href"));
    assertEquals(links, sum.challengeId === undefined ? [] : [`/${sum.challengeId}`]);
  }
});

test("explained: the part that says what is wrong comes first, and its heading fits", () => {
  const related: ShownExchange["related"] = [{ relation: "issued", id: "2", before: 1 }];
  const checks = [{ name: "nonce", isMet: false, rule: "" }] as const;
  const pkce = { verifier: { text: "v" }, hash: "a", challenge: "a" };
  const client = { id: "app", href: "/clients/app" };
  const rows: readonly (readonly [changed: Partial<ShownExchange>, headings: readonly string[]])[] = [
    [{ related, checks, pkce }, [
      ...["PKCE, calculated", "What a client can compare", "Where it comes from", "Facts"],
    ]],
    [{ related, checks, pkce, failedChecks: ["nonce"] }, [
      ...["What a client can compare", "PKCE, calculated", "Where it comes from", "Facts"],
    ]],
    [{ related, pkce, refusal }, ["What explains it", "The client at this server", "PKCE, calculated"]],
    [{ related, advice: refusal }, ["What explains it", "Facts"]],
    [{ pkce: { challenge: "a" } }, ["PKCE", "Facts"]],
  ];
  for (const [changed, headings] of rows) {
    const node = h(Explained, { shown: { ...shown, ...changed }, link: (id) => `/${id}`, client });
    assertEquals(read(node, "h3"), headings);
  }
});

const jwt = { header: { lines: [], isWhole: true }, payload: { lines: [], isWhole: true } };

test("explained: the tokens of each part of a message are listed, and the one with a failed check first", () => {
  const part = (name: string) => [{ name, jwt }];
  const request = { parameters: part("request"), headers: part("dpop"), body: part("client_assertion") };
  const body = [...part("access_token"), ...part("id_token")];
  const changed = { ...shown, request, response: { parameters: part("response"), headers: [], body } };
  const namesOf = (checks: readonly ClientCheck[], more: Partial<ShownExchange> = {}) =>
    listTokens({ ...changed, ...more, checks }, () => true).map(({ name }) => name);
  const requested = ["request", "dpop", "client_assertion"];
  assertEquals(namesOf([]), ["response", "access_token", "id_token", ...requested]);
  const failed = { name: "access_token_aud", isMet: false, rule: "" } as const;
  assertEquals(namesOf([failed]), ["access_token", "response", "id_token", ...requested]);
  const opaque = {
    parameters: [],
    headers: [],
    body: [...part("id_token"), { name: "access_token", text: "x" }],
  };
  assertEquals(namesOf([failed], { response: opaque }).slice(0, 2), ["id_token", "access_token"]);
});

test("explained: JSON keeps its lines, a token in it is cut, and what is not shown is counted", () => {
  const text = "x".repeat(1000);
  const lines = [
    { depth: 0, text: "{" },
    { depth: 1, text: `"id_token": "${text}",`, path: "id_token" },
    { depth: 1, text: `"scope": "${text}"`, path: "scope" },
    { depth: 0, text: "}" },
  ];
  const response = {
    ...{ parameters: [], headers: [], body: [{ name: "id_token", text, jwt }], omitted: 1, hiddenBody: 1234 },
    json: { lines, isWhole: false, omitted: 2 },
  };
  const node = h(RawMessages, { shown: { ...shown, response } });
  const [, , ...shownLines] = renderToString(node).matchAll(/<code>(.*?)<\/code>/g).map(([, code]) => code);
  assertEquals(shownLines, [
    "{",
    `  "id_token": "${text.slice(0, 35)}…`.replaceAll('"', "&quot;"),
    `  "scope": "${text}"`.replaceAll('"', "&quot;"),
    "}",
  ]);
  const notes = read(node, "td").filter((each) => /^(A body|\d+ more)/.test(each));
  assertEquals(read(node, "span"), ["1,000 characters, whole below Tokens"]);
  assertEquals(notes, [
    "A body of 1,234 characters, which is not shown.",
    "3 more values are left out here. An export has all.",
  ]);
  const plain = { ...shown, response: { ...response, hiddenBody: undefined, omitted: 1, json: undefined } };
  const counted = read(h(RawMessages, { shown: plain as unknown as ShownExchange }), "td").at(-1);
  assertEquals(counted, "1 more value is left out here. An export has all.");
});
