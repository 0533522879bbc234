"""Sends calls to the control plane, with the standard library alone."""

from __future__ import annotations

import asyncio
import functools
import http.client
import io
import json
import ssl
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from ._errors import PosternError, RefusedError
from ._json import encode_members

LIMIT = 90.0
"""In seconds. A call that waits for something, such as a request at a gate, answers sooner."""


@dataclass(frozen=True)
class Connection:
    """Where the control plane is, and the key for it."""

    url: str
    key: str | None = None
    certificate: str | None = None
    """The file with the authority of a server with TLS. Default: those of the system."""
    below: str = ""
    """The path of a tenant."""

    def of_tenant(self, name: str) -> Connection:
        return Connection(self.url, self.key, self.certificate, f"/tenants/{name}")

    def send(self, method: str, path: str, query: Any = None, body: Any = None, as_text: bool = False) -> Any:
        __tracebackhide__ = True
        target, headers, content = self._write(path, query, body)
        parts = urlsplit(self.url)
        try:
            if parts.scheme == "https":
                connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                    parts.netloc, timeout=LIMIT, context=_trust(self.certificate)
                )
            else:
                connection = http.client.HTTPConnection(parts.netloc, timeout=LIMIT)
            try:
                connection.request(method, target, content, headers)
                response = connection.getresponse()
                return _read(response, response.read(), as_text)
            finally:
                connection.close()
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error

    async def send_async(
        self, method: str, path: str, query: Any = None, body: Any = None, as_text: bool = False
    ) -> Any:
        __tracebackhide__ = True
        target, headers, content = self._write(path, query, body)
        parts = urlsplit(self.url)
        lines = [f"{method} {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(content or b'')}", "", ""]
        secure = _trust(self.certificate) if parts.scheme == "https" else None
        port = parts.port or (80 if secure is None else 443)
        try:
            reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=secure)
            try:
                writer.write("\r\n".join(lines).encode("ascii") + (content or b""))
                received = await asyncio.wait_for(reader.read(), LIMIT)
            finally:
                writer.close()
            response = http.client.HTTPResponse(_Received(received), method=method)  # type: ignore[arg-type]
            response.begin()
            return _read(response, response.read(), as_text)
        except (OSError, asyncio.TimeoutError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error

    def _write(self, path: str, query: Any, body: Any) -> tuple[str, dict[str, str], bytes | None]:
        asked = {name: _write_query(each) for name, each in encode_members(query or {}).items()}
        at_root = path == "/" or not path
        target = urlsplit(self.url).path + self.below + ("" if at_root else path)
        if asked:
            target += f"?{urlencode(asked)}"
        headers = {"Accept": "application/json, */*"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        if body is None:
            return target, headers, None
        headers["Content-Type"] = "application/json"
        return target, headers, json.dumps(encode_members(body)).encode()

    def _unreachable(self, error: Exception) -> PosternError:
        return PosternError(f"Postern does not answer at {self.url}: {error}")


@functools.cache
def _trust(certificate: str | None) -> ssl.SSLContext:
    """Reading all authorities of the system takes longer than a call."""
    return ssl.create_default_context(cafile=certificate)


def _write_query(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(response: http.client.HTTPResponse, content: bytes, as_text: bool) -> Any:
    __tracebackhide__ = True
    text = content.decode()
    if response.status >= 400:
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {"error_description": f"HTTP {response.status}: {text[:300]}"}
        raise RefusedError(response.status, problem)
    return text if as_text or not text else json.loads(text)


class _Received:
    """What ``HTTPResponse`` reads in the place of a socket."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._content)
