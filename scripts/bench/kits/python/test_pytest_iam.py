"""Logins at the server of a session, as pytest-iam has it."""

import pytest
from sign_in import CALLBACK, TESTS, redirect_of, sign_in


@pytest.fixture(scope="session")
def client(iam_server):
    client = iam_server.models.Client(
        client_id="shop",
        client_secret="a secret",
        client_name="shop",
        client_uri="http://localhost:3000",
        redirect_uris=[CALLBACK],
        grant_types=["authorization_code"],
        response_types=["code"],
        token_endpoint_auth_method="client_secret_post",
        scope=["openid"],
    )
    iam_server.backend.save(client)
    return client


@pytest.mark.parametrize("number", TESTS)
def test_login(number, iam_server, client):
    person = iam_server.random_user()
    iam_server.login(person)
    iam_server.consent(person, client)
    at = f"{iam_server.url}oauth"
    sign_in(f"{at}/authorize", f"{at}/token", redirect_of, "a secret")
