"""What a test does with a server. ``deno task kits`` makes ``_async_generated.py`` from this file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from ._calls_generated import Calls
from ._errors import RefusedError
from ._json import T, decode, encode
from ._shared import Errors, Judging, Switched, length, require_arrived, require_gone, time_of
from ._types_generated import (
    ActiveMisbehaviour,
    Duration,
    EndpointName,
    Gate,
    GateKind,
    Hook,
    HookName,
    LookAlike,
    LookAlikeName,
    MisbehaviourName,
    Moment,
    RecordedRequest,
    TimelineForm,
    WatchedGate,
)

B = TypeVar("B", bound="Block[Any]")


class Block(Switched[T]):
    """Is on in a ``with`` block."""

    def __init__(self, calls: Calls, path: str, body: Mapping[str, Any], answer: type[T]) -> None:
        super().__init__(path, body, answer)
        self._calls = calls

    def __enter__(self: B) -> B:
        self._is_entered = True
        self.active = decode(self._answer, self._calls.send("POST", self._path, body=self._body))
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool | None:
        try:
            self._calls.send("DELETE", self._own)
        except RefusedError as refused:
            require_gone(refused)
        return None


class GateBlock(Block[Gate]):
    """Holds, delays, fails or drops requests in a ``with`` block. Its end lets held requests go on."""

    def wait(self, arrived: int = 1, *, seconds: int = 5) -> WatchedGate:
        """Waits until so many requests are at the gate. Raises TimeoutError if they do not come."""
        gate = self._calls.watch_gate(self.id, arrived=arrived, wait=seconds)
        return require_arrived(gate, arrived, seconds)

    def release(self, index: int | None = None) -> None:
        """Lets all held requests go on, or the one with this number, from 1."""
        self._calls.release_gate(self.id, index=index)


class MisbehaviourBlock(Judging, Block[ActiveMisbehaviour]):
    """Postern is wrong in a ``with`` block. An exception of the block is how the client refused."""

    def __init__(self, calls: Calls, body: Mapping[str, Any], raises: Errors) -> None:
        super().__init__(calls, "/misbehaviours", body, ActiveMisbehaviour)
        self._name, self._raises = body["name"], raises

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        verdict = None
        try:
            if self.is_end(error):
                result, why = self.describe_end(error)
                verdict = self._calls.settle_misbehaviour(self.id, result=result, error=why)
        except RefusedError as refused:
            require_gone(refused)
        finally:
            super().__exit__(kind, error, traceback)
        return False if verdict is None else self.judge(verdict, error)


class ClockOf:
    """Postern's clock. It moves only when a test moves it, and no other clock moves with it."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def now(self) -> datetime:
        """The time that Postern takes for now."""
        return time_of(self._calls.show_clock())

    def advance(
        self,
        by: Duration | None = None,
        /,
        *,
        days: float = 0,
        hours: float = 0,
        minutes: float = 0,
        seconds: float = 0,
    ) -> datetime:
        """Moves the clock forward: by ``hours=2``, ``"2h"`` or ``timedelta(hours=2)``."""
        return time_of(self._calls.move_clock(advance=length(by, days, hours, minutes, seconds)))

    def set(self, to: Moment) -> datetime:
        """Moves the clock to a time."""
        return time_of(self._calls.move_clock(set=to))

    def freeze(self, at: Moment | None = None) -> datetime:
        """Stops the clock: now, or at a time."""
        return time_of(self._calls.move_clock(freeze=True if at is None else encode(at)))

    def resume(self) -> datetime:
        """Starts a frozen clock again."""
        return time_of(self._calls.move_clock(resume=True))

    def skew(self, by: Duration) -> datetime:
        """Makes the server's clock wrong: ``skew(-90)``, in seconds. 0 makes it right again."""
        return time_of(self._calls.move_clock(skew=by))


class Control(Calls):
    """What a test does with the shared server, or with its own."""

    @property
    def clock(self) -> ClockOf:
        """The clock of this server. It moves only when a test moves it."""
        return ClockOf(self)

    def requests(
        self,
        endpoint: EndpointName | None = None,
        *,
        client: str | None = None,
        after: str | None = None,
        wait: int | None = None,
        raw: bool | None = None,
    ) -> list[RecordedRequest]:
        """Returns the requests that Postern has received, the oldest first: ``requests("token")``."""
        listed = self.list_requests(endpoint=endpoint, client=client, after=after, wait=wait, raw=raw)
        return listed.requests

    def timeline(self, form: TimelineForm | None = None) -> str:
        """Returns all that has happened as text, or in another form."""
        return self.show_timeline(form=form)

    def misbehave(
        self,
        name: MisbehaviourName,
        *,
        client: str | None = None,
        username: str | None = None,
        times: int | None = None,
        variant: str | None = None,
        raises: Errors = Exception,
    ) -> MisbehaviourBlock:
        """Lets Postern be wrong in a ``with`` block. Run your client there.

        An exception is how the client refuses: the block takes it, and the test goes on. If the client
        is fooled, or if the test does not show what it did, ``MisbehaviourError`` fails the test. A
        failed assertion, a ``PosternError`` and an ``ImportError`` pass through, and so does an
        exception that is none of ``raises``.

        Args:
            name: A name of docs/reference/misbehaviours.md: ``id_token.aud_wrong``.
            client: Only to this client. Default: to every client.
            username: Only about this person. Default: about everyone.
            times: How many answers are wrong. Default: all.
            variant: The variant of the misbehaviour, if it has several. Default: the first.
            raises: How the client may refuse. Default: any Exception.
        """
        body = {"name": name, "client": client, "username": username, "times": times, "variant": variant}
        return MisbehaviourBlock(self, body, raises)

    def gate(
        self,
        endpoint: EndpointName,
        kind: GateKind,
        *,
        count: int | None = None,
        by: Duration | None = None,
        status: int | None = None,
        retry_after: Duration | None = None,
    ) -> GateBlock:
        """Takes requests in a ``with`` block: ``gate("token", "drop", count=1)``.

        ``hold`` lets them wait until the block ends or ``release``, ``delay`` lets them wait ``by``,
        ``fail`` answers with ``status``, and ``drop`` loses the answer. ``count`` is how many it takes.
        """
        own = {"endpoint": endpoint, "kind": kind, "count": count, "by": by, "status": status}
        return GateBlock(self, "/gates", {**own, "retryAfter": retry_after}, Gate)

    def hook(
        self,
        name: HookName,
        patch: Mapping[str, Any],
        *,
        once: bool | None = None,
        client: str | None = None,
        username: str | None = None,
    ) -> Block[Hook]:
        """Changes what Postern sends in a ``with`` block: ``hook("id_token", {"role": "admin"})``.

        ``patch`` is a merge patch, where None removes a member. ``once`` is for the next value alone.
        """
        own = {"name": name, "patch": patch, "once": once, "client": client, "username": username}
        return Block(self, "/hooks", own, Hook)

    def look_like(
        self, provider: LookAlikeName, *, client: str | None = None, host: str | None = None
    ) -> Block[LookAlike]:
        """Lets Postern answer as a provider does in a ``with`` block: ``look_like("github")``."""
        return Block(self, "/look_alikes", {"name": provider, "client": client, "host": host}, LookAlike)
