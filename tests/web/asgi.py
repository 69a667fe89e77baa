"""A client that speaks ASGI to the app directly: it can trickle a body, read a stream bit by bit and hang up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote_plus

from starlette.types import ASGIApp, Message, Scope

from pairloom.web.scopes import scope_of

TIMEOUT_S = 30
FORM = "application/x-www-form-urlencoded"


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Exchange:
    """One request under way."""

    app: ASGIApp
    scope: Scope
    body: list[bytes]
    sent: list[Message] = field(default_factory=list)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def receive(self) -> Message:
        if self.body:
            part = self.body.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(self.body)}
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        # As a real server does: other tasks run between two messages.
        await asyncio.sleep(0)
        self.sent.append(message)
        self.news.set()

    async def run(self) -> None:
        await self.app(self.scope, self.receive, self.send)

    async def until(self, text: str) -> str:
        """Wait until the body so far has `text` in it; return the body so far."""
        async with asyncio.timeout(TIMEOUT_S):
            while text not in self.so_far():
                self.news.clear()
                await self.news.wait()
        return self.so_far()

    def so_far(self) -> str:
        return self.bytes_so_far().decode(errors="replace")

    def bytes_so_far(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent if message["type"] == "http.response.body")

    def answer(self) -> Answer:
        start = self.sent[0]
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
        return Answer(start["status"], headers, self.bytes_so_far())


def exchange(
    app: ASGIApp,
    method: str,
    path: str,
    *,
    form: Mapping[str, str] | None = None,
    body: Iterable[bytes] = (b"",),
    headers: Sequence[tuple[str, str]] = (),
    host: str | None = "localhost:8000",
) -> Exchange:
    """Prepare a request."""
    parts = list(body)
    all_headers = list(headers)
    if host is not None:
        all_headers.insert(0, ("host", host))
    if form is not None:
        parts = ["&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in form.items()).encode()]
        all_headers.append(("content-type", FORM))
    path, _, query = path.partition("?")
    scope: Scope = {
        **scope_of(method, path, query=query),
        "headers": [(name.encode(), value.encode()) for name, value in all_headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }
    return Exchange(app, scope, parts)


async def ask(app: ASGIApp, method: str, path: str, **more: object) -> Answer:
    """Send a request and return the whole answer."""
    made = exchange(app, method, path, **more)  # type: ignore[arg-type]  # handed on as they are
    await asyncio.wait_for(made.run(), TIMEOUT_S)
    return made.answer()


def ask_now(app: ASGIApp, method: str, path: str, **more: object) -> Answer:
    """Send a request outside an event loop."""
    return asyncio.run(ask(app, method, path, **more))


def events(text: str) -> list[str]:
    """Return the data of each event of a stream."""
    return ["\n".join(line[6:] for line in event.split("\n")) for event in text.split("\n\n") if event.strip()]


async def until(condition: Callable[[], bool]) -> None:
    """Let everything else run until something holds."""
    async with asyncio.timeout(TIMEOUT_S):
        while not condition():  # noqa: ASYNC110  # no event tells it
            await asyncio.sleep(0)
