/** Which requests a verdict counts: those with the code or the token of the wrong answer, and not those of a new login. */

import { assertEquals } from "@std/assert";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import * as finds from "../../../src/kit/faults/finds.ts";
import { listNeverSent, type Need } from "../../../src/kit/faults/needs.ts";
import type { Find, Seen } from "../../../src/kit/faults/seen.ts";
import { createHardSpelling, isHard } from "../../../src/kit/faults/spelling.ts";
import { test } from "../../runner.ts";
import { at, requests, shows } from "./sample_requests.ts";
import { seenAt } from "./seen_requests.ts";

/** Requests that show what a client uses, and requests that do not. */
const shown: Readonly<Partial<Record<Need, readonly [right: string, wrong: string]>>> = {
  userinfo_jwt: ["jwt", "json userinfo"],
  jarm: ["inJwt", "inQuery inForm"],
  plain_response: ["inQuery inForm inFragment", "inJwt"],
  assertion: ["assertion", "secretInForm code"],
  public_client: ["code", "secretInForm assertion secretInHeader userinfo"],
  kept_refresh_token: ["kept", "rotated refresh"],
  refresh_token: ["rotated", "wrongTokens"],
  registered_secret: ["withSecret", "registered"],
  client_document: ["document", "plain"],
  no_nonce: ["plain", "document"],
  nonce: ["document inObject", "plain pushed continued besideObject encrypted"],
  mcp: ["mcp mcpOld mcpCall", "mcpOdd call metadata"],
  mcp_server: ["mcp", "mcpOld mcpOldFirst mcpOdd mcpCall call metadata"],
  two_states: ["document plain", "document document"],
};

const watchOf = (fault: "interval_missing" | "slow_down_endless" | "expired_early") =>
  catalogue.get(`device.${fault}`)!.watch;

const pushed = catalogue.get("pushed_request.audience_foreign")!.watch;

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
  // RFC 9126 §2
  [pushed.never!, "parOwn parForeign parOdd par assertion after foreignToken: parForeign"],
  [pushed.sign!, "parOwn parForeign parOdd par assertion after foreignToken: parOwn parForeign"],
  [pushed.never!, "parForeign after metadata: "],
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
  names === "" ? [] : names.split(" ").map((name) => requests[name]!);

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
    assertEquals(finds.trustsOtherServer([request, requests["decoy"]!], []), [request]);
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

test("finds: a refresh races another one only with the same token, before that one is answered", () => {
  const refresh = (number: number, refresh_token: string) => {
    const seen = seenAt("token", { number, form: { grant_type: "refresh_token", refresh_token } });
    return { ...seen, entry: { ...seen.entry, duration: 3 } };
  };
  const [first, ofOther, second, late] = [refresh(1, "a"), refresh(2, "b"), refresh(3, "a"), refresh(9, "a")];
  assertEquals(finds.racesRefresh([first, ofOther, second, late], []), [second]);
});

test("finds: a token that is an object is used however a program writes it", () => {
  const answer = seenAt("token", { number: 1, body: '{"access_token":{"value":"wrong","more":""}}' });
  // As Java writes a map.
  const [written, right] = ["{value=wrong}", "right"].map((token, index) =>
    seenAt("resource", { number: 2 + index, authorization: `Bearer ${token}` })
  );
  assertEquals(finds.usesReceivedToken([written!, right!], [answer]), [written!]);
});
