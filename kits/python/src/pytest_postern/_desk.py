"""Finds the server of a session. Workers of pytest-xdist ask the desk of their controller, which owns it."""

from __future__ import annotations

import json
import os
import secrets
import socket
import threading
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

from ._errors import StartError
from ._http import LIMIT, Connection
from ._postern import Server, start
from ._process import connect


class Shared:
    """The server of a session. It starts when a test first needs it. ``desk`` is for a worker."""

    def __init__(self, flags: list[str], desk: list[Any] | None = None) -> None:
        self._flags, self._desk = flags, desk
        self._lock = threading.Lock()
        self._found: Server | StartError | None = None

    def get(self) -> Server:
        with self._lock:
            if self._found is None:
                try:
                    self._found = self._open()
                except StartError as error:
                    self._found = error
            if isinstance(self._found, StartError):
                raise StartError(*self._found.args)
            return self._found

    def _open(self) -> Server:
        if self._desk is not None:
            return Server(Connection(*_ask(*self._desk)["connection"]))
        return Server(connect()) if os.environ.get("POSTERN_URL") else start(*self._flags)

    def read_log(self) -> str:
        return self.get().log if self._desk is None else str(_ask(*self._desk)["log"])

    def describe(self) -> dict[str, Any]:
        try:
            server = self.get()
        except StartError as error:
            return {"problem": str(error)}
        own = server.connection
        return {"connection": [own.url, own.key, own.certificate], "log": server.log}

    def close(self) -> None:
        if isinstance(self._found, Server):
            self._found.close()


class _Desk(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A worker has gone, or sent nothing."""


def open_desk(shared: Shared) -> list[Any]:
    """Answers all who know the key, each in a thread. Returns host, port and key."""
    key = secrets.token_urlsafe(32)

    class Answer(StreamRequestHandler):
        timeout = LIMIT

        def handle(self) -> None:
            if secrets.compare_digest(self.rfile.readline(100).strip(), key.encode()):
                self.wfile.write(json.dumps(shared.describe()).encode())

    desk = _Desk(("127.0.0.1", 0), Answer)
    threading.Thread(target=desk.serve_forever, daemon=True).start()
    return [*desk.server_address, key]


def _ask(host: str, port: int, key: str) -> dict[str, Any]:
    with socket.create_connection((host, port), LIMIT) as asking:
        asking.sendall(f"{key}\n".encode())
        answer: dict[str, Any] = json.load(asking.makefile())
    if "problem" in answer:
        raise StartError(answer["problem"])
    return answer
