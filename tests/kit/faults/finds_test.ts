/** Which requests a verdict counts: those with the code or the token of the wrong answer, and not those of a new login. */

import { assertEquals } from "@std/assert";
import * as finds from "../../../src/kit/faults/finds.ts";
import type { Claims } from "../../../src/ground/values/members.ts";
import type { Find, Seen } from "../../../src/kit/faults/seen.ts";
import { test } from "../../runner.ts";
import { joinJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { seenAt } from "./seen_requests.ts";

type SeenTerms = Parameters<typeof seenAt>[1];

let number = 0;
const at = (endpoint: string, terms: Omit<SeenTerms, "number"> = {}) =>
  seenAt(endpoint, { number: ++number, ...terms });
const redeem = (code: string, facts: SeenTerms["facts"] = {}) =>
  at("token", { form: { grant_type: "authorization_code", code }, facts });
const use = (endpoint: string, token: string, status = 200) =>
  at(endpoint, { authorization: `Bearer ${token}`, status });
const grant = (grant_type: string, scope = "") => at("token", { form: { grant_type, scope } });
const wrap = (claims: Claims) => joinJwt({ header: { alg: "none" }, claims, signature: "" });
const redirect = (location: string) => at("authorize", { status: 302, location });
const tell = (outcome: string) =>
  at("logout", { facts: { more: { back_channel_logout: { app: "told nothing", other: outcome } } } });

const code = redeem("right");
const wrongTokens = at("token", { body: '{"access_token":"wrong","id_token":"x"}' });
const refresh = grant("refresh_token", "openid orders");
const plainUserinfo = at("userinfo");
const plainCall = at("resource");
const usedWrong = use("resource", "wrong");
const lost = at("page", { status: 404, method: "POST" });
const guess = at("page", { status: 404, query: "response_type=code" });
const keys = at("keys");
const wrongKeys = at("keys");
const missing = ["", "null", "undefined"].map((text) => redeem(text));
const noCode = at("token", { form: { grant_type: "authorization_code" } });
const credentials = grant("client_credentials");
const inFlow = redeem("hidden", { flow: "1" });
const told = tell("told");
const refused = tell("answered 400: no");
const without = tell("answered 404: no page");

const carried = ["code", "token", "refresh_token", "client_secret", "client_assertion", "code_verifier"]
  .map((name) => at("decoy", { query: `${name}=1` }));
const bare = at("decoy", { query: "state=1" });
const authorized = at("decoy", { authorization: "Basic x" });

/** What is found among the later requests, after the wrong answers to others. */
const found: readonly (readonly [
  title: string,
  find: Find,
  later: readonly Seen[],
  expected: readonly Seen[],
  acted?: readonly Seen[],
])[] = [
  ["redeemed codes", finds.redeemsCode, [code, refresh, plainUserinfo], [code]],
  ["the second and later ones", finds.moreThan(1, finds.redeemsCode), [code, inFlow, code], [inFlow, code]],
  ["refreshes", finds.refreshes, [code, refresh], [refresh]],
  ["refreshes with a scope", finds.refreshesWithScope("orders"), [
    refresh,
    grant("refresh_token", "orders_more"),
    grant("refresh_token"),
    at("token", { form: { grant_type: "refresh_token" } }),
  ], [refresh]],
  ["a code that is repeated (RFC 6749 §4.1.2)", finds.repeatsCode, [code, inFlow, noCode], [code], [
    redeem("right"),
    redeem("hidden"),
  ]],
  ["no code that is repeated", finds.repeatsCode, [noCode, code], [], [noCode]],
  ["guessed addresses", finds.guessesEndpoint, [
    lost,
    guess,
    at("page", { status: 404 }),
    at("page", { method: "POST" }),
    keys,
  ], [lost, guess]],
  ["uses of a token", finds.usesAccessToken, [plainUserinfo, plainCall, usedWrong, keys], [
    plainUserinfo,
    usedWrong,
  ]],
  ["refused tokens", finds.refusesAccessToken, [
    use("resource", "a"),
    use("resource", "a", 400),
    use("resource", "a", 500),
  ], []],
  [
    "the token of the wrong answer",
    finds.repeatsAccessToken(finds.usesAccessToken),
    [
      use("resource", "other"),
      usedWrong,
      plainUserinfo,
    ],
    [usedWrong],
    [use("userinfo", "wrong")],
  ],
  [
    "received tokens, and what stands for none",
    finds.usesReceivedToken,
    [
      usedWrong,
      use("resource", "right"),
      plainUserinfo,
      plainCall,
    ],
    [usedWrong, plainUserinfo],
    [wrongTokens],
  ],
  ["a token that no answer has", finds.usesReceivedToken, [usedWrong], [], [keys]],
  ["no code", finds.redeemsNoCode, [...missing, noCode, code, credentials, refresh, lost], [
    ...missing,
    noCode,
    credentials,
  ]],
  ["a request after the right answer", finds.afterWrong("keys", finds.redeemsCode), [code, keys, inFlow], [
    code,
  ], [wrongKeys]],
  [
    "a request after another wrong answer",
    finds.afterWrong("keys", finds.redeemsCode),
    [
      keys,
      wrongKeys,
      code,
    ],
    [code],
    [at("keys"), wrongKeys],
  ],
  ["told clients", finds.acceptsLogoutToken, [told, refused, without, keys], [told]],
  ["refusing clients, and a wrong answer itself", finds.refusesLogoutToken, [told, without], [
    refused,
    without,
  ], [
    refused,
  ]],
  ["clients without an endpoint", finds.missesLogoutToken, [told, refused, without], [without]],
  ["what another server gets", finds.callsOtherServer, [bare, code], [bare]],
  ["credentials that another server gets", finds.trustsOtherServer, [bare, ...carried, authorized], [
    ...carried,
    authorized,
  ]],
];

for (const [title, find, later, expected, acted = []] of found) {
  test(`finds: ${title}`, () => assertEquals(find(later, acted), expected));
}

for (const status of [401, 403]) {
  test(`finds: a token that is refused with ${status} (RFC 6750 §3.1)`, () => {
    const refusal = use("resource", "a", status);
    assertEquals(finds.refusesAccessToken([refusal, at("token", { status })], []), [refusal]);
  });
}

/** Authorization responses that carry the code `right`, or another one. */
const responses: readonly (readonly [wrong: Seen, isFound: boolean])[] = [
  [redirect("https://app.test/?state=1&code=right"), true],
  [redirect("https://app.test/#code=right"), true],
  [redirect("https://app.test/?code=wrong&state=right"), false],
  [redirect(`https://app.test/?response=${wrap({ code: "right" })}`), true],
  [redirect(`https://app.test/?response=${wrap({ code: "wrong" })}`), false],
  [at("authorize", { body: '<input name="code" value="right">' }), true],
  [at("authorize", { body: '<input name="code" value="wrong">' }), false],
  [at("authorize"), false],
];

for (const [wrong, isFound] of responses) {
  const { response: { headers, body = "" } } = wrong.entry;
  test(`finds: the code of a changed response is ${isFound ? "" : "not "}in ${headers[0]?.[1] ?? body}`, () => {
    const others = [at("keys"), wrong];
    assertEquals(finds.redeemsReceivedCode([code, noCode, refresh], others), isFound ? [code] : []);
  });
}

test("finds: the code of an encrypted response belongs to its login", () => {
  const later = [redeem("hidden", { flow: "2" }), inFlow, redeem("hidden")];
  assertEquals(finds.redeemsReceivedCode(later, [at("authorize", { facts: { flow: "1" } })]), [inFlow]);
  assertEquals(finds.redeemsReceivedCode([redeem("hidden")], [at("authorize")]), []);
});
