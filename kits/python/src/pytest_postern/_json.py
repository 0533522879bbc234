"""Between the JSON of the control plane and the types of the kit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Final, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from urllib.parse import quote

from ._errors import WrongCallError
from ._types_generated import ExpiredTokens, Tokens

T = TypeVar("T")

TokensLike: TypeAlias = Tokens | ExpiredTokens | Mapping[str, Any]
"""A token response: that of ``login``, or the one that a client of yours has received."""


class NotGiven(Enum):
    """The type of ``NOT_GIVEN``: a call keeps what is there. None removes it."""

    NOT_GIVEN = "not given"


NOT_GIVEN: Final = NotGiven.NOT_GIVEN
NULL: Final = object()


def part(name: str) -> str:
    """Writes a name as one part of a path."""
    if name in ("", ".", ".."):
        raise WrongCallError(f"{name!r} is no name: the path of a URL cannot have it")
    return quote(name, safe="")


def nullable(value: object) -> object:
    """Marks None as a value to send. What is not given is left out."""
    if isinstance(value, NotGiven):
        return None
    return NULL if value is None else value


def token_members(tokens: TokensLike | str) -> dict[str, Any]:
    """Returns the members of a body that takes a token response or a single token."""
    if isinstance(tokens, str):
        return {"token": tokens}
    given = encode(tokens)
    names = ("access_token", "refresh_token", "id_token", "authorization_details")
    found = {name: given[name] for name in names if given.get(name) is not None}
    if not found and "token" in given:
        found["token"] = given["token"]
    return found


def encode_members(members: Mapping[str, Any]) -> dict[str, Any]:
    """Leaves out the members that the caller has not given."""
    return {name: encode(value) for name, value in members.items() if value is not None}


def encode(value: Any) -> Any:
    """Returns what JSON has for a value of Python."""
    if value is NULL:
        return None
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise WrongCallError(f"{value!r} has no time zone: give one, such as datetime.timezone.utc")
        return value.timestamp()
    if is_dataclass(value) and not isinstance(value, type):
        return encode_members({json: getattr(value, name) for json, name in _names(type(value)).items()})
    if isinstance(value, Mapping):
        return {name: encode(each) for name, each in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(each) for each in cast("Iterable[Any]", value)]
    return value


def decode(answer: type[T], value: Any) -> T:
    """Returns the value of the type for what JSON has. Members that the type lacks are left out."""
    return cast(T, _decode(answer, value))


def _decode(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    if is_dataclass(hint) and isinstance(hint, type):
        names, hints = _names(hint), _hints(hint)
        return hint(**{name: _decode(hints[name], value.get(json)) for json, name in names.items()})
    origin, args = get_origin(hint), get_args(hint)
    if origin is list:
        return [_decode(args[0], each) for each in value]
    if origin is dict:
        return {name: _decode(args[1], each) for name, each in value.items()}
    if origin in (Union, UnionType):
        fitting = [each for each in args if _has_members(each, value)]
        return _decode(fitting[0], value) if fitting else value
    return value


def _has_members(hint: Any, value: Any) -> bool:
    if isinstance(value, dict):
        return is_dataclass(hint) or get_origin(hint) is dict
    return isinstance(value, list) and get_origin(hint) is list


_hints = cache(get_type_hints)


@cache
def _names(record: Any) -> dict[str, str]:
    """The names of the members in JSON, with those of the fields."""
    return {each.metadata.get("json", each.name): each.name for each in fields(record)}
