"""What JSON has for values of Python."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from pytest_postern import types
from pytest_postern._json import encode, token_members
from pytest_postern._shared import time_of


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (timedelta(days=1, milliseconds=5), 86_400.005),
        (datetime(1970, 1, 2, tzinfo=timezone(timedelta(hours=1))), 82_800.0),
        ({"a"}, ["a"]),
        (frozenset({"a"}), ["a"]),
        (("a", timedelta(seconds=1)), ["a", 1.0]),
        ({"a": [timedelta(seconds=1)], "b": None}, {"a": [1.0], "b": None}),
    ],
)
def test_a_value_of_python_is_written_as_json(value: object, written: object) -> None:
    assert encode(value) == written


def test_a_call_sends_each_token_of_a_response_and_nothing_else_of_it() -> None:
    sent: dict[str, Any] = {"access_token": "a", "refresh_token": "r", "id_token": "i"}
    sent["authorization_details"] = [{"type": "x"}]
    assert token_members({**sent, "expires_in": 1}) == sent
    assert token_members(types.Tokens(**sent, scope="openid")) == sent
    assert token_members("a") == {"token": "a"}


def test_a_time_of_postern_is_in_utc() -> None:
    clock = types.Clock(now=0, date="1970-01-01T00:00:00.000Z", frozen=False, skew=0, server_now=0)
    assert time_of(clock).tzinfo is timezone.utc
