"""Sends calls to the control plane, with the standard library alone."""

from __future__ import annotations

import asyncio
import functools
import http.client
import json
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode, urlsplit

from ._errors import PosternError, RefusedError, WrongCallError
from ._json import decode, encode_members
from ._types_generated import Refusal

LIMIT = 90.0
"""In seconds. A call that waits for something, such as a request at a gate, answers sooner."""

# The threads of asyncio itself are too few: a call that waits at a gate must not keep the one that opens it.
_threads = ThreadPoolExecutor(64, "postern")


@dataclass(frozen=True)
class Connection:
    """Where the control plane is, and the key for it."""

    url: str
    key: str | None = field(default=None, repr=False)
    certificate: str | None = None
    """The file with the authority of a server with TLS. Default: those of the system."""
    below: str = ""
    """The path of a tenant."""
    ended: list[str] = field(default_factory=list[str], repr=False, compare=False)
    """Why no call is sent any more."""

    def of_tenant(self, name: str) -> Connection:
        return replace(self, below=f"/tenants/{name}", ended=[])

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
        parts = urlsplit(self.url)
        is_secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        terms: dict[str, Any] = {"context": _trust(self.certificate)} if is_secure else {}
        try:
            with closing(kind(parts.netloc, timeout=LIMIT, **terms)) as connection:
                connection.request(method, target, content, headers)
                response = connection.getresponse()
                return _read(response, response.read(), as_text)
        except (OSError, http.client.HTTPException) as error:
            raise PosternError(f"Postern does not answer at {self.url}: {error}") from error

    async def send_async(
        self, method: str, path: str, query: Any = None, body: Any = None, as_text: bool = False
    ) -> Any:
        call = functools.partial(self.send, method, path, query, body, as_text)
        return await asyncio.get_running_loop().run_in_executor(_threads, call)


def _write(body: Any) -> bytes:
    try:
        return json.dumps(encode_members(body), allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise WrongCallError(f"JSON cannot have what is given: {error}") from error


@functools.cache
def _trust(certificate: str | None) -> ssl.SSLContext:
    """Reading all authorities of the system takes longer than a call."""
    return ssl.create_default_context(cafile=certificate)


def _read(response: http.client.HTTPResponse, content: bytes, as_text: bool) -> Any:
    __tracebackhide__ = True
    text = content.decode()
    if response.status >= 400:
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {"error_description": f"HTTP {response.status}: {text[:300]}"}
        raise RefusedError(response.status, problem, decode(Refusal, problem.get("refusal")))
    return text if as_text or not text else json.loads(text)
