"""An answer of type `text/event-stream` that stops working as soon as nobody reads it any more."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pairloom.web.models import unless_gone
from pairloom.web.refusals import ClientGone

_LINE_END = re.compile(r"\r\n|\r|\n")


def message(data: str) -> bytes:
    r"""Return one unnamed event; every line of the data is a line of the event.

    >>> message("a\nb")
    b'data: a\ndata: b\n\n'
    """
    return "".join(f"data: {line}\n" for line in _LINE_END.split(data)).encode() + b"\n"


class EventStream(Response):
    """Send each text of an async generator as one event.

    A disconnect is seen even while the generator waits: servers differ in whether `send` fails on a closed connection,
    so `receive` is watched beside it. The generator is closed then, and cleans up in its `finally` (W2).
    """

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[str, None]) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.events = events

    @staticmethod
    def framed(data: str) -> bytes:
        """Return the bytes of one event."""
        return message(data)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's
        """Send the events until they end or the client hangs up."""
        try:
            await unless_gone(receive, self._send_all(send))
        except (ClientGone, OSError):
            return

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self.events) as events:
            async for data in events:
                await send({"type": "http.response.body", "body": self.framed(data), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
