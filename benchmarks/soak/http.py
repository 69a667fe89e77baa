"""As much HTTP as a crowd of clients needs: one request a connection, the answer read to its end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from urllib.parse import quote_plus

TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; status 0 where the connection broke without an answer."""

    status: int
    headers: dict[str, str]
    body: bytes


async def ask(port: int, method: str, path: str, form: dict[str, str] | None = None) -> Reply:
    """Send a request and return the answer."""
    body = b""
    if form is not None:
        body = "&".join(f"{name}={quote_plus(value)}" for name, value in form.items()).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", "Connection: close"]
    if form is not None:
        lines.append("Content-Type: application/x-www-form-urlencoded")
    head = "\r\n".join([*lines, "", ""])
    try:
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(head.encode() + body)
                await writer.drain()
                return _reply(await reader.read())
            finally:
                writer.close()
    except OSError:
        return Reply(0, {}, b"")


def _reply(data: bytes) -> Reply:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return Reply(int(words[1]) if len(words) > 1 else 0, headers, body)
