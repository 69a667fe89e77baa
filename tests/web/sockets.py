"""The server program itself on a free port, and a client that speaks to it byte by byte."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from pairloom.web.connections import Connections
from pairloom.web.server import configuration
from pairloom.web.settings import Settings

TIMEOUT_S = 20


@dataclass(frozen=True)
class Reply:
    """What came back on a socket until it was closed."""

    data: bytes

    @property
    def status(self) -> int:
        return int(self.data.split(b" ", 2)[1]) if self.data else 0

    @property
    def headers(self) -> dict[str, str]:
        head = self.data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
        return {name.lower(): value for name, _, value in (line.partition(": ") for line in head)}

    @property
    def body(self) -> bytes:
        return self.data.partition(b"\r\n\r\n")[2]


class Client:
    """One connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)

    def send(self, data: bytes) -> bool:
        """Send, and say whether the other side still takes it."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def read(self) -> Reply:
        """Read until the other side closes."""
        parts: list[bytes] = []
        try:
            while part := self.socket.recv(65_536):
                parts.append(part)
        except ConnectionResetError:
            pass
        return Reply(b"".join(parts))

    def close(self) -> None:
        self.socket.close()


@dataclass
class Running:
    """A server under way."""

    server: uvicorn.Server
    port: int
    guard: Connections

    def client(self) -> Client:
        return Client(self.port)

    def ask(self, data: bytes) -> Reply:
        client = self.client()
        try:
            client.send(data)
            return client.read()
        finally:
            client.close()

    def is_healthy(self) -> bool:
        return self.ask(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").status == 200


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    """Serve in a thread inside this block."""
    configured = configuration(settings, host="127.0.0.1", port=0)
    # The tests' own loggers stay as they are.
    configured.log_config = None
    server = uvicorn.Server(configured)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    protocol = configured.http
    yield Running(server, server.servers[0].sockets[0].getsockname()[1], protocol.__self__)  # type: ignore[union-attr]
    server.should_exit = True
    thread.join(TIMEOUT_S)


def until(condition: object) -> None:
    """Wait until something holds, at most so long."""
    end = time.monotonic() + TIMEOUT_S
    while not condition():  # type: ignore[operator]  # a function without arguments
        assert time.monotonic() < end
        time.sleep(0.005)
