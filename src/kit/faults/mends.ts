/** What to mend in a client or an API that failed at a misbehaviour. Several misbehaviours show the lack of one check. */

import type { Outcome } from "./outcome.ts";

/** What the reader does wrongly, and how the names of the misbehaviours begin that show it. The first match counts. */
const table: readonly (readonly [mend: string, beginnings: string])[] = [
  ["compares no state", "authorization_response.state_ logout.state_"],
  ["repeats values that must be new in each login", "login."],
  ["compares no nonce", "id_token.nonce_"],
  ["compares no iss of the response", "authorization_response.iss_ authorization_response.mix_up"],
  ["compares no issuer of the metadata", "metadata.issuer_ metadata.impostor"],
  ["gives up PKCE if the metadata does not name it", "metadata.pkce_"],
  [
    "uses addresses that it must not trust",
    "metadata.token_endpoint_http metadata.endpoint_ metadata.gone_ metadata.html_ metadata.status_ " +
    "metadata.authorization_endpoint_ metadata.jwks_ metadata.revocation_ device.complete_uri_ device.uri_ " +
    "registration.client_uri_ introspection.endpoint_",
  ],
  [
    "follows redirects to other hosts",
    "metadata.redirect_ keys.redirect_ token_response.redirect_ userinfo.redirect_ resource.redirects_",
  ],
  ["reads answers of any size", "metadata.huge transport.huge_ transport.compressed_"],
  ["goes on without an ID token", "id_token.missing id_token.not_a_jwt"],
  [
    "accepts an algorithm of signatures that it has not chosen",
    "metadata.alg_ keys.alg_ keys.symmetric_ id_token.alg_ id_token.hs256_ access_token.alg_ " +
    "access_token.hs256_ introspection.jwt_alg_ logout.alg_ proof.alg_ proof.symmetric_",
  ],
  [
    "does not verify signatures with the keys of the server",
    "keys. id_token.other_key id_token.signature_ id_token.jku_ id_token.key_ id_token.kid_ " +
    "userinfo.jwt_other_ userinfo.jwt_unsigned access_token.claims_tampered access_token.key_ " +
    "access_token.certificate_ access_token.encrypted_ access_token.kid_ access_token.signature_ access_token.unreadable logout.key_",
  ],
  [
    "does not check for whom a token is",
    "id_token.aud_ id_token.azp_ userinfo.jwt_aud_ access_token.audience_ introspection.audience_ " +
    "introspection.jwt_audience_ logout.audience_",
  ],
  ["does not check who has issued a token", "id_token.iss_ access_token.issuer_ logout.issuer_"],
  [
    "does not check the times of a token",
    "id_token.exp_ id_token.iat_ id_token.nbf_ access_token.exp access_token.issued_ access_token.not_ " +
    "access_token.claim_twice introspection.expired logout.exp",
  ],
  ["does not check when and how the person signed in", "id_token.auth_time_ id_token.acr_"],
  ["compares no sub of userinfo", "userinfo.sub_"],
  ["accepts a sub that names no single person", "id_token.sub_ access_token.subject_ logout.subject_"],
  [
    "takes one kind of token for another",
    "id_token.typ_ access_token.type_ access_token.id_token_ access_token.serialized_ introspection.jwt_type_ logout.",
  ],
  ["reads no at_hash and no crit", "id_token.at_hash_ id_token.crit_ access_token.crit_"],
  ["does not end a login at its error", "authorization_response.error_"],
  [
    "sends a code a second time",
    "authorization_response.repeated token_response.html token_response.truncated " +
    "transport.internal_error transport.length_ transport.response_lost transport.stalled",
  ],
  ["accepts a response without one clear code", "authorization_response."],
  ["does not check the JWT of a response (JARM)", "jarm."],
  ["trusts any expires_in", "token_response.expires_in_"],
  [
    "uses tokens of a type or a scope that it has not asked for",
    "token_response.token_type_ token_response.scope_ refresh.token_type_ refresh.scope_ " +
    "token_exchange.issued_ token_exchange.not_ token_exchange.scope_ authorization_details.",
  ],
  ["takes another answer for a token response", "token_response."],
  ["checks no ID token of a refresh", "refresh.id_token_"],
  [
    "repeats requests that cannot succeed",
    "refresh.endless refresh.invalid_ refresh.response_lost refresh.revoked_ registration.rate_ " +
    "registration.refused registration.unknown_client_ resource.refuses_ resource.scope_never_ transport. " +
    "device. dpop.nonce_endless dpop.nonce_missing client_document.fetch_ userinfo.never_ userinfo.un " +
    "token_exchange.refused",
  ],
  ["does not keep its refresh tokens in order", "refresh."],
  ["pushes no request, or uses one twice", "pushed_request."],
  ["believes that a token is revoked", "revocation."],
  ["does not encode its secret", "registration.credentials_"],
  ["reads nothing of the answer to its registration", "registration. client_document."],
  ["uses the metadata of another resource", "resource.description_ resource.wider_ resource.challenge_"],
  ["sends tokens where they do not belong", "resource.server resource.token_in_"],
  ["asks for a scope that does not help", "resource.scope resource.insufficient_"],
  ["uses a nonce of DPoP for another request", "dpop.nonce_"],
  ["does not insist on tokens that are bound to a key", "dpop. mtls. certificate."],
  ["does not check all parts of a DPoP proof", "proof."],
  ["takes an inactive token for an active one", "introspection. access_token.revoked"],
  ["does not compare the scope of a token", "access_token.scope_"],
];

const mends = table.map(([mend, beginnings]) => ({ mend, beginnings: beginnings.split(" ") }));

/** The sentence about an API that refuses without a challenge (RFC 9110 §15.5.2; RFC 6750 §3). */
export const lacksChallenge = "The answer lacks the header WWW-Authenticate.";

interface Judged {
  readonly name: string;
  readonly area: string;
  readonly outcome: Outcome;
  readonly because: string;
}

/** Returns for example "compares no state". For a misbehaviour that is not in the table, it names the area. */
export function describeMend({ name, area, outcome, because }: Judged): string {
  switch (outcome) {
    case "fooled":
      return mends.find(({ beginnings }) => beginnings.some((each) => name.startsWith(each)))?.mend ??
        `accepts what is wrong (${area})`;
    case "hung":
      return "waits without a limit";
    case "broke":
      return `stops at what is only unusual (${area})`;
    case "crashed":
      return `fails in its own code (${area})`;
    case "noticed":
      return because.includes(lacksChallenge)
        ? "refuses without the header WWW-Authenticate"
        : "refuses with another error than the standards recommend";
    default:
      return `does not show what it does (${area})`;
  }
}

/** How names begin, by the table. */
export const mendBeginnings: readonly string[] = mends.flatMap(({ beginnings }) => beginnings);
