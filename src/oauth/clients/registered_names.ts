/**
 * The names of client metadata that IANA has registered: "OAuth Dynamic Client Registration Metadata" (RFC 7591 §4.1).
 * Any other member that this server reads is its own, and no client can expect another server to know it.
 */
export const registeredNames: ReadonlySet<string> = new Set([
  // RFC 7591, RFC 7592
  ...["redirect_uris", "token_endpoint_auth_method", "grant_types", "response_types", "client_name"],
  ...["client_uri", "logo_uri", "scope", "contacts", "tos_uri", "policy_uri", "jwks_uri", "jwks"],
  ...["software_id", "software_version", "client_id", "client_secret", "client_id_issued_at"],
  ...["client_secret_expires_at", "registration_access_token", "registration_client_uri"],
  // OpenID Connect Dynamic Client Registration
  ...["application_type", "sector_identifier_uri", "subject_type", "id_token_signed_response_alg"],
  ...["id_token_encrypted_response_alg", "id_token_encrypted_response_enc"],
  ...["userinfo_signed_response_alg", "userinfo_encrypted_response_alg", "userinfo_encrypted_response_enc"],
  ...["request_object_signing_alg", "request_object_encryption_alg", "request_object_encryption_enc"],
  ...["token_endpoint_auth_signing_alg", "default_max_age", "require_auth_time", "default_acr_values"],
  ...["initiate_login_uri", "request_uris", "claims_redirect_uris"],
  // OpenID Connect RP-Initiated, Front-Channel and Back-Channel Logout
  ...["post_logout_redirect_uris", "frontchannel_logout_uri", "frontchannel_logout_session_required"],
  ...["backchannel_logout_uri", "backchannel_logout_session_required"],
  // RFC 8705, RFC 9101, RFC 9126, RFC 9396, RFC 9449, RFC 9701
  ...["tls_client_auth_subject_dn", "tls_client_auth_san_dns", "tls_client_auth_san_uri"],
  ...["tls_client_auth_san_ip", "tls_client_auth_san_email", "tls_client_certificate_bound_access_tokens"],
  ...["require_signed_request_object", "require_pushed_authorization_requests"],
  ...["authorization_details_types", "dpop_bound_access_tokens", "introspection_signed_response_alg"],
  ...["introspection_encrypted_response_alg", "introspection_encrypted_response_enc"],
  // JARM, CIBA, OpenID Federation, FAPI
  ...["authorization_signed_response_alg", "authorization_encrypted_response_alg"],
  ...["authorization_encrypted_response_enc", "backchannel_token_delivery_mode"],
  ...["backchannel_client_notification_endpoint", "backchannel_authentication_request_signing_alg"],
  ...["backchannel_user_code_parameter", "client_registration_types", "signed_jwks_uri"],
  ...["organization_name", "use_mtls_endpoint_aliases"],
  // ETSI NFV-SEC 022
  ...[
    "nfv_token_signed_response_alg",
    "nfv_token_encrypted_response_alg",
    "nfv_token_encrypted_response_enc",
  ],
]);
