"""Logins at a tenant of its own for each test, with the kit."""

import pytest
from sign_in import TESTS, sign_in


@pytest.mark.parametrize("number", TESTS)
def test_login(number, postern):
    at = f"{postern.issuer}/oauth2"
    sign_in(f"{at}/authorize", f"{at}/token", lambda url: postern.authorize(url, username="bob").url)
