/** Wrong sign-outs and logout tokens (OpenID Connect RP-Initiated Logout, Back-Channel Logout). */

import {
  changeResponse,
  changesOf,
  htmlPage,
  removing,
  setting,
  signWithEmbeddedKey,
  signWithForeignKey,
  signWithPublicKey,
  writeUnsigned,
} from "../changes.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { acceptsLogoutToken, missesLogoutToken, refusesLogoutToken } from "../finds.ts";
import type { CreateActs, Tools } from "../misbehaviour.ts";
import { moveBack } from "../move_back.ts";
import type { PastTime } from "../names.ts";
import { changeAudience, writeIssuer, writeNeighbour } from "../neighbours.ts";

/** A wrong way back from the sign-out to the client. */
const wrongReturn = {
  level: "hardening",
  client: "Does not take this for the end of its own sign-out.",
  rule: "OpenID Connect RP-Initiated Logout §2, §3",
  needs: [],
  watch: { invisible: true },
} as const;

/** Changes the URL to which the browser returns after a sign-out. */
function changeReturn(change: (url: URL, tools: Tools) => void): CreateActs {
  return changeResponse("logout", (answer, tools) => {
    const { location } = answer.headers;
    if (typeof location !== "string") return answer;
    const url = new URL(location);
    change(url, tools);
    return url.href === new URL(location).href
      ? answer
      : { ...answer, headers: { ...answer.headers, location: url.href } };
  });
}

const { anew, claims, header } = changesOf("logout_token");

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
const otherEvent = "https://schemas.openid.net/secevent/risc/event-type/account-enabled";

export const logout: FaultsOf<"logout"> = faultsOf("logout", {
  level: "must",
  phase: "logout",
  client: "Refuses the logout token with the status 400.",
  rule: "OpenID Connect Back-Channel Logout §2.6",
  needs: ["back_channel_logout"],
  // The answer of the client to the server shows whether the client noticed.
  watch: { never: acceptsLogoutToken, sign: refusesLogoutToken, elsewhere: missesLogoutToken },
  tolerated: {
    client: "Answers with the status 200.",
    watch: { never: refusesLogoutToken, sign: acceptsLogoutToken, elsewhere: missesLogoutToken },
  },
}, {
  state_changed: {
    ...wrongReturn,
    server: "The browser returns from the sign-out with another state.",
    acts: changeReturn(({ searchParams }, { variant }) => {
      const state = searchParams.get("state");
      if (state === null) return;
      searchParams.set("state", writeNeighbour(variant, state, "a-state-of-another-sign-out"));
    }),
  },
  state_missing: {
    ...wrongReturn,
    server: "The browser returns from the sign-out without state.",
    acts: changeReturn(({ searchParams }) => searchParams.delete("state")),
  },
  not_returned: {
    ...wrongReturn,
    level: "robustness",
    server: "The sign-out ends on a page of the server, and the browser does not return to the client.",
    client: "Has signed the person out itself, before the browser went to the server.",
    watch: {},
    acts: changeResponse(
      "logout",
      (answer) => typeof answer.headers["location"] === "string" ? htmlPage : answer,
    ),
  },
  alg_none: {
    server: "The logout token has no signature, and its alg verifies nothing.",
    rule: "OpenID Connect Back-Channel Logout §2.6; RFC 7515 §4.1.1",
    acts: anew(writeUnsigned),
  },
  hs256_with_public_key: {
    server: "The logout token is signed with an HMAC, and the secret is the server's public key.",
    rule: "OpenID Connect Back-Channel Logout §2.6; RFC 8725 §2.1, §3.1",
    acts: anew(signWithPublicKey),
  },
  key_embedded: {
    server: "The header of the logout token names the key that verifies it.",
    client: "Refuses the logout token, because it trusts the published keys of the server only.",
    rule: "OpenID Connect Back-Channel Logout §2.6; RFC 8725 §3.10",
    acts: anew(signWithEmbeddedKey),
  },
  key_other: {
    server: "The kid of the logout token names a key of the server, but another key signed it.",
    acts: anew(signWithForeignKey),
  },
  issuer_wrong: {
    server: "The iss of the logout token is another issuer.",
    rule: "OpenID Connect Back-Channel Logout §2.6; OpenID Connect Core §3.1.3.7 (2)",
    acts: claims(setting((tools) => ({ iss: writeIssuer(tools) }))),
  },
  audience_wrong: {
    server: "The aud of the logout token is another client.",
    rule: "OpenID Connect Back-Channel Logout §2.6; OpenID Connect Core §3.1.3.7 (3)",
    acts: claims((claims, tools) => changeAudience(claims, tools, "another-client")),
  },
  expired: {
    server: "The logout token has expired.",
    acts: claims((claims, { findPast, variant }) => moveBack(claims, findPast(variant as PastTime))),
  },
  expiry_missing: {
    server: "The logout token has no exp.",
    rule: "OpenID Connect Back-Channel Logout §2.4, §2.6",
    acts: claims(removing("exp")),
  },
  events_missing: {
    server: "The logout token has no events, which tell it from other tokens.",
    acts: claims(removing("events")),
  },
  event_other: {
    server: "The events of the logout token are no object with the event of a logout.",
    rule: "OpenID Connect Back-Channel Logout §2.4, §2.6",
    acts: claims(setting(({ variant }) => {
      if (variant === "text") return { events: logoutEvent };
      if (variant === "list") return { events: [logoutEvent] };
      return { events: { [writeNeighbour(variant, logoutEvent, otherEvent)]: {} } };
    })),
  },
  nonce_present: {
    server: "The logout token has a nonce, which only an ID token may have.",
    rule: "OpenID Connect Back-Channel Logout §2.4, §2.6",
    acts: claims(setting({ nonce: "a-nonce" })),
  },
  subject_missing: {
    server: "The logout token has neither sub nor sid, so it names no session.",
    acts: claims(removing("sub", "sid")),
  },
  id_token_instead: {
    server: "The logout token is an ID token of the same person.",
    rule: "OpenID Connect Back-Channel Logout §2.6, §4.1",
    acts: anew(({ header, claims: { iss, sub, aud, iat, exp, sid }, signer }) =>
      signer.sign({ ...header, typ: "JWT" }, { iss, sub, aud, iat, exp, sid, nonce: "a-nonce" })
    ),
  },
  type_other: {
    level: "hardening",
    server: "The typ of the logout token is that of an access token.",
    rule: "OpenID Connect Back-Channel Logout §4.1; RFC 8725 §3.11",
    acts: header(setting({ typ: "at+jwt" })),
  },
  type_missing: {
    level: "robustness",
    server: "The logout token has no typ.",
    rule: "OpenID Connect Back-Channel Logout §2.4, §4.1: a typ is recommended",
    acts: header(removing("typ")),
  },
  session_unknown: {
    level: "tolerate",
    server: "The logout token names a session that the client does not have.",
    client: "Answers with the status 200, because there is nothing left to end.",
    rule: "OpenID Connect Back-Channel Logout §2.7, §2.8",
    acts: claims(setting({ sid: "another-session" })),
  },
  claims_unknown: {
    level: "tolerate",
    server: "The logout token has claims that no standard defines.",
    rule: "OpenID Connect Back-Channel Logout §2.4",
    acts: claims(setting({ "https://as.test/unknown-claim": { version: 7 } })),
  },
});
