/** The names of all misbehaviours. They are apart from the functions, so that a test can name one before those are loaded. */

/** The faults of each area, in alphabetical order. Each area has a file of its own in `areas/`. */
export const faults = {
  metadata: [
    "alg_none_listed",
    "content_charset",
    "endpoint_missing",
    "endpoint_query",
    "endpoint_relative",
    "gone_at_refresh",
    "html_200",
    "huge",
    "issuer_mismatch",
    "issuer_missing",
    "issuer_slash",
    "minimal",
    "mtls_aliases",
    "only_openid_configuration",
    "pkce_missing",
    "pkce_plain_only",
    "redirect_foreign",
    "scopes_partial",
    "status_500",
    "token_endpoint_http",
    "unknown_members",
  ],
  keys: [
    "alg_absent",
    "alg_other",
    "empty",
    "html_200",
    "incomplete",
    "kid_duplicate",
    "kid_odd",
    "kty_unknown",
    "members_unknown",
    "private_published",
    "redirect_foreign",
    "rotated",
    "rsa_short",
    "several",
    "silent",
    "status_500",
    "symmetric_published",
    "use_enc",
  ],
  login: ["nonce_repeated", "state_repeated", "verifier_repeated"],
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
    "iss_unadvertised",
    "iss_wrong",
    "mix_up",
    "parameters_unknown",
    "state_changed",
    "state_missing",
    "state_of_another_login",
    "state_twice",
  ],
  jarm: ["alg_none", "audience_other", "expired", "issuer_other", "other_key", "parameters_beside"],
  token_response: [
    "access_token_empty",
    "access_token_missing",
    "access_token_not_text",
    "cacheable",
    "content_type_parameters",
    "content_type_wrong",
    "error_and_tokens",
    "error_in_200",
    "escapes",
    "expires_in_huge",
    "expires_in_missing",
    "expires_in_negative",
    "expires_in_zero",
    "form_encoded",
    "html",
    "members_unknown",
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
    "acr_weak",
    "alg_none",
    "alg_unregistered",
    "at_hash_wrong",
    "aud_array",
    "aud_foreign_too",
    "aud_missing",
    "aud_wrong",
    "auth_time_missing",
    "auth_time_old",
    "azp_wrong",
    "crit_unknown",
    "exp_missing",
    "exp_past",
    "exp_text",
    "hs256_with_public_key",
    "hs256_with_secret",
    "iat_ahead",
    "iat_future",
    "iat_missing",
    "iat_old",
    "iss_missing",
    "iss_slash",
    "iss_wrong",
    "jku_foreign",
    "key_embedded",
    "kid_absent",
    "kid_unknown",
    "large",
    "missing",
    "nbf_future",
    "nonce_missing",
    "nonce_unasked",
    "nonce_wrong",
    "not_a_jwt",
    "other_key",
    "signature_bad",
    "signature_missing",
    "sub_empty",
    "sub_long",
    "sub_missing",
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
    "jwt_other_key",
    "jwt_unsigned",
    "sub_missing",
    "sub_other",
  ],
  access_token: [
    "alg_none",
    "audience_list",
    "audience_missing",
    "audience_wrong",
    "claims_tampered",
    "claims_unknown",
    "client_id_missing",
    "crit_unknown",
    "expired",
    "expiry_missing",
    "expiry_text",
    "hs256_with_public_key",
    "id_token_instead",
    "issued_in_future",
    "issuer_slash",
    "issuer_wrong",
    "key_by_url",
    "key_embedded",
    "key_other",
    "kid_unknown",
    "long",
    "not_yet_valid",
    "revoked",
    "scope_missing",
    "signature_bad",
    "signature_missing",
    "subject_missing",
    "type_full",
    "type_wrong",
    "unreadable",
  ],
  refresh: [
    "endless",
    "id_token_auth_time",
    "id_token_missing",
    "id_token_nonce",
    "id_token_other_issuer",
    "id_token_other_subject",
    "invalid_grant",
    "not_rotated",
    "response_lost",
    "revoked_early",
    "rotated",
    "slow",
    "token_hard",
    "unavailable",
  ],
  authorization_details: ["less", "missing", "more", "other_order"],
  token_exchange: [
    "issued_type_other",
    "not_an_access_token",
    "scope_more",
  ],
  introspection: [
    "active_missing",
    "active_text",
    "audience_other",
    "expired",
    "inactive",
    "jwt_alg_none",
    "jwt_audience_wrong",
    "jwt_type_wrong",
    "members_unknown",
    "minimal",
    "never_answers",
    "not_json",
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
    "id_token_instead",
    "issuer_wrong",
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
    "from_the_future",
    "id_missing",
    "key_other",
    "method_wrong",
    "missing",
    "old",
    "private_key",
    "replayed",
    "signature_bad",
    "symmetric_key",
    "token_hash_missing",
    "token_hash_wrong",
    "two",
    "type_wrong",
    "url_spelling",
    "url_wrong",
  ],
  certificate: ["missing", "other"],
  resource: [
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
    "redirects_to_foreign_host",
    "refuses_always",
    "refuses_early",
    "scope_never_enough",
    "scope_only_missing",
    "scope_wider",
    "scopes_supported_disjoint",
    "server_moved",
    "servers_foreign_first",
    "token_in_query",
    "unauthorized_html",
    "wider_resource",
  ],
  transport: [
    "huge_body",
    "internal_error",
    "invalid_client",
    "response_lost",
    "stalled",
    "too_many_requests",
    "unavailable",
  ],
} as const;

/** The usual forms of a public key: SPKI and PKCS #1, with and without the last line break, its JWK, and its modulus. */
export const publicKeyForms = [
  "spki_pem",
  "spki_pem_trimmed",
  "spki_der",
  "pkcs1_pem",
  "pkcs1_pem_trimmed",
  "pkcs1_der",
  "jwk",
  "modulus",
  "modulus_octets",
] as const;

export type PublicKeyForm = typeof publicKeyForms[number];

/** The variants of faults that have several. A card tries all of them in one row. Elsewhere the first is the default. */
const variants: { readonly [Name in MisbehaviourName]?: readonly string[] } = {
  "id_token.hs256_with_public_key": publicKeyForms,
  "access_token.hs256_with_public_key": publicKeyForms,
  // RFC 7515 §4.1.2, §4.1.5.
  "access_token.key_by_url": ["jku", "x5u"],
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

/** The misbehaviours that a server can have. */
export const serverMisbehaviours: readonly MisbehaviourName[] = misbehaviourNames.filter((name) =>
  faultySideOf(name) === "server"
);

/** The name of a faulty access token, which an API has to answer. */
export type ForgeryName = `access_token.${FaultOf<"access_token">}`;

/** The names of the faulty access tokens. */
export const forgeries: readonly ForgeryName[] = faults.access_token.map((fault) =>
  `access_token.${fault}` as const
);

/** Returns no name if there is one form of the fault only. */
export function listVariants(name: string): readonly string[] {
  return variants[name as MisbehaviourName] ?? [];
}

export function areaOf(name: MisbehaviourName): Area {
  return name.slice(0, name.indexOf(".")) as Area;
}
