/** What failed in a client or an API, in words that hold for each of the rows: another row may have passed. */

import type { MisbehaviourName } from "./names.ts";
import { calledUrl, type Outcome } from "./outcome.ts";
import { describeVariant } from "./variant_words.ts";

const codesSent = "authorization_response.repeated token_response.html token_response.truncated " +
  "transport.internal_error transport.length_ transport.response_lost transport.stalled";

/** What a check is about, and how the names of the misbehaviours begin that need it. The first match counts. */
const table: readonly (readonly [topic: string, beginnings: string])[] = [
  ["the state", "authorization_response.state_ logout.state_"],
  ["refresh tokens", "login.refresh_"],
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
    "metadata.huge transport.huge_ transport.compressed_ id_token.huge id_token.encrypted_ access_token.huge",
  ],
  ["whether there is an ID token", "id_token.missing id_token.not_a_jwt"],
  [
    "the algorithm of a signature",
    "metadata.alg_ keys.alg_ keys.symmetric_ id_token.alg_ id_token.hs256_ access_token.alg_ " +
    "access_token.hs256_ introspection.jwt_alg_ introspection.jwt_hs256_ logout.alg_ logout.hs256_ " +
    "userinfo.jwt_hs256_ proof.alg_ proof.symmetric_",
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
    "access_token.claim_twice introspection.expired introspection.not_yet_ logout.exp",
  ],
  [
    "when and how the person signed in",
    "id_token.auth_time_ id_token.acr_ id_token.amr_ access_token.auth_time_ access_token.acr_",
  ],
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
    codesSent,
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
    "registration.refused registration.unknown_client_ resource.refuses_ resource.scope_never_ " +
    "resource.authentication_never_ transport. " +
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

/** The sentence about a challenge without a parameter error (RFC 6750 §3). */
export const lacksError = "The challenge has no error.";

/** The evidence about what a client sent, instead of its refusal, begins so. */
export const sentAfterwards = "Afterwards the client sent";

/** The evidence about a client that does not know that it failed begins so. */
export const gotNothing = "The client says that it succeeded";

/** Names the error that the challenge should have. */
export const expectedError = "Expected the error ";

/** The evidence that an API did too much for a token begins so. Its answer does not matter. */
export const loadedOften = "The API loaded the keys ";

interface Judged {
  readonly name: MisbehaviourName;
  readonly area: string;
  readonly outcome: Outcome;
  readonly because: string;
  readonly server: string;
  readonly variant?: string;
}

/** What rows of one group have in common, and no more. */
export interface Common {
  /** Rows with the same text are one group. It is the title of the group if the rows differ in nothing else. */
  readonly kind: string;
  /** Follows the title of the first row and a number, as in "(and 2 more about the nonce)". Absent: `kind` is the title. */
  readonly others?: string;
}

export function findCommon({ name, area, outcome, because }: Judged): Common {
  switch (outcome) {
    case "fooled": {
      const found = topics.find(({ beginnings }) => beginnings.some((each) => name.startsWith(each)));
      return together(outcome, `about ${found?.topic ?? area}`);
    }
    case "hung":
      return together(outcome, "");
    case "noticed":
      return { kind: `refuses some requests ${nameLack(because)}` };
    default:
      return together(outcome, `in ${area}`);
  }
}

function together(outcome: Outcome, others: string): Common {
  return { kind: `${outcome} ${others}`, others };
}

function nameLack(because: string): string {
  return because.includes(lacksChallenge)
    ? "without the header WWW-Authenticate"
    : because.includes(lacksError)
    ? "without an error code"
    : `with another ${because.includes(expectedError) ? "error" : "status"} than the standards recommend`;
}

const ownWords: Readonly<Partial<Record<Outcome, string>>> = {
  fooled: "goes on when",
  hung: "does not end in time when",
  broke: "stops when",
  crashed: "fails in its own code when",
  noticed: "refuses with another answer than recommended when",
};

/** What a fooled client does, where a right one goes on, too. */
export const fooledWords: readonly (readonly [words: string, names: string])[] = [
  ["sends the code again when", `${codesSent} dpop.nonce_with_other_error`],
  ["sends the code again and again when", "transport.invalid_client"],
  ["sends a refresh token a second time when", "refresh.slow"],
  ["uses a replaced refresh token when", "refresh.rotated"],
  [
    "refreshes again and again when",
    "refresh.endless refresh.invalid_grant refresh.response_lost token_response.expires_in_ resource.scope_wider " +
    "resource.insufficient_",
  ],
  ["begins a new login, or refreshes again and again, when", "refresh.unavailable"],
  [
    "refreshes, or begins a login, again and again when",
    "resource.authentication_never_ resource.refuses_always",
  ],
  [
    "begins one login after the other when",
    "authorization_response.error_loop client_document.fetch_ registration.unknown_client_ resource.scope_never_",
  ],
  ["asks again too early when", "transport.too_many_ transport.unavailable"],
  [
    "asks again and again when",
    "dpop.nonce_endless dpop.nonce_missing userinfo.never_ userinfo.unavailable userinfo.unreadable " +
    "registration.refused registration.rate_ resource.refuses_early refresh.revoked_early",
  ],
  [
    "sends its secrets there when",
    "userinfo.redirect_ resource.redirects_ resource.server_moved registration.client_uri_ token_response.redirect_post",
  ],
  ["calls that server when", "resource.challenge_lookalike"],
  ["sends its client_id to the foreign one when", "resource.servers_foreign_"],
  ["puts the token into the query when", "resource.token_in_"],
  ["asks for that scope alone when", "resource.scope_only_"],
  ["does not ask for the scope of the challenge when", "resource.scopes_supported_"],
  ["asks for a token for the whole origin when", "resource.wider_"],
  ["sends no code_challenge when", "metadata.pkce_missing"],
  ["does not use S256 when", "metadata.pkce_plain_"],
  ["guesses another address when", "metadata.gone_at_"],
  ["uses a request_uri twice when", "pushed_request.login_"],
  ["makes an assertion for that endpoint when", "pushed_request.audience_"],
  ["uses the code beside the JWT when", "jarm.parameters_"],
  ["uses the first one when", "token_response.members_twice"],
  ["loads the picture when", "authorization_response.error_markup"],
  ["opens the URI when", "authorization_response.error_uri"],
  ["polls too early when", "device.slow_down_"],
  ["polls again when", "device.expired_"],
  ["sends the token as a bearer token when", "dpop.bearer_"],
  ["does not use this nonce for the next request when", "dpop.nonce_rotates"],
  ["sends a nonce of the one to the other when", "dpop.nonce_of_"],
  ["takes both for one nonce when", "dpop.nonce_twice"],
  ["proves a key of another algorithm when", "dpop.algorithms_"],
  ["sends the request again, or the first token to the API, when", "token_exchange.refused"],
  ["sends another secret when", "registration.credentials_"],
  ["asks for more when", "registration.scope_"],
];

/** Returns the sentence of one row: "goes on when the ID token has no nonce". */
export function describeOne({ name, outcome, because, server, variant }: Judged): string {
  const shown = because.replace(`With the variant ${variant}: `, "");
  // Where the server is right, only the evidence says what the client does.
  const isEvident = outcome === "fooled" &&
    (server.startsWith("The server is right") || shown.startsWith(loadedOften));
  const sentence = describeVariant(firstSentence(isEvident ? shown : server), variant);
  if (isEvident) return sentence;
  const does = findWords(name, outcome, shown) ?? "does not show what it does when";
  return `${does} ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function findWords(name: MisbehaviourName, outcome: Outcome, shown: string): string | undefined {
  if (["client", "API"].some((who) => shown.startsWith(`The ${who} ${calledUrl}: `))) {
    return "calls the URL when";
  }
  if (outcome === "broke" && shown.startsWith(sentAfterwards)) return "goes wrong when";
  const [words] = outcome !== "fooled" || shown.startsWith(gotNothing)
    ? []
    : fooledWords.find(([, each]) => each.split(" ").some((beginning) => name.startsWith(beginning))) ?? [];
  return words ?? ownWords[outcome];
}

function firstSentence(text: string): string {
  return text.split(/\.(?: |$)/)[0]!;
}

/** How names begin, by the table. */
export const mendBeginnings: readonly string[] = topics.flatMap(({ beginnings }) => beginnings);
