"""Runs the server as a process, as kits/README.md says."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from typing import IO, Any

from ._errors import PosternError, StartError
from ._http import Connection
from ._runtime import find_command
from ._types_generated import VERSION

SECONDS_TO_START = 60.0
SECONDS_TO_END = 20.0
MOST_LINES = 200
FLAGS = ["start", "--control", "--port", "0", "--log=json", "--quiet", "--no-inspector", "--end-with-input"]


class Process:
    """A server that this process has started. It ends with this process."""

    def __init__(self, arguments: Sequence[str] = (), environment: Mapping[str, str] = os.environ) -> None:
        key = secrets.token_urlsafe(32)
        command = [*find_command(environment), *FLAGS, *arguments]
        own = {name: text for name, text in environment.items() if not name.startswith("POSTERN_")}
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._ready = threading.Event()
        self.started: dict[str, Any] = {}
        """What the server says about itself when it is ready, such as its issuer."""
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**own, "POSTERN_CONTROL_TOKEN": key, "NO_COLOR": "1"},
                # Ctrl-C ends the tests first, which still need the server to end. Each system reads its own.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise StartError(f"{command[0]} cannot be started: {error}") from error
        # A forked process would keep the server alive. Windows has no fork.
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.release)
        self._reader = threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True)
        self._reader.start()
        self._ready.wait(SECONDS_TO_START)
        if not self.started:
            self.close()
            raise StartError(f"The server does not start: {' '.join(command)}\n{self.log}".rstrip())
        try:
            _require_version(f"{command[0]} is", self.started.get("version"))
        except StartError:
            self.close()
            raise
        self.connection = Connection(self.started["control"], key, self.started.get("tls_ca"))

    @property
    def log(self) -> str:
        """The last lines that the server has printed."""
        return "\n".join(self._lines)

    def close(self) -> None:
        """Ends the server, and waits until it has ended."""
        self.release()
        try:
            self._child.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._reader.join(1.0)

    def release(self) -> None:
        """Closes this process's end of the pipe. The server ends when no process has one."""
        if self._child.stdin is not None:
            self._child.stdin.close()

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            text = line.decode(errors="replace").rstrip()
            if self.started or not self._is_ready(text):
                self._lines.append(text)
        stream.close()
        self._ready.set()

    def _is_ready(self, text: str) -> bool:
        with suppress(ValueError, LookupError, TypeError):  # other lines are for people
            entry: dict[str, Any] = json.loads(text)
            if entry["message"] == "started":
                self.started = entry
                self._ready.set()
        return bool(self.started)


def connect(environment: Mapping[str, str] = os.environ) -> Connection:
    """Finds the server of ``POSTERN_URL``, which runs already, and checks that it is this version."""
    url = environment["POSTERN_URL"].rstrip("/")
    key, certificate = environment.get("POSTERN_CONTROL_TOKEN"), environment.get("POSTERN_CERTIFICATE")
    connection = Connection(f"{url}/_postern", key, certificate)
    try:
        with closing(connection):
            version = connection.send("GET", "/openapi.json")["info"]["version"]
    except (PosternError, ValueError, LookupError, TypeError) as error:
        raise StartError(f"POSTERN_URL is {url}, and that is no Postern with --control: {error}") from error
    _require_version(f"POSTERN_URL is {url}, which is", version)
    return connection


def _require_version(what: str, version: object) -> None:
    if version != VERSION:
        raise StartError(
            f"{what} Postern {version}, and this kit is {VERSION}: install the same version of both"
        )
