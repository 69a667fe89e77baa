"""The server program under clients that do not behave: nothing waits for good, nothing is taken without a bound."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pairloom.web.security import ANSWER_HEADERS
from pairloom.web.settings import Settings
from tests.web.sockets import Client, Running, running, until

QUICK = replace(
    Settings(), head_deadline_s=0.4, body_deadline_s=0.4, keep_alive_s=1, linger_s=0.5, answer_deadline_s=0.4
)
HEAD = b"POST /workbench/train HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(QUICK) as made:
        yield made


@pytest.fixture(autouse=True)
def nothing_stays(server: Running) -> Iterator[None]:
    yield
    until(lambda: not server.guard.all)
    assert not server.guard.arriving
    assert not server.guard.idle
    assert server.is_healthy()


def has_every_header(headers: dict[str, str]) -> bool:
    return all(headers.get(name) == value for name, value in ANSWER_HEADERS.items())


@pytest.mark.parametrize("begun", [b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"GET / HTTP/1.1\r\nX: "])
def test_a_head_that_does_not_end(server: Running, begun: bytes) -> None:
    reply = server.ask(begun)
    assert reply.status == 408
    assert has_every_header(reply.headers)


def test_a_head_that_trickles(server: Running) -> None:
    client = server.client()
    begin = time.monotonic()
    for byte in b"GET / HTTP/1.1\r\nX: " + b"a" * 100:
        if not client.send(bytes([byte])):
            break
        time.sleep(0.02)
        if not server.guard.all:
            break
    assert time.monotonic() - begin < 2
    client.close()


def test_a_body_that_trickles(server: Running) -> None:
    client = server.client()
    client.send(HEAD + b"Content-Length: 1000\r\n\r\n")
    for _ in range(60):
        if not client.send(b"a"):
            break
        time.sleep(0.02)
    reply = client.read()
    assert reply.status == 408
    client.close()


def test_a_second_head_has_a_deadline_too(server: Running) -> None:
    client = server.client()
    client.send(HEALTH + b"\r\nGET / HT")
    reply = client.read()
    assert reply.data.startswith(b"HTTP/1.1 200 ")
    client.close()


def test_an_idle_connection_is_closed(server: Running) -> None:
    client = server.client()
    client.send(HEALTH + b"\r\n")
    begin = time.monotonic()
    assert client.read().status == 200
    assert 0.5 < time.monotonic() - begin < 5
    client.close()


MEGABYTE = b"x" * 2**20


def test_fifty_megabytes(server: Running) -> None:
    client = server.client()
    client.send(HEAD + b"Content-Length: 52428800\r\n\r\n")
    sent = sum(client.send(MEGABYTE) for _ in range(50))
    assert sent >= 1
    reply = client.read()
    assert reply.status == 413
    assert has_every_header(reply.headers)
    client.close()


@pytest.mark.parametrize("size", [1, 5, 1_000, 65_536])
def test_a_flood_of_chunks(server: Running, size: int) -> None:
    client = server.client()
    client.send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    chunk = b"%x\r\n%b\r\n" % (size, b"x" * size)
    block = chunk * max(1, 65_536 // len(chunk))
    for _ in range(50_000_000 // len(block)):
        if not client.send(block):
            break
    assert client.read().status == 413
    client.close()


@pytest.mark.parametrize("announced", [b"1048577", b"99999999999999999999999", b"1048576000"])
def test_a_length_that_is_too_much_is_refused_before_the_body(server: Running, announced: bytes) -> None:
    reply = server.ask(HEAD + b"Content-Length: " + announced + b"\r\n\r\n")
    assert reply.status in {400, 413}


@pytest.mark.parametrize(
    "path", [b"/healthz", b"/nowhere", b"/static/0/x.js", b"/api/train", b"/api/nowhere", b"/workbench/prefix"]
)
def test_every_address_counts_what_comes(server: Running, path: bytes) -> None:
    client = server.client()
    client.send(b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    block = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    for _ in range(800):
        if not client.send(block):
            break
    assert client.read().status == 413
    client.close()


@pytest.mark.parametrize("host", [b"evil.example", b"localhost"])
def test_who_is_refused_before_the_body_gets_the_answer_and_cannot_go_on(server: Running, host: bytes) -> None:
    client = server.client()
    origin = b"" if host == b"evil.example" else b"Origin: http://evil.example\r\n"
    client.send(b"POST / HTTP/1.1\r\nHost: " + host + b"\r\n" + origin + b"Content-Length: 1000000\r\n\r\n")
    for _ in range(300):
        if not client.send(b"x" * 100):
            break
        time.sleep(0.01)
    assert client.read().status == (421 if origin == b"" else 403)
    client.close()


def test_what_is_no_http(server: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        reply = server.ask(b"\x16\x03\x01 SOMEBODYS-TEXT\r\n\r\n")
    assert reply.status == 400
    assert has_every_header(reply.headers)
    assert "SOMEBODYS-TEXT" not in caplog.text


def test_an_answer_that_nobody_takes(server: Running) -> None:
    client = Client(server.port)
    client.socket.setsockopt(1, 8, 2_048)  # a small window: SOL_SOCKET, SO_RCVBUF
    for _ in range(400):
        if not client.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            break
    until(lambda: not server.guard.all)
    client.close()


def test_pipelined_requests_are_answered_in_order(server: Running) -> None:
    reply = server.ask(HEALTH + b"\r\n" + HEALTH + b"\r\n" + HEALTH + b"Connection: close\r\n\r\n")
    assert reply.data.count(b"HTTP/1.1 200 ") == 3


def test_the_slowest_makes_room() -> None:
    settings = replace(Settings(), connections_max=20, head_deadline_s=30, body_deadline_s=30)
    with running(settings) as server:
        slow = [server.client() for _ in range(20)]
        for number, client in enumerate(slow):
            client.send(b"GET / HTTP/1.1\r\nX: " if number % 2 else HEAD + b"Content-Length: 1000\r\n\r\nx")
        until(lambda: len(server.guard.all) == 20)
        for _ in range(30):
            assert server.is_healthy()
        gone = [client for client in slow if b"503" in _what_came(client)]
        assert 1 <= len(gone) <= 20
        assert len(server.guard.all) <= 20
        for client in slow:
            client.close()


def _what_came(client: Client) -> bytes:
    client.socket.settimeout(0.05)
    try:
        return client.socket.recv(1_000)
    except OSError:
        return b""


def test_where_all_are_being_answered_the_newcomer_is_refused() -> None:
    settings = replace(Settings(), connections_max=3)
    corpus = b"corpus=" + b"+".join(b"%d" % number for number in range(8_000))
    form = corpus + b"&merge_limit=40000&pre_tokenizer=whitespace"
    with running(replace(settings, slice_target_ms=0.0, portion_operations=1)) as server:
        busy = [server.client() for _ in range(3)]
        for client in busy:
            client.send(HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(form), form))
        until(lambda: len(server.guard.all) == 3 and not server.guard.arriving)
        reply = server.ask(HEALTH + b"\r\n")
        assert reply.status == 503
        assert reply.headers["retry-after"] == "2"
        assert has_every_header(reply.headers)
        for client in busy:
            client.close()
        until(lambda: not server.guard.all)
        assert server.is_healthy()
