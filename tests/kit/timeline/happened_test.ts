/** What happened: the box about what was changed on purpose, and which answers are marked as wrong. */

import { assertEquals } from "@std/assert";
import { h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ClientCheck, Remark, ShownExchange } from "../../../src/kit/timeline/exchange_props.ts";
import { Happened } from "../../../src/kit/timeline/happened.tsx";
import { Remarks } from "../../../src/kit/timeline/remarks.tsx";
import { markOf } from "../../../src/kit/timeline/request_outcome.ts";
import { test } from "../../runner.ts";
import { attribute, type Element, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";

const nothing = { parameters: [], headers: [], body: [] };
const part = { lines: [], isWhole: true };
const jwt = { header: part, payload: part };
const exchange = {
  endpoint: "token",
  status: 200,
  hints: [],
  altered: [],
  remarks: [],
  checks: [],
  request: nothing,
  response: { ...nothing, body: [{ name: "access_token", jwt }, { name: "id_token", jwt }] },
} as unknown as ShownExchange;

const by = "id_token.nonce_wrong";
const altered = [{ seam: "id_token", by }, { seam: "token_response", by }];
const remark: Remark = {
  name: by,
  level: "must",
  reader: "client",
  isUnusual: false,
  server: "The nonce is another one.",
  action: "A correct client refuses it.",
  rule: "OpenID Connect Core §3.1.3.7",
};

function render(node: unknown): Element {
  return readHtml(`<!doctype html>${renderToString(node as VNode)}`);
}

function happened(changed: Partial<ShownExchange>, prefix?: string): Element {
  const shown = { ...exchange, ...changed };
  return render(h(Happened, { shown, link: (id) => `/${id}`, ...(prefix === undefined ? {} : { prefix }) }));
}

const textIn = (element: Element) => textOf(element).replaceAll(/\s+/g, " ").trim();

/** The class of the box, and its texts. */
function boxOf(page: Element): readonly (string | undefined)[] {
  const box = findAll(page, "p").find((each) => attribute(each, "class")?.startsWith("notice"));
  return box === undefined ? [] : [
    attribute(box, "class"),
    textIn(findAll(box, "strong")[0]!),
    ...findAll(box, "span").map(textIn),
  ];
}

test("happened: a box says what was changed on purpose, each name once, and none if nothing was", () => {
  assertEquals(boxOf(happened({})), []);
  assertEquals(boxOf(happened({ altered })), ["notice caution", `Changed on purpose by ${by}`]);
  const hook = { seam: "id_token", by: "hook" };
  assertEquals(boxOf(happened({ altered: [hook] })), ["notice caution", "Changed on purpose by hook"]);
  const wrong = happened({ altered: [...altered, hook], isWrong: true });
  assertEquals(boxOf(wrong), ["notice problem", `Wrong on purpose: ${by}, hook`]);
});

test("happened: the box has the remarks about a misbehaviour, and those about a failed comparison stand apart", () => {
  const remarks: readonly Remark[] = [
    ...[remark, { ...remark, name: "nonce", check: "nonce" } as const],
    { ...remark, name: "acr", check: "acr", isUnusual: true },
  ];
  const [, , ...said] = boxOf(happened({ altered, remarks }));
  assertEquals(said.length, 1);
  assertEquals(said[0]!.startsWith("The nonce is another one. "), true, said[0]);
  const apart = findAll(render(h(Remarks, { remarks })), "p");
  assertEquals(apart.map((each) => [attribute(each, "class"), textIn(each).split(". ")[0]]), [
    ["notice caution", "nonce of the ID token is not the one of the request"],
    ["notice", "The request asked for another acr than that of the ID token"],
  ]);
});

const sent = [
  ["a value and an expected one", { expected: { text: "a" }, received: { text: "b" } }, "expected a, sent b"],
  ["a value that is not expected", { received: { text: "b" } }, "sent b"],
  ["nothing", { expected: { text: "a" } }, "expected a, sent nothing"],
  ["a time", { received: { text: "0", time: 0 } }, "sent 1970-01-01 00:00:00 UTC"],
  ["a value that the page hides", { expected: {}, received: { length: 9 } }, undefined],
] as const;

for (const [what, values, said] of sent) {
  test(`happened: of a failed comparison, the box says what was sent: ${what}`, () => {
    const checks: readonly ClientCheck[] = [{ name: "nonce", isMet: false, rule: "", ...values }];
    const [, , text] = boxOf(happened({ altered, checks }));
    assertEquals(text, said === undefined ? "nonce · id_token" : `nonce · id_token: ${said}`);
  });
}

const names = ["iss", "aud", "nonce", "acr", "auth_time", "exp", "iat", "at_hash", "alg"] as const;

test("happened: each failed comparison of an ID token links to its line, and no other one is there", () => {
  const check = (name: ClientCheck["name"], isMet: ClientCheck["isMet"]) => ({ name, isMet, rule: "" });
  const linksOf = (checks: readonly ClientCheck[], body = exchange.response.body) => {
    const page = happened({ altered, checks, response: { ...nothing, body } }, "x-");
    return findAll(page, "a").map((each) => attribute(each, "href"));
  };
  // the token whose comparison failed comes first
  for (const name of names) assertEquals(linksOf([check(name, false)]), [`#x-token-1-${name}`]);
  assertEquals(linksOf([check("access_token_aud", false)]), ["#x-token-1-aud"]);
  assertEquals(linksOf([check("state", false), check("iss", true), check("nonce", undefined)]), []);
  const alone = [{ name: "access_token", jwt }];
  assertEquals(linksOf(names.map((name) => check(name, false)), alone), ["#x-token-1-exp", "#x-token-1-iat"]);
});

const codeUnknown = { error: "invalid_grant", reason: "code_unknown", description: "The code is unknown" };
const denied = { error: "access_denied", reason: "user_denied", description: "The person denied" };
const pending = { error: "authorization_pending", reason: "not_yet", description: "Wait" };
const told: readonly (readonly [what: string, shown: Partial<ShownExchange>, box: readonly string[]])[] = [
  ["a refusal", { outcome: "refused", refusal: codeUnknown }, ["notice problem", "The code is unknown."]],
  ["a failure", { outcome: "failed", refusal: codeUnknown }, ["notice problem", "The code is unknown."]],
  ["a Deny", { outcome: "refused", refusal: denied }, ["notice caution", "The person denied."]],
  ["a poll", { outcome: "refused", refusal: pending }, ["notice caution", "Wait."]],
  ["an advice", { outcome: "ok", advice: codeUnknown }, ["notice caution", "The code is unknown."]],
  [
    "a refusal with a change",
    { outcome: "refused", refusal: { ...codeUnknown, change: "Send it once." } },
    ["notice problem", "The code is unknown.", "To fix it: Send it once."],
  ],
  [
    "a refusal that follows from another one",
    { outcome: "refused", refusal: codeUnknown, follows: "id" },
    [
      "notice caution",
      "The code is unknown.",
      "This follows from an earlier refusal: the refusal that ended it.",
    ],
  ],
];

for (const [what, changed, box] of told) {
  test(`happened: only a mistake of the sender, or of the server, is a problem: ${what}`, () => {
    assertEquals(boxOf(happened(changed)), box);
  });
}

test("happened: only an accepted request is marked as wrong, and only a Deny as denied", () => {
  const marks = (["ok", "refused", "failed"] as const).map((outcome) => markOf({ outcome, isWrong: true }));
  assertEquals(marks, ["wrong", "refused", "failed"]);
  assertEquals(markOf({ outcome: "ok" }), "ok");
  assertEquals(markOf({ outcome: "refused", refusal: { reason: "user_denied" } }), "denied");
  assertEquals(markOf({ outcome: "refused", refusal: { reason: "code_unknown" } }), "refused");
});

test("happened: a clock that was turned in between says so once, and one that is only wrong says that", () => {
  const asides = (changed: Partial<ShownExchange>) =>
    findAll(happened(changed), "p").filter((each) => attribute(each, "class") === "aside").map(textIn);
  assertEquals(asides({}), []);
  const rows = [[60, "turned ahead"], [-60, "turned back"]] as const;
  for (const [turned, words] of rows) {
    assertEquals(asides({ turned, clockAhead: turned }), [`The clock was ${words} by 1 min.`]);
  }
  assertEquals([...asides({ clockAhead: 60 }), ...asides({ clockAhead: -60 })], [
    "The server's clock was 1 min ahead of the clock of this machine.",
    "The server's clock was 1 min behind the clock of this machine.",
  ]);
});

const tokens = (members: Readonly<Record<string, string>>): Partial<ShownExchange> => ({
  response: { ...nothing, body: Object.entries(members).map(([name, text]) => ({ name, text })) },
});
const given: readonly (readonly [what: string, changed: Partial<ShownExchange>, text: string])[] = [
  ["a token without a lifetime", tokens({ access_token: "a" }), "It gave an access token."],
  [
    "a token with a lifetime and a scope",
    tokens({ access_token: "a", expires_in: "60", scope: "read" }),
    "It gave an access token for 1 min, with the scope read.",
  ],
  [
    "all tokens",
    tokens({ access_token: "a", refresh_token: "r", id_token: "i", expires_in: "soon" }),
    "It gave an access token, a refresh token and an ID token.",
  ],
  [
    "a token that is none",
    tokens({ access_token: "a", token_type: "N_A" }),
    "It gave a token that is no access token.",
  ],
  ["no token", tokens({}), "It gave an answer."],
  ["a status of an endpoint without words", { endpoint: "resource" }, "It was answered with 200."],
  ["an endpoint with words", { endpoint: "jwks" }, "It gave the public keys."],
  [
    "what a browser gets",
    { endpoint: "consent", result: "code" },
    "The browser brings a code to the client.",
  ],
];

for (const [what, changed, text] of given) {
  test(`happened: a sentence says what was given: ${what}`, () => {
    assertEquals(findAll(happened(changed), "p").map(textIn), [text]);
  });
}

test("happened: the test may answer a request itself, and a lost answer says so besides", () => {
  const { status: _status, ...passedOn } = exchange;
  const page = render(h(Happened, { shown: passedOn, link: (id) => id }));
  assertEquals(findAll(page, "p").map(textIn), ["The test answers this request itself."]);
  const [, lost] = findAll(happened({ ...tokens({}), isLost: true }), "p");
  assertEquals([attribute(lost!, "class"), textIn(lost!).startsWith("The response was lost")], [
    "notice caution",
    true,
  ]);
});

test("happened: the headline of a refusal is what the server knows, unless the response says it and more", () => {
  const hidden = { error: "invalid_client", reason: "secret_wrong" };
  const rows = [
    ["Client authentication failed", "The client secret is wrong."],
    ["The client secret is wrong for app", "The client secret is wrong for app."],
  ];
  for (const [description = "", headline] of rows) {
    assertEquals(boxOf(happened({ outcome: "refused", refusal: { ...hidden, description } }))[1], headline);
  }
});
