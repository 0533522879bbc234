"""A login with Authlib in a Flask application, a call of the API, two refreshes, and a second login."""
import os

import requests
from authlib.integrations.flask_client import OAuth
from flask import Flask

ISSUER, API = os.environ["OAUTH_ISSUER"], os.environ["OAUTH_RESOURCE"]

app = Flask(__name__)
app.secret_key = os.urandom(32)
app.testing = True  # so that an error of the library ends this program
tokens = {}
client = OAuth(app).register(
    "server",
    client_id=os.environ["OAUTH_CLIENT_ID"],
    server_metadata_url=f"{ISSUER}/.well-known/openid-configuration",
    update_token=lambda token, **_: tokens.update(current=token),
    client_kwargs={
        "scope": os.environ["OAUTH_SCOPE"] + " orders",
        "code_challenge_method": "S256",
        "token_endpoint_auth_method": "none",
    },
)


@app.get("/login")
def login():
    return client.authorize_redirect(os.environ["OAUTH_REDIRECT_URI"], resource=[ISSUER, API])


@app.get("/callback")
def callback():
    token = client.authorize_access_token()
    if "current" in tokens:
        return "signed in again"
    tokens["current"] = token
    signed_in = token.get("userinfo")  # the claims of the ID token
    if signed_in is None:
        raise ValueError("driver: the library gives the application no claims of an ID token")
    person = client.userinfo(token=tokens["current"])
    if person.get("sub") != signed_in["sub"]:
        raise ValueError("driver: userinfo is of another person")
    client.get(API, token=tokens["current"]).raise_for_status()
    for _ in range(2 if "refresh_token" in tokens["current"] else 0):
        expired = {**tokens["current"], "expires_at": 1}  # as if time had gone by
        client.get(API, token=expired).raise_for_status()
    return "signed in"


# The browser: the server signs the person in without a page.
browser = app.test_client()
for _ in range(2):
    address = browser.get("/login").location
    answer = requests.get(address, allow_redirects=False, timeout=10)
    if "Location" not in answer.headers:
        raise SystemExit("driver: the server shows a page to the person")
    browser.get("/callback?" + answer.headers["Location"].partition("?")[2])
