"""The bridge hands requests to the app and its answers back, as a server would; on any Python."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

import pytest
from starlette.types import Receive, Scope, Send

from pairloom.static_edition.bridge import Bridge, prepare, start

FORM = ("content-type", "application/x-www-form-urlencoded")
LOW = {"corpus": "low low lower", "pre_tokenizer": "whitespace", "merge_limit": "10"}


class Heard:
    """What was posted to the page."""

    def __init__(self) -> None:
        self.messages: list[tuple[int, str, object]] = []
        self.changed = asyncio.Event()

    def __call__(self, number: int, kind: str, value: object) -> None:
        self.messages.append((number, kind, value))
        self.changed.set()

    def of(self, number: int, kind: str) -> list[object]:
        return [value for own, what, value in self.messages if (own, what) == (number, kind)]

    def head(self, number: int) -> tuple[int, list[list[str]]]:
        (head,) = self.of(number, "head")
        assert isinstance(head, list)
        status, headers = head
        return status, headers

    async def until(self, is_there: Callable[[], object]) -> None:
        async with asyncio.timeout(30):
            while not is_there():
                self.changed.clear()
                await self.changed.wait()

    async def end(self, number: int) -> bytes:
        await self.until(lambda: self.of(number, "end") or self.of(number, "failed"))
        parts = self.of(number, "part")
        return b"".join(part for part in parts if isinstance(part, bytes))


def run(test: Callable[[Heard], Awaitable[None]]) -> None:
    async def inside() -> None:
        await test(Heard())

    asyncio.run(inside())


def test_a_request_is_answered_with_head_parts_and_end() -> None:
    async def test(heard: Heard) -> None:
        bridge = start("/bpe/", "0" * 12, "en", heard)
        bridge.ask(7, ("GET", "/method/text", "", [("page-language", "de")]), b"")
        text = (await heard.end(7)).decode()
        status, headers = heard.head(7)
        assert status == 200
        assert ["content-language", "de"] in headers
        # Links are those of the folder.
        assert 'href="/bpe/de/#corpus"' in text

    run(test)


def test_a_training_streams_and_several_requests_run_at_once() -> None:
    async def test(heard: Heard) -> None:
        bridge = start("/", "0" * 12, "en", heard)
        bridge.ask(1, ("POST", "/workbench/train", "", [FORM]), urlencode(LOW).encode())
        bridge.ask(2, ("GET", "/healthz", "", []), b"")
        assert b"ok" in await heard.end(2)
        assert b"model-key" in await heard.end(1)

    run(test)


def test_who_leaves_ends_the_training() -> None:
    async def test(heard: Heard) -> None:
        bridge = start("/", "0" * 12, "en", heard)
        scheduler = bridge.app.state.services.models.scheduler  # type: ignore[attr-defined]  # Starlette's
        held = asyncio.Event()

        async def gate(_: object) -> None:
            await held.wait()

        scheduler.gate = gate
        bridge.ask(1, ("POST", "/workbench/train", "", [FORM]), urlencode(LOW).encode())
        await heard.until(lambda: heard.of(1, "head"))
        assert len(scheduler) == 1
        bridge.leave(1)
        bridge.leave(99)
        async with asyncio.timeout(30):
            while len(scheduler) or bridge._tasks:  # noqa: ASYNC110  # nothing tells of it
                await asyncio.sleep(0.01)
        assert heard.of(1, "end") + heard.of(1, "failed") == []

    run(test)


def test_a_failure_is_told_by_its_place_without_a_value() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError(scope["query_string"].decode())

    async def test(heard: Heard) -> None:
        Bridge(broken, heard).ask(3, ("GET", "/", "somebody", []), b"")
        await heard.end(3)
        (told,) = heard.of(3, "failed")
        assert "ValueError" in str(told)
        assert "somebody" not in str(told)

    run(test)


def test_what_was_prepared_is_used_once_and_with_a_secret_of_its_own() -> None:
    async def test(heard: Heard) -> None:
        prepare("/", "1" * 12, "en")
        first, second = (start("/", "1" * 12, "en", heard).app for _ in range(2))
        assert first is not second
        secrets = {app.state.services.models.cache._secret for app in (first, second)}  # type: ignore[attr-defined]
        assert len(secrets) == 2

    run(test)


@pytest.mark.parametrize("path", ["/workbench/none", "/static/x/pairloom.css"])
def test_what_is_not_there_is_said(path: str) -> None:
    async def test(heard: Heard) -> None:
        bridge = start("/", "0" * 12, "en", heard)
        bridge.ask(1, ("GET", path, "", []), b"")
        await heard.end(1)
        status, _ = heard.head(1)
        assert status == 404

    run(test)
