/** What failed in a client or an API, in words that hold for each of the rows: another row may have passed. */

import type { Outcome } from "./outcome.ts";

/** What a check is about, and how the names of the misbehaviours begin that need it. The first match counts. */
const table: readonly (readonly [topic: string, beginnings: string])[] = [
  ["the state", "authorization_response.state_ logout.state_"],
  ["the accounts of people", "login.email_ login.similar_ login.two_people"],
  ["its own values and tokens in a login", "login."],
  ["the nonce", "id_token.nonce_"],
  ["the iss of the response", "authorization_response.iss_ authorization_response.mix_up"],
  ["the issuer of the metadata", "metadata.issuer_ metadata.impostor"],
  ["PKCE in the metadata", "metadata.pkce_ resource.pkce_"],
  [
    "the addresses of the server",
    "metadata.token_endpoint_http metadata.endpoint_ metadata.gone_ metadata.html_ metadata.status_ " +
    "metadata.authorization_endpoint_ metadata.jwks_ metadata.revocation_ device.complete_uri_ device.uri_ " +
    "registration.client_uri_ introspection.endpoint_ resource.servers_private",
  ],
  [
    "redirects to other hosts",
    "metadata.redirect_ keys.redirect_ token_response.redirect_ userinfo.redirect_ resource.redirects_ " +
    "authorization_response.return_page_",
  ],
  [
    "the size of answers",
    "metadata.huge transport.huge_ transport.compressed_ id_token.huge access_token.huge",
  ],
  ["whether there is an ID token", "id_token.missing id_token.not_a_jwt"],
  [
    "the algorithm of a signature",
    "metadata.alg_ keys.alg_ keys.symmetric_ id_token.alg_ id_token.hs256_ access_token.alg_ " +
    "access_token.hs256_ introspection.jwt_alg_ logout.alg_ proof.alg_ proof.symmetric_",
  ],
  [
    "keys and signatures",
    "keys. id_token.other_key id_token.signature_ id_token.jku_ id_token.key_ id_token.kid_ " +
    "userinfo.jwt_other_ userinfo.jwt_unsigned access_token.claims_tampered access_token.key_ " +
    "access_token.certificate_ access_token.encrypted_ access_token.kid_ access_token.signature_ access_token.similar_ access_token.two_ access_token.unreadable logout.key_",
  ],
  [
    "for whom a token is",
    "id_token.aud_ id_token.azp_ userinfo.jwt_aud_ access_token.audience_ introspection.audience_ " +
    "introspection.jwt_audience_ logout.audience_",
  ],
  ["who has issued a token", "id_token.iss_ access_token.issuer_ logout.issuer_"],
  [
    "the times of a token",
    "id_token.exp_ id_token.iat_ id_token.nbf_ access_token.exp access_token.issued_ access_token.not_ " +
    "access_token.claim_twice introspection.expired logout.exp",
  ],
  ["when and how the person signed in", "id_token.auth_time_ id_token.acr_"],
  ["the sub of userinfo", "userinfo.sub_"],
  ["the sub of a token", "id_token.sub_ access_token.subject_ logout.subject_"],
  [
    "the kind of a token",
    "id_token.typ_ access_token.type_ access_token.id_token_ access_token.serialized_ introspection.jwt_type_ logout.",
  ],
  ["at_hash and crit", "id_token.at_hash_ id_token.crit_ access_token.crit_"],
  ["the error of a login", "authorization_response.error_"],
  [
    "codes that were sent before",
    "authorization_response.repeated token_response.html token_response.truncated " +
    "transport.internal_error transport.length_ transport.response_lost transport.stalled",
  ],
  ["the code of a response", "authorization_response."],
  ["the JWT of a response (JARM)", "jarm."],
  ["expires_in", "token_response.expires_in_"],
  [
    "the type and the scope of tokens",
    "token_response.token_type_ token_response.scope_ refresh.token_type_ refresh.scope_ " +
    "token_exchange.issued_ token_exchange.not_ token_exchange.scope_ authorization_details.",
  ],
  ["the token response", "token_response."],
  ["the ID token of a refresh", "refresh.id_token_"],
  [
    "requests that cannot succeed",
    "refresh.endless refresh.invalid_ refresh.response_lost refresh.revoked_ registration.rate_ " +
    "registration.refused registration.unknown_client_ resource.refuses_ resource.scope_never_ transport. " +
    "device. dpop.nonce_endless dpop.nonce_missing client_document.fetch_ userinfo.never_ userinfo.un " +
    "token_exchange.refused",
  ],
  ["refresh tokens", "refresh."],
  ["the audience of its assertion", "pushed_request.audience_"],
  ["pushed requests", "pushed_request."],
  ["the answer to a revocation", "revocation."],
  ["the answer to a registration", "registration. client_document."],
  ["the metadata of a resource", "resource.description_ resource.wider_ resource.challenge_"],
  ["where tokens are sent", "resource.server resource.token_in_"],
  ["the scope to ask for", "resource.scope resource.insufficient_"],
  ["nonces of DPoP", "dpop.nonce_"],
  ["tokens that are bound to a key", "dpop. mtls. certificate."],
  ["the DPoP proof", "proof."],
  ["whether a token is active", "introspection. access_token.revoked"],
  ["the scope of a token", "access_token.scope_"],
];

const topics = table.map(([topic, beginnings]) => ({ topic, beginnings: beginnings.split(" ") }));

/** The sentence about an API that refuses without a challenge (RFC 9110 §15.5.2; RFC 6750 §3). */
export const lacksChallenge = "The answer lacks the header WWW-Authenticate.";

interface Judged {
  readonly name: string;
  readonly area: string;
  readonly outcome: Outcome;
  readonly because: string;
  readonly server: string;
}

/** Returns what several rows have in common, and no more: "lacks some checks about the nonce". */
export function describeSeveral({ name, area, outcome, because }: Judged): string {
  switch (outcome) {
    case "fooled": {
      const found = topics.find(({ beginnings }) => beginnings.some((each) => name.startsWith(each)));
      return `lacks some checks about ${found?.topic ?? area}`;
    }
    case "hung":
      return "waits without a limit at some answers";
    case "broke":
      return `stops at some of what is only unusual (${area})`;
    case "crashed":
      return `fails in its own code at some answers (${area})`;
    case "noticed":
      return because.includes(lacksChallenge)
        ? "refuses some tokens without the header WWW-Authenticate"
        : "refuses some tokens with another error than the standards recommend";
    default:
      return `does not show what it does in some cases (${area})`;
  }
}

const ownWords: Readonly<Partial<Record<Outcome, string>>> = {
  fooled: "goes on when",
  hung: "waits without a limit when",
  broke: "stops when",
  crashed: "fails in its own code when",
  noticed: "refuses with another answer than recommended when",
};

/** Returns the sentence of one row: "goes on when the ID token has no nonce". */
export function describeOne({ name, outcome, because, server }: Judged): string {
  const [, repeated] = /^login\.(\w+)_repeated$/.exec(name) ?? [];
  if (repeated !== undefined && outcome === "fooled") return `repeats the ${repeated} of another login`;
  // Where the server is right, only the evidence says what the client does.
  const isRight = outcome === "fooled" && server.startsWith("The server is right");
  const [sentence = ""] = (isRight ? because : server).split(/\.(?: |$)/);
  if (isRight) return sentence;
  const does = ownWords[outcome] ?? "does not show what it does when";
  return `${does} ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** How names begin, by the table. */
export const mendBeginnings: readonly string[] = topics.flatMap(({ beginnings }) => beginnings);
