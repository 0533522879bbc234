/** Wrong authorization details in token responses (RFC 9396 §7). */

import type { Members } from "../../../ground/values/members.ts";
import { changeClaims, changeTokens, together } from "../changes.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { usesAccessToken } from "../finds.ts";
import type { CreateActs } from "../misbehaviour.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";

const member = "authorization_details";

export const authorizationDetails: FaultsOf<"authorization_details"> = faultsOf("authorization_details", {
  // RFC 9396 tells the server what the response has, and no client what to do if it has something else.
  level: "hardening",
  phase: "login",
  needs: [member],
  watch: { invisible: true },
  tolerated: { watch: { sign: usesAccessToken } },
}, {
  less: {
    level: "robustness",
    server: "Of several authorization_details, the token response and the access token lack the last one.",
    client: "Uses the token for what was granted, because a person can refuse single objects.",
    rule: "RFC 9396 §7: the response has what the person granted",
    acts: together(
      changeDetails((details) => leaveOutLast(details)),
      // An API reads it in the token, or gets it by introspection.
      changeClaims("access_token", (claims) => changeDetailsOf(claims, leaveOutLast)),
    ),
  },
  missing: {
    server: "The token response has no authorization_details, although the client asked for some.",
    client: "Refuses the response, because it does not say what was granted.",
    rule: "RFC 9396 §7: a duty of the server",
    acts: changeTokens((members) => without(members, member)),
  },
  more: {
    server:
      "The authorization_details of the token response have an object for which the client has not asked.",
    client: "Refuses the response, or reports the additional object.",
    rule:
      "RFC 9396 §7: the response has what the person granted, but no rule says what a client does with more",
    control: "authorization_details.other_order",
    acts: changeDetails((details) => [...details, { type: "unasked" }]),
  },
  other_order: {
    level: "robustness",
    server: "The authorization_details of the token response are in another order than in the request.",
    client: "Uses the token, because it compares the objects and not their places.",
    rule: "RFC 9396 §7: it names no order",
    acts: changeDetails((details) => details.toReversed()),
  },
});

type Change = (details: readonly unknown[]) => readonly unknown[];

const leaveOutLast: Change = (details) => details.length > 1 ? details.slice(0, -1) : details;

function changeDetails(change: Change): CreateActs {
  return changeTokens((members) => changeDetailsOf(members, change));
}

function changeDetailsOf(members: Members, change: Change): Members {
  const details = members[member];
  return Array.isArray(details) ? { ...members, [member]: change(details) } : members;
}
