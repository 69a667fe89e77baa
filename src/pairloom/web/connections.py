"""Connections that cannot be held for nothing: deadlines, limits and turns around uvicorn's own HTTP protocol.

uvicorn waits for the end of a request's head as long as somebody likes, and past its limit of connections it turns
everybody away alike: five hundred sockets that send a byte a second would lock out a school. So here

- the head of a request has an absolute deadline, and an answer that nobody takes has one as well (the body's is
  `security.WholeBody`'s);
- where there are too many connections, the one that has been sending its request for longest makes room, then one that
  is idle; only where all are being answered is the newcomer refused;
- bytes are counted as they arrive, framing included, and a flood of tiny chunks is parsed in turns of some
  milliseconds, one connection a turn of the loop;
- whoever is refused before the request was whole gets the answer: the connection is closed for writing only, and what
  still comes is thrown away for a moment (closing at once would reset it, and the answer with it).

A protocol of our own around h11 would have been the other way; it would have to say again, and keep right, everything
that uvicorn says about keep-alive, flow control, `Expect: 100-continue` and shutting down.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from pairloom.web.security import ANSWER_HEADERS
from pairloom.web.settings import Settings

# One that has been sending its request for so long is slow; before it goes one that is idle.
_SLOW_S = 1.0
# So much is parsed between two looks at the clock, as long as it may be tiny chunks: some milliseconds' worth of them.
_PIECE_BYTES = 2048
_TURN_S = 0.003
# Beyond the body: the head of the request, and a quarter for the framing of chunks.
_HEAD_BYTES = 64 * 1024

_REASONS = {
    400: "This is no HTTP request.",
    408: "The head of the request was not there in time.",
    413: "The request is too large.",
    503: "There are too many connections. Try again in a moment.",
}
_PHRASES = {400: "Bad Request", 408: "Request Timeout", 413: "Content Too Large", 503: "Service Unavailable"}


class Connections:
    """All connections of a server: those on which a request is arriving, and the idle ones, oldest first."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.all: set[GuardedProtocol] = set()
        self.arriving: OrderedDict[GuardedProtocol, float] = OrderedDict()
        self.idle: OrderedDict[GuardedProtocol, float] = OrderedDict()
        self._turns: deque[GuardedProtocol] = deque()

    def protocol(self, *args: Any, **kwargs: Any) -> asyncio.Protocol:  # uvicorn's arguments, handed on
        """Return the protocol of a new connection; uvicorn calls it as it calls its own class."""
        made = GuardedProtocol(*args, **kwargs)
        made.guard = self
        return made

    def admit(self, newcomer: GuardedProtocol) -> None:
        """Take a connection in; if it is one too many, let another one go, or refuse it."""
        self.all.add(newcomer)
        if len(self.all) > self.settings.connections_max:
            leaving = self._who_leaves()
            (newcomer if leaving is None else leaving).refuse(503)
        self.set_arriving(newcomer)

    def _who_leaves(self) -> GuardedProtocol | None:
        arriving = next(iter(self.arriving.items()), None)
        if arriving is not None and time.monotonic() - arriving[1] > _SLOW_S:
            return arriving[0]
        return next(iter(self.idle), None) or (None if arriving is None else arriving[0])

    def set_arriving(self, connection: GuardedProtocol) -> None:
        """Note that a request is arriving, unless that is known; its age counts from the first time."""
        self.idle.pop(connection, None)
        if connection in self.all:
            self.arriving.setdefault(connection, time.monotonic())

    def set_answering(self, connection: GuardedProtocol) -> None:
        """Note that a request is whole."""
        self.idle.pop(connection, None)
        self.arriving.pop(connection, None)

    def set_idle(self, connection: GuardedProtocol) -> None:
        """Note that a connection waits for its next request."""
        self.arriving.pop(connection, None)
        if connection in self.all:
            self.idle[connection] = time.monotonic()

    def forget(self, connection: GuardedProtocol) -> None:
        """Let a connection go."""
        self.all.discard(connection)
        self.idle.pop(connection, None)
        self.arriving.pop(connection, None)

    def take_turns(self, connection: GuardedProtocol) -> None:
        """Go on with what a connection has sent in a later turn of the loop, one connection a turn."""
        self._turns.append(connection)
        if len(self._turns) == 1:
            connection.loop.call_soon(self._next_turn)

    def _next_turn(self) -> None:
        connection = self._turns[0]
        try:
            connection.go_on()
        finally:
            self._turns.popleft()
            if self._turns:
                connection.loop.call_soon(self._next_turn)


class _Lingering:
    """A transport that closes for writing only, as long as the other side is still sending its request."""

    def __init__(self, transport: asyncio.Transport, protocol: GuardedProtocol) -> None:
        self._transport = transport
        self._protocol: GuardedProtocol | None = protocol

    def close(self) -> None:
        if self._protocol is not None:
            self._protocol.close_gently(self._transport)

    def let_go(self) -> None:
        """Forget the protocol, which holds this: no cycle is left for the collector."""
        self._protocol = None

    def __getattr__(self, name: str) -> Any:  # whatever the transport has
        return getattr(self._transport, name)


class GuardedProtocol(H11Protocol):
    """uvicorn's protocol with deadlines, limits and turns."""

    guard: Connections

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # uvicorn's arguments, handed on
        super().__init__(*args, **kwargs)
        self._backlog = bytearray()
        self._received = 0
        self._is_leaving = False
        self._timers: dict[str, asyncio.TimerHandle] = {}

    # What asyncio and uvicorn call.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin: the head has to be there in time."""
        self._lingering = _Lingering(transport, self)
        super().connection_made(self._lingering)  # type: ignore[arg-type]  # all that is asked of one
        self._begin_request()
        self.guard.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._backlog.clear()
        self._is_leaving = True
        self.guard.forget(self)
        super().connection_lost(exc)
        self._lingering.let_go()

    def data_received(self, data: bytes) -> None:
        """Count what comes, and parse it, now or in turns."""
        if self._is_leaving:
            return
        if self.conn.their_state is h11.IDLE and "head" not in self._timers:
            self._begin_request()
        self._received += len(data)
        if self._received > self.guard.settings.body_max_bytes * 5 // 4 + _HEAD_BYTES:
            self.refuse(413)
            return
        waits = bool(self._backlog)
        self._backlog += data
        if not waits:
            self.go_on()

    def handle_events(self) -> None:
        """Let uvicorn act on what was parsed, then see how far the request is."""
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._cancel("head")
        if self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}:
            self.guard.set_answering(self)

    def on_response_complete(self) -> None:
        """Wait for the next request, or leave if this one was answered before it was whole."""
        is_whole = self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}
        super().on_response_complete()
        if not is_whole:
            self.transport.close()
        elif self.conn.their_state is h11.IDLE and not self._is_leaving:
            self._received = len(self._backlog)
            self.guard.set_idle(self)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  # uvicorn's
        """Answer what is no HTTP with the headers that every answer has."""
        self.refuse(400)

    def pause_writing(self) -> None:
        """Give whoever does not take the answer some time, not all of it."""
        super().pause_writing()
        self._set("answer", self.guard.settings.answer_deadline_s, self._abort)

    def resume_writing(self) -> None:
        """Go on: what was to be taken has been taken."""
        self._cancel("answer")
        super().resume_writing()

    # What it does of its own.

    def go_on(self) -> None:
        """Parse what has come, for some milliseconds; the rest in another turn."""
        end = time.perf_counter() + _TURN_S
        while self._backlog and not self._is_leaving:
            # A body of a known length costs nothing to parse; a head, or chunks of any size, may.
            size = len(self._backlog) if self._has_known_length() else _PIECE_BYTES
            piece = bytes(self._backlog[:size])
            del self._backlog[:size]
            super().data_received(piece)
            if self._backlog and time.perf_counter() > end:
                self.guard.take_turns(self)
                return

    def refuse(self, status: int) -> None:
        """Say why, if nothing has been said yet, and leave."""
        if self._is_leaving:
            return
        # None until the first request, whatever uvicorn's annotation says.
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(_refusal(status, self.guard.settings))
        if cycle is not None and not cycle.response_complete:
            # What works for it learns that nobody is there any more.
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    def close_gently(self, transport: asyncio.Transport) -> None:
        """Close; while a request is still coming, only for writing at first."""
        if self._is_leaving or transport.is_closing():
            return
        self._is_leaving = True
        self._backlog.clear()
        self.guard.forget(self)
        self._unset_keepalive_if_required()
        self._cancel("head")
        settings = self.guard.settings
        is_sending = self._received > 0 and self.conn.their_state in {h11.IDLE, h11.SEND_BODY, h11.ERROR}
        if is_sending and transport.can_write_eof():
            self._set("linger", settings.linger_s, self._abort)
            transport.write_eof()
            transport.resume_reading()
        else:
            # An answer that nobody takes would keep the connection open for good.
            self._set("answer", settings.answer_deadline_s, self._abort)
            transport.close()

    def eof_received(self) -> None:
        """Close for good what was only left open to be read to its end; else as uvicorn does."""
        if self._is_leaving:
            return
        super().eof_received()

    def _has_known_length(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY and not any(
            name == b"transfer-encoding" for name, _ in self.headers
        )

    def _begin_request(self) -> None:
        self._set("head", self.guard.settings.head_deadline_s, self._head_is_late)
        self.guard.set_arriving(self)

    def _head_is_late(self) -> None:
        self.refuse(408)

    def _abort(self) -> None:
        self.transport.abort()

    def _set(self, name: str, seconds: float, call: Any) -> None:  # a callback
        self._cancel(name)
        self._timers[name] = self.loop.call_later(seconds, call)

    def _cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()


def _refusal(status: int, settings: Settings) -> bytes:
    """Return a whole answer, for where there is no request to answer."""
    body = f"{_REASONS[status]}\n"
    headers = {
        "content-type": "text/plain; charset=utf-8",
        "content-length": str(len(body)),
        "connection": "close",
        "cache-control": "no-store",
        **ANSWER_HEADERS,
    }
    if status == 503:
        headers["retry-after"] = str(settings.retry_after_s)
    lines = [
        f"HTTP/1.1 {status} {_PHRASES[status]}",
        *(f"{name}: {value}" for name, value in headers.items()),
        "",
        body,
    ]
    return "\r\n".join(lines).encode("ascii")
