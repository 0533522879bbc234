"""What the controls of ``_sync.py`` and of ``_async_generated.py`` have in common."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any, Generic, TypeAlias
from unittest import SkipTest

from ._errors import MisbehaviourError, PosternError, RefusedError, WaitError, WrongCallError
from ._json import T
from ._types_generated import Clock, Duration, LoginResult, MisbehaviourVerdict, RecordedRequest, WatchedGate

Errors: TypeAlias = type[BaseException] | tuple[type[BaseException], ...]

NEVER = (AssertionError, PosternError, ImportError, SkipTest, Warning)
"""These say nothing about the client: a failed assertion, a wrong call of the test, a missing package."""

FINE = ("noticed", "unharmed", "tolerated", "not_applicable")
"""The outcomes after which a test goes on."""


class Switched(Generic[T]):
    """What is on in a block."""

    active: T
    """What Postern answered when it was switched on."""
    _is_entered = False

    def __init__(self, path: str, body: Mapping[str, Any], answer: type[T]) -> None:
        self._path, self._body, self._answer = path, dict(body), answer

    @property
    def id(self) -> str:
        """The name in other calls: ``gate-1``."""
        if not self._is_entered:
            raise WrongCallError(f"{self._path} is not on: enter the block first, by `with`")
        return str(self.active.id)  # type: ignore[attr-defined]  # each of them has one

    def __del__(self) -> None:
        if not self._is_entered:
            warnings.warn(f"{self._path} was never on: its block needs `with`", RuntimeWarning, 2, self)

    @property
    def _own(self) -> str:
        return f"{self._path}/{self.id}"


def require_gone(refused: RefusedError) -> None:
    """A reset inside the block has removed it already."""
    if refused.error != "not_found":
        raise refused


def require_arrived(gate: WatchedGate, arrived: int, seconds: int) -> WatchedGate:
    if gate.arrived:
        return gate
    raise WaitError(f"{gate.waiting or 0} of {arrived} requests came to {gate.endpoint} within {seconds} s")


class Judging:
    """How a run of the client ended, and what the verdict on it means for the test."""

    verdict: MisbehaviourVerdict
    """Known after the block."""

    _name: str
    _raises: Errors
    _refusal: str | None = None

    def refused(self, why: str = "the client refused") -> None:
        """Says that the client has refused without an exception: an application that shows an error."""
        self._refusal = why

    def is_end(self, error: BaseException | None) -> bool:
        """Says whether the client has ended, and not the test itself."""
        return error is None or (isinstance(error, self._raises) and not _holds(error, NEVER))

    def describe_end(self, error: BaseException | None) -> tuple[LoginResult, str | None]:
        why = self._refusal if error is None else f"{type(error).__name__}: {error}"
        return ("success", None) if why is None else ("refusal", why)

    def judge(self, verdict: MisbehaviourVerdict, error: BaseException | None) -> bool:
        self.verdict = verdict
        if verdict.outcome in FINE:
            return error is not None
        raise MisbehaviourError(self._name, verdict, [describe(each) for each in verdict.requests]) from error


def _holds(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    """Also looks into an ExceptionGroup, such as that of asyncio.TaskGroup."""
    return isinstance(error, kinds) or any(_holds(each, kinds) for each in getattr(error, "exceptions", ()))


def describe(request: RecordedRequest) -> str:
    """Returns one line about a request: ``POST /oauth2/token: 400 invalid_grant``."""
    answer = str(request.status or request.outcome)
    if request.refusal is not None:
        answer += f" {request.refusal.error}: {request.refusal.description}"
    return f"{request.method} {request.path}: {answer}"


def length(by: Duration | None, days: float, hours: float, minutes: float, seconds: float) -> Duration:
    units = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    if (by is None) == (not units):
        raise WrongCallError("give one duration: a timedelta, seconds, a text such as '2h', or hours=2")
    return units if by is None else by


def time_of(clock: Clock) -> datetime:
    return datetime.fromtimestamp(clock.now, timezone.utc)
