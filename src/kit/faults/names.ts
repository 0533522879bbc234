/** The names of all misbehaviours. They are apart from the functions, so that a test can name one before those are loaded. */

/** The faults of each area, in alphabetical order. Each area has a file of its own in `areas/`. */
export const faults = {
  metadata: [
    "alg_none_listed",
    "authorization_endpoint_script",
    "content_charset",
    "endpoint_missing",
    "endpoint_query",
    "endpoint_relative",
    "gone_at_refresh",
    "html_200",
    "huge",
    "impostor",
    "issuer_mismatch",
    "issuer_missing",
    "issuer_slash",
    "jwks_uri_http",
    "jwks_uri_missing",
    "jwks_uri_moved",
    "jwks_uri_relative",
    "minimal",
    "mtls_aliases",
    "only_at_inserted_path",
    "only_openid_configuration",
    "pkce_missing",
    "pkce_plain_only",
    "redirect_foreign",
    "revocation_endpoint_http",
    "revocation_endpoint_missing",
    "scopes_partial",
    "slow",
    "status_500",
    "token_endpoint_host",
    "token_endpoint_http",
    "token_endpoint_query",
    "unknown_members",
  ],
  keys: [
    "alg_absent",
    "alg_other",
    "curve_unknown",
    "empty",
    "html_200",
    "incomplete",
    "kid_duplicate",
    "kid_odd",
    "kid_similar",
    "kty_unknown",
    "members_unknown",
    "operations_other",
    "point_off_curve",
    "private_published",
    "redirect_foreign",
    "replaced",
    "rotated",
    "rsa_short",
    "several",
    "silent",
    "status_500",
    "symmetric_published",
    "use_enc",
    "withdrawn",
  ],
  login: [
    "access_token_in_url",
    "email_of_another_person",
    "email_unverified",
    "id_token_in_url",
    "nonce_repeated",
    "nonce_short",
    "refresh_token_kept",
    "similar_person",
    "state_repeated",
    "state_short",
    "two_people",
    "two_people_refresh",
    "verifier_repeated",
    "verifier_short",
    "verifier_shown",
  ],
  authorization_response: [
    "access_token_injected",
    "code_and_error",
    "code_empty",
    "code_hard",
    "code_missing",
    "code_twice",
    "error_denied",
    "error_loop",
    "error_markup",
    "error_unknown",
    "error_uri",
    "fragment",
    "iss_missing",
    "iss_slash",
    "iss_twice",
    "iss_unadvertised",
    "iss_wrong",
    "mix_up",
    "parameters_unknown",
    "repeated",
    "return_page_foreign",
    "state_changed",
    "state_missing",
    "state_of_another_browser",
    "state_of_another_login",
    "state_similar",
    "state_twice",
  ],
  jarm: [
    "alg_none",
    "audience_missing",
    "audience_other",
    "expired",
    "expiry_missing",
    "issuer_missing",
    "issuer_other",
    "jwt_hs256_with_public_key",
    "jwt_key_embedded",
    "other_key",
    "parameters_beside",
    "plain_parameters",
  ],
  token_response: [
    "access_token_empty",
    "access_token_missing",
    "access_token_not_text",
    "byte_order_mark",
    "cacheable",
    "content_type_parameters",
    "content_type_wrong",
    "error_and_tokens",
    "error_in_200",
    "escapes",
    "expires_in_huge",
    "expires_in_missing",
    "expires_in_negative",
    "expires_in_text",
    "expires_in_zero",
    "form_encoded",
    "html",
    "members_twice",
    "members_unknown",
    "nested_deeply",
    "redirect_get",
    "redirect_post",
    "refresh_token_missing",
    "scope_less",
    "scope_missing",
    "scope_more",
    "scope_order",
    "token_type_case",
    "token_type_missing",
    "token_type_unknown",
    "truncated",
  ],
  id_token: [
    "acr_missing",
    "acr_weak",
    "alg_none",
    "alg_unregistered",
    "amr_weak",
    "at_hash_alg_unknown",
    "at_hash_wrong",
    "aud_array",
    "aud_empty",
    "aud_foreign_azp_own",
    "aud_foreign_too",
    "aud_missing",
    "aud_twice",
    "aud_wrong",
    "auth_time_missing",
    "auth_time_old",
    "azp_instead_of_aud",
    "azp_wrong",
    "crit_unknown",
    "encrypted_compressed",
    "exp_just_past",
    "exp_minutes_past",
    "exp_missing",
    "exp_past",
    "exp_text",
    "hs256_alg_unpublished",
    "hs256_with_public_key",
    "hs256_with_secret",
    "huge",
    "iat_ahead",
    "iat_future",
    "iat_missing",
    "iat_old",
    "iss_list",
    "iss_missing",
    "iss_part",
    "iss_slash",
    "iss_wrong",
    "jku_foreign",
    "key_embedded",
    "kid_absent",
    "kid_unknown",
    "large",
    "missing",
    "nbf_ahead",
    "nbf_future",
    "nonce_missing",
    "nonce_of_another_login",
    "nonce_unasked",
    "nonce_wrong",
    "not_a_jwt",
    "other_key",
    "signature_bad",
    "signature_missing",
    "signature_zero",
    "sub_empty",
    "sub_long",
    "sub_missing",
    "sub_not_utf8",
    "sub_number",
    "typ_other",
    "unknown_claims",
  ],
  userinfo: [
    "claims_as_text",
    "claims_distributed",
    "claims_missing",
    "claims_null",
    "claims_unknown",
    "jwt_aud_wrong",
    "jwt_hs256_with_public_key",
    "jwt_iss_wrong",
    "jwt_other_key",
    "jwt_unsigned",
    "never_answers",
    "redirect_foreign",
    "sub_missing",
    "sub_other",
    "sub_similar",
    "unavailable",
    "unreadable",
  ],
  access_token: [
    "acr_weak",
    "alg_missing",
    "alg_none",
    "audience_empty",
    "audience_issuer",
    "audience_list",
    "audience_missing",
    "audience_slash",
    "audience_wrong",
    "auth_time_old",
    "certificate_embedded",
    "claim_twice",
    "claims_tampered",
    "claims_unknown",
    "client_id_missing",
    "crit_unknown",
    "encrypted_unsigned",
    "expired",
    "expired_after_use",
    "expired_minutes_ago",
    "expiry_huge",
    "expiry_missing",
    "expiry_text",
    "hs256_alg_unpublished",
    "hs256_alg_unpublished_other_type",
    "hs256_with_public_key",
    "huge",
    "id_missing",
    "id_token_instead",
    "issued_at_missing",
    "issued_in_future",
    "issuer_list",
    "issuer_missing",
    "issuer_part",
    "issuer_slash",
    "issuer_wrong",
    "key_alg_other",
    "key_by_url",
    "key_embedded",
    "key_operations_other",
    "key_other",
    "key_replaced",
    "key_use_enc",
    "key_withdrawn",
    "keys_unavailable",
    "kid_missing",
    "kid_odd",
    "kid_unknown",
    "kid_unknown_many",
    "kid_unusual",
    "long",
    "nested_deeply",
    "not_before_text",
    "not_yet_valid",
    "revoked",
    "scope_missing",
    "serialized_as_json",
    "signature_alphabet",
    "signature_bad",
    "signature_missing",
    "signature_zero",
    "similar_to_accepted",
    "subject_missing",
    "subject_similar",
    "two_issuers_one_kid",
    "type_full",
    "type_missing",
    "type_wrong",
    "unreadable",
    "valid_in_a_moment",
  ],
  refresh: [
    "endless",
    "id_token_alg_none",
    "id_token_auth_time",
    "id_token_azp",
    "id_token_exp_past",
    "id_token_missing",
    "id_token_nonce",
    "id_token_other_audience",
    "id_token_other_issuer",
    "id_token_other_subject",
    "invalid_grant",
    "not_rotated",
    "response_lost",
    "revoked_early",
    "rotated",
    "scope_less",
    "scope_more",
    "slow",
    "token_hard",
    "token_type_unknown",
    "unavailable",
  ],
  authorization_details: ["less", "missing", "more", "other_order"],
  token_exchange: [
    "issued_type_missing",
    "issued_type_other",
    "not_an_access_token",
    "refused",
    "scope_more",
  ],
  introspection: [
    "active_missing",
    "active_text",
    "audience_list",
    "audience_other",
    "client_refused",
    "endpoint_http",
    "endpoint_missing",
    "expired",
    "inactive",
    "jwt_alg_none",
    "jwt_audience_wrong",
    "jwt_hs256_with_public_key",
    "jwt_issuer_wrong",
    "jwt_type_wrong",
    "members_unknown",
    "minimal",
    "never_answers",
    "not_json",
    "not_yet_valid",
    "scope_narrower",
    "subject_other",
    "unavailable",
  ],
  revocation: [
    "body_unexpected",
    "never_answers",
    "refused",
    "unavailable",
    "unsupported_type",
  ],
  logout: [
    "alg_none",
    "audience_wrong",
    "claims_unknown",
    "event_other",
    "events_missing",
    "expired",
    "expiry_missing",
    "hs256_with_public_key",
    "id_token_instead",
    "issuer_wrong",
    "key_embedded",
    "key_other",
    "nonce_present",
    "not_returned",
    "session_unknown",
    "state_changed",
    "state_missing",
    "subject_missing",
    "type_missing",
    "type_other",
  ],
  registration: [
    "auth_method_changed",
    "client_forgotten",
    "client_id_missing",
    "client_uri_foreign",
    "credentials_hard",
    "grant_types_reduced",
    "management_missing",
    "rate_limited",
    "redirect_uris_changed",
    "refused",
    "scope_reduced",
    "secret_expired",
    "unknown_client_as_invalid_grant",
    "unknown_members",
  ],
  client_document: [
    "announced_as_text",
    "fetch_fails",
    "refused",
  ],
  pushed_request: [
    "audience_foreign",
    "endpoint_missing",
    "expires_in_text",
    "login_fails",
    "refused",
    "request_uri_missing",
    "unavailable",
  ],
  device: [
    "complete_uri_foreign",
    "expired_early",
    "interval_missing",
    "poll_html",
    "slow_down_endless",
    "uri_script",
  ],
  dpop: [
    "algorithms_unsupported",
    "bearer_challenge",
    "bearer_token",
    "nonce_endless",
    "nonce_long",
    "nonce_missing",
    "nonce_of_other_server",
    "nonce_required",
    "nonce_rotates",
    "nonce_twice",
    "nonce_with_other_error",
  ],
  mtls: ["cnf_missing", "thumbprint_other"],
  proof: [
    "alg_none",
    "claims_unknown",
    "crit_unknown",
    "empty",
    "expired_claim",
    "from_the_future",
    "id_missing",
    "key_missing",
    "key_other",
    "method_case",
    "method_wrong",
    "missing",
    "nonce_missing",
    "nonce_wrong",
    "not_before_claim",
    "old",
    "private_key",
    "replayed",
    "signature_bad",
    "symmetric_key",
    "token_hash_missing",
    "token_hash_wrong",
    "token_unbound",
    "two",
    "type_wrong",
    "unbound_as_bearer",
    "url_port",
    "url_query",
    "url_spelling",
    "url_wrong",
  ],
  certificate: ["missing", "other"],
  resource: [
    "authentication_never_enough",
    "authorization_servers_missing",
    "challenge_capitals",
    "challenge_garbled",
    "challenge_lookalike",
    "challenge_missing",
    "challenges_several",
    "description_foreign",
    "description_mismatch",
    "description_only_at_root",
    "description_unknown_members",
    "insufficient_user_authentication",
    "origin_without_slash",
    "path_slash",
    "pkce_missing",
    "redirects_to_foreign_host",
    "refuses_always",
    "refuses_early",
    "scope_never_enough",
    "scope_only_missing",
    "scope_wider",
    "scopes_supported_disjoint",
    "server_moved",
    "servers_foreign_first",
    "servers_own_first",
    "servers_private",
    "token_in_query",
    "unauthorized_html",
    "wider_resource",
  ],
  transport: [
    "compressed_bomb",
    "compressed_chain",
    "huge_body",
    "internal_error",
    "invalid_client",
    "length_wrong",
    "response_lost",
    "stalled",
    "too_many_requests",
    "unavailable",
  ],
} as const;

/** The usual forms of a public key: SPKI and PKCS #1, without the last line break and after one, its JWK, its numbers. */
export const publicKeyForms = [
  "spki_pem",
  "spki_pem_trimmed",
  "spki_pem_indented",
  "spki_der",
  "pkcs1_pem",
  "pkcs1_pem_trimmed",
  "pkcs1_pem_indented",
  "pkcs1_der",
  "jwk",
  "modulus",
  "modulus_octets",
  "openssh",
] as const;

/** A JWT besides ID and access tokens is verified by the same code, and each form costs a login. */
const fewPublicKeyForms = ["spki_pem", "spki_pem_trimmed", "jwk"] as const;

/** A program whose services share a secret may know these algorithms only. */
const ofLongerHmacs = fewPublicKeyForms.flatMap((form) => [`${form}_hs384`, `${form}_hs512`]);

/** What a program may take as the secret of an HMAC if it has loaded a public key without `alg`. */
export const keyWithoutAlgForms = [
  "empty",
  "spki_pem",
  "spki_pem_trimmed",
  "spki_der",
  "jwk",
  "modulus_octets",
] as const;

export type PublicKeyForm = typeof publicKeyForms[number] | typeof keyWithoutAlgForms[number];

const usualNeighbours = [
  "suffix",
  "prefix",
  "part",
  "end",
  "capitals",
  "white_space",
  "line_break",
  "encoded",
  "similar_host",
  "other_scheme",
  "other_port",
  "subdomain",
] as const;

/** More text follows a character at which a careless comparison cuts the value. */
const afterNameParts = ["after_colon", "after_dot", "after_slash"] as const;
const afterUrl = ["after_question_mark", "after_hash"] as const;

/** An order of words passes over it. */
const invisible = "invisible_character";

/** A prefix that a reader of media types cuts off. */
const beforeSlash = "before_slash";

/** A wrong value that shares text with the right one, because careless comparisons take it for that. */
export type Neighbour =
  | typeof usualNeighbours[number]
  | typeof afterNameParts[number]
  | typeof afterUrl[number]
  | typeof invisible
  | typeof beforeSlash;

export const neighbours: readonly Neighbour[] = [
  ...usualNeighbours,
  ...afterNameParts,
  ...afterUrl,
  invisible,
  beforeSlash,
];

/** How the alg of an unsigned JWT is written: `None`, `NoNe`, `none` after a space, an unknown name, and an empty text. */
export const unsignedAlgs = [
  "none",
  "capitalized",
  "mixed_case",
  "white_space",
  "unknown",
  "empty",
] as const;

export type UnsignedAlg = typeof unsignedAlgs[number];

/** A client that verifies several kinds of JWT often has one list of forbidden algorithms, so three spellings suffice. */
const fewAlgs = ["none", "mixed_case", "unknown", "empty"] as const;

/** When a time was over: long before any clock of today, or almost an hour ago, which a leeway of an hour still accepts. */
const pastTimes = ["long_ago", "hour_ago"] as const;

/** `minutes_ago`: twenty, when a leeway of half an hour still accepts it. */
export type PastTime = typeof pastTimes[number] | "minutes_ago";

/** When a time begins: after any clock of today, or in an hour, which a leeway of hours already accepts. */
const futureTimes = ["far_ahead", "in_an_hour"] as const;

export type FutureTime = typeof futureTimes[number];

/** The value that resembles nothing comes first. */
export const another = "another";
/** What is read as the same text by a program that trims it, that decodes it or whose regular expression takes lines. */
const otherWritings = ["white_space", "line_break", "encoded"] as const;
const ofName = [another, "suffix", "prefix", "part", "end", "capitals", ...otherWritings] as const;
const ofUrl = [another, ...usualNeighbours] as const;
const ofIssuer = [
  another,
  "suffix",
  "prefix",
  "similar_host",
  "other_scheme",
  "other_port",
  "subdomain",
] as const;
/** What each object of JavaScript inherits, so that a look-up of an allowed value finds it. */
export const inherited = "constructor";
/** What a comparison without care takes for the issuer or the audience, wherever it stands. */
const ofCareless = [invisible, inherited] as const;
const likeIssuer = [...afterUrl, ...ofCareless] as const;
/** A JWT besides the ID token may be compared in a way of its own. No row of it has a part of the issuer, or another spelling. */
const ofOtherIssuer = [
  ...[...ofIssuer, "part", "end", "slash", "capitals", ...otherWritings],
  ...likeIssuer,
] as const;
/** No program looks the sub of a person up whom it already knows, so none of these is what objects inherit. */
const ofPerson = ["suffix", "prefix", "part", "end", "capitals", ...otherWritings, invisible] as const;
/** A kid is any text, so that of a foreign key can be the thumbprint of the right one. */
export const kidOfToken = "kid_of_token";
/** The kid of the key in the header: none, that of the server's key, and its own, which a program may look up first. */
const kidOwn = "kid_own";
const ofEmbeddedKey = ["unnamed", "kid_of_server", kidOwn] as const;
/** Each costs a login. The last one is a URL of the key (RFC 7515 §4.1.2). */
const fewEmbeddedKeys = ["unnamed", kidOwn, "jku"] as const;
/** A right request with the same token comes before, because a cache may know what it has accepted by the token alone. */
export const afterUse = "after_use";
/** Another certificate may have the same subject, and even the same authority. */
export const sameSubject = "same_subject";
const spellings = ["slash", "capitals", ...otherWritings] as const;
const few = [another, "suffix", "prefix", "capitals"] as const;
const ofAcr = [another, "suffix", "prefix", "part", "capitals"] as const;
const ofList = ["foreign_first", "foreign_last"] as const;
/** The right audience and another one in one text, which is no list of them, and lists of others: a check may differ there. */
const ofAudiences = ["comma", "space", "other_in_list", "suffix_in_list", "prefix_in_list"] as const;
const ofClientAudience = [...ofName, ...ofCareless, ...ofAudiences] as const;
/** The audience is the client that got the token, and both are unknown to the API. */
const ofClient = "client";
const ofApiAudience = [...ofUrl, ...afterUrl, ...ofCareless, ...ofAudiences, ofClient] as const;
const ofType = [another, "suffix", "prefix", "part", beforeSlash] as const;
const ofOtherAlg = ["for_encryption", "for_signatures"] as const;
/** What a check without care takes for the same origin. */
const ofRedirect = [another, "host_inside", "without_tls", "other_port"] as const;
/** What a look-up without care takes a kid for: a path, an SQL text, a member of each object of JavaScript. */
const oddKids = ["file_empty", "query", "prototype", "constructor", "empty", "long"] as const;

/** Addresses of this machine, which a public API must not name as its server. A request to one never leaves the machine. */
export const privateServers = {
  ipv4: "http://127.0.0.1:9728",
  ipv6: "http://[::1]:9728",
  ipv4_in_ipv6: "http://[::ffff:7f00:1]:9728",
  name: "http://localhost:9728",
} as const;

/**
 * How a foreign host resembles that of the server: it begins and ends with it, or differs where it has a dot. Where only
 * the test kit has such hosts, the right one stands before the foreign host as the name of a user (RFC 3986 §7.6).
 */
export type SimilarHost = "host_inside" | "similar_host";

export const similarHosts: readonly SimilarHost[] = ["host_inside", "similar_host"];

/** Returns similar origins of the other server. A public host has none, because they could belong to others. */
export function findSimilarOrigins(origin: string): Readonly<Partial<Record<SimilarHost, string>>> {
  const { hostname } = new URL(origin);
  if (!hostname.endsWith(".test")) return {};
  return {
    host_inside: `https://${hostname}.not-${hostname}`,
    similar_host: `https://${hostname.replace(".", "-")}`,
  };
}

/** Where a foreign issuer is whose name begins with the right one. */
export const foreignPath = "/decoy";
export const foreignPort = 8443;

/** Returns an origin of the other server that begins with the right one, if both are hosts of a test. */
export function findOriginInside(right: string, otherServer: string): string | undefined {
  const [{ hostname, port, protocol }, other] = [new URL(right), new URL(otherServer)];
  const isOfTest = protocol === "https:" && port === "" && hostname.endsWith(".test");
  return isOfTest && other.hostname.endsWith(".test") ? `${right}.${other.hostname}` : undefined;
}

/** The variants of faults that have several. A card tries all of them in one row. Elsewhere the first is the default. */
const variants: { readonly [Name in MisbehaviourName]?: readonly string[] } = {
  "metadata.authorization_endpoint_script": ["javascript", "shell"],
  // A client that parses the issuer fails at its end without the scheme, by no check of its own.
  "metadata.issuer_mismatch": [...ofIssuer, "part", ...afterUrl],
  // A host that is parsed has no invisible character, so this is a spelling, too.
  "metadata.issuer_slash": [...spellings, invisible],
  "keys.alg_other": ofOtherAlg,
  // A key that comes last is the one that a map without capitals keeps.
  "keys.kid_similar": ["suffix", "prefix", "capitals", "capitals_last"],
  "keys.redirect_foreign": ofRedirect,
  "login.email_unverified": ["false", "absent", "text"],
  "login.similar_person": [
    ...["preferred_username", "name", "capitals", "suffix", "white_space"],
    ...["before_bar", "before_colon", "before_slash", "after_at", "punctuation", "long"],
    ...["digits", "leading_zero"],
  ],
  "authorization_response.error_markup": ["text", "attribute", "error"],
  "authorization_response.iss_slash": spellings,
  "authorization_response.iss_twice": ["wrong_last", "wrong_first"],
  "authorization_response.iss_wrong": [...ofIssuer, "part", "end", ...likeIssuer],
  "authorization_response.return_page_foreign": [
    ...["state", "page", "page_without_scheme", "page_with_backslash", "page_with_tab", "page_with_user"],
    "page_encoded",
  ],
  "authorization_response.state_changed": [another, "first_character", "own_form", inherited],
  "authorization_response.state_similar": [
    ...["suffix", "prefix", "end", "capitals", ...otherWritings, invisible],
  ],
  "authorization_response.state_twice": ["wrong_last", "wrong_first", "equal"],
  "jarm.alg_none": fewAlgs,
  "jarm.audience_other": ofClientAudience,
  "jarm.expired": pastTimes,
  "jarm.issuer_other": ofOtherIssuer,
  "jarm.jwt_hs256_with_public_key": fewPublicKeyForms,
  "jarm.jwt_key_embedded": fewEmbeddedKeys,
  "token_response.redirect_post": ofRedirect,
  "token_response.scope_more": [another, "suffix", "prefix", "part", "capitals"],
  "token_response.token_type_unknown": [another, "suffix", "prefix", "part", "end"],
  "id_token.acr_weak": ofAcr,
  "id_token.alg_none": unsignedAlgs,
  // A published key of the right kind, with another hash than SHA-256.
  "id_token.alg_unregistered": [another, "rs384", "rs512"],
  "id_token.at_hash_wrong": [another, "suffix", "part", "capitals"],
  "id_token.aud_empty": ["empty_list", "empty_text"],
  "id_token.aud_wrong": ofClientAudience,
  "id_token.azp_wrong": [...few, "part"],
  "id_token.hs256_with_public_key": [...publicKeyForms, ...ofLongerHmacs],
  "id_token.hs256_alg_unpublished": [...keyWithoutAlgForms, ...ofLongerHmacs],
  "id_token.aud_foreign_too": ["foreign_last", "foreign_first", "azp_of_other"],
  "id_token.auth_time_old": pastTimes,
  "id_token.exp_past": pastTimes,
  "id_token.iss_list": ofList,
  "id_token.iss_part": ["shorter", "scheme", "end"],
  "id_token.iss_slash": spellings,
  "id_token.iss_wrong": [...ofIssuer, ...likeIssuer],
  "id_token.jku_foreign": [another, ...similarHosts],
  "id_token.key_embedded": ofEmbeddedKey,
  "id_token.kid_unknown": [another, "url", "jku"],
  "id_token.nonce_wrong": [
    ...["prefix", "suffix", "part", "end", "capitals", ...otherWritings, ...ofCareless],
  ],
  "id_token.iat_future": futureTimes,
  "id_token.nbf_future": futureTimes,
  "userinfo.jwt_aud_wrong": ofClientAudience,
  "userinfo.jwt_hs256_with_public_key": fewPublicKeyForms,
  "userinfo.jwt_iss_wrong": ofOtherIssuer,
  "userinfo.jwt_unsigned": fewAlgs,
  "userinfo.redirect_foreign": ofRedirect,
  "userinfo.sub_similar": [...ofPerson, "normalization", "full_width", "low_byte"],
  "userinfo.unreadable": ["truncated", "html", "list"],
  "access_token.acr_weak": [...ofAcr, "absent"],
  "access_token.auth_time_old": ["long_ago", "absent"],
  "access_token.alg_none": unsignedAlgs,
  "access_token.audience_empty": ["list", "text"],
  "access_token.audience_wrong": ofApiAudience,
  "access_token.expired": pastTimes,
  "access_token.hs256_alg_unpublished": [...keyWithoutAlgForms, ...ofLongerHmacs],
  "access_token.hs256_alg_unpublished_other_type": [...keyWithoutAlgForms, ...ofLongerHmacs],
  "access_token.hs256_with_public_key": [...publicKeyForms, ...ofLongerHmacs],
  "access_token.issuer_list": ofList,
  "access_token.issuer_part": ["shorter", "scheme", "end"],
  "access_token.issuer_slash": spellings,
  "access_token.issuer_wrong": [
    ...["suffix", "prefix", "similar_host", "other_scheme", "other_port", "subdomain"],
    ...likeIssuer,
  ],
  // RFC 7515 §4.1.2, §4.1.5.
  "access_token.key_by_url": [
    ...["jku", "x5u", "kid"],
    ...similarHosts.flatMap((host) => [`jku_${host}`, `x5u_${host}`]),
  ],
  "access_token.key_alg_other": ofOtherAlg,
  "access_token.certificate_embedded": ["unnamed", kidOwn],
  "access_token.key_embedded": ofEmbeddedKey,
  "access_token.huge": ["dots_60k", "dots_1m"],
  "access_token.kid_odd": [...oddKids, "file_known"],
  "access_token.kid_unusual": oddKids,
  "access_token.not_yet_valid": futureTimes,
  "access_token.scope_missing": [
    another,
    "absent",
    "suffix",
    "prefix",
    "part",
    "end",
    "capitals",
    "encoded",
    "comma",
    "url_before",
    "without_first",
    "without_last",
    ...afterNameParts,
  ],
  "access_token.signature_alphabet": ["exclamation_mark", "backslash"],
  "access_token.similar_to_accepted": ["signature", "claims", "capitals"],
  "access_token.subject_similar": ofPerson,
  // A key may be kept by the kid and the issuer in one text.
  "access_token.two_issuers_one_kid": [
    ...["equal", "joined", "joined_directly", "joined_by_slash", "joined_by_bar"],
    ...["issuer_first", "issuer_first_by_slash", "issuer_first_by_colon"],
  ],
  "access_token.type_wrong": ofType,
  "access_token.unreadable": ["text", "dots"],
  "introspection.audience_other": ofApiAudience,
  "introspection.expired": pastTimes,
  "introspection.jwt_alg_none": fewAlgs,
  "introspection.jwt_audience_wrong": ofApiAudience,
  "introspection.jwt_hs256_with_public_key": fewPublicKeyForms,
  "introspection.jwt_issuer_wrong": ofOtherIssuer,
  "introspection.subject_other": [another, ...ofPerson],
  "introspection.scope_narrower": [
    ...[another, "suffix", "prefix", "part", "end", "capitals", "comma", "url_before"],
    ...afterNameParts,
  ],
  "logout.alg_none": fewAlgs,
  "logout.audience_wrong": ofClientAudience,
  "logout.event_other": [another, "suffix", "prefix", "capitals", "other_scheme", "text", "list"],
  "logout.expired": pastTimes,
  "logout.hs256_with_public_key": fewPublicKeyForms,
  "logout.issuer_wrong": ofOtherIssuer,
  "logout.key_embedded": fewEmbeddedKeys,
  "logout.state_changed": [...few, "part", inherited],
  "mtls.thumbprint_other": [another, "suffix", "part", "capitals"],
  "proof.alg_none": fewAlgs,
  "proof.key_other": [another, "suffix", "part", "capitals", kidOfToken, afterUse],
  "proof.method_wrong": [another, "suffix", "prefix", "part", "in_list", "absent"],
  "proof.old": ["hour_ago", "absent"],
  "proof.nonce_wrong": [...ofName, ...ofCareless],
  "proof.replayed": ["at_once", "after_one", "after_twenty"],
  "proof.token_hash_wrong": [another, "suffix", "part", "capitals"],
  "proof.type_wrong": [...ofType, "absent"],
  // A parser of URLs removes white space, so an API that compares rightly may not see it.
  "proof.url_wrong": [
    ...ofUrl.filter((each) => each !== "white_space" && each !== "line_break"),
    ...["slash", "absent"],
  ],
  "certificate.other": [another, afterUse, sameSubject],
  "refresh.id_token_other_subject": ofPerson,
  // A client that parses the resource fails at its end without the scheme, too.
  "resource.description_mismatch": [
    ...[another, "suffix", "prefix", "part", "capitals", "similar_host"],
    ...["other_scheme", "other_port", "subdomain", ...afterUrl],
  ],
  "resource.redirects_to_foreign_host": [another, "host_inside"],
  "resource.servers_private": Object.keys(privateServers),
  "transport.length_wrong": ["greater", "smaller"],
};

/** An area in which a server can be wrong. */
export type Area = keyof typeof faults;

/** The areas, in the order in which a client meets them. */
export const areas: readonly Area[] = Object.keys(faults) as Area[];

/** The faults of one area. */
export type FaultOf<A extends Area> = (typeof faults)[A][number];

/** The name of a misbehaviour: its area, a dot, and its fault. */
export type MisbehaviourName = { [A in Area]: `${A}.${FaultOf<A>}` }[Area];

/** The names of all misbehaviours. */
export const misbehaviourNames: readonly MisbehaviourName[] = areas.flatMap((area) =>
  faults[area].map((fault) => `${area}.${fault}` as MisbehaviourName)
);

/** The areas whose faults are in requests to an API, so that only a client can have them. */
export const areasOfRequests: readonly Area[] = ["proof", "certificate"];

/** Who sends what is wrong: the server, a caller of an API, or a client that logs in at a right server. */
export type FaultySide = "server" | "caller" | "client";

export function faultySideOf(name: MisbehaviourName): FaultySide {
  const area = areaOf(name);
  if (areasOfRequests.includes(area)) return "caller";
  return area === "login" ? "client" : "server";
}

export const serverMisbehaviours: readonly MisbehaviourName[] = misbehaviourNames.filter((name) =>
  faultySideOf(name) === "server"
);

/** The name of a faulty access token, which an API has to answer. */
export type ForgeryName = `access_token.${FaultOf<"access_token">}`;

/** The names of all faulty access tokens. */
export const forgeryNames: readonly ForgeryName[] = faults.access_token
  .map((fault) => `access_token.${fault}` as const);

/**
 * Some APIs need no certain sign-in, or take their name with a slash at its end, too. An API may keep its keys for a time,
 * its server may refuse a long header, and it alone knows its leeway and its people. So only an examination judges the answers.
 */
const ofExaminations: readonly string[] = [
  ...[
    "acr_weak",
    "audience_issuer",
    "audience_slash",
    "auth_time_old",
    "expired_after_use",
    "hs256_alg_unpublished",
    "huge",
  ],
  ...["key_replaced", "key_withdrawn", "keys_unavailable", "subject_similar"],
].map((fault) => `access_token.${fault}`);

/** The names of the faulty access tokens that a test can send one by one. */
export const forgeries: readonly ForgeryName[] = forgeryNames
  .filter((name) => !ofExaminations.includes(name));

export function isForgery(name: string): name is ForgeryName {
  return forgeryNames.some((each) => each === name);
}

/** Returns no name if there is one form of the fault only. */
export function listVariants(name: string): readonly string[] {
  return variants[name as MisbehaviourName] ?? [];
}

export function areaOf(name: MisbehaviourName): Area {
  return name.slice(0, name.indexOf(".")) as Area;
}
