"""The same as the module without "async" in its name, for asyncio.

``deno task kits`` makes this file from the rows of the control plane: do not edit it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from ._calls_async_generated import AsyncCalls
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

B = TypeVar("B", bound="AsyncBlock[Any]")


class AsyncBlock(Switched[T]):
    """Is on in an ``async with`` block."""

    def __init__(self, calls: AsyncCalls, path: str, body: Mapping[str, Any], answer: type[T]) -> None:
        super().__init__(path, body, answer)
        self._calls = calls

    async def __aenter__(self: B) -> B:
        self._is_entered = True
        self.active = decode(self._answer, await self._calls.send("POST", self._path, body=self._body))
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, traceback: object) -> bool | None:
        try:
            await self._calls.send("DELETE", self._own)
        except RefusedError as refused:
            require_gone(refused)
        return None


class AsyncGateBlock(AsyncBlock[Gate]):
    """Holds, delays, fails or drops requests in an ``async with`` block. Its end lets held requests go on."""

    async def wait(self, arrived: int = 1, *, seconds: int = 5) -> WatchedGate:
        """Waits until so many requests are at the gate. Raises TimeoutError if they do not come."""
        gate = await self._calls.watch_gate(self.id, arrived=arrived, wait=seconds)
        return require_arrived(gate, arrived, seconds)

    async def release(self, index: int | None = None) -> None:
        """Lets all held requests go on, or the one with this number, from 1."""
        await self._calls.release_gate(self.id, index=index)


class AsyncMisbehaviourBlock(Judging, AsyncBlock[ActiveMisbehaviour]):
    """Postern is wrong in an ``async with`` block. An exception of the block is how the client refused."""

    def __init__(self, calls: AsyncCalls, body: Mapping[str, Any], raises: Errors) -> None:
        super().__init__(calls, "/misbehaviours", body, ActiveMisbehaviour)
        self._name, self._raises = body["name"], raises

    async def __aexit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        verdict = None
        try:
            if self.is_end(error):
                result, why = self.describe_end(error)
                verdict = await self._calls.settle_misbehaviour(self.id, result=result, error=why)
        except RefusedError as refused:
            require_gone(refused)
        finally:
            await super().__aexit__(kind, error, traceback)
        return False if verdict is None else self.judge(verdict, error)


class AsyncClockOf:
    """Postern's clock. It moves only when a test moves it, and no other clock moves with it."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def now(self) -> datetime:
        """The time that Postern takes for now."""
        return time_of(await self._calls.show_clock())

    async def advance(
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
        return time_of(await self._calls.move_clock(advance=length(by, days, hours, minutes, seconds)))

    async def set(self, to: Moment) -> datetime:
        """Moves the clock to a time."""
        return time_of(await self._calls.move_clock(set=to))

    async def freeze(self, at: Moment | None = None) -> datetime:
        """Stops the clock: now, or at a time."""
        return time_of(await self._calls.move_clock(freeze=True if at is None else encode(at)))

    async def resume(self) -> datetime:
        """Starts a frozen clock again."""
        return time_of(await self._calls.move_clock(resume=True))

    async def skew(self, by: Duration) -> datetime:
        """Makes the server's clock wrong: ``skew(-90)``, in seconds. 0 makes it right again."""
        return time_of(await self._calls.move_clock(skew=by))


class AsyncControl(AsyncCalls):
    """What a test does with the shared server, or with its own."""

    @property
    def clock(self) -> AsyncClockOf:
        """The clock of this server. It moves only when a test moves it."""
        return AsyncClockOf(self)

    async def requests(
        self,
        endpoint: EndpointName | None = None,
        *,
        client: str | None = None,
        after: str | None = None,
        wait: int | None = None,
        raw: bool | None = None,
    ) -> list[RecordedRequest]:
        """Returns the requests that Postern has received, the oldest first: ``requests("token")``."""
        listed = await self.list_requests(endpoint=endpoint, client=client, after=after, wait=wait, raw=raw)
        return listed.requests

    async def timeline(self, form: TimelineForm | None = None) -> str:
        """Returns all that has happened as text, or in another form."""
        return await self.show_timeline(form=form)

    def misbehave(
        self,
        name: MisbehaviourName,
        *,
        client: str | None = None,
        username: str | None = None,
        times: int | None = None,
        variant: str | None = None,
        raises: Errors = Exception,
    ) -> AsyncMisbehaviourBlock:
        """Lets Postern be wrong in an ``async with`` block. Run your client there.

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
        return AsyncMisbehaviourBlock(self, body, raises)

    def gate(
        self,
        endpoint: EndpointName,
        kind: GateKind,
        *,
        count: int | None = None,
        by: Duration | None = None,
        status: int | None = None,
        retry_after: Duration | None = None,
    ) -> AsyncGateBlock:
        """Takes requests in an ``async with`` block: ``gate("token", "drop", count=1)``.

        ``hold`` lets them wait until the block ends or ``release``, ``delay`` lets them wait ``by``,
        ``fail`` answers with ``status``, and ``drop`` loses the answer. ``count`` is how many it takes.
        """
        own = {"endpoint": endpoint, "kind": kind, "count": count, "by": by, "status": status}
        return AsyncGateBlock(self, "/gates", {**own, "retryAfter": retry_after}, Gate)

    def hook(
        self,
        name: HookName,
        patch: Mapping[str, Any],
        *,
        once: bool | None = None,
        client: str | None = None,
        username: str | None = None,
    ) -> AsyncBlock[Hook]:
        """Changes what Postern sends in an ``async with`` block: ``hook("id_token", {"role": "admin"})``.

        ``patch`` is a merge patch, where None removes a member. ``once`` is for the next value alone.
        """
        own = {"name": name, "patch": patch, "once": once, "client": client, "username": username}
        return AsyncBlock(self, "/hooks", own, Hook)

    def look_like(
        self, provider: LookAlikeName, *, client: str | None = None, host: str | None = None
    ) -> AsyncBlock[LookAlike]:
        """Lets Postern answer as a provider does in an ``async with`` block: ``look_like("github")``."""
        return AsyncBlock(self, "/look_alikes", {"name": provider, "client": client, "host": host}, LookAlike)
