/** The words of libraries for Python. */

import type { LibraryRow } from "./library.ts";

export const python: readonly LibraryRow[] = [
  {
    name: "authlib",
    title: "Authlib (Flask, Django, FastAPI)",
    version: "1.9",
    words: {
      pkce: '"code_challenge_method": "S256"',
      resource: 'resource="https://api.example"',
      authentication: '"token_endpoint_auth_method": "client_secret_basic"',
    },
    into: {
      pkce: "client_kwargs={…}",
      resource: "authorize_redirect(…)",
      authentication: "client_kwargs={…}",
    },
    where: "`client_kwargs` is an argument of `oauth.register(NAME, …)`.",
    note:
      "flask-oidc is built on it and has its own line. So is dash-auth, which takes `client_kwargs` in `register_provider()`.",
    source: "authlib/integrations/base_client/sync_app.py",
    requests: [{
      order: "response_type client_id redirect_uri scope state nonce",
      state: ["letters", 30],
      nonce: ["letters", 20],
    }],
    form: "python",
  },
  {
    name: "requests-oauthlib",
    version: "2.0",
    words: {
      pkce: 'pkce="S256"',
      resource: 'resource="https://api.example"',
      https: 'os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"',
      authentication: "client_secret=secret, include_client_id=False",
    },
    into: {
      pkce: "OAuth2Session(…)",
      resource: "session.authorization_url(…)",
      authentication: "session.fetch_token(…)",
    },
    source: "requests_oauthlib/oauth2_session.py",
    settings: String.raw`import os

from requests_oauthlib import OAuth2Session

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # http, on this machine
session = OAuth2Session(
    __CLIENT_ID__,
    redirect_uri=__REDIRECT_URI__,
    scope=__SCOPE__.split(),
    pkce="S256",
)
url, state = session.authorization_url(__AUTHORIZE_URL__)
# At the callback:
# session.fetch_token(__TOKEN_URL__, authorization_response=request.url, include_client_id=True)`,
  },
  {
    name: "fastapi-sso",
    version: "0.23",
    words: { pkce: "Provider.uses_pkce = True", https: "allow_insecure_http=True" },
    where: "Below the line that makes the class.",
    note: "`Provider` is the class from `create_provider()`. Use its object with `async with`.",
    source: "fastapi_sso/sso/base.py",
    requests: [{ order: "response_type client_id redirect_uri scope state", state: ["base64url", 64] }],
    settings: String.raw`from fastapi_sso.sso.base import OpenID
from fastapi_sso.sso.generic import create_provider

Provider = create_provider(
    name="postern",
    default_scope=__SCOPE__.split(),
    discovery_document={
        "authorization_endpoint": __AUTHORIZE_URL__,
        "token_endpoint": __TOKEN_URL__,
        "userinfo_endpoint": __USERINFO_URL__,
    },
    response_convertor=lambda user, session: OpenID(id=user["sub"], email=user.get("email")),
)
Provider.uses_pkce = True
sso = Provider(
    __CLIENT_ID__,
    "any secret for a new client",
    redirect_uri=__REDIRECT_URI__,
    allow_insecure_http=True,
)`,
  },
  {
    name: "flask-dance",
    title: "Flask-Dance",
    version: "7.1",
    words: { pkce: "use_pkce=True", https: 'os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"' },
    where: "An argument of `OAuth2ConsumerBlueprint()`.",
    more: "The callback path is `/login/NAME/authorized`.",
    source: "flask_dance/consumer/oauth2.py",
    requests: [{
      order: "response_type client_id redirect_uri scope state",
      state: ["letters", 30],
      callback: "/login/*/authorized",
    }],
    settings: String.raw`import os

from flask_dance.consumer import OAuth2ConsumerBlueprint

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # http, on this machine
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
postern = OAuth2ConsumerBlueprint(
    "postern",
    __name__,
    client_id=__CLIENT_ID__,
    client_secret="any secret for a new client",
    authorization_url=__AUTHORIZE_URL__,
    token_url=__TOKEN_URL__,
    scope=__SCOPE__.split(),
    use_pkce=True,
)
app.register_blueprint(postern, url_prefix="/login")  # open /login/postern`,
  },
  {
    name: "pyoidc",
    version: "1.7",
    words: {
      pkce: 'config={"code_challenge": {"length": 64, "method": "S256"}}',
      nonce: '"nonce": rndstr()',
      authentication: 'authn_method="client_secret_basic"',
    },
    into: {
      pkce: "Client(…)",
      nonce: "request_args={…}",
      authentication: "client.do_access_token_request(…)",
    },
    note:
      "`challenge, verifier = client.add_code_challenge()` makes the parameters: add `challenge` to the authorization request, and `code_verifier` to the token request.",
    source: "src/oic/oauth2/__init__.py",
    requests: [{
      order: "client_id response_type scope nonce redirect_uri state",
      state: ["letters", 16],
      nonce: ["letters", 16],
    }],
    settings: String.raw`from oic import rndstr
from oic.oic import Client
from oic.utils.authn.client import CLIENT_AUTHN_METHOD

client = Client(
    client_id=__CLIENT_ID__,
    client_authn_method=CLIENT_AUTHN_METHOD,
    config={"code_challenge": {"length": 64, "method": "S256"}},
)
client.provider_config(__ISSUER__)
# Keep all three for the callback.
state, nonce = rndstr(), rndstr()
challenge, code_verifier = client.add_code_challenge()
request = client.construct_AuthorizationRequest(request_args={
    "client_id": client.client_id,
    "response_type": "code",
    "scope": __SCOPE__.split(),
    "redirect_uri": __REDIRECT_URI__,
    "state": state,
    "nonce": nonce,
    **challenge,
})
url = request.request(client.authorization_endpoint)
# At the callback:
# client.do_access_token_request(state=state, request_args={"code": code}, extra_args={"code_verifier": code_verifier})`,
  },
  {
    name: "social-auth-core",
    version: "7.0",
    words: {
      pkce: "SOCIAL_AUTH_OIDC_USE_PKCE = True",
      authentication: 'SOCIAL_AUTH_OIDC_TOKEN_ENDPOINT_AUTH_METHOD = "client_secret_basic"',
    },
    where: "In `settings.py` of Django, or the configuration of Flask.",
    note:
      '`OIDC` is the name of the backend. Version 4 also needs `SOCIAL_AUTH_OIDC_PKCE_CODE_CHALLENGE_METHOD = "S256"`, because it sends `s256`.',
    source: "social_core/backends/open_id_connect.py",
    requests: [{
      order: "client_id redirect_uri state response_type nonce scope",
      state: ["letters", 32],
      nonce: ["letters", 64],
    }],
    settings: String.raw`# settings.py of Django. The callback path is /complete/oidc/
AUTHENTICATION_BACKENDS = ["social_core.backends.open_id_connect.OpenIdConnectAuth"]
SOCIAL_AUTH_OIDC_OIDC_ENDPOINT = __ISSUER__
SOCIAL_AUTH_OIDC_KEY = __CLIENT_ID__
SOCIAL_AUTH_OIDC_SECRET = "any secret for a new client"
SOCIAL_AUTH_OIDC_SCOPE = __SCOPE__.split()
SOCIAL_AUTH_OIDC_USE_PKCE = True
SOCIAL_AUTH_OIDC_PKCE_CODE_CHALLENGE_METHOD = "S256"`,
  },
  {
    name: "mozilla-django-oidc",
    version: "5.0",
    method: "client_secret_post",
    words: {
      pkce: "OIDC_USE_PKCE = True",
      nonce: "OIDC_USE_NONCE = True",
      scope: 'OIDC_RP_SCOPES = "openid email profile"',
      authentication: "OIDC_TOKEN_USE_BASIC_AUTH = True",
    },
    where: "In `settings.py` of Django.",
    more: '`OIDC_RP_SIGN_ALGO = "RS256"` is needed. It reads no metadata, so set each `OIDC_OP_…_ENDPOINT`.',
    source: "mozilla_django_oidc/views.py",
    requests: [{
      order: "response_type scope client_id redirect_uri state nonce",
      state: ["letters", 32],
      nonce: ["letters", 32],
    }],
    settings: String.raw`# settings.py of Django. The callback path is /oidc/callback/
OIDC_RP_CLIENT_ID = __CLIENT_ID__
OIDC_RP_CLIENT_SECRET = "any secret for a new client"
OIDC_RP_SCOPES = __SCOPE__
OIDC_RP_SIGN_ALGO = "__ALG__"
OIDC_USE_PKCE = True
OIDC_OP_AUTHORIZATION_ENDPOINT = __AUTHORIZE_URL__
OIDC_OP_TOKEN_ENDPOINT = __TOKEN_URL__
OIDC_OP_USER_ENDPOINT = __USERINFO_URL__
OIDC_OP_JWKS_ENDPOINT = __JWKS_URL__`,
  },
  {
    name: "httpx-oauth",
    version: "0.17",
    words: {
      pkce: 'code_challenge=challenge, code_challenge_method="S256"',
    },
    into: { pkce: "client.get_authorization_url(…)" },
    note: "The verifier is the third argument of `get_access_token()`.",
    source: "httpx_oauth/oauth2.py",
    settings: String.raw`import base64, hashlib, secrets

from httpx_oauth.clients.openid import OpenID

client = OpenID(__CLIENT_ID__, "any secret for a new client", __DISCOVERY_URL__, base_scopes=__SCOPE__.split())
# Keep both for the callback.
state, code_verifier = secrets.token_urlsafe(), secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode()
url = await client.get_authorization_url(
    __REDIRECT_URI__, state=state, code_challenge=challenge, code_challenge_method="S256"
)
# At the callback:
# token = await client.get_access_token(code, __REDIRECT_URI__, code_verifier)`,
  },
  {
    name: "django-allauth",
    version: "65.22",
    method: "client_secret_post",
    words: {
      pkce: '"OAUTH_PKCE_ENABLED": True',
      authentication: '"token_auth_method": "client_secret_basic"',
    },
    into: { pkce: '"openid_connect": {…}', authentication: '"settings": {…}' },
    where: "`openid_connect` is a member of `SOCIALACCOUNT_PROVIDERS` in `settings.py` of Django.",
    more: "The callback path is `/accounts/oidc/ID/login/callback/`.",
    source: "allauth/socialaccount/providers/oauth2/provider.py",
    requests: [{
      order: "client_id redirect_uri scope response_type state",
      state: ["letters", 16],
      callback: "/accounts/oidc/*/login/callback/",
    }],
    settings: String.raw`# settings.py of Django. The callback path is /accounts/oidc/postern/login/callback/
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [{
            "provider_id": "postern",
            "name": "Postern",
            "client_id": __CLIENT_ID__,
            "secret": "any secret for a new client",
            "settings": {"server_url": __DISCOVERY_URL__},
        }],
    },
}`,
  },
  {
    name: "fastmcp",
    title: "FastMCP",
    version: "4.2",
    pkce: "always",
    note: "It sends `resource` by itself: the URL of the MCP server.",
    source: "fastmcp documentation, OAuth",
    form: "fastmcp",
  },
  {
    name: "flask-oidc",
    version: "2.4",
    words: { pkce: 'oidc.oauth.oidc.client_kwargs["code_challenge_method"] = "S256"' },
    where: "Below the line `oidc = OpenIDConnect(app)`.",
    more: "The callback path is `/authorize`.",
    source: "flask_oidc/__init__.py",
    settings: String.raw`# The redirect URI is http://localhost:3000/authorize
app.config.update(
    OIDC_CLIENT_SECRETS={"web": {
        "client_id": __CLIENT_ID__,
        "client_secret": "any secret for a new client",
        "issuer": __ISSUER__,
    }},
    OIDC_SCOPES=__SCOPE__,
)
oidc = OpenIDConnect(app)
oidc.oauth.oidc.client_kwargs["code_challenge_method"] = "S256"`,
  },
  {
    name: "flask-pyoidc",
    title: "Flask-pyoidc",
    version: "3.14",
    pkce: "never",
    more: "It sends its secret in the Authorization header (`client_secret_basic`), and a nonce.",
    source: "flask_pyoidc/pyoidc_facade.py",
    requests: [{
      order: "client_id response_type scope redirect_uri state nonce",
      state: ["letters", 16],
      nonce: ["letters", 16],
    }],
    settings: String
      .raw`# The server needs this entry in its configuration, and cannot notice a stolen code of this client then:
# { "clients": [{ "client_id": "my-app", "client_secret": "the secret of the client",
#   "redirect_uris": ["http://localhost:3000/redirect_uri"], "require_pkce": false }] }
app.config["OIDC_REDIRECT_URI"] = "http://localhost:3000/redirect_uri"
provider = ProviderConfiguration(
    issuer=__ISSUER__,
    client_metadata=ClientMetadata(__CLIENT_ID__, "the secret of the client"),
    auth_request_params={"scope": __SCOPE__.split()},
)
auth = OIDCAuthentication({"default": provider}, app)`,
  },
  {
    name: "rauth",
    version: "0.7",
    words: { pkce: 'code_challenge=challenge, code_challenge_method="S256"' },
    into: { pkce: "service.get_authorize_url(…)" },
    note: 'The verifier is one of the `data`: `"code_verifier": code_verifier`.',
    source: "rauth/service.py",
    settings: String.raw`service = OAuth2Service(
    client_id=__CLIENT_ID__,
    client_secret="any secret for a new client",
    authorize_url=__AUTHORIZE_URL__,
    access_token_url=__TOKEN_URL__,
)
# Keep both for the callback.
state, code_verifier = secrets.token_urlsafe(), secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode()
url = service.get_authorize_url(
    response_type="code", redirect_uri=__REDIRECT_URI__, scope=__SCOPE__, state=state,
    code_challenge=challenge, code_challenge_method="S256",
)
# At the callback:
# service.get_raw_access_token(data={"grant_type": "authorization_code", "code": code,
#     "redirect_uri": __REDIRECT_URI__, "code_verifier": code_verifier})`,
  },
  {
    name: "aioauth-client",
    version: "0.30",
    words: { pkce: 'code_challenge=challenge, code_challenge_method="S256"' },
    into: { pkce: "client.get_authorize_url(…)" },
    note: "`get_access_token(code, code_verifier=code_verifier)` sends the verifier.",
    source: "aioauth_client/__init__.py",
    settings: String.raw`client = OAuth2Client(
    __CLIENT_ID__,
    "any secret for a new client",
    base_url=__ISSUER__,
    authorize_url=__AUTHORIZE_URL__,
    access_token_url=__TOKEN_URL__,
)
# Keep both for the callback.
state, code_verifier = secrets.token_urlsafe(), secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode()
url = client.get_authorize_url(
    redirect_uri=__REDIRECT_URI__, scope=__SCOPE__, state=state,
    code_challenge=challenge, code_challenge_method="S256",
)
# At the callback:
# await client.get_access_token(code, redirect_uri=__REDIRECT_URI__, code_verifier=code_verifier)`,
  },
  {
    name: "simple-openid-connect",
    version: "2.5",
    words: {
      pkce: 'code_challenge=challenge, code_challenge_method="S256"',
    },
    into: { pkce: "client.authorization_code_flow.start_authentication(…)" },
    note:
      "`handle_authentication_result()` takes `code_verifier`, `code_challenge` and `code_challenge_method`.",
    source: "simple_openid_connect/flows/authorization_code_flow/client.py",
    settings: String.raw`client = OpenidClient.from_issuer_url(
    url=__ISSUER__,
    authentication_redirect_uri=__REDIRECT_URI__,
    client_id=__CLIENT_ID__,
    scope=__SCOPE__,
)
# Keep it for the callback.
code_verifier = secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode()
url = client.authorization_code_flow.start_authentication(
    code_challenge=challenge, code_challenge_method="S256"
)
# At the callback:
# client.authorization_code_flow.handle_authentication_result(request_url, code_verifier=code_verifier,
#     code_challenge=challenge, code_challenge_method="S256")`,
  },
  {
    name: "idpyoidc",
    version: "5.0",
    words: {
      pkce:
        '"pkce": {"function": "idpyoidc.client.oauth2.add_on.pkce.add_support", "kwargs": {"code_challenge_method": "S256"}}',
    },
    into: { pkce: '"add_ons": {…}' },
    where: "`add_ons` is a member of the client's configuration.",
    source: "idpyoidc/client/oauth2/add_on/pkce.py",
    requests: [{
      order: "redirect_uri response_type scope state nonce client_id",
      state: ["base64url", 43],
      nonce: ["base64url", 43],
    }],
    settings: String.raw`handler = RPHandler(base_url="http://localhost:3000", client_configs={"postern": {
    "issuer": __ISSUER__,
    "client_id": __CLIENT_ID__,
    "client_secret": "any secret for a new client",
    "redirect_uris": [__REDIRECT_URI__],
    "scope": __SCOPE__.split(),
    "add_ons": {"pkce": {
        "function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
        "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"},
    }},
}})
url = handler.begin("postern")`,
  },
  {
    name: "python-keycloak",
    version: "7.1",
    method: "client_secret_post",
    words: { pkce: 'code_challenge=challenge, code_challenge_method="S256"' },
    into: { pkce: "keycloak.auth_url(…)" },
    note: "`token(code_verifier=verifier)` sends the verifier.",
    more:
      "Its addresses are those of Keycloak: the server starts with `--paths keycloak` and an issuer such as `http://localhost:9000/realms/shop`.",
    requests: [{
      order: "client_id response_type redirect_uri scope state nonce",
      state: ["hex", 0],
      nonce: ["hex", 0],
    }],
    source: "keycloak/keycloak_openid.py",
    settings: String
      .raw`# The server starts with --paths keycloak and an issuer such as http://localhost:9000/realms/shop,
# which server_url and realm_name make together.
keycloak = KeycloakOpenID(
    server_url="http://localhost:9000/",
    realm_name="shop",
    client_id=__CLIENT_ID__,
    client_secret_key="any secret for a new client",
)
# Keep it for the callback.
code_verifier = secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode()
url = keycloak.auth_url(
    redirect_uri=__REDIRECT_URI__, scope=__SCOPE__,
    code_challenge=challenge, code_challenge_method="S256",
)
# At the callback:
# keycloak.token(grant_type="authorization_code", code=code, redirect_uri=__REDIRECT_URI__, code_verifier=code_verifier)`,
  },
  {
    name: "msal",
    title: "MSAL for Python",
    version: "1.39",
    pkce: "always",
    words: { https: 'oidc_authority="https://localhost:9000/shop"' },
    note:
      "It insists on https and on a path of the issuer: the server starts with `--tls --issuer https://localhost:9000/shop`. It asks for `openid` and `profile` by itself, and refuses them in `scopes`.",
    source: "msal/application.py, msal/authority.py",
    settings: String.raw`# The server starts with --tls --issuer https://localhost:9000/shop
# REQUESTS_CA_BUNDLE is the file that the command trust names.
app = msal.PublicClientApplication(__CLIENT_ID__, oidc_authority="https://localhost:9000/shop")
# Keep it for the callback.
flow = app.initiate_auth_code_flow([], redirect_uri=__REDIRECT_URI__)
url = flow["auth_uri"]
# At the callback:
# app.acquire_token_by_auth_code_flow(flow, dict(request.args))`,
  },
];
