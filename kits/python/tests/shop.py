"""An application that signs people in with Authlib, as FastAPI people write it."""

from typing import Any

from authlib.integrations.starlette_client import OAuth
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import Response

from pytest_postern import Postern

CALLBACK = "http://localhost:3000/callback"


def create_shop(issuer: str) -> FastAPI:
    app = FastAPI()
    app.add_middleware(SessionMiddleware, secret_key="a secret of the shop")
    oauth = OAuth()
    oauth.register(
        name="postern",
        client_id="shop",
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid orders", "code_challenge_method": "S256"},
    )

    @app.get("/login")
    async def login(request: Request) -> Response:
        response: Response = await oauth.postern.authorize_redirect(request, CALLBACK)
        return response

    @app.get("/callback")
    async def callback(request: Request) -> dict[str, Any]:
        tokens: dict[str, Any] = await oauth.postern.authorize_access_token(request)
        return tokens

    return app


def sign_in(postern: Postern, username: str = "bob") -> dict[str, Any]:
    """Lets a person sign in to the shop, and returns the tokens that the shop gets."""
    browser = TestClient(create_shop(postern.issuer), base_url="http://localhost:3000")
    redirect = browser.get("/login", follow_redirects=False)
    callback = postern.authorize(redirect.headers["location"], username=username)
    tokens: dict[str, Any] = browser.get(callback.url).json()
    return tokens
