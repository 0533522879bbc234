"""The plugin of pytest: the fixtures ``postern`` and ``postern_server``, and the report of a failed test."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Generator, Iterator
from dataclasses import asdict
from multiprocessing.connection import Client, Listener
from typing import Any

import pytest

from ._errors import PosternError, StartError
from ._http import Connection
from ._postern import Postern, Server, start
from ._process import connect

_used = pytest.StashKey[Postern]()
_shared = pytest.StashKey["_Shared"]()


class _Shared:
    """The server of a session. It starts when a test first needs it."""

    def __init__(self, flags: list[str]) -> None:
        self._flags = flags
        self._lock = threading.Lock()
        self._server: Server | None = None
        self._problem: str | None = None

    def get(self) -> Server:
        with self._lock:
            if self._problem is not None:
                raise StartError(self._problem)
            if self._server is None:
                try:
                    self._server = self._open()
                except StartError as error:
                    self._problem = str(error)
                    raise
            return self._server

    def _open(self) -> Server:
        if os.environ.get("POSTERN_URL"):
            return Server(connect())
        return start(*self._flags)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()


class _SharedByController(_Shared):
    """The same in a worker of pytest-xdist, whose controller owns the process."""

    def __init__(self, address: tuple[str, int], key: str) -> None:
        super().__init__([])
        self._address, self._key = address, key

    def _open(self) -> Server:
        with Client(self._address, authkey=self._key.encode()) as asking:
            answer = asking.recv()
        if isinstance(answer, str):
            raise StartError(answer)
        return Server(Connection(**answer))


class _Desk:
    """Tells workers where the server is. The first question starts it."""

    def __init__(self, shared: _Shared) -> None:
        self.key = secrets.token_urlsafe(32)
        self._shared = shared
        self._is_closed = False
        self._listener = Listener(("127.0.0.1", 0), backlog=64, authkey=self.key.encode())
        address = self._listener.address
        self.address = (str(address[0]), int(address[1]))
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        while not self._is_closed:
            try:
                with self._listener.accept() as asking:
                    asking.send(self._find())
            except Exception:  # a program without the key, or a worker that has gone
                continue

    def _find(self) -> dict[str, Any] | str:
        try:
            return asdict(self._shared.get().connection)
        except PosternError as error:
            return str(error)

    def close(self) -> None:
        self._is_closed = True
        self._listener.close()


class _Controller:
    """Registered where pytest-xdist is: hands each worker the address of the desk."""

    def __init__(self, desk: _Desk) -> None:
        self._desk = desk

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["postern"] = {"address": self._desk.address, "key": self._desk.key}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "postern_flags",
        "Flags for the server of the tests, as those of `postern start`: --config shop.jsonc",
        type="args",
        default=[],
    )


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get("postern")
    if given is not None:
        config.stash[_shared] = _SharedByController(tuple(given["address"]), given["key"])
        return
    shared = _Shared(config.getini("postern_flags"))
    config.stash[_shared] = shared
    config.add_cleanup(shared.close)
    if config.getoption("numprocesses", None):
        desk = _Desk(shared)
        config.add_cleanup(desk.close)
        config.pluginmanager.register(_Controller(desk))


@pytest.fixture(scope="session")
def postern_server(request: pytest.FixtureRequest) -> Server:
    """The process that the tests of a session share."""
    return request.config.stash[_shared].get()


@pytest.fixture
def postern(request: pytest.FixtureRequest, postern_server: Server) -> Iterator[Postern]:
    """An authorization server for this test alone: ``postern.issuer``, ``postern.login("bob")``."""
    with postern_server.tenant(request.node.name) as own:
        request.node.stash[_used] = own
        yield own


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    own = item.stash.get(_used, None)
    # A login is often in a fixture. After the test, its server is gone.
    if own is not None and report.when != "teardown" and report.failed:
        report.sections.append((f"Postern at {own.issuer}", _describe(own)))
        if own.server.log:
            report.sections.append(("the last lines of Postern", own.server.log))
    return report


def _describe(postern: Postern) -> str:
    try:
        return postern.report()
    except PosternError as error:
        return str(error)
