/** The names of all misbehaviours. They are apart from the functions, so that a test can name one before those are loaded. */

/** The faults of each area, in alphabetical order. Each area has a file of its own in `areas/`. */
export const faults = {
  metadata: [
    "issuer_mismatch",
  ],
  keys: [],
  authorization_response: [
    "access_token_injected",
    "code_and_error",
    "code_empty",
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
    "parameters_unknown",
    "state_changed",
    "state_missing",
    "state_of_another_login",
    "state_twice",
  ],
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
  access_token: [],
  userinfo: [],
  refresh: [],
  introspection: [],
  revocation: [],
  logout: [],
  registration: [],
  client_document: [],
  pushed_request: [],
  dpop: [],
  resource: [],
  transport: [],
} as const;

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

export function areaOf(name: MisbehaviourName): Area {
  return name.slice(0, name.indexOf(".")) as Area;
}
