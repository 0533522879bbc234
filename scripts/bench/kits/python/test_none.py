"""What pytest takes without a server."""

import pytest
from sign_in import TESTS


@pytest.mark.parametrize("number", TESTS)
def test_nothing(number):
    assert number in TESTS
