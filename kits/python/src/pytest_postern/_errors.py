"""The errors of the kit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ._types_generated import MisbehaviourVerdict, Refusal


class PosternError(Exception):
    """What every error of this kit is, except ``MisbehaviourError``."""


class StartError(PosternError):
    """The server does not run: there is no runtime, its flags are wrong, or it is another version."""


class WrongCallError(PosternError, ValueError):
    """A call has a value that cannot be sent, such as a time without a time zone."""


class WaitError(PosternError, TimeoutError):
    """What the test waits for did not come in time."""


class RefusedError(PosternError):
    """Postern refused a call. The message is its own sentence, and says what to do."""

    error: str
    """The kind of refusal: invalid_request, not_found, refused, …"""
    status: int
    """The status of the answer over HTTP."""
    place: str | None
    """Where the mistake is: ``redirect_uris[0]``."""
    expected: str | None
    """What would have been right."""
    refusal: Refusal | None
    """The refusal of the authorization server, if it refused."""

    def __init__(self, status: int, problem: dict[str, Any], refusal: Refusal | None = None) -> None:
        super().__init__(status, problem, refusal)
        self.status = status
        self.error = problem.get("error", "failed")
        self.place = _spell(problem.get("place"))
        self.expected = _spell(problem.get("expected"))
        self.refusal = refusal

    def __str__(self) -> str:
        return _spell(self.args[1].get("error_description")) or f"HTTP {self.status}"

    @property
    def reason(self) -> str | None:
        """The reason of the refusal: ``redirect_uri_unknown``. docs/reference/refusals.md has all."""
        return None if self.refusal is None else self.refusal.reason


class MisbehaviourError(AssertionError):
    """The client did not notice that the server was wrong, or the test does not show whether it did."""

    verdict: MisbehaviourVerdict

    def __init__(self, name: str, verdict: MisbehaviourVerdict, requests: Sequence[str]) -> None:
        super().__init__(name, verdict, requests)
        self.verdict = verdict

    def __str__(self) -> str:
        name, verdict, requests = self.args
        return "\n  ".join([f"{name}: {verdict.outcome}: {verdict.because}", *requests])


def _spell(text: str | None) -> str | None:
    """Names the members of a call as Python does: ``retryAfter`` and ``?wait`` are retry_after and wait."""
    humps = r'(?<![\w"./-])[a-z]+(?:[A-Z][a-z]+)+(?![\w"/-])|(?<!\S)\?(?=\w)'
    return text and re.sub(humps, lambda found: re.sub("[A-Z]", r"_\g<0>", found[0].strip("?")).lower(), text)


# Reports name the errors as programs import them.
for _error in (PosternError, StartError, WrongCallError, WaitError, RefusedError, MisbehaviourError):
    _error.__module__ = "pytest_postern"
