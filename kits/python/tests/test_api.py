"""An API of other people's libraries verifies tokens: FastAPI and PyJWT."""

from typing import Annotated, Any

import httpx
import jwt
import pytest
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.testclient import TestClient

from pytest_postern import Postern, types

RESOURCE = "https://orders.example"


def create_api(issuer: str) -> FastAPI:
    app = FastAPI()
    keys = jwt.PyJWKClient(f"{issuer}/oauth2/jwks")

    def read_token(
        credentials: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())],
    ) -> dict[str, Any]:
        try:
            key = keys.get_signing_key_from_jwt(credentials.credentials)
            claims: dict[str, Any] = jwt.decode(
                credentials.credentials,
                key,
                algorithms=["RS256", "ES256"],
                issuer=issuer,
                audience=RESOURCE,
                options={"require": ["exp", "iss", "aud"]},
            )
        except jwt.PyJWTError as error:
            raise HTTPException(401, str(error)) from error
        if jwt.get_unverified_header(credentials.credentials).get("typ") != "at+jwt":
            raise HTTPException(401, "this is no access token")
        if "orders" not in claims.get("scope", "").split():
            raise HTTPException(403, "insufficient_scope")
        return claims

    @app.get("/orders")
    def list_orders(claims: Annotated[dict[str, Any], Depends(read_token)]) -> dict[str, str]:
        return {"of": claims["sub"]}

    return app


def ask(postern: Postern, token: str) -> int:
    api = TestClient(create_api(postern.issuer))
    status: int = api.get("/orders", headers={"Authorization": f"Bearer {token}"}).status_code
    return status


def test_the_api_takes_a_token_of_a_person(postern: Postern) -> None:
    token = postern.mint("bob", scope="orders", resource=RESOURCE)
    api = TestClient(create_api(postern.issuer))
    answer = api.get("/orders", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()) == (200, {"of": "bob"})


def test_the_api_refuses_an_expired_token(postern: Postern) -> None:
    tokens = postern.login("bob", scope="orders", resource=RESOURCE)
    assert ask(postern, tokens.access_token) == 200
    expired = postern.expire(tokens).access_token
    assert expired is not None
    assert ask(postern, expired) == 401
    alone = postern.expire(postern.mint("bob", scope="orders", resource=RESOURCE)).token
    assert alone is not None
    assert ask(postern, alone) == 401


def test_a_forged_token_says_what_the_api_must_answer(postern: Postern) -> None:
    forged = postern.forge("access_token.expired", scope="orders", resource=RESOURCE)
    assert (forged.verdict.status, forged.verdict.level) == (401, "must")
    assert ask(postern, forged.token) == forged.verdict.status


NAMES: list[types.ForgeryName] = [
    "access_token.alg_none",
    "access_token.audience_wrong",
    "access_token.issuer_wrong",
    "access_token.scope_missing",
    "access_token.signature_bad",
]


@pytest.mark.parametrize("name", NAMES)
def test_the_api_refuses_each_faulty_token(postern: Postern, name: types.ForgeryName) -> None:
    forged = postern.forge(name, username="bob", scope="orders", resource=RESOURCE)
    assert ask(postern, forged.token) == forged.verdict.status, forged.verdict.why


def test_the_list_of_faulty_tokens_has_their_verdicts(postern: Postern) -> None:
    listed = {each.name: each.verdict for each in postern.list_forgeries()}
    assert set(NAMES) <= listed.keys()
    assert listed["access_token.expired"].seen_by == "verification"


def test_an_api_that_is_not_there_yet(postern: Postern) -> None:
    api = postern.create_resource("/orders", scope="orders", max_age=300)
    tokens = postern.login("bob", scope="orders", resource=api.url)
    answer = httpx.get(api.url, headers={"Authorization": f"Bearer {tokens.access_token}"})
    assert answer.status_code == 200
    assert postern.show_resource(api.id).requests == 1
    changed = postern.change_resource(api.id, scope="orders.write", max_age=None)
    assert (changed.scope, changed.max_age) == ("orders.write", None)
    kept = postern.change_resource(api.id)
    assert kept.scope == "orders.write"
