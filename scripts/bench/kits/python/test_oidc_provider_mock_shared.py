"""Logins at one oidc-provider-mock for all tests."""

import pytest
from oidc_provider_mock_login import log_in, open_server
from sign_in import TESTS


@pytest.fixture(scope="session")
def server():
    with open_server() as server:
        yield server


@pytest.mark.parametrize("number", TESTS)
def test_login(number, server):
    log_in(server)
