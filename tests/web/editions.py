"""The two editions of the pages that the tests in a browser run against: from a server, and from a folder of files.

Both have the same face here: an address, a gate for trainings, and a way to lose all models. What a test asks of a
server that a folder does not have is listed below, each with its reason; everything else runs on both.

`PAIRLOOM_STATIC` says how many run on the static edition: "some" (every fourth test of each module, beginning with the
first; what `make test` does), "all" (`make test-full`) or "none".
"""

from __future__ import annotations

import fcntl
import inspect
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tools.serve_site import serving as serving_files

EVERY = 4
"""Of so many tests of a module, one runs on the static edition where not all do."""

_HTTP = "is about what travels over HTTP; the static edition sends nothing there but for its files"
_OBJECTS = "looks into the server's own objects, which are in the page's worker there"
_NETWORK = "holds, alters or counts requests on the network; the static edition answers them in the page"
CANNOT = {".route(": _NETWORK, '.on("request"': _NETWORK, "expect_response(": _NETWORK, "server.app": _OBJECTS}
"""What a test does, as its source says it, that the static edition has nothing for; with the reason."""

_ADDRESS = "is about addresses; those of the static edition name the language (test_static_edition.py has them)"
NOT_STATIC = {
    "test_browser_language.test_g_the_browser_chooses_first": _ADDRESS,
    "test_browser_language.test_g_the_choice_is_remembered": _ADDRESS,
    "test_browser_language.test_g_on_the_method_page": _ADDRESS,
    "test_browser_walk_rules.test_s1_w3_answers_about_the_old_text_are_dropped": _NETWORK,
    "test_browser_walk_rules.test_s6_an_encoding_of_the_text_before_is_dropped": _NETWORK,
    "test_browser_walk_under_way.test_s3_all_pairs_asked_for_under_way_stay": _NETWORK,
    "test_browser_method.test_it_comes_with_the_view_and_nothing_jumps": _NETWORK,
    "test_browser_method.test_g_a_text_in_the_old_language_that_comes_late_is_not_shown": _NETWORK,
    "test_browser_method.test_g_left_and_in_another_language_before_it_came": _NETWORK,
    "test_browser_method.test_it_can_be_read_without_scripts": _ADDRESS,
    "test_browser_lesson.test_s7_another_language_keeps_its_style": "counts scripts by names that bundling takes away",
}
"""Further tests that cannot apply, as `module.test`, with the reason."""


def why_not_static(module: ModuleType, test: str) -> str | None:
    """Return why a test does not run on the static edition; None if it does."""
    source = inspect.getsource(getattr(module, test))
    named = NOT_STATIC.get(f"{module.__name__.rpartition('.')[2]}.{test}")
    return named or next((reason for words, reason in CANNOT.items() if words in source), None)


_HOLD = """
import asyncio
from dataclasses import replace

def hold(app, at):
    scheduler = app.state.services.models.scheduler
    # One portion a slice: the gate stands before each slice, and a small training would be over within one.
    scheduler.settings = replace(scheduler.settings, slice_target_ms=0.0)
    scheduler.held = at

    async def gate(progress):
        while scheduler.held is not None and progress.merges >= scheduler.held:
            await asyncio.sleep(0.005)

    scheduler.gate = gate

hold
"""
_FORGET = """
def forget(app):
    app.state.services.models.cache.__init__(max_bytes=2**28)

forget
"""
_CALL = """async ([code, value]) => {
    while (!globalThis.bridge) await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.python.runPython(code)(globalThis.bridge.app, ...value);
}"""


class StaticGate:
    """Hold every training after a number of merges, in every page that is open."""

    def __init__(self, site: StaticSite) -> None:
        self._site = site
        self._hold_at: int | None = None

    @property
    def hold_at(self) -> int | None:
        """After how many merges trainings are held."""
        return self._hold_at

    @hold_at.setter
    def hold_at(self, value: int | None) -> None:
        if value != self._hold_at:
            self._hold_at = value
            self._site.call(_HOLD, value)


class StaticSite:
    """A folder of the static edition behind a plain file server, and the pages that are open from it."""

    is_static = True

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.contexts: list[BrowserContext] = []
        self.gate = StaticGate(self)

    def call(self, code: str, *value: object) -> None:
        """Run Python in every page: a function, which is called with the app and the values."""
        for context in self.contexts:
            for page in context.pages:
                for worker in page.workers:
                    worker.evaluate(_CALL, [code, list(value)])

    def forget(self) -> None:
        """Lose every model, as a restart does."""
        self.call(_FORGET)

    def wait_for_python(self, page: Page) -> None:
        """Wait until Python answers: what is asked before has tests of its own."""
        expect(page.locator("html")).to_have_attribute("data-python", "ready", timeout=120_000)
        if page.locator("main[data-sheet]").count():
            # A worksheet is written by Python, too.
            expect(page.locator("main[data-sheet] article").first).to_be_attached(timeout=20_000)


def editions_of(module: ModuleType, test: str) -> list[str]:
    """Return the editions that a test of a module runs on."""
    wanted = os.environ.get("PAIRLOOM_STATIC", "some")
    assert wanted in {"all", "none", "some"}, "PAIRLOOM_STATIC is all, none or some"
    if wanted == "none" or why_not_static(module, test):
        return ["server"]
    both = [each for each in vars(module) if each.startswith("test_") and not why_not_static(module, each)]
    is_chosen = wanted == "all" or both.index(test) % EVERY == 0
    return ["server", "static"] if is_chosen else ["server"]


@contextmanager
def serving_site(folder: Path) -> Iterator[StaticSite]:
    """Serve a folder of the static edition inside this block."""
    with serving_files(folder) as address:
        yield StaticSite(address)


# With a snapshot: tests begin sooner. The edition without one has tests of its own. In a process of its own: with
# Playwright open, an event loop counts as running here.
_BUILD = """
import sys
from pathlib import Path
from pairloom.static_edition.building import build
build(Path(sys.argv[1]), snapshot=True, compress=False, tell=lambda line: None)
"""


def needs_node() -> None:
    """Skip where the static edition cannot be built."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("the static edition is built with Node.js and npm, which are not on this machine")


def built_site(factory: pytest.TempPathFactory) -> Path:
    """Build the static edition, once for all processes of a run: the others wait for the first."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            needs_node()
            subprocess.run([sys.executable, "-c", _BUILD, str(folder)], check=True)
    return folder
