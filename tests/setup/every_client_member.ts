/** A value for each member of client metadata. Not all of them fit together in one client. */

import type { ClientMetadata } from "../../src/mod.ts";

export const everyClientMember: Required<ClientMetadata> = {
  client_id: "app",
  client_secret: "a secret",
  client_name: "App",
  redirect_uris: ["https://app.example/cb"],
  allow_private_http: true,
  token_endpoint_auth_method: "client_secret_basic",
  client_secret_basic: "encoded",
  grant_types: ["authorization_code"],
  response_types: ["code"],
  scope: "read",
  require_pkce: false,
  remember_consent: true,
  jwks: { keys: [] },
  jwks_uri: "https://app.example/jwks.json",
  client_assertion_audience: "endpoint",
  token_endpoint_auth_signing_alg: "ES256",
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
  id_token_signed_response_alg: "ES256",
  userinfo_signed_response_alg: "ES256",
  subject_type: "pairwise",
  default_max_age: 60,
  post_logout_redirect_uris: ["https://app.example/bye"],
  backchannel_logout_uri: "https://app.example/logout",
  backchannel_logout_session_required: true,
  introspects: ["https://api.example/"],
  oauth_version: "2.1",
};
