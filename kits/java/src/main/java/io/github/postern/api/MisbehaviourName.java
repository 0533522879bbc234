// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** A name of the catalogue. */
public enum MisbehaviourName {
  /** {@code metadata.alg_none_listed} */
  METADATA_ALG_NONE_LISTED("metadata.alg_none_listed"),
  /** {@code metadata.authorization_endpoint_script} */
  METADATA_AUTHORIZATION_ENDPOINT_SCRIPT("metadata.authorization_endpoint_script"),
  /** {@code metadata.content_charset} */
  METADATA_CONTENT_CHARSET("metadata.content_charset"),
  /** {@code metadata.endpoint_missing} */
  METADATA_ENDPOINT_MISSING("metadata.endpoint_missing"),
  /** {@code metadata.endpoint_query} */
  METADATA_ENDPOINT_QUERY("metadata.endpoint_query"),
  /** {@code metadata.endpoint_relative} */
  METADATA_ENDPOINT_RELATIVE("metadata.endpoint_relative"),
  /** {@code metadata.gone_at_refresh} */
  METADATA_GONE_AT_REFRESH("metadata.gone_at_refresh"),
  /** {@code metadata.html_200} */
  METADATA_HTML_200("metadata.html_200"),
  /** {@code metadata.huge} */
  METADATA_HUGE("metadata.huge"),
  /** {@code metadata.impostor} */
  METADATA_IMPOSTOR("metadata.impostor"),
  /** {@code metadata.issuer_mismatch} */
  METADATA_ISSUER_MISMATCH("metadata.issuer_mismatch"),
  /** {@code metadata.issuer_missing} */
  METADATA_ISSUER_MISSING("metadata.issuer_missing"),
  /** {@code metadata.issuer_slash} */
  METADATA_ISSUER_SLASH("metadata.issuer_slash"),
  /** {@code metadata.jwks_uri_http} */
  METADATA_JWKS_URI_HTTP("metadata.jwks_uri_http"),
  /** {@code metadata.jwks_uri_missing} */
  METADATA_JWKS_URI_MISSING("metadata.jwks_uri_missing"),
  /** {@code metadata.jwks_uri_moved} */
  METADATA_JWKS_URI_MOVED("metadata.jwks_uri_moved"),
  /** {@code metadata.jwks_uri_relative} */
  METADATA_JWKS_URI_RELATIVE("metadata.jwks_uri_relative"),
  /** {@code metadata.minimal} */
  METADATA_MINIMAL("metadata.minimal"),
  /** {@code metadata.mtls_aliases} */
  METADATA_MTLS_ALIASES("metadata.mtls_aliases"),
  /** {@code metadata.only_at_inserted_path} */
  METADATA_ONLY_AT_INSERTED_PATH("metadata.only_at_inserted_path"),
  /** {@code metadata.only_openid_configuration} */
  METADATA_ONLY_OPENID_CONFIGURATION("metadata.only_openid_configuration"),
  /** {@code metadata.pkce_missing} */
  METADATA_PKCE_MISSING("metadata.pkce_missing"),
  /** {@code metadata.pkce_plain_only} */
  METADATA_PKCE_PLAIN_ONLY("metadata.pkce_plain_only"),
  /** {@code metadata.redirect_foreign} */
  METADATA_REDIRECT_FOREIGN("metadata.redirect_foreign"),
  /** {@code metadata.revocation_endpoint_http} */
  METADATA_REVOCATION_ENDPOINT_HTTP("metadata.revocation_endpoint_http"),
  /** {@code metadata.revocation_endpoint_missing} */
  METADATA_REVOCATION_ENDPOINT_MISSING("metadata.revocation_endpoint_missing"),
  /** {@code metadata.scopes_partial} */
  METADATA_SCOPES_PARTIAL("metadata.scopes_partial"),
  /** {@code metadata.slow} */
  METADATA_SLOW("metadata.slow"),
  /** {@code metadata.status_500} */
  METADATA_STATUS_500("metadata.status_500"),
  /** {@code metadata.token_endpoint_host} */
  METADATA_TOKEN_ENDPOINT_HOST("metadata.token_endpoint_host"),
  /** {@code metadata.token_endpoint_http} */
  METADATA_TOKEN_ENDPOINT_HTTP("metadata.token_endpoint_http"),
  /** {@code metadata.token_endpoint_query} */
  METADATA_TOKEN_ENDPOINT_QUERY("metadata.token_endpoint_query"),
  /** {@code metadata.unknown_members} */
  METADATA_UNKNOWN_MEMBERS("metadata.unknown_members"),
  /** {@code keys.alg_absent} */
  KEYS_ALG_ABSENT("keys.alg_absent"),
  /** {@code keys.alg_other} */
  KEYS_ALG_OTHER("keys.alg_other"),
  /** {@code keys.curve_unknown} */
  KEYS_CURVE_UNKNOWN("keys.curve_unknown"),
  /** {@code keys.empty} */
  KEYS_EMPTY("keys.empty"),
  /** {@code keys.html_200} */
  KEYS_HTML_200("keys.html_200"),
  /** {@code keys.incomplete} */
  KEYS_INCOMPLETE("keys.incomplete"),
  /** {@code keys.kid_duplicate} */
  KEYS_KID_DUPLICATE("keys.kid_duplicate"),
  /** {@code keys.kid_odd} */
  KEYS_KID_ODD("keys.kid_odd"),
  /** {@code keys.kid_similar} */
  KEYS_KID_SIMILAR("keys.kid_similar"),
  /** {@code keys.kty_unknown} */
  KEYS_KTY_UNKNOWN("keys.kty_unknown"),
  /** {@code keys.members_unknown} */
  KEYS_MEMBERS_UNKNOWN("keys.members_unknown"),
  /** {@code keys.operations_other} */
  KEYS_OPERATIONS_OTHER("keys.operations_other"),
  /** {@code keys.point_off_curve} */
  KEYS_POINT_OFF_CURVE("keys.point_off_curve"),
  /** {@code keys.private_published} */
  KEYS_PRIVATE_PUBLISHED("keys.private_published"),
  /** {@code keys.redirect_foreign} */
  KEYS_REDIRECT_FOREIGN("keys.redirect_foreign"),
  /** {@code keys.replaced} */
  KEYS_REPLACED("keys.replaced"),
  /** {@code keys.rotated} */
  KEYS_ROTATED("keys.rotated"),
  /** {@code keys.rsa_short} */
  KEYS_RSA_SHORT("keys.rsa_short"),
  /** {@code keys.several} */
  KEYS_SEVERAL("keys.several"),
  /** {@code keys.silent} */
  KEYS_SILENT("keys.silent"),
  /** {@code keys.status_500} */
  KEYS_STATUS_500("keys.status_500"),
  /** {@code keys.symmetric_published} */
  KEYS_SYMMETRIC_PUBLISHED("keys.symmetric_published"),
  /** {@code keys.use_enc} */
  KEYS_USE_ENC("keys.use_enc"),
  /** {@code keys.withdrawn} */
  KEYS_WITHDRAWN("keys.withdrawn"),
  /** {@code authorization_response.access_token_injected} */
  AUTHORIZATION_RESPONSE_ACCESS_TOKEN_INJECTED("authorization_response.access_token_injected"),
  /** {@code authorization_response.code_and_error} */
  AUTHORIZATION_RESPONSE_CODE_AND_ERROR("authorization_response.code_and_error"),
  /** {@code authorization_response.code_empty} */
  AUTHORIZATION_RESPONSE_CODE_EMPTY("authorization_response.code_empty"),
  /** {@code authorization_response.code_hard} */
  AUTHORIZATION_RESPONSE_CODE_HARD("authorization_response.code_hard"),
  /** {@code authorization_response.code_missing} */
  AUTHORIZATION_RESPONSE_CODE_MISSING("authorization_response.code_missing"),
  /** {@code authorization_response.code_twice} */
  AUTHORIZATION_RESPONSE_CODE_TWICE("authorization_response.code_twice"),
  /** {@code authorization_response.error_denied} */
  AUTHORIZATION_RESPONSE_ERROR_DENIED("authorization_response.error_denied"),
  /** {@code authorization_response.error_loop} */
  AUTHORIZATION_RESPONSE_ERROR_LOOP("authorization_response.error_loop"),
  /** {@code authorization_response.error_markup} */
  AUTHORIZATION_RESPONSE_ERROR_MARKUP("authorization_response.error_markup"),
  /** {@code authorization_response.error_unknown} */
  AUTHORIZATION_RESPONSE_ERROR_UNKNOWN("authorization_response.error_unknown"),
  /** {@code authorization_response.error_uri} */
  AUTHORIZATION_RESPONSE_ERROR_URI("authorization_response.error_uri"),
  /** {@code authorization_response.fragment} */
  AUTHORIZATION_RESPONSE_FRAGMENT("authorization_response.fragment"),
  /** {@code authorization_response.iss_missing} */
  AUTHORIZATION_RESPONSE_ISS_MISSING("authorization_response.iss_missing"),
  /** {@code authorization_response.iss_slash} */
  AUTHORIZATION_RESPONSE_ISS_SLASH("authorization_response.iss_slash"),
  /** {@code authorization_response.iss_twice} */
  AUTHORIZATION_RESPONSE_ISS_TWICE("authorization_response.iss_twice"),
  /** {@code authorization_response.iss_unadvertised} */
  AUTHORIZATION_RESPONSE_ISS_UNADVERTISED("authorization_response.iss_unadvertised"),
  /** {@code authorization_response.iss_wrong} */
  AUTHORIZATION_RESPONSE_ISS_WRONG("authorization_response.iss_wrong"),
  /** {@code authorization_response.mix_up} */
  AUTHORIZATION_RESPONSE_MIX_UP("authorization_response.mix_up"),
  /** {@code authorization_response.parameters_unknown} */
  AUTHORIZATION_RESPONSE_PARAMETERS_UNKNOWN("authorization_response.parameters_unknown"),
  /** {@code authorization_response.repeated} */
  AUTHORIZATION_RESPONSE_REPEATED("authorization_response.repeated"),
  /** {@code authorization_response.return_page_foreign} */
  AUTHORIZATION_RESPONSE_RETURN_PAGE_FOREIGN("authorization_response.return_page_foreign"),
  /** {@code authorization_response.state_changed} */
  AUTHORIZATION_RESPONSE_STATE_CHANGED("authorization_response.state_changed"),
  /** {@code authorization_response.state_missing} */
  AUTHORIZATION_RESPONSE_STATE_MISSING("authorization_response.state_missing"),
  /** {@code authorization_response.state_of_another_browser} */
  AUTHORIZATION_RESPONSE_STATE_OF_ANOTHER_BROWSER("authorization_response.state_of_another_browser"),
  /** {@code authorization_response.state_of_another_login} */
  AUTHORIZATION_RESPONSE_STATE_OF_ANOTHER_LOGIN("authorization_response.state_of_another_login"),
  /** {@code authorization_response.state_similar} */
  AUTHORIZATION_RESPONSE_STATE_SIMILAR("authorization_response.state_similar"),
  /** {@code authorization_response.state_twice} */
  AUTHORIZATION_RESPONSE_STATE_TWICE("authorization_response.state_twice"),
  /** {@code jarm.alg_none} */
  JARM_ALG_NONE("jarm.alg_none"),
  /** {@code jarm.audience_missing} */
  JARM_AUDIENCE_MISSING("jarm.audience_missing"),
  /** {@code jarm.audience_other} */
  JARM_AUDIENCE_OTHER("jarm.audience_other"),
  /** {@code jarm.expired} */
  JARM_EXPIRED("jarm.expired"),
  /** {@code jarm.expiry_missing} */
  JARM_EXPIRY_MISSING("jarm.expiry_missing"),
  /** {@code jarm.issuer_missing} */
  JARM_ISSUER_MISSING("jarm.issuer_missing"),
  /** {@code jarm.issuer_other} */
  JARM_ISSUER_OTHER("jarm.issuer_other"),
  /** {@code jarm.jwt_hs256_with_public_key} */
  JARM_JWT_HS256_WITH_PUBLIC_KEY("jarm.jwt_hs256_with_public_key"),
  /** {@code jarm.jwt_key_embedded} */
  JARM_JWT_KEY_EMBEDDED("jarm.jwt_key_embedded"),
  /** {@code jarm.other_key} */
  JARM_OTHER_KEY("jarm.other_key"),
  /** {@code jarm.parameters_beside} */
  JARM_PARAMETERS_BESIDE("jarm.parameters_beside"),
  /** {@code jarm.plain_parameters} */
  JARM_PLAIN_PARAMETERS("jarm.plain_parameters"),
  /** {@code token_response.access_token_empty} */
  TOKEN_RESPONSE_ACCESS_TOKEN_EMPTY("token_response.access_token_empty"),
  /** {@code token_response.access_token_missing} */
  TOKEN_RESPONSE_ACCESS_TOKEN_MISSING("token_response.access_token_missing"),
  /** {@code token_response.access_token_not_text} */
  TOKEN_RESPONSE_ACCESS_TOKEN_NOT_TEXT("token_response.access_token_not_text"),
  /** {@code token_response.byte_order_mark} */
  TOKEN_RESPONSE_BYTE_ORDER_MARK("token_response.byte_order_mark"),
  /** {@code token_response.cacheable} */
  TOKEN_RESPONSE_CACHEABLE("token_response.cacheable"),
  /** {@code token_response.content_type_parameters} */
  TOKEN_RESPONSE_CONTENT_TYPE_PARAMETERS("token_response.content_type_parameters"),
  /** {@code token_response.content_type_wrong} */
  TOKEN_RESPONSE_CONTENT_TYPE_WRONG("token_response.content_type_wrong"),
  /** {@code token_response.error_and_tokens} */
  TOKEN_RESPONSE_ERROR_AND_TOKENS("token_response.error_and_tokens"),
  /** {@code token_response.error_in_200} */
  TOKEN_RESPONSE_ERROR_IN_200("token_response.error_in_200"),
  /** {@code token_response.escapes} */
  TOKEN_RESPONSE_ESCAPES("token_response.escapes"),
  /** {@code token_response.expires_in_huge} */
  TOKEN_RESPONSE_EXPIRES_IN_HUGE("token_response.expires_in_huge"),
  /** {@code token_response.expires_in_missing} */
  TOKEN_RESPONSE_EXPIRES_IN_MISSING("token_response.expires_in_missing"),
  /** {@code token_response.expires_in_negative} */
  TOKEN_RESPONSE_EXPIRES_IN_NEGATIVE("token_response.expires_in_negative"),
  /** {@code token_response.expires_in_text} */
  TOKEN_RESPONSE_EXPIRES_IN_TEXT("token_response.expires_in_text"),
  /** {@code token_response.expires_in_zero} */
  TOKEN_RESPONSE_EXPIRES_IN_ZERO("token_response.expires_in_zero"),
  /** {@code token_response.form_encoded} */
  TOKEN_RESPONSE_FORM_ENCODED("token_response.form_encoded"),
  /** {@code token_response.html} */
  TOKEN_RESPONSE_HTML("token_response.html"),
  /** {@code token_response.members_twice} */
  TOKEN_RESPONSE_MEMBERS_TWICE("token_response.members_twice"),
  /** {@code token_response.members_unknown} */
  TOKEN_RESPONSE_MEMBERS_UNKNOWN("token_response.members_unknown"),
  /** {@code token_response.nested_deeply} */
  TOKEN_RESPONSE_NESTED_DEEPLY("token_response.nested_deeply"),
  /** {@code token_response.redirect_get} */
  TOKEN_RESPONSE_REDIRECT_GET("token_response.redirect_get"),
  /** {@code token_response.redirect_post} */
  TOKEN_RESPONSE_REDIRECT_POST("token_response.redirect_post"),
  /** {@code token_response.refresh_token_missing} */
  TOKEN_RESPONSE_REFRESH_TOKEN_MISSING("token_response.refresh_token_missing"),
  /** {@code token_response.scope_less} */
  TOKEN_RESPONSE_SCOPE_LESS("token_response.scope_less"),
  /** {@code token_response.scope_missing} */
  TOKEN_RESPONSE_SCOPE_MISSING("token_response.scope_missing"),
  /** {@code token_response.scope_more} */
  TOKEN_RESPONSE_SCOPE_MORE("token_response.scope_more"),
  /** {@code token_response.scope_order} */
  TOKEN_RESPONSE_SCOPE_ORDER("token_response.scope_order"),
  /** {@code token_response.token_type_case} */
  TOKEN_RESPONSE_TOKEN_TYPE_CASE("token_response.token_type_case"),
  /** {@code token_response.token_type_missing} */
  TOKEN_RESPONSE_TOKEN_TYPE_MISSING("token_response.token_type_missing"),
  /** {@code token_response.token_type_unknown} */
  TOKEN_RESPONSE_TOKEN_TYPE_UNKNOWN("token_response.token_type_unknown"),
  /** {@code token_response.truncated} */
  TOKEN_RESPONSE_TRUNCATED("token_response.truncated"),
  /** {@code id_token.acr_missing} */
  ID_TOKEN_ACR_MISSING("id_token.acr_missing"),
  /** {@code id_token.acr_weak} */
  ID_TOKEN_ACR_WEAK("id_token.acr_weak"),
  /** {@code id_token.alg_none} */
  ID_TOKEN_ALG_NONE("id_token.alg_none"),
  /** {@code id_token.alg_unregistered} */
  ID_TOKEN_ALG_UNREGISTERED("id_token.alg_unregistered"),
  /** {@code id_token.amr_weak} */
  ID_TOKEN_AMR_WEAK("id_token.amr_weak"),
  /** {@code id_token.at_hash_alg_unknown} */
  ID_TOKEN_AT_HASH_ALG_UNKNOWN("id_token.at_hash_alg_unknown"),
  /** {@code id_token.at_hash_wrong} */
  ID_TOKEN_AT_HASH_WRONG("id_token.at_hash_wrong"),
  /** {@code id_token.aud_array} */
  ID_TOKEN_AUD_ARRAY("id_token.aud_array"),
  /** {@code id_token.aud_empty} */
  ID_TOKEN_AUD_EMPTY("id_token.aud_empty"),
  /** {@code id_token.aud_foreign_azp_own} */
  ID_TOKEN_AUD_FOREIGN_AZP_OWN("id_token.aud_foreign_azp_own"),
  /** {@code id_token.aud_foreign_too} */
  ID_TOKEN_AUD_FOREIGN_TOO("id_token.aud_foreign_too"),
  /** {@code id_token.aud_missing} */
  ID_TOKEN_AUD_MISSING("id_token.aud_missing"),
  /** {@code id_token.aud_twice} */
  ID_TOKEN_AUD_TWICE("id_token.aud_twice"),
  /** {@code id_token.aud_wrong} */
  ID_TOKEN_AUD_WRONG("id_token.aud_wrong"),
  /** {@code id_token.auth_time_missing} */
  ID_TOKEN_AUTH_TIME_MISSING("id_token.auth_time_missing"),
  /** {@code id_token.auth_time_old} */
  ID_TOKEN_AUTH_TIME_OLD("id_token.auth_time_old"),
  /** {@code id_token.azp_instead_of_aud} */
  ID_TOKEN_AZP_INSTEAD_OF_AUD("id_token.azp_instead_of_aud"),
  /** {@code id_token.azp_wrong} */
  ID_TOKEN_AZP_WRONG("id_token.azp_wrong"),
  /** {@code id_token.crit_unknown} */
  ID_TOKEN_CRIT_UNKNOWN("id_token.crit_unknown"),
  /** {@code id_token.encrypted_compressed} */
  ID_TOKEN_ENCRYPTED_COMPRESSED("id_token.encrypted_compressed"),
  /** {@code id_token.exp_just_past} */
  ID_TOKEN_EXP_JUST_PAST("id_token.exp_just_past"),
  /** {@code id_token.exp_minutes_past} */
  ID_TOKEN_EXP_MINUTES_PAST("id_token.exp_minutes_past"),
  /** {@code id_token.exp_missing} */
  ID_TOKEN_EXP_MISSING("id_token.exp_missing"),
  /** {@code id_token.exp_past} */
  ID_TOKEN_EXP_PAST("id_token.exp_past"),
  /** {@code id_token.exp_text} */
  ID_TOKEN_EXP_TEXT("id_token.exp_text"),
  /** {@code id_token.hs256_alg_unpublished} */
  ID_TOKEN_HS256_ALG_UNPUBLISHED("id_token.hs256_alg_unpublished"),
  /** {@code id_token.hs256_with_public_key} */
  ID_TOKEN_HS256_WITH_PUBLIC_KEY("id_token.hs256_with_public_key"),
  /** {@code id_token.hs256_with_secret} */
  ID_TOKEN_HS256_WITH_SECRET("id_token.hs256_with_secret"),
  /** {@code id_token.huge} */
  ID_TOKEN_HUGE("id_token.huge"),
  /** {@code id_token.iat_ahead} */
  ID_TOKEN_IAT_AHEAD("id_token.iat_ahead"),
  /** {@code id_token.iat_future} */
  ID_TOKEN_IAT_FUTURE("id_token.iat_future"),
  /** {@code id_token.iat_missing} */
  ID_TOKEN_IAT_MISSING("id_token.iat_missing"),
  /** {@code id_token.iat_old} */
  ID_TOKEN_IAT_OLD("id_token.iat_old"),
  /** {@code id_token.iss_list} */
  ID_TOKEN_ISS_LIST("id_token.iss_list"),
  /** {@code id_token.iss_missing} */
  ID_TOKEN_ISS_MISSING("id_token.iss_missing"),
  /** {@code id_token.iss_part} */
  ID_TOKEN_ISS_PART("id_token.iss_part"),
  /** {@code id_token.iss_slash} */
  ID_TOKEN_ISS_SLASH("id_token.iss_slash"),
  /** {@code id_token.iss_wrong} */
  ID_TOKEN_ISS_WRONG("id_token.iss_wrong"),
  /** {@code id_token.jku_foreign} */
  ID_TOKEN_JKU_FOREIGN("id_token.jku_foreign"),
  /** {@code id_token.key_embedded} */
  ID_TOKEN_KEY_EMBEDDED("id_token.key_embedded"),
  /** {@code id_token.kid_absent} */
  ID_TOKEN_KID_ABSENT("id_token.kid_absent"),
  /** {@code id_token.kid_unknown} */
  ID_TOKEN_KID_UNKNOWN("id_token.kid_unknown"),
  /** {@code id_token.large} */
  ID_TOKEN_LARGE("id_token.large"),
  /** {@code id_token.missing} */
  ID_TOKEN_MISSING("id_token.missing"),
  /** {@code id_token.nbf_ahead} */
  ID_TOKEN_NBF_AHEAD("id_token.nbf_ahead"),
  /** {@code id_token.nbf_future} */
  ID_TOKEN_NBF_FUTURE("id_token.nbf_future"),
  /** {@code id_token.nonce_missing} */
  ID_TOKEN_NONCE_MISSING("id_token.nonce_missing"),
  /** {@code id_token.nonce_of_another_login} */
  ID_TOKEN_NONCE_OF_ANOTHER_LOGIN("id_token.nonce_of_another_login"),
  /** {@code id_token.nonce_unasked} */
  ID_TOKEN_NONCE_UNASKED("id_token.nonce_unasked"),
  /** {@code id_token.nonce_wrong} */
  ID_TOKEN_NONCE_WRONG("id_token.nonce_wrong"),
  /** {@code id_token.not_a_jwt} */
  ID_TOKEN_NOT_A_JWT("id_token.not_a_jwt"),
  /** {@code id_token.other_key} */
  ID_TOKEN_OTHER_KEY("id_token.other_key"),
  /** {@code id_token.signature_bad} */
  ID_TOKEN_SIGNATURE_BAD("id_token.signature_bad"),
  /** {@code id_token.signature_missing} */
  ID_TOKEN_SIGNATURE_MISSING("id_token.signature_missing"),
  /** {@code id_token.signature_zero} */
  ID_TOKEN_SIGNATURE_ZERO("id_token.signature_zero"),
  /** {@code id_token.sub_empty} */
  ID_TOKEN_SUB_EMPTY("id_token.sub_empty"),
  /** {@code id_token.sub_long} */
  ID_TOKEN_SUB_LONG("id_token.sub_long"),
  /** {@code id_token.sub_missing} */
  ID_TOKEN_SUB_MISSING("id_token.sub_missing"),
  /** {@code id_token.sub_not_utf8} */
  ID_TOKEN_SUB_NOT_UTF8("id_token.sub_not_utf8"),
  /** {@code id_token.sub_number} */
  ID_TOKEN_SUB_NUMBER("id_token.sub_number"),
  /** {@code id_token.typ_other} */
  ID_TOKEN_TYP_OTHER("id_token.typ_other"),
  /** {@code id_token.unknown_claims} */
  ID_TOKEN_UNKNOWN_CLAIMS("id_token.unknown_claims"),
  /** {@code userinfo.claims_as_text} */
  USERINFO_CLAIMS_AS_TEXT("userinfo.claims_as_text"),
  /** {@code userinfo.claims_distributed} */
  USERINFO_CLAIMS_DISTRIBUTED("userinfo.claims_distributed"),
  /** {@code userinfo.claims_missing} */
  USERINFO_CLAIMS_MISSING("userinfo.claims_missing"),
  /** {@code userinfo.claims_null} */
  USERINFO_CLAIMS_NULL("userinfo.claims_null"),
  /** {@code userinfo.claims_unknown} */
  USERINFO_CLAIMS_UNKNOWN("userinfo.claims_unknown"),
  /** {@code userinfo.jwt_aud_wrong} */
  USERINFO_JWT_AUD_WRONG("userinfo.jwt_aud_wrong"),
  /** {@code userinfo.jwt_hs256_with_public_key} */
  USERINFO_JWT_HS256_WITH_PUBLIC_KEY("userinfo.jwt_hs256_with_public_key"),
  /** {@code userinfo.jwt_iss_wrong} */
  USERINFO_JWT_ISS_WRONG("userinfo.jwt_iss_wrong"),
  /** {@code userinfo.jwt_other_key} */
  USERINFO_JWT_OTHER_KEY("userinfo.jwt_other_key"),
  /** {@code userinfo.jwt_unsigned} */
  USERINFO_JWT_UNSIGNED("userinfo.jwt_unsigned"),
  /** {@code userinfo.never_answers} */
  USERINFO_NEVER_ANSWERS("userinfo.never_answers"),
  /** {@code userinfo.redirect_foreign} */
  USERINFO_REDIRECT_FOREIGN("userinfo.redirect_foreign"),
  /** {@code userinfo.sub_missing} */
  USERINFO_SUB_MISSING("userinfo.sub_missing"),
  /** {@code userinfo.sub_other} */
  USERINFO_SUB_OTHER("userinfo.sub_other"),
  /** {@code userinfo.sub_similar} */
  USERINFO_SUB_SIMILAR("userinfo.sub_similar"),
  /** {@code userinfo.unavailable} */
  USERINFO_UNAVAILABLE("userinfo.unavailable"),
  /** {@code userinfo.unreadable} */
  USERINFO_UNREADABLE("userinfo.unreadable"),
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
  ACCESS_TOKEN_VALID_IN_A_MOMENT("access_token.valid_in_a_moment"),
  /** {@code refresh.endless} */
  REFRESH_ENDLESS("refresh.endless"),
  /** {@code refresh.id_token_alg_none} */
  REFRESH_ID_TOKEN_ALG_NONE("refresh.id_token_alg_none"),
  /** {@code refresh.id_token_auth_time} */
  REFRESH_ID_TOKEN_AUTH_TIME("refresh.id_token_auth_time"),
  /** {@code refresh.id_token_azp} */
  REFRESH_ID_TOKEN_AZP("refresh.id_token_azp"),
  /** {@code refresh.id_token_exp_past} */
  REFRESH_ID_TOKEN_EXP_PAST("refresh.id_token_exp_past"),
  /** {@code refresh.id_token_missing} */
  REFRESH_ID_TOKEN_MISSING("refresh.id_token_missing"),
  /** {@code refresh.id_token_nonce} */
  REFRESH_ID_TOKEN_NONCE("refresh.id_token_nonce"),
  /** {@code refresh.id_token_other_audience} */
  REFRESH_ID_TOKEN_OTHER_AUDIENCE("refresh.id_token_other_audience"),
  /** {@code refresh.id_token_other_issuer} */
  REFRESH_ID_TOKEN_OTHER_ISSUER("refresh.id_token_other_issuer"),
  /** {@code refresh.id_token_other_subject} */
  REFRESH_ID_TOKEN_OTHER_SUBJECT("refresh.id_token_other_subject"),
  /** {@code refresh.invalid_grant} */
  REFRESH_INVALID_GRANT("refresh.invalid_grant"),
  /** {@code refresh.not_rotated} */
  REFRESH_NOT_ROTATED("refresh.not_rotated"),
  /** {@code refresh.response_lost} */
  REFRESH_RESPONSE_LOST("refresh.response_lost"),
  /** {@code refresh.revoked_early} */
  REFRESH_REVOKED_EARLY("refresh.revoked_early"),
  /** {@code refresh.rotated} */
  REFRESH_ROTATED("refresh.rotated"),
  /** {@code refresh.scope_less} */
  REFRESH_SCOPE_LESS("refresh.scope_less"),
  /** {@code refresh.scope_more} */
  REFRESH_SCOPE_MORE("refresh.scope_more"),
  /** {@code refresh.slow} */
  REFRESH_SLOW("refresh.slow"),
  /** {@code refresh.token_hard} */
  REFRESH_TOKEN_HARD("refresh.token_hard"),
  /** {@code refresh.token_type_unknown} */
  REFRESH_TOKEN_TYPE_UNKNOWN("refresh.token_type_unknown"),
  /** {@code refresh.unavailable} */
  REFRESH_UNAVAILABLE("refresh.unavailable"),
  /** {@code authorization_details.less} */
  AUTHORIZATION_DETAILS_LESS("authorization_details.less"),
  /** {@code authorization_details.missing} */
  AUTHORIZATION_DETAILS_MISSING("authorization_details.missing"),
  /** {@code authorization_details.more} */
  AUTHORIZATION_DETAILS_MORE("authorization_details.more"),
  /** {@code authorization_details.other_order} */
  AUTHORIZATION_DETAILS_OTHER_ORDER("authorization_details.other_order"),
  /** {@code token_exchange.issued_type_missing} */
  TOKEN_EXCHANGE_ISSUED_TYPE_MISSING("token_exchange.issued_type_missing"),
  /** {@code token_exchange.issued_type_other} */
  TOKEN_EXCHANGE_ISSUED_TYPE_OTHER("token_exchange.issued_type_other"),
  /** {@code token_exchange.not_an_access_token} */
  TOKEN_EXCHANGE_NOT_AN_ACCESS_TOKEN("token_exchange.not_an_access_token"),
  /** {@code token_exchange.refused} */
  TOKEN_EXCHANGE_REFUSED("token_exchange.refused"),
  /** {@code token_exchange.scope_more} */
  TOKEN_EXCHANGE_SCOPE_MORE("token_exchange.scope_more"),
  /** {@code introspection.active_missing} */
  INTROSPECTION_ACTIVE_MISSING("introspection.active_missing"),
  /** {@code introspection.active_text} */
  INTROSPECTION_ACTIVE_TEXT("introspection.active_text"),
  /** {@code introspection.audience_list} */
  INTROSPECTION_AUDIENCE_LIST("introspection.audience_list"),
  /** {@code introspection.audience_other} */
  INTROSPECTION_AUDIENCE_OTHER("introspection.audience_other"),
  /** {@code introspection.client_refused} */
  INTROSPECTION_CLIENT_REFUSED("introspection.client_refused"),
  /** {@code introspection.endpoint_http} */
  INTROSPECTION_ENDPOINT_HTTP("introspection.endpoint_http"),
  /** {@code introspection.endpoint_missing} */
  INTROSPECTION_ENDPOINT_MISSING("introspection.endpoint_missing"),
  /** {@code introspection.expired} */
  INTROSPECTION_EXPIRED("introspection.expired"),
  /** {@code introspection.inactive} */
  INTROSPECTION_INACTIVE("introspection.inactive"),
  /** {@code introspection.jwt_alg_none} */
  INTROSPECTION_JWT_ALG_NONE("introspection.jwt_alg_none"),
  /** {@code introspection.jwt_audience_wrong} */
  INTROSPECTION_JWT_AUDIENCE_WRONG("introspection.jwt_audience_wrong"),
  /** {@code introspection.jwt_hs256_with_public_key} */
  INTROSPECTION_JWT_HS256_WITH_PUBLIC_KEY("introspection.jwt_hs256_with_public_key"),
  /** {@code introspection.jwt_issuer_wrong} */
  INTROSPECTION_JWT_ISSUER_WRONG("introspection.jwt_issuer_wrong"),
  /** {@code introspection.jwt_type_wrong} */
  INTROSPECTION_JWT_TYPE_WRONG("introspection.jwt_type_wrong"),
  /** {@code introspection.members_unknown} */
  INTROSPECTION_MEMBERS_UNKNOWN("introspection.members_unknown"),
  /** {@code introspection.minimal} */
  INTROSPECTION_MINIMAL("introspection.minimal"),
  /** {@code introspection.never_answers} */
  INTROSPECTION_NEVER_ANSWERS("introspection.never_answers"),
  /** {@code introspection.not_json} */
  INTROSPECTION_NOT_JSON("introspection.not_json"),
  /** {@code introspection.not_yet_valid} */
  INTROSPECTION_NOT_YET_VALID("introspection.not_yet_valid"),
  /** {@code introspection.scope_narrower} */
  INTROSPECTION_SCOPE_NARROWER("introspection.scope_narrower"),
  /** {@code introspection.subject_other} */
  INTROSPECTION_SUBJECT_OTHER("introspection.subject_other"),
  /** {@code introspection.unavailable} */
  INTROSPECTION_UNAVAILABLE("introspection.unavailable"),
  /** {@code revocation.body_unexpected} */
  REVOCATION_BODY_UNEXPECTED("revocation.body_unexpected"),
  /** {@code revocation.never_answers} */
  REVOCATION_NEVER_ANSWERS("revocation.never_answers"),
  /** {@code revocation.refused} */
  REVOCATION_REFUSED("revocation.refused"),
  /** {@code revocation.unavailable} */
  REVOCATION_UNAVAILABLE("revocation.unavailable"),
  /** {@code revocation.unsupported_type} */
  REVOCATION_UNSUPPORTED_TYPE("revocation.unsupported_type"),
  /** {@code logout.alg_none} */
  LOGOUT_ALG_NONE("logout.alg_none"),
  /** {@code logout.audience_wrong} */
  LOGOUT_AUDIENCE_WRONG("logout.audience_wrong"),
  /** {@code logout.claims_unknown} */
  LOGOUT_CLAIMS_UNKNOWN("logout.claims_unknown"),
  /** {@code logout.event_other} */
  LOGOUT_EVENT_OTHER("logout.event_other"),
  /** {@code logout.events_missing} */
  LOGOUT_EVENTS_MISSING("logout.events_missing"),
  /** {@code logout.expired} */
  LOGOUT_EXPIRED("logout.expired"),
  /** {@code logout.expiry_missing} */
  LOGOUT_EXPIRY_MISSING("logout.expiry_missing"),
  /** {@code logout.hs256_with_public_key} */
  LOGOUT_HS256_WITH_PUBLIC_KEY("logout.hs256_with_public_key"),
  /** {@code logout.id_token_instead} */
  LOGOUT_ID_TOKEN_INSTEAD("logout.id_token_instead"),
  /** {@code logout.issuer_wrong} */
  LOGOUT_ISSUER_WRONG("logout.issuer_wrong"),
  /** {@code logout.key_embedded} */
  LOGOUT_KEY_EMBEDDED("logout.key_embedded"),
  /** {@code logout.key_other} */
  LOGOUT_KEY_OTHER("logout.key_other"),
  /** {@code logout.nonce_present} */
  LOGOUT_NONCE_PRESENT("logout.nonce_present"),
  /** {@code logout.not_returned} */
  LOGOUT_NOT_RETURNED("logout.not_returned"),
  /** {@code logout.session_unknown} */
  LOGOUT_SESSION_UNKNOWN("logout.session_unknown"),
  /** {@code logout.state_changed} */
  LOGOUT_STATE_CHANGED("logout.state_changed"),
  /** {@code logout.state_missing} */
  LOGOUT_STATE_MISSING("logout.state_missing"),
  /** {@code logout.subject_missing} */
  LOGOUT_SUBJECT_MISSING("logout.subject_missing"),
  /** {@code logout.type_missing} */
  LOGOUT_TYPE_MISSING("logout.type_missing"),
  /** {@code logout.type_other} */
  LOGOUT_TYPE_OTHER("logout.type_other"),
  /** {@code registration.auth_method_changed} */
  REGISTRATION_AUTH_METHOD_CHANGED("registration.auth_method_changed"),
  /** {@code registration.client_forgotten} */
  REGISTRATION_CLIENT_FORGOTTEN("registration.client_forgotten"),
  /** {@code registration.client_id_missing} */
  REGISTRATION_CLIENT_ID_MISSING("registration.client_id_missing"),
  /** {@code registration.client_uri_foreign} */
  REGISTRATION_CLIENT_URI_FOREIGN("registration.client_uri_foreign"),
  /** {@code registration.credentials_hard} */
  REGISTRATION_CREDENTIALS_HARD("registration.credentials_hard"),
  /** {@code registration.grant_types_reduced} */
  REGISTRATION_GRANT_TYPES_REDUCED("registration.grant_types_reduced"),
  /** {@code registration.management_missing} */
  REGISTRATION_MANAGEMENT_MISSING("registration.management_missing"),
  /** {@code registration.rate_limited} */
  REGISTRATION_RATE_LIMITED("registration.rate_limited"),
  /** {@code registration.redirect_uris_changed} */
  REGISTRATION_REDIRECT_URIS_CHANGED("registration.redirect_uris_changed"),
  /** {@code registration.refused} */
  REGISTRATION_REFUSED("registration.refused"),
  /** {@code registration.scope_reduced} */
  REGISTRATION_SCOPE_REDUCED("registration.scope_reduced"),
  /** {@code registration.secret_expired} */
  REGISTRATION_SECRET_EXPIRED("registration.secret_expired"),
  /** {@code registration.unknown_client_as_invalid_grant} */
  REGISTRATION_UNKNOWN_CLIENT_AS_INVALID_GRANT("registration.unknown_client_as_invalid_grant"),
  /** {@code registration.unknown_members} */
  REGISTRATION_UNKNOWN_MEMBERS("registration.unknown_members"),
  /** {@code client_document.announced_as_text} */
  CLIENT_DOCUMENT_ANNOUNCED_AS_TEXT("client_document.announced_as_text"),
  /** {@code client_document.fetch_fails} */
  CLIENT_DOCUMENT_FETCH_FAILS("client_document.fetch_fails"),
  /** {@code client_document.refused} */
  CLIENT_DOCUMENT_REFUSED("client_document.refused"),
  /** {@code pushed_request.audience_foreign} */
  PUSHED_REQUEST_AUDIENCE_FOREIGN("pushed_request.audience_foreign"),
  /** {@code pushed_request.endpoint_missing} */
  PUSHED_REQUEST_ENDPOINT_MISSING("pushed_request.endpoint_missing"),
  /** {@code pushed_request.expires_in_text} */
  PUSHED_REQUEST_EXPIRES_IN_TEXT("pushed_request.expires_in_text"),
  /** {@code pushed_request.login_fails} */
  PUSHED_REQUEST_LOGIN_FAILS("pushed_request.login_fails"),
  /** {@code pushed_request.refused} */
  PUSHED_REQUEST_REFUSED("pushed_request.refused"),
  /** {@code pushed_request.request_uri_missing} */
  PUSHED_REQUEST_REQUEST_URI_MISSING("pushed_request.request_uri_missing"),
  /** {@code pushed_request.unavailable} */
  PUSHED_REQUEST_UNAVAILABLE("pushed_request.unavailable"),
  /** {@code device.complete_uri_foreign} */
  DEVICE_COMPLETE_URI_FOREIGN("device.complete_uri_foreign"),
  /** {@code device.expired_early} */
  DEVICE_EXPIRED_EARLY("device.expired_early"),
  /** {@code device.interval_missing} */
  DEVICE_INTERVAL_MISSING("device.interval_missing"),
  /** {@code device.poll_html} */
  DEVICE_POLL_HTML("device.poll_html"),
  /** {@code device.slow_down_endless} */
  DEVICE_SLOW_DOWN_ENDLESS("device.slow_down_endless"),
  /** {@code device.uri_script} */
  DEVICE_URI_SCRIPT("device.uri_script"),
  /** {@code dpop.algorithms_unsupported} */
  DPOP_ALGORITHMS_UNSUPPORTED("dpop.algorithms_unsupported"),
  /** {@code dpop.bearer_challenge} */
  DPOP_BEARER_CHALLENGE("dpop.bearer_challenge"),
  /** {@code dpop.bearer_token} */
  DPOP_BEARER_TOKEN("dpop.bearer_token"),
  /** {@code dpop.nonce_endless} */
  DPOP_NONCE_ENDLESS("dpop.nonce_endless"),
  /** {@code dpop.nonce_long} */
  DPOP_NONCE_LONG("dpop.nonce_long"),
  /** {@code dpop.nonce_missing} */
  DPOP_NONCE_MISSING("dpop.nonce_missing"),
  /** {@code dpop.nonce_of_other_server} */
  DPOP_NONCE_OF_OTHER_SERVER("dpop.nonce_of_other_server"),
  /** {@code dpop.nonce_required} */
  DPOP_NONCE_REQUIRED("dpop.nonce_required"),
  /** {@code dpop.nonce_rotates} */
  DPOP_NONCE_ROTATES("dpop.nonce_rotates"),
  /** {@code dpop.nonce_twice} */
  DPOP_NONCE_TWICE("dpop.nonce_twice"),
  /** {@code dpop.nonce_with_other_error} */
  DPOP_NONCE_WITH_OTHER_ERROR("dpop.nonce_with_other_error"),
  /** {@code mtls.cnf_missing} */
  MTLS_CNF_MISSING("mtls.cnf_missing"),
  /** {@code mtls.thumbprint_other} */
  MTLS_THUMBPRINT_OTHER("mtls.thumbprint_other"),
  /** {@code resource.authentication_never_enough} */
  RESOURCE_AUTHENTICATION_NEVER_ENOUGH("resource.authentication_never_enough"),
  /** {@code resource.authorization_servers_missing} */
  RESOURCE_AUTHORIZATION_SERVERS_MISSING("resource.authorization_servers_missing"),
  /** {@code resource.challenge_capitals} */
  RESOURCE_CHALLENGE_CAPITALS("resource.challenge_capitals"),
  /** {@code resource.challenge_garbled} */
  RESOURCE_CHALLENGE_GARBLED("resource.challenge_garbled"),
  /** {@code resource.challenge_lookalike} */
  RESOURCE_CHALLENGE_LOOKALIKE("resource.challenge_lookalike"),
  /** {@code resource.challenge_missing} */
  RESOURCE_CHALLENGE_MISSING("resource.challenge_missing"),
  /** {@code resource.challenges_several} */
  RESOURCE_CHALLENGES_SEVERAL("resource.challenges_several"),
  /** {@code resource.description_foreign} */
  RESOURCE_DESCRIPTION_FOREIGN("resource.description_foreign"),
  /** {@code resource.description_mismatch} */
  RESOURCE_DESCRIPTION_MISMATCH("resource.description_mismatch"),
  /** {@code resource.description_only_at_root} */
  RESOURCE_DESCRIPTION_ONLY_AT_ROOT("resource.description_only_at_root"),
  /** {@code resource.description_unknown_members} */
  RESOURCE_DESCRIPTION_UNKNOWN_MEMBERS("resource.description_unknown_members"),
  /** {@code resource.insufficient_user_authentication} */
  RESOURCE_INSUFFICIENT_USER_AUTHENTICATION("resource.insufficient_user_authentication"),
  /** {@code resource.origin_without_slash} */
  RESOURCE_ORIGIN_WITHOUT_SLASH("resource.origin_without_slash"),
  /** {@code resource.path_slash} */
  RESOURCE_PATH_SLASH("resource.path_slash"),
  /** {@code resource.pkce_missing} */
  RESOURCE_PKCE_MISSING("resource.pkce_missing"),
  /** {@code resource.redirects_to_foreign_host} */
  RESOURCE_REDIRECTS_TO_FOREIGN_HOST("resource.redirects_to_foreign_host"),
  /** {@code resource.refuses_always} */
  RESOURCE_REFUSES_ALWAYS("resource.refuses_always"),
  /** {@code resource.refuses_early} */
  RESOURCE_REFUSES_EARLY("resource.refuses_early"),
  /** {@code resource.scope_never_enough} */
  RESOURCE_SCOPE_NEVER_ENOUGH("resource.scope_never_enough"),
  /** {@code resource.scope_only_missing} */
  RESOURCE_SCOPE_ONLY_MISSING("resource.scope_only_missing"),
  /** {@code resource.scope_wider} */
  RESOURCE_SCOPE_WIDER("resource.scope_wider"),
  /** {@code resource.scopes_supported_disjoint} */
  RESOURCE_SCOPES_SUPPORTED_DISJOINT("resource.scopes_supported_disjoint"),
  /** {@code resource.server_moved} */
  RESOURCE_SERVER_MOVED("resource.server_moved"),
  /** {@code resource.servers_foreign_first} */
  RESOURCE_SERVERS_FOREIGN_FIRST("resource.servers_foreign_first"),
  /** {@code resource.servers_own_first} */
  RESOURCE_SERVERS_OWN_FIRST("resource.servers_own_first"),
  /** {@code resource.servers_private} */
  RESOURCE_SERVERS_PRIVATE("resource.servers_private"),
  /** {@code resource.token_in_query} */
  RESOURCE_TOKEN_IN_QUERY("resource.token_in_query"),
  /** {@code resource.unauthorized_html} */
  RESOURCE_UNAUTHORIZED_HTML("resource.unauthorized_html"),
  /** {@code resource.wider_resource} */
  RESOURCE_WIDER_RESOURCE("resource.wider_resource"),
  /** {@code transport.compressed_bomb} */
  TRANSPORT_COMPRESSED_BOMB("transport.compressed_bomb"),
  /** {@code transport.compressed_chain} */
  TRANSPORT_COMPRESSED_CHAIN("transport.compressed_chain"),
  /** {@code transport.huge_body} */
  TRANSPORT_HUGE_BODY("transport.huge_body"),
  /** {@code transport.internal_error} */
  TRANSPORT_INTERNAL_ERROR("transport.internal_error"),
  /** {@code transport.invalid_client} */
  TRANSPORT_INVALID_CLIENT("transport.invalid_client"),
  /** {@code transport.length_wrong} */
  TRANSPORT_LENGTH_WRONG("transport.length_wrong"),
  /** {@code transport.response_lost} */
  TRANSPORT_RESPONSE_LOST("transport.response_lost"),
  /** {@code transport.stalled} */
  TRANSPORT_STALLED("transport.stalled"),
  /** {@code transport.too_many_requests} */
  TRANSPORT_TOO_MANY_REQUESTS("transport.too_many_requests"),
  /** {@code transport.unavailable} */
  TRANSPORT_UNAVAILABLE("transport.unavailable");

  private final String value;

  MisbehaviourName(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
