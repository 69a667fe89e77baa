"""The app behind a real server, its trainings behind a gate, and a page that tolerates nothing unexpected."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol, cast

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pairloom.web.app import create_app
from pairloom.web.catalogue import Catalogue
from pairloom.web.settings import Settings
from pairloom.web.training import Progress
from tests.web.editions import StaticSite, built_site, editions_of, serving_site


class Gate:
    """Hold every training after a number of merges, from another thread."""

    def __init__(self) -> None:
        self.hold_at: int | None = None

    async def __call__(self, progress: Progress) -> None:
        while self.hold_at is not None and progress.merges >= self.hold_at:  # noqa: ASYNC110  # another thread's
            await asyncio.sleep(0.005)


class Shredder:
    """Cut event streams into small pieces at any byte, as networks do."""

    def __init__(self, app: ASGIApp, *, size: int) -> None:
        self.app = app
        self.size = size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_stream = False

        async def shred(message: Message) -> None:
            nonlocal is_stream
            if message["type"] == "http.response.start":
                is_stream = any(value.startswith(b"text/event-stream") for _, value in message["headers"])
            body = message.get("body", b"")
            if is_stream:
                while len(body) > self.size:
                    await send({"type": "http.response.body", "body": body[: self.size], "more_body": True})
                    body = body[self.size :]
                    await asyncio.sleep(0.001)
                message = {**message, "body": body} if "body" in message else message
            await send(message)

        await self.app(scope, receive, shred)


class Server(uvicorn.Server):
    """uvicorn in a thread of the tests."""

    is_static = False

    def __init__(self, catalogues: Mapping[str, Catalogue] | None = None) -> None:
        self.gate = Gate()
        # One portion a slice: the gate stands before each slice, and a small training would be over within one.
        settings = replace(Settings(), slice_target_ms=0.0)
        self.app = create_app(settings, gate=self.gate, catalogues=catalogues)
        shredded = Shredder(self.app, size=997)
        super().__init__(uvicorn.Config(shredded, port=0, log_level="warning", access_log=False, lifespan="off"))
        self.thread = threading.Thread(target=self.run, daemon=True)

    @property
    def address(self) -> str:
        port = self.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def forget(self) -> None:
        """Lose every model, as a restart does."""
        self.app.state.services.models.cache.__init__(max_bytes=2**28)


@contextmanager
def serving(catalogues: Mapping[str, Catalogue] | None = None) -> Iterator[Server]:
    """Serve the app inside this block."""
    made = Server(catalogues)
    made.thread.start()
    while not made.started:
        threading.Event().wait(0.01)
    yield made
    made.gate.hold_at = None
    made.should_exit = True
    made.thread.join(10)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests in a browser on both editions of the pages, as far as they apply."""
    if "server" in metafunc.fixturenames and metafunc.module.__name__.rpartition(".")[2].startswith("test_browser_"):
        editions = editions_of(metafunc.module, metafunc.function.__name__)
        metafunc.parametrize("server", editions, indirect=True, scope="module")


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static edition, built once for all processes of a run."""
    return built_site(tmp_path_factory)


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    if getattr(request, "param", "server") == "static":
        with serving_site(request.getfixturevalue("site_folder")) as site:
            yield cast(Server, site)
    else:
        with serving() as made:
            yield made


# What Playwright says itself when it does what `open_page` asks for.
NO_SERVICE_WORKER = "Service Worker registration blocked by Playwright"


@dataclass
class Watch:
    """What the browser complained about, and where it went."""

    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    expected_statuses: set[int] = field(default_factory=set)

    def hear(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"} or message.text == NO_SERVICE_WORKER:
            return
        # Chromium logs every answer of 400 and more, the expected ones too.
        if any(f"status of {status} " in message.text for status in self.expected_statuses):
            return
        self.complaints.append(message.text)


@pytest.fixture
def watch() -> Watch:
    return Watch()


class OpenPage(Protocol):
    """Open the pages in a browser of its own."""

    def __call__(self, path: str = "/", *, script: str = "", **context: object) -> Page: ...


@pytest.fixture
def open_page(browser: Browser, server: Server, watch: Watch) -> Iterator[OpenPage]:
    """Pages, freshly opened; at the end: no console error, no CSP report, no request to anybody else."""
    server.gate.hold_at = None
    server.forget()
    contexts = []

    def follow(request: Request) -> None:
        if not request.url.startswith((server.address + "/", "blob:", "data:")):
            watch.foreign.append(request.url)

    def opening(path: str = "/", *, script: str = "", **options: object) -> Page:
        wanted: dict[str, object] = {"base_url": server.address, "viewport": {"width": 1280, "height": 800}} | options
        if server.is_static:
            # Files that a service worker keeps would be fetched beside every test; it has tests of its own.
            wanted = {"service_workers": "block"} | wanted
        context = browser.new_context(**wanted)  # type: ignore[arg-type]  # handed on as they are
        contexts.append(context)
        opened = context.new_page()
        opened.set_default_timeout(10_000)
        opened.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));" + script
        )
        opened.on("console", watch.hear)
        opened.on("pageerror", lambda error: watch.complaints.append(str(error)))
        context.on("request", follow)
        opened.goto(path)
        if server.is_static:
            site = cast(StaticSite, server)
            site.contexts = contexts
            site.wait_for_python(opened)
        return opened

    yield opening
    server.gate.hold_at = None
    if server.is_static:
        cast(StaticSite, server).contexts = []
    for context in contexts:
        context.close()
    assert watch.complaints == []
    assert watch.foreign == []


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The workbench, freshly opened."""
    return open_page()
