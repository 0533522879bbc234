"""Sends calls to the control plane, with the standard library alone."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from ._errors import PosternError, RefusedError, WrongCallError
from ._json import decode, encode_members
from ._types_generated import Refusal

LIMIT = 90.0
"""In seconds. A call that waits for something, such as a request at a gate, answers sooner."""

# The threads of asyncio itself are too few: a call that waits at a gate must not keep the one that opens it.
_threads = ThreadPoolExecutor(64, "postern")


@dataclass(frozen=True, eq=False)
class Connection:
    """Where the control plane is, and the key for it."""

    url: str
    key: str | None = field(default=None, repr=False)
    certificate: str | None = None
    """The file with the authority of a server with TLS. Default: those of the system."""
    below: str = ""
    """The path of a tenant."""
    ended: list[str] = field(default_factory=list[str], repr=False)
    """Why no call is sent any more."""
    idle: dict[int, list[HTTPConnection]] = field(default_factory=lambda: defaultdict(list), repr=False)
    """The open connections that no call uses, by process: a forked one must not take those of its parent."""

    def send(self, method: str, path: str, query: Any = None, body: Any = None, as_text: bool = False) -> Any:
        __tracebackhide__ = True
        if self.ended:
            raise WrongCallError(self.ended[0])
        target = urlsplit(self.url).path + self.below + ("" if path == "/" else path)
        if asked := encode_members(query or {}):
            flags = {name: str(each).lower() for name, each in asked.items() if isinstance(each, bool)}
            target += f"?{urlencode({**asked, **flags})}"
        headers = {"Accept": "application/json, */*"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        content = None if body is None else _write(body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            status, text = self._exchange(method, target, content, headers)
        except (OSError, HTTPException) as error:
            raise PosternError(f"Postern does not answer at {self.url}: {error}") from error
        return _read(status, text, as_text)

    async def send_async(self, *call: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(_threads, self.send, *call)

    def close(self) -> None:
        """Closes the connections to the server. Another call opens a new one."""
        for connection in self.idle.pop(os.getpid(), []):
            connection.close()

    def _exchange(self, *request: Any) -> tuple[int, str]:
        # A server that closes an unused connection has not read the call that comes then.
        with suppress(IndexError, ConnectionError, ssl.SSLError):
            return self._ask(self.idle[os.getpid()].pop(), request)
        parts = urlsplit(self.url)
        if parts.scheme == "http":
            return self._ask(HTTPConnection(parts.netloc, timeout=LIMIT), request)
        trust = ssl.create_default_context(cafile=self.certificate)
        return self._ask(HTTPSConnection(parts.netloc, timeout=LIMIT, context=trust), request)

    def _ask(self, connection: HTTPConnection, request: tuple[Any, ...]) -> tuple[int, str]:
        try:
            connection.request(*request)
            response = connection.getresponse()
            answer = response.status, response.read().decode()
        except BaseException:
            connection.close()
            raise
        self.idle[os.getpid()].append(connection)
        return answer


def _write(body: Any) -> bytes:
    try:
        return json.dumps(encode_members(body), allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise WrongCallError(f"JSON cannot have what is given: {error}") from error


def _read(status: int, text: str, as_text: bool) -> Any:
    __tracebackhide__ = True
    if status >= 400:
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {"error_description": f"HTTP {status}: {text[:300]}"}
        raise RefusedError(status, problem, decode(Refusal, problem.get("refusal")))
    return text if as_text or not text else json.loads(text)
