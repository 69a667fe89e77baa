"""Between the app and the page that it runs in: requests come as calls, answers go out in parts. Runs in the browser.

The page's worker calls `ask` and `leave`; everything it gets back goes through `post`: the head of an answer, its body
part by part, its end. Nothing here knows what a browser is, so the tests run it on any Python.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable
from dataclasses import replace

from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Scope

from pairloom.static_edition.addresses import SiteAddresses
from pairloom.web.app import create_app
from pairloom.web.logs import told
from pairloom.web.model_cache import ModelCache
from pairloom.web.scopes import scope_of
from pairloom.web.services import Services
from pairloom.web.settings import Settings

# Python is some four times slower as WebAssembly: a portion of a training is smaller, so that it takes as long.
SETTINGS = replace(Settings(), portion_operations=Settings().portion_operations // 5)

Post = Callable[[int, str, object], object]
"""Takes the number of a request, what it is about ("head", "part", "end", "failed"), and that."""


class Bridge:
    """Hands requests to an app and its answers to `post`, any number at a time."""

    def __init__(self, app: ASGIApp, post: Post) -> None:
        self.app = app
        self.post = post
        self._left: dict[int, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, number: int, head: tuple[str, str, str, Iterable[tuple[str, str]]], body: bytes) -> None:
        """Begin to answer a request; it goes on while others are answered. Only inside a running loop.

        Args:
            number: by which its answer will go.
            head: method, path, query and headers.
            body: all of it.
        """
        method, path, query, headers = head
        scope = scope_of(method, path, query=query, headers=headers)
        self._left[number] = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._answer(number, scope, body))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def leave(self, number: int) -> None:
        """Tell the app that nobody waits for an answer any more; one that has been given is none of its business."""
        if number in self._left:
            self._left[number].set()

    async def _answer(self, number: int, scope: Scope, body: bytes) -> None:
        left = self._left[number]
        parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if parts:
                return parts.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if left.is_set():
                return
            if message["type"] == "http.response.start":
                headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in message["headers"]]
                self.post(number, "head", [message["status"], headers])
            elif data := message.get("body", b""):
                self.post(number, "part", data)

        try:
            await self.app(scope, receive, send)
        except Exception as error:  # noqa: BLE001  # the outermost edge: the page says that nothing came of it
            # Who has left is told nothing; who waits learns where it failed, never a value: values are people's texts.
            if not left.is_set():
                self.post(number, "failed", told(error))
        else:
            if not left.is_set():
                self.post(number, "end", None)
        finally:
            del self._left[number]


_prepared: dict[tuple[str, str, str], Starlette] = {}


def prepare(base: str, version: str, source: str) -> None:
    """Make the app and compile all its templates, before a picture of the memory is taken."""
    app = _made(base, version, source)
    services: Services = app.state.services
    for renderer in services.renderers.values():
        renderer.prepare()
    _prepared[base, version, source] = app


def start(base: str, version: str, source: str, post: Post) -> Bridge:
    """Return the bridge to the app: the one in the picture of the memory, or a new one."""
    app = _prepared.pop((base, version, source), None) or _made(base, version, source)
    services: Services = app.state.services
    # Not in the picture: every start has a secret of its own.
    services.models.cache = ModelCache(max_bytes=services.settings.cache_max_bytes)
    # The collector leaves alone what stays for good; what comes later is freed by counting references, as on a server.
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 5, 1_000_000_000)
    return Bridge(app, post)


def _made(base: str, version: str, source: str) -> Starlette:
    return create_app(SETTINGS, api=False, statics=SiteAddresses(base, version, source=source))
