"""Sockets that send a byte a second, half of them in the head of a request, half in the body: `trickle PORT COUNT`."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9999\r\n\r\n"
BODY = b"POST /workbench/train HTTP/1.1\r\nHost: localhost\r\n" + FORM
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


async def trickle(port: int, number: int) -> None:
    """Connect again whenever the server has had enough."""
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            with suppress(OSError):
                writer.write(BODY if number % 2 else HEAD)
                while not writer.is_closing():
                    writer.write(b"a")
                    await writer.drain()
                    await asyncio.sleep(1)
            writer.close()
        await asyncio.sleep(1)


async def main() -> None:
    """Trickle until somebody ends it."""
    port, count = int(sys.argv[1]), int(sys.argv[2])
    await asyncio.gather(*(trickle(port, number) for number in range(count)))


asyncio.run(main())
