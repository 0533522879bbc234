/** The words of programs that are configured, and not written. */

import type { LibraryRow } from "./library.ts";

export const products: readonly LibraryRow[] = [
  {
    name: "oauth2-proxy",
    version: "7.15",
    words: { pkce: "--code-challenge-method=S256", scope: '--scope="openid profile email"' },
    where: 'A flag. In a file for `--config`, it is `code_challenge_method = "S256"`.',
    more: "The callback path is `/oauth2/callback`.",
    requests: [{ order: "client_id redirect_uri response_type scope state", callback: "/oauth2/callback" }],
    source: "pkg/apis/options/legacy_options.go",
    settings: String.raw`# The redirect URI is http://localhost:4180/oauth2/callback
oauth2-proxy \
  --provider=oidc \
  --oidc-issuer-url=__ISSUER__ \
  --client-id=__CLIENT_ID__ \
  --client-secret=any-secret-for-a-new-client \
  --redirect-url=http://localhost:4180/oauth2/callback \
  --code-challenge-method=S256 \
  --cookie-secret=0123456789abcdef \
  --cookie-secure=false \
  --email-domain='*' \
  --upstream=static://200`,
  },
  {
    name: "mod-auth-openidc",
    title: "mod_auth_openidc (Apache)",
    version: "2.4",
    words: {
      pkce: "OIDCPKCEMethod S256",
      resource: "OIDCAuthRequestParams resource=https%3A%2F%2Fapi.example",
      scope: 'OIDCScope "openid profile email"',
      authentication: "OIDCProviderTokenEndpointAuth client_secret_basic",
    },
    where: "In the configuration of Apache, beside `OIDCClientID`.",
    source: "auth_openidc.conf",
    settings: String.raw`# The redirect URI is below a protected path, and nothing else is there.
OIDCProviderMetadataURL __DISCOVERY_URL__
OIDCClientID __CLIENT_ID__
OIDCClientSecret any-secret-for-a-new-client
OIDCRedirectURI http://localhost:8080/private/callback
OIDCCryptoPassphrase a-long-secret-for-the-cookies
OIDCScope "__SCOPE__"
OIDCPKCEMethod S256
<Location /private>
  AuthType openid-connect
  Require valid-user
</Location>`,
  },
  {
    name: "grafana",
    title: "Grafana",
    version: "12",
    words: { pkce: "use_pkce = true", scope: "scopes = openid profile email" },
    where:
      "Below `[auth.generic_oauth]` of `grafana.ini`, or `GF_AUTH_GENERIC_OAUTH_USE_PKCE` in the environment.",
    more: "The callback path is `/login/generic_oauth`.",
    callback: "/login/generic_oauth",
    source: "Grafana documentation, generic OAuth",
    settings: String.raw`# grafana.ini. The redirect URI is http://localhost:3000/login/generic_oauth
[auth.generic_oauth]
enabled = true
allow_sign_up = true
client_id = __CLIENT_ID__
client_secret = any-secret-for-a-new-client
scopes = __SCOPE__
auth_url = __AUTHORIZE_URL__
token_url = __TOKEN_URL__
api_url = __USERINFO_URL__
use_pkce = true`,
  },
  {
    name: "argo-cd",
    title: "Argo CD",
    version: "2.14",
    words: {
      pkce: "enablePKCEAuthentication: true",
      scope: 'requestedScopes: ["openid", "profile", "email"]',
    },
    where: "Below `oidc.config` of the ConfigMap `argocd-cm`.",
    note: "The browser then keeps the verifier.",
    source: "util/settings/settings.go",
    settings: String.raw`# argocd-cm. The redirect URI is the URL of Argo CD with /pkce/verify
oidc.config: |
  name: Postern
  issuer: __ISSUER__
  clientID: __CLIENT_ID__
  requestedScopes: ["openid", "profile", "email"]
  enablePKCEAuthentication: true`,
  },
  {
    name: "jupyterhub",
    title: "JupyterHub (oauthenticator)",
    version: "17.4",
    pkce: "always",
    words: { pkce: "c.GenericOAuthenticator.enable_pkce = True" },
    where: "In `jupyterhub_config.py`.",
    note: "It is the default.",
    more: "The callback path is `/hub/oauth_callback`.",
    source: "oauthenticator/oauth2.py",
    settings: String.raw`# jupyterhub_config.py
c.JupyterHub.authenticator_class = "generic-oauth"
c.GenericOAuthenticator.client_id = "__CLIENT_ID__"
c.GenericOAuthenticator.client_secret = "any-secret-for-a-new-client"
c.GenericOAuthenticator.oauth_callback_url = "http://localhost:8000/hub/oauth_callback"
c.GenericOAuthenticator.authorize_url = "__AUTHORIZE_URL__"
c.GenericOAuthenticator.token_url = "__TOKEN_URL__"
c.GenericOAuthenticator.userdata_url = "__USERINFO_URL__"
c.GenericOAuthenticator.scope = "__SCOPE__".split()
c.GenericOAuthenticator.username_claim = "preferred_username"
c.GenericOAuthenticator.allow_all = True`,
  },
  {
    name: "streamlit",
    title: "Streamlit",
    version: "1.67",
    pkce: "always",
    words: { claims: '"claimsIn": { "idToken": ["name", "email"] }' },
    note: "It reads the ID token only, and never calls userinfo. The claims are a setting of the server.",
    source: "streamlit/web/server/starlette/starlette_auth_routes.py",
    settings: String.raw`# .streamlit/secrets.toml
[auth]
redirect_uri = "http://localhost:8501/oauth2callback"
cookie_secret = "a long secret for the cookies"
client_id = "__CLIENT_ID__"
client_secret = "any secret for a new client"
server_metadata_url = "__DISCOVERY_URL__"`,
  },
  {
    name: "open-webui",
    title: "Open WebUI",
    version: "0.12",
    words: { pkce: "OAUTH_CODE_CHALLENGE_METHOD=S256", scope: 'OAUTH_SCOPES="openid email profile"' },
    where: "In the environment.",
    more: "The callback path is `/oauth/oidc/callback`.",
    callback: "/oauth/oidc/callback",
    source: "open_webui/config.py",
    settings: String.raw`# The environment. The redirect URI is http://localhost:8080/oauth/oidc/callback
ENABLE_OAUTH_SIGNUP=true
OPENID_PROVIDER_URL=__DISCOVERY_URL__
OPENID_REDIRECT_URI=http://localhost:8080/oauth/oidc/callback
OAUTH_CLIENT_ID=__CLIENT_ID__
OAUTH_CLIENT_SECRET=any-secret-for-a-new-client
OAUTH_SCOPES="__SCOPE__"
OAUTH_CODE_CHALLENGE_METHOD=S256`,
  },
  {
    name: "pgadmin",
    title: "pgAdmin",
    version: "9.18",
    words: { pkce: "'OAUTH2_CHALLENGE_METHOD': 'S256', 'OAUTH2_RESPONSE_TYPE': 'code'" },
    where: "In the entry of `OAUTH2_CONFIG` in `config_local.py`.",
    note: "It needs both.",
    more: "The callback path is `/oauth2/authorize`.",
    callback: "/oauth2/authorize",
    source: "pgadmin/authenticate/oauth2.py",
    settings: String.raw`# config_local.py
AUTHENTICATION_SOURCES = ['oauth2']
OAUTH2_AUTO_CREATE_USER = True
OAUTH2_CONFIG = [{
    'OAUTH2_NAME': 'postern',
    'OAUTH2_DISPLAY_NAME': 'Postern',
    'OAUTH2_CLIENT_ID': '__CLIENT_ID__',
    'OAUTH2_CLIENT_SECRET': 'any-secret-for-a-new-client',
    'OAUTH2_SERVER_METADATA_URL': '__DISCOVERY_URL__',
    'OAUTH2_USERINFO_ENDPOINT': '__USERINFO_URL__',
    'OAUTH2_SCOPE': '__SCOPE__',
    'OAUTH2_CHALLENGE_METHOD': 'S256',
    'OAUTH2_RESPONSE_TYPE': 'code',
}]`,
  },
  {
    name: "oidc-agent",
    version: "4.2",
    pkce: "always",
    words: { authentication: "oidc-gen --client-secret=SECRET" },
    note: "It registers itself. Without a secret it is a public client, and names the scopes with `--scope`.",
    source: "oidc-gen(1)",
    settings: String.raw`# A client that the server knows has redirect URIs such as http://localhost:4242
oidc-gen postern \
  --issuer=__ISSUER__ \
  --client-id=__CLIENT_ID__ \
  --redirect-uri=http://localhost:4242 \
  --scope="__SCOPE__"`,
  },
];
