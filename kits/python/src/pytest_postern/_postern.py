"""A server of its own for each test, and the process that all of them share."""

from __future__ import annotations

import re
import secrets
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from typing import Any

from ._async_generated import AsyncControl
from ._calls_async_generated import AsyncServerCalls
from ._calls_generated import ServerCalls
from ._errors import PosternError
from ._http import Connection
from ._process import Process
from ._sync import Control


class AsyncPostern(AsyncControl):
    """An authorization server for one test, with asyncio: ``postern.aio``."""

    def __init__(self, connection: Connection, issuer: str) -> None:
        super().__init__(connection)
        self.issuer = issuer


class Postern(Control, AbstractContextManager["Postern"]):
    """An authorization server for one test: its own people, clients, clock and requests."""

    issuer: str
    """The URL that identifies the server to clients. Its metadata are below it."""

    def __init__(self, server: Server, name: str) -> None:
        super().__init__(replace(server.connection, below=f"/tenants/{name}", ended=[]))
        self.name = name
        self.issuer = str(self.send("POST", "/")["issuer"])

    @property
    def aio(self) -> AsyncPostern:
        """The same server, for tests with asyncio."""
        return AsyncPostern(self.connection, self.issuer)

    def env(self, client: str | None = None, *, with_secret: bool = False) -> dict[str, str]:
        """Returns the environment variables of an application for this server: OAUTH_ISSUER, …"""
        return self.describe_environment(client=client, raw=with_secret or None)

    def report(self) -> str:
        """Returns what a failed test shows: the flow, and why the last request was refused."""
        try:
            return "\n\n".join(part for part in (self.timeline().rstrip(), self.explain()) if part)
        except PosternError as error:
            return str(error)

    def close(self) -> None:
        """Removes the server with all that it has. No call is possible after it."""
        if not self.connection.ended:
            self.send("DELETE", "/")
            self.connection.ended.append(f"{self.issuer} is closed")

    def __repr__(self) -> str:
        return f"<Postern {self.issuer}>"

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncServer(AsyncControl, AsyncServerCalls):
    """The server that the tests share, with asyncio."""


class Server(Control, ServerCalls, AbstractContextManager["Server"]):
    """The server that the tests share. Each of them has a server of its own in it."""

    def __init__(self, connection: Connection, *, process: Process | None = None) -> None:
        super().__init__(connection)
        self._process = process

    @cached_property
    def issuer(self) -> str:
        """The issuer of the shared server itself."""
        return self.show_server().issuer

    @property
    def started(self) -> dict[str, Any]:
        """What the server said when it was ready. Empty if it ran already."""
        return {} if self._process is None else self._process.started

    @property
    def log(self) -> str:
        """The last lines that the server has printed. Empty if it ran already."""
        return "" if self._process is None else self._process.log

    @property
    def aio(self) -> AsyncServer:
        """The same server, for tests with asyncio."""
        return AsyncServer(self.connection)

    def tenant(self, name: str = "test") -> Postern:
        """Creates a server for one test. ``with server.tenant() as postern:`` removes it at the end."""
        word = re.sub(r"[^a-z0-9]+", "-", name.lower().removeprefix("test_")).strip("-")[:40] or "test"
        return Postern(self, f"{word}-{secrets.token_hex(4)}")

    def close(self) -> None:
        """Ends the process, if this is its owner."""
        self.connection.close()
        if self._process is not None:
            self._process.close()
            self.connection.ended.append(f"{self.connection.url} is closed")

    def __exit__(self, *_: object) -> None:
        self.close()


def start(*flags: str) -> Server:
    """Starts a server, with flags: ``start("--alg", "ES256")``. It ends at the latest with this process."""
    process = Process(flags)
    return Server(process.connection, process=process)
