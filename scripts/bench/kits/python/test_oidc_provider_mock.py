"""Logins at a server of its own for each test, as the README of oidc-provider-mock shows."""

import pytest
from oidc_provider_mock_login import log_in, open_server
from sign_in import TESTS


@pytest.fixture
def server():
    with open_server() as server:
        yield server


@pytest.mark.parametrize("number", TESTS)
def test_login(number, server):
    log_in(server)
