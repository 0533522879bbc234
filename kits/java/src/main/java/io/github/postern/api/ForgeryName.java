// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The fault of the token. */
public enum ForgeryName {
  /** {@code access_token.acr_weak} */
  ACCESS_TOKEN_ACR_WEAK("access_token.acr_weak"),
  /** {@code access_token.alg_missing} */
  ACCESS_TOKEN_ALG_MISSING("access_token.alg_missing"),
  /** {@code access_token.alg_none} */
  ACCESS_TOKEN_ALG_NONE("access_token.alg_none"),
  /** {@code access_token.audience_empty} */
  ACCESS_TOKEN_AUDIENCE_EMPTY("access_token.audience_empty"),
  /** {@code access_token.audience_issuer} */
  ACCESS_TOKEN_AUDIENCE_ISSUER("access_token.audience_issuer"),
  /** {@code access_token.audience_list} */
  ACCESS_TOKEN_AUDIENCE_LIST("access_token.audience_list"),
  /** {@code access_token.audience_missing} */
  ACCESS_TOKEN_AUDIENCE_MISSING("access_token.audience_missing"),
  /** {@code access_token.audience_slash} */
  ACCESS_TOKEN_AUDIENCE_SLASH("access_token.audience_slash"),
  /** {@code access_token.audience_wrong} */
  ACCESS_TOKEN_AUDIENCE_WRONG("access_token.audience_wrong"),
  /** {@code access_token.auth_time_old} */
  ACCESS_TOKEN_AUTH_TIME_OLD("access_token.auth_time_old"),
  /** {@code access_token.certificate_embedded} */
  ACCESS_TOKEN_CERTIFICATE_EMBEDDED("access_token.certificate_embedded"),
  /** {@code access_token.claim_twice} */
  ACCESS_TOKEN_CLAIM_TWICE("access_token.claim_twice"),
  /** {@code access_token.claims_tampered} */
  ACCESS_TOKEN_CLAIMS_TAMPERED("access_token.claims_tampered"),
  /** {@code access_token.claims_unknown} */
  ACCESS_TOKEN_CLAIMS_UNKNOWN("access_token.claims_unknown"),
  /** {@code access_token.client_id_missing} */
  ACCESS_TOKEN_CLIENT_ID_MISSING("access_token.client_id_missing"),
  /** {@code access_token.crit_unknown} */
  ACCESS_TOKEN_CRIT_UNKNOWN("access_token.crit_unknown"),
  /** {@code access_token.encrypted_unsigned} */
  ACCESS_TOKEN_ENCRYPTED_UNSIGNED("access_token.encrypted_unsigned"),
  /** {@code access_token.expired} */
  ACCESS_TOKEN_EXPIRED("access_token.expired"),
  /** {@code access_token.expired_after_use} */
  ACCESS_TOKEN_EXPIRED_AFTER_USE("access_token.expired_after_use"),
  /** {@code access_token.expired_minutes_ago} */
  ACCESS_TOKEN_EXPIRED_MINUTES_AGO("access_token.expired_minutes_ago"),
  /** {@code access_token.expiry_huge} */
  ACCESS_TOKEN_EXPIRY_HUGE("access_token.expiry_huge"),
  /** {@code access_token.expiry_missing} */
  ACCESS_TOKEN_EXPIRY_MISSING("access_token.expiry_missing"),
  /** {@code access_token.expiry_text} */
  ACCESS_TOKEN_EXPIRY_TEXT("access_token.expiry_text"),
  /** {@code access_token.hs256_alg_unpublished} */
  ACCESS_TOKEN_HS256_ALG_UNPUBLISHED("access_token.hs256_alg_unpublished"),
  /** {@code access_token.hs256_alg_unpublished_other_type} */
  ACCESS_TOKEN_HS256_ALG_UNPUBLISHED_OTHER_TYPE("access_token.hs256_alg_unpublished_other_type"),
  /** {@code access_token.hs256_with_public_key} */
  ACCESS_TOKEN_HS256_WITH_PUBLIC_KEY("access_token.hs256_with_public_key"),
  /** {@code access_token.huge} */
  ACCESS_TOKEN_HUGE("access_token.huge"),
  /** {@code access_token.id_missing} */
  ACCESS_TOKEN_ID_MISSING("access_token.id_missing"),
  /** {@code access_token.id_token_instead} */
  ACCESS_TOKEN_ID_TOKEN_INSTEAD("access_token.id_token_instead"),
  /** {@code access_token.issued_at_missing} */
  ACCESS_TOKEN_ISSUED_AT_MISSING("access_token.issued_at_missing"),
  /** {@code access_token.issued_in_future} */
  ACCESS_TOKEN_ISSUED_IN_FUTURE("access_token.issued_in_future"),
  /** {@code access_token.issuer_list} */
  ACCESS_TOKEN_ISSUER_LIST("access_token.issuer_list"),
  /** {@code access_token.issuer_missing} */
  ACCESS_TOKEN_ISSUER_MISSING("access_token.issuer_missing"),
  /** {@code access_token.issuer_part} */
  ACCESS_TOKEN_ISSUER_PART("access_token.issuer_part"),
  /** {@code access_token.issuer_slash} */
  ACCESS_TOKEN_ISSUER_SLASH("access_token.issuer_slash"),
  /** {@code access_token.issuer_wrong} */
  ACCESS_TOKEN_ISSUER_WRONG("access_token.issuer_wrong"),
  /** {@code access_token.key_alg_other} */
  ACCESS_TOKEN_KEY_ALG_OTHER("access_token.key_alg_other"),
  /** {@code access_token.key_by_url} */
  ACCESS_TOKEN_KEY_BY_URL("access_token.key_by_url"),
  /** {@code access_token.key_embedded} */
  ACCESS_TOKEN_KEY_EMBEDDED("access_token.key_embedded"),
  /** {@code access_token.key_operations_other} */
  ACCESS_TOKEN_KEY_OPERATIONS_OTHER("access_token.key_operations_other"),
  /** {@code access_token.key_other} */
  ACCESS_TOKEN_KEY_OTHER("access_token.key_other"),
  /** {@code access_token.key_replaced} */
  ACCESS_TOKEN_KEY_REPLACED("access_token.key_replaced"),
  /** {@code access_token.key_use_enc} */
  ACCESS_TOKEN_KEY_USE_ENC("access_token.key_use_enc"),
  /** {@code access_token.key_withdrawn} */
  ACCESS_TOKEN_KEY_WITHDRAWN("access_token.key_withdrawn"),
  /** {@code access_token.keys_unavailable} */
  ACCESS_TOKEN_KEYS_UNAVAILABLE("access_token.keys_unavailable"),
  /** {@code access_token.kid_missing} */
  ACCESS_TOKEN_KID_MISSING("access_token.kid_missing"),
  /** {@code access_token.kid_odd} */
  ACCESS_TOKEN_KID_ODD("access_token.kid_odd"),
  /** {@code access_token.kid_unknown} */
  ACCESS_TOKEN_KID_UNKNOWN("access_token.kid_unknown"),
  /** {@code access_token.kid_unknown_many} */
  ACCESS_TOKEN_KID_UNKNOWN_MANY("access_token.kid_unknown_many"),
  /** {@code access_token.kid_unusual} */
  ACCESS_TOKEN_KID_UNUSUAL("access_token.kid_unusual"),
  /** {@code access_token.long} */
  ACCESS_TOKEN_LONG("access_token.long"),
  /** {@code access_token.nested_deeply} */
  ACCESS_TOKEN_NESTED_DEEPLY("access_token.nested_deeply"),
  /** {@code access_token.not_before_text} */
  ACCESS_TOKEN_NOT_BEFORE_TEXT("access_token.not_before_text"),
  /** {@code access_token.not_yet_valid} */
  ACCESS_TOKEN_NOT_YET_VALID("access_token.not_yet_valid"),
  /** {@code access_token.revoked} */
  ACCESS_TOKEN_REVOKED("access_token.revoked"),
  /** {@code access_token.scope_missing} */
  ACCESS_TOKEN_SCOPE_MISSING("access_token.scope_missing"),
  /** {@code access_token.serialized_as_json} */
  ACCESS_TOKEN_SERIALIZED_AS_JSON("access_token.serialized_as_json"),
  /** {@code access_token.signature_alphabet} */
  ACCESS_TOKEN_SIGNATURE_ALPHABET("access_token.signature_alphabet"),
  /** {@code access_token.signature_bad} */
  ACCESS_TOKEN_SIGNATURE_BAD("access_token.signature_bad"),
  /** {@code access_token.signature_missing} */
  ACCESS_TOKEN_SIGNATURE_MISSING("access_token.signature_missing"),
  /** {@code access_token.signature_zero} */
  ACCESS_TOKEN_SIGNATURE_ZERO("access_token.signature_zero"),
  /** {@code access_token.similar_to_accepted} */
  ACCESS_TOKEN_SIMILAR_TO_ACCEPTED("access_token.similar_to_accepted"),
  /** {@code access_token.subject_missing} */
  ACCESS_TOKEN_SUBJECT_MISSING("access_token.subject_missing"),
  /** {@code access_token.subject_similar} */
  ACCESS_TOKEN_SUBJECT_SIMILAR("access_token.subject_similar"),
  /** {@code access_token.two_issuers_one_kid} */
  ACCESS_TOKEN_TWO_ISSUERS_ONE_KID("access_token.two_issuers_one_kid"),
  /** {@code access_token.type_full} */
  ACCESS_TOKEN_TYPE_FULL("access_token.type_full"),
  /** {@code access_token.type_missing} */
  ACCESS_TOKEN_TYPE_MISSING("access_token.type_missing"),
  /** {@code access_token.type_wrong} */
  ACCESS_TOKEN_TYPE_WRONG("access_token.type_wrong"),
  /** {@code access_token.unreadable} */
  ACCESS_TOKEN_UNREADABLE("access_token.unreadable"),
  /** {@code access_token.valid_in_a_moment} */
  ACCESS_TOKEN_VALID_IN_A_MOMENT("access_token.valid_in_a_moment");

  private final String value;

  ForgeryName(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
