"""A login of a client, with the standard library alone."""

import base64
import hashlib
import json
import os
import secrets
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

CALLBACK = "http://localhost:3000/callback"
TESTS = range(int(os.environ["BENCH_TESTS"]))


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = build_opener(NoRedirect)


def redirect_of(url, form=None):
    """Returns where the answer sends the browser."""
    try:
        opener.open(url, form and urlencode(form).encode()).close()
    except HTTPError as answer:
        return answer.headers["Location"]


def sign_in(authorize, token, approve, secret=None, client="shop"):
    """Logs a person in. `approve` plays the browser and the person, and returns the callback."""
    verifier = secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    state = secrets.token_urlsafe()
    query = {
        "response_type": "code",
        "client_id": client,
        "redirect_uri": CALLBACK,
        "scope": "openid",
        "state": state,
        "nonce": secrets.token_urlsafe(),
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    answer = parse_qs(urlsplit(approve(f"{authorize}?{urlencode(query)}")).query)
    assert answer["state"] == [state]
    form = {
        "grant_type": "authorization_code",
        "code": answer["code"][0],
        "redirect_uri": CALLBACK,
        "code_verifier": verifier,
        "client_id": client,
        **({} if secret is None else {"client_secret": secret}),
    }
    with opener.open(token, urlencode(form).encode()) as response:
        assert json.load(response)["id_token"]
