/** What explains an exchange: the comparisons of a client, and why the server refused. */

import { assertEquals } from "@std/assert";
import { h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ClientCheck } from "../../../src/kit/timeline/exchange_props.ts";
import { Checks } from "../../../src/kit/timeline/checks.tsx";
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
