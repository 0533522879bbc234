/** Wrong ID-JAGs (draft-ietf-oauth-identity-assertion-authz-grant §4.4.1): only names, as each test file loads them. */

/** What may be wrong with an ID-JAG. */
export const idJagFaults = [
  "alg_none",
  "audience_several",
  "audience_wrong",
  "binding_unknown",
  "client_missing",
  "client_wrong",
  "details_unknown",
  "expired",
  "expiry_missing",
  "id_missing",
  "issuer_wrong",
  "key_unknown",
  "resource_unknown",
  "scope_unknown",
  "signature_bad",
  "subject_unknown",
  "type_wrong",
] as const;

/** The name of a fault. */
export type IdJagFault = typeof idJagFaults[number];
