# A login with Authlib, for an examination by Postern. Change it to what your application does.
#   __STEPS__
import os
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet

ISSUER, API = os.environ["OAUTH_ISSUER"], os.environ["OAUTH_RESOURCE"]
CLIENT_ID = os.environ["OAUTH_CLIENT_ID"]


def get(url):
    return requests.get(url, allow_redirects=False, timeout=5)


server = get(f"{ISSUER}/.well-known/openid-configuration").json()
assert server["issuer"] == ISSUER, "refused: the metadata is of another issuer"
session = OAuth2Session(
    CLIENT_ID,
    redirect_uri=os.environ["OAUTH_REDIRECT_URI"],
    scope=os.environ["OAUTH_SCOPE"] + " orders",  # the API wants orders
    code_challenge_method="S256",
    token_endpoint_auth_method="none",
)
secrets = {"code_verifier": generate_token(48), "nonce": generate_token()}
more = {**secrets, "resource": [ISSUER, API]}  # the issuer is for userinfo
url, state = session.create_authorization_url(server["authorization_endpoint"], **more)
callback = get(url).headers["Location"]  # the browser: the server signs in without a page
answer = parse_qs(urlsplit(callback).query)
assert answer.get("iss") == [ISSUER] and "code" in answer, "refused: another issuer, or no code"
login = {"authorization_response": callback, "state": state, "code_verifier": secrets["code_verifier"]}
tokens = session.fetch_token(server["token_endpoint"], **login, timeout=5)
id_token = jwt.decode(tokens["id_token"], KeySet.import_key_set(get(server["jwks_uri"]).json()), ["RS256"])
options = {"iss": {"essential": True, "value": ISSUER}, "aud": {"essential": True, "value": CLIENT_ID}}
checks = {"nonce": secrets["nonce"], "client_id": CLIENT_ID, "access_token": tokens["access_token"]}
CodeIDToken(id_token.claims, id_token.header, options, checks).validate()
person = session.get(server["userinfo_endpoint"], timeout=5).json()
assert person["sub"] == id_token.claims["sub"], "refused: userinfo is of another person"
for _ in range(2):  # the second time with the new refresh token
    session.refresh_token(server["token_endpoint"], timeout=5)
    session.get(API, timeout=5).raise_for_status()
