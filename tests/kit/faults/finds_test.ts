/** Which requests a verdict counts: those with the code or the token of the wrong answer, and not those of a new login. */

import { assertEquals } from "@std/assert";
import { joinJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import * as finds from "../../../src/kit/faults/finds.ts";
import { findUnmet, type Need } from "../../../src/kit/faults/needs.ts";
import type { Find, Seen } from "../../../src/kit/faults/seen.ts";
import { test } from "../../runner.ts";
import { seenAt, type SeenTerms } from "./seen_requests.ts";

let number = 0;
const at = (endpoint: string, terms: Omit<SeenTerms, "number"> = {}) =>
  seenAt(endpoint, { number: ++number, ...terms });
const redeem = (code: string, flow?: string) =>
  at("token", {
    form: { grant_type: "authorization_code", code },
    facts: flow === undefined ? {} : { flow },
  });
const grant = (grant_type: string, scope = "") => at("token", { form: { grant_type, scope } });
const use = (endpoint: string, token: string, status = 200) =>
  at(endpoint, { authorization: `Bearer ${token}`, status });
const answer = (location: string) => at("authorize", { status: 302, location });
const wrap = (code: string) => joinJwt({ header: { alg: "none" }, claims: { code }, signature: "" });
const tell = (told: string) =>
  at("logout", { facts: { more: { back_channel_logout: { app: "told nothing", other: told } } } });

const requests = {
  ...{ code: redeem("right"), sameCode: redeem("right"), noFlow: redeem("hidden") },
  ...{ hidden: redeem("hidden", "1"), otherFlow: redeem("hidden", "2") },
  ...{ empty: redeem(""), null: redeem("null"), undefined: redeem("undefined") },
  noCode: at("token", { form: { grant_type: "authorization_code" } }),
  ...{ credentials: grant("client_credentials"), refresh: grant("refresh_token") },
  refreshOrders: grant("refresh_token", "openid orders"),
  refreshLonger: grant("refresh_token", "orders_more"),
  refreshBare: at("token", { form: { grant_type: "refresh_token" } }),
  wrongTokens: at("token", { body: '{"access_token":"wrong","id_token":"x"}' }),
  ...{ userinfo: at("userinfo"), call: at("resource"), keys: at("keys"), wrongKeys: at("keys") },
  ...{ useWrong: use("resource", "wrong"), useRight: use("resource", "right") },
  ...{ askWrong: use("userinfo", "wrong"), refused400: use("resource", "a", 400) },
  ...{ refused401: use("resource", "a", 401), refused403: use("userinfo", "a", 403) },
  ...{ postPage: at("page", { status: 404, method: "POST" }), page: at("page", { status: 404 }) },
  ...{
    guess: at("page", { status: 404, query: "response_type=code" }),
    found: at("page", { method: "POST" }),
  },
  ...{ told: tell("told"), toldBadly: tell("answered 400: no"), toldNothing: tell("answered 404: no page") },
  ...{ decoy: at("decoy", { query: "state=1" }), decoyBasic: at("decoy", { authorization: "Basic x" }) },
  inQuery: answer("https://app.test/?state=1&code=right"),
  inFragment: answer("https://app.test/#code=right"),
  otherInQuery: answer("https://app.test/?code=wrong&state=right"),
  inJwt: answer(`https://app.test/?response=${wrap("right")}`),
  otherInJwt: answer(`https://app.test/?response=${wrap("wrong")}`),
  inForm: at("authorize", { body: '<input name="code" value="right">' }),
  otherInForm: at("authorize", { body: '<input name="code" value="wrong">' }),
  ...{ ofFlow: at("authorize", { facts: { flow: "1" } }), nothing: at("authorize") },
  jwt: at("userinfo", { type: "application/jwt; charset=utf-8" }),
  json: at("userinfo", { type: "application/json" }),
  secretInForm: at("token", { form: { client_secret: "x" } }),
  assertion: at("token", { form: { client_assertion: "x" } }),
  secretInHeader: at("token", { authorization: "Basic x", form: {} }),
  kept: at("token", {
    form: { grant_type: "refresh_token", refresh_token: "a" },
    body: '{"refresh_token":"a"}',
  }),
  rotated: at("token", {
    form: { grant_type: "refresh_token", refresh_token: "a" },
    body: '{"refresh_token":"b"}',
  }),
  registered: at("register", { body: '{"client_id":"a"}' }),
  withSecret: at("register", { body: '{"client_secret":"a"}' }),
  document: at("authorize", { query: "client_id=https://app.test/client&nonce=n&state=1" }),
  plain: at("authorize", { query: "client_id=app&x=https://app.test&state=2" }),
};

/** Finds all requests if they show that the client has the need, and otherwise none. */
const shows = (need: Need): Find => (later) => findUnmet([need], later, []) === undefined ? later : [];

/** Requests that show what a client uses, and requests that do not. */
const shown: Readonly<Partial<Record<Need, readonly [right: string, wrong: string]>>> = {
  userinfo_jwt: ["jwt", "json userinfo"],
  jarm: ["inJwt", "inQuery inForm"],
  public_client: ["code", "secretInForm assertion secretInHeader userinfo"],
  kept_refresh_token: ["kept", "rotated refresh"],
  refresh_token: ["rotated", "wrongTokens"],
  registered_secret: ["withSecret", "registered"],
  client_document: ["document", "plain"],
  no_nonce: ["plain", "document"],
  nonce: ["document", "plain"],
  two_states: ["document plain", "document document"],
};

/** What is found among the later requests, after the wrong answers to others. */
const found:
  readonly (readonly [name: string, find: Find, later: string, expected: string, acted?: string])[] = [
    ["codes", finds.redeemsCode, "code refresh userinfo", "code"],
    ["the second and later ones", finds.moreThan(1, finds.redeemsCode), "code hidden code", "hidden code"],
    ["refreshes", finds.refreshes, "code refresh", "refresh"],
    [
      "a scope",
      finds.refreshesWithScope("orders"),
      "refresh refreshOrders refreshLonger refreshBare",
      "refreshOrders",
    ],
    ["a code again (RFC 6749 §4.1.2)", finds.repeatsCode, "code hidden noCode", "code", "sameCode hidden"],
    ["no code again", finds.repeatsCode, "noCode code", "", "noCode"],
    ["guessed addresses", finds.guessesEndpoint, "postPage guess page found keys", "postPage guess"],
    ["tokens", finds.usesAccessToken, "userinfo call useWrong keys", "userinfo useWrong"],
    [
      ...["refused tokens (RFC 6750 §3.1)", finds.refusesAccessToken] as const,
      ...["refused400 refused401 refused403", "refused401 refused403"] as const,
    ],
    [
      "a token again",
      finds.repeatsAccessToken(finds.usesAccessToken),
      "useRight useWrong userinfo",
      "useWrong",
      "askWrong",
    ],
    [
      "received tokens",
      finds.usesReceivedToken,
      "useWrong useRight userinfo call",
      "useWrong userinfo",
      "wrongTokens",
    ],
    ["a token that no answer has", finds.usesReceivedToken, "useWrong", "", "keys"],
    [
      ...[
        "no code",
        finds.redeemsNoCode,
        "empty null undefined noCode code credentials refresh postPage",
      ] as const,
      "empty null undefined noCode credentials",
    ],
    ["the wrong keys", finds.afterWrong("keys", finds.redeemsCode), "code keys hidden", "code", "wrongKeys"],
    [
      "the wrong keys last",
      finds.afterWrong("keys", finds.redeemsCode),
      "keys wrongKeys code",
      "code",
      "call wrongKeys",
    ],
    ["told clients", finds.acceptsLogoutToken, "told toldBadly toldNothing keys", "told"],
    ["refusing clients", finds.refusesLogoutToken, "told toldNothing", "toldBadly toldNothing", "toldBadly"],
    ["clients without an endpoint", finds.missesLogoutToken, "told toldBadly toldNothing", "toldNothing"],
    ["another server", finds.callsOtherServer, "decoy code", "decoy"],
    ["credentials for another server", finds.trustsOtherServer, "decoy code decoyBasic", "decoyBasic"],
    ...["inQuery", "inFragment", "inJwt", "inForm"].map((wrong) =>
      [
        `the code ${wrong}`,
        finds.redeemsReceivedCode,
        "code noCode refresh",
        "code",
        `keys ${wrong}`,
      ] as const
    ),
    ...["otherInQuery", "otherInJwt", "otherInForm", "nothing"].map((wrong) =>
      [`the code, ${wrong}`, finds.redeemsReceivedCode, "code noCode refresh", "", `keys ${wrong}`] as const
    ),
    ["a code that cannot be read", finds.redeemsReceivedCode, "otherFlow hidden noFlow", "hidden", "ofFlow"],
    ["a code of no known login", finds.redeemsReceivedCode, "noFlow", "", "nothing"],
  ];

for (const [need, [right, wrong]] of Object.entries(shown)) {
  test(`finds: what shows ${need}, and what does not`, () => {
    assertEquals(shows(need as Need)(read(right), []), read(right));
    assertEquals(shows(need as Need)(read(wrong), []), []);
  });
}

const read = (names: string): readonly Seen[] =>
  names === "" ? [] : names.split(" ").map((name) => requests[name as keyof typeof requests]);

for (const [name, find, later, expected, acted = ""] of found) {
  test(`finds: ${name}`, () => assertEquals(find(read(later), read(acted)), read(expected)));
}

for (const name of ["code", "token", "refresh_token", "client_secret", "client_assertion", "code_verifier"]) {
  test(`finds: a ${name} that another server gets`, () => {
    const request = at("decoy", { query: `${name}=1` });
    assertEquals(finds.trustsOtherServer([request, requests.decoy], []), [request]);
  });
}
