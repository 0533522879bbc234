"""The errors of the kit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._json import decode
from ._types_generated import MisbehaviourVerdict, Refusal


class PosternError(Exception):
    """What every error of this kit is, except ``MisbehaviourError``."""


class StartError(PosternError):
    """The server does not run: there is no runtime, its flags are wrong, or it is another version."""


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

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.error = problem.get("error", "failed")
        self.place = problem.get("place")
        self.expected = problem.get("expected")
        refusal = problem.get("refusal")
        self.refusal = None if refusal is None else decode(Refusal, refusal)
        sentence: str = problem.get("error_description", f"HTTP {status}")
        is_suggested = "id you mean" in sentence
        super().__init__(
            sentence if is_suggested or self.expected is None else f"{sentence} (expected: {self.expected})"
        )

    @property
    def reason(self) -> str | None:
        """The reason of the refusal: ``redirect_uri_unknown``. docs/reference/refusals.md has all."""
        return None if self.refusal is None else self.refusal.reason


class MisbehaviourError(AssertionError):
    """The client did not notice that the server was wrong, or the test does not show whether it did."""

    verdict: MisbehaviourVerdict

    def __init__(self, name: str, verdict: MisbehaviourVerdict, requests: Sequence[str]) -> None:
        self.verdict = verdict
        shown = "".join(f"\n  {each}" for each in requests)
        super().__init__(f"{name}: {verdict.outcome}: {verdict.because}{shown}")


# Reports name the errors as programs import them.
for _error in (PosternError, StartError, RefusedError, MisbehaviourError):
    _error.__module__ = "pytest_postern"
