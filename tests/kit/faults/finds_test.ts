/** Which requests a verdict counts: those with the code or the token of the wrong answer, and not those of a new login. */

import { assertEquals } from "@std/assert";
import { joinJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import * as finds from "../../../src/kit/faults/finds.ts";
import { findUnmet, listNeverSent, type Need } from "../../../src/kit/faults/needs.ts";
import type { Find, Seen } from "../../../src/kit/faults/seen.ts";
import { createHardSpelling, isHard } from "../../../src/kit/faults/spelling.ts";
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
const rotate = (refresh_token: string, next: string) =>
  at("token", { form: { grant_type: "refresh_token", refresh_token }, body: `{"refresh_token":"${next}"}` });
const use = (endpoint: string, token: string, status = 200) =>
  at(endpoint, { authorization: `Bearer ${token}`, status });
const answer = (location: string) => at("authorize", { status: 302, location });
const wrap = (code: string, more = {}) =>
  joinJwt({ header: { alg: "none" }, claims: { code, ...more }, signature: "" });
const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
const poll = (second: number, device_code = "a") =>
  seenAt("token", { number: second, form: { grant_type, device_code } });
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
  guess: at("page", { status: 404, query: "response_type=code" }),
  found: at("page", { method: "POST" }),
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
  ...{ kept: rotate("a", "a"), rotated: rotate("a", "b") },
  registered: at("register", { body: '{"client_id":"a"}' }),
  withSecret: at("register", { body: '{"client_secret":"a"}' }),
  document: at("authorize", { query: "client_id=https://app.test/client&nonce=n&state=1" }),
  plain: at("authorize", { query: "client_id=app&x=https://app.test&state=2" }),
  pushed: at("authorize", { query: "nonce=n&request_uri=urn:a" }),
  continued: at("authorize", { query: "nonce=n&continue=a" }),
  inObject: at("authorize", { query: `request=${wrap("a", { nonce: "n" })}` }),
  besideObject: at("authorize", { query: `nonce=n&request=${wrap("a", { nonce: 1 })}` }),
  encrypted: at("authorize", { query: "nonce=n&request=a.b.c.d.e" }),
  openid: at("authorize", { query: "scope=email+openid&state=1" }),
  ...{ poll0: poll(1000), poll3: poll(1003), poll4: poll(1004), poll8: poll(1008), poll9: poll(1009) },
  ...{ poll22: poll(1022), poll23: poll(1023), otherPoll: poll(1003, "b") },
  pollAtOnce: { ...poll(1000), entry: { ...poll(1000).entry, id: "at once" } },
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
  nonce: ["document inObject", "plain pushed continued besideObject encrypted"],
  two_states: ["document plain", "document document"],
};

const watchOf = (fault: "interval_missing" | "slow_down_endless" | "expired_early") =>
  catalogue.get(`device.${fault}`)!.watch;

/** "later after wrong answers: found". Without "after", no answer was wrong. */
const found: readonly (readonly [find: Find, ...cases: readonly string[]])[] = [
  [finds.redeemsCode, "code refresh userinfo: code"],
  [finds.moreThan(1, finds.redeemsCode), "code hidden code: hidden code"],
  [finds.refreshes, "code refresh: refresh"],
  [finds.refreshesWithScope("orders"), "refresh refreshOrders refreshLonger refreshBare: refreshOrders"],
  // RFC 6749 §4.1.2
  [finds.repeatsCode, "code hidden noCode after sameCode hidden: code", "noCode code after noCode: "],
  [finds.guessesEndpoint, "postPage guess page found keys: postPage guess"],
  [finds.usesAccessToken, "userinfo call useWrong keys: userinfo useWrong"],
  // RFC 6750 §3.1
  [finds.refusesAccessToken, "refused400 refused401 refused403: refused401 refused403"],
  [finds.repeatsAccessToken(finds.usesAccessToken), "useRight useWrong userinfo after askWrong: useWrong"],
  [finds.usesReceivedToken, "useWrong useRight userinfo call after wrongTokens: useWrong userinfo"],
  [finds.usesReceivedToken, "useWrong after keys: "],
  [finds.redeemsNoCode, "empty null undefined noCode code: empty null undefined noCode"],
  [finds.redeemsNoCode, "credentials refresh postPage: credentials"],
  [finds.afterWrong("keys", finds.redeemsCode), "code keys hidden after wrongKeys: code"],
  [finds.afterWrong("keys", finds.redeemsCode), "keys wrongKeys code after call wrongKeys: code"],
  [finds.acceptsLogoutToken, "told toldBadly toldNothing keys: told"],
  [finds.refusesLogoutToken, "told toldNothing after toldBadly: toldBadly toldNothing"],
  [finds.missesLogoutToken, "told toldBadly toldNothing: toldNothing"],
  [finds.callsOtherServer, "decoy code: decoy"],
  [finds.trustsOtherServer, "decoy code decoyBasic: decoyBasic"],
  ...["inQuery", "inFragment", "inJwt", "inForm"].map((wrong) =>
    [finds.redeemsReceivedCode, `code noCode refresh after keys ${wrong}: code`] as const
  ),
  ...["otherInQuery", "otherInJwt", "otherInForm", "nothing"].map((wrong) =>
    [finds.redeemsReceivedCode, `code noCode refresh after keys ${wrong}: `] as const
  ),
  // RFC 8628 §3.5. One second is left to timers.
  [watchOf("interval_missing").never!, "poll3 after poll0: poll3", "poll4 after poll0: "],
  [watchOf("interval_missing").never!, "poll3 poll0: poll3", "poll0 poll3 after poll0: poll3"],
  [
    watchOf("interval_missing").never!,
    "pollAtOnce otherPoll after poll0: ",
    "poll4 poll8 after poll0 poll3: poll3 poll4",
  ],
  [watchOf("interval_missing").sign!, "poll3 after poll0: ", "poll4 after poll0: poll4", "poll4: "],
  [watchOf("slow_down_endless").never!, "poll8 after poll0: poll8", "poll9 poll22 after poll0: poll22"],
  [watchOf("slow_down_endless").sign!, "poll8 after poll0: ", "poll9 poll23 after poll0: poll9 poll23"],
  [watchOf("expired_early").never!, "poll3 otherPoll code after poll0: poll3", "poll3: "],
  [finds.redeemsReceivedCode, "otherFlow hidden noFlow after ofFlow: hidden", "noFlow after nothing: "],
];

for (const [need, [right, wrong]] of Object.entries(shown)) {
  test(`finds: what shows ${need}, and what does not`, () => {
    assertEquals(shows(need as Need)(read(right), []), read(right));
    assertEquals(shows(need as Need)(read(wrong), []), []);
  });
}

const read = (names: string): readonly Seen[] =>
  names === "" ? [] : names.split(" ").map((name) => requests[name as keyof typeof requests]);

for (const [find, ...cases] of found) {
  for (const each of cases) {
    test(`finds: ${each}`, () => {
      const [, later = "", acted = "", expected = ""] = /^(.*?)(?: after (.*))?: (.*)$/.exec(each)!;
      assertEquals(find(read(later), read(acted)), read(expected));
    });
  }
}

for (const name of ["code", "token", "refresh_token", "client_secret", "client_assertion", "code_verifier"]) {
  test(`finds: a ${name} that another server gets`, () => {
    const request = at("decoy", { query: `${name}=1` });
    assertEquals(finds.trustsOtherServer([request, requests.decoy], []), [request]);
  });
}

test("finds: which usual parameters no login has sent, if all of them show it", () => {
  for (const unknown of ["", "code", "pushed", "openid inObject"]) {
    assertEquals(listNeverSent(read(unknown)), undefined, unknown);
  }
  assertEquals(listNeverSent(read("openid code pushed")), ["nonce", "code_challenge"]);
  assertEquals(listNeverSent(read("openid document")), ["code_challenge"]);
  assertEquals(listNeverSent(read("guess plain nothing")), ["code_challenge"]);
});

test("finds: a hard secret is one with all of its characters (RFC 6749 Appendix A)", () => {
  const hard = createHardSpelling(["code"]).spell("secret");
  const others = [null, "", "secret", hard.slice(1), hard.slice(0, -1), ` ${hard}`, `${hard} `];
  assertEquals([hard, ...others].map(isHard), [true, ...others.map(() => false)]);
  assertEquals([/^[\x20-\x7e]+$/.test(hard), hard.length > 2000], [true, true]);
});
