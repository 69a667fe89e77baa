"""What only the static edition has: it begins before Python is there, and goes on without a network."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Worker, expect

import pairloom
from pairloom.static_edition import building
from tests.support.repository import ROOT
from tests.web.driving import LOW, encode, is_in_state, press_train, shows_prefix, train
from tests.web.editions import needs_node
from tests.web.test_browser_access import violations
from tools.serve_site import Handler, serving

pytestmark = pytest.mark.browser

BASE = "/courses/bpe/"
VECTORS = ROOT / "tests" / "vectors"
_BUILD = """
import sys
from pathlib import Path
from pairloom.static_edition.building import build
build(Path(sys.argv[1]), base=sys.argv[2], snapshot=sys.argv[3] == "yes", compress=False, tell=lambda line: None)
"""
PYTHON_MS = 120_000
_HOLD = """
import asyncio

def hold(app):
    async def gate(progress):
        await asyncio.Event().wait()

    app.state.services.models.scheduler.gate = gate

hold
"""


def build_in_a_process(folder: Path, *, snapshot: bool) -> None:
    """With Playwright open, an event loop counts as running in this one."""
    needs_node()
    command = [sys.executable, "-c", _BUILD, str(folder), BASE, "yes" if snapshot else "no"]
    subprocess.run(command, check=True)


@dataclass
class Host:
    """A plain file server with a folder: it can be stopped, wait, and lose files."""

    folder: Path
    address: str = ""
    asked: list[str] = field(default_factory=list)
    open: threading.Event = field(default_factory=threading.Event)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "site"
    build_in_a_process(made, snapshot=False)
    return made


@pytest.fixture
def host(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    made = Host(folder)
    made.open.set()
    answer = Handler._answer

    def noted(self: Handler, *, with_body: bool) -> None:
        made.asked.append(self.path)
        if "/python/" in self.path:
            made.open.wait(60)
        answer(self, with_body=with_body)

    monkeypatch.setattr(Handler, "_answer", noted)
    with serving(folder) as address:
        made.address = address
        yield made
        made.open.set()


@dataclass
class Visit:
    """A browser of its own, and all that it complained about."""

    context: BrowserContext
    host: Host
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def follow(self, request: Request) -> None:
        if not request.url.startswith((self.host.address.removesuffix(BASE), "blob:")):
            self.foreign.append(request.url)

    def open(self, path: str = "") -> Page:
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        page.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));"
        )
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.host.address + path)
        return page


@pytest.fixture
def visit(browser: Browser, host: Host) -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    made = Visit(context, host)
    context.on("request", made.follow)
    yield made
    host.open.set()
    context.close()
    assert made.complaints == []
    assert made.foreign == []


def wait_for_python(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-python", "ready", timeout=PYTHON_MS)


def wait_for_caches(page: Page) -> None:
    """Wait until the service worker has kept everything."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")


def visited(context: BrowserContext, address: str) -> Page:
    """A page that has been there once: everything is kept."""
    page = context.new_page()
    page.goto(address)
    wait_for_python(page)
    wait_for_caches(page)
    return page


def worker_of(page: Page) -> Worker:
    (worker,) = page.workers
    return worker


def test_a_first_visit_asks_for_few_files(visit: Visit, host: Host) -> None:
    page = visit.open()
    wait_for_python(page)
    wait_for_caches(page)
    train(page)
    # For the cache, large files come out of the browser's own. That of a window without a history is small: without
    # their compressed twins some do not fit into it.
    assert len(set(host.asked)) <= 15, host.asked
    again = [path for path in set(host.asked) if host.asked.count(path) > 1]
    assert all("/python/" in path for path in again), again


def test_the_page_is_there_before_python(visit: Visit, host: Host) -> None:
    host.open.clear()
    page = visit.open()
    expect(page.locator(".intro .example")).to_contain_text("low")
    expect(page.locator("#python-word")).to_contain_text("Python is on its way: 0.0 of")
    assert violations(page) == []
    # What is asked for waits: training, then another view, then a word of its text.
    page.locator("#corpus").fill(LOW)
    page.locator("#train").click()
    is_in_state(page, "training")
    assert violations(page) == []
    page.locator("#cancel").click()
    is_in_state(page, "empty")
    page.locator("#train").click()
    page.locator("a[data-language=de]").click()
    expect(page.locator("#python-word")).to_contain_text("Python wird geladen")
    is_in_state(page, "training")
    host.open.set()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained", timeout=PYTHON_MS)
    expect(page.locator("#python")).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("Trainiert")


@pytest.mark.parametrize(
    ("path", "words"), [("", "Watch characters"), ("de/method/", "Methode"), ("de/lesson/print/", "Tokens")]
)
def test_it_can_be_read_without_scripts(browser: Browser, host: Host, path: str, words: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(host.address + path)
    expect(page.locator("main")).to_contain_text(words)
    assert page.evaluate("() => getComputedStyle(document.body).margin") == "0px"
    context.close()


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_bar_fits(browser: Browser, host: Host, size: tuple[int, int], theme: Literal["light", "dark"]) -> None:
    host.open.clear()
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme, locale="de-DE")
    page = context.new_page()
    page.goto(host.address)
    expect(page.locator("#python")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert violations(page) == []
    host.open.set()
    context.close()


def test_after_the_first_visit_no_network_is_needed(browser: Browser, folder: Path) -> None:
    context = browser.new_context(locale="en-GB")
    with serving(folder) as address:
        page = visited(context, address)
    # The server has gone.
    train(page)
    page.reload()
    wait_for_python(page)
    expect(page.locator("#corpus")).to_have_value(LOW)
    press_train(page)
    encode(page, "slow")
    page.locator("#inspect summary").first.click()
    expect(page.locator("#inspect-tools .tool").first).to_be_visible()
    page.locator("a[data-language=de]").click()
    expect(page.locator("#train")).to_have_text("Trainieren")
    page.locator(".views [data-view=lesson]").click()
    expect(page.locator("#lesson-body h3").first).to_be_visible()
    expect(page.locator("#walkthrough")).to_have_attribute("data-state", "trained")
    for path in ("de/method", "walkthrough/", "de/lesson/print/"):
        page.goto(address + path)
        expect(page.locator("main")).not_to_be_empty()
    page.goto(address + "lesson/worksheet/?seed=7")
    expect(page.locator("article.sheet").first).to_be_visible(timeout=PYTHON_MS)
    context.close()


def test_a_new_edition_is_seen_though_the_server_says_nothing_of_keeping(
    browser: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser keeps a document of last year for weeks then, and the files that it names are gone."""
    send_header = Handler.send_header

    def left_out(self: Handler, name: str, value: str) -> None:
        if name == "Cache-Control":
            name, value = "Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT"
        send_header(self, name, value)

    monkeypatch.setattr(Handler, "send_header", left_out)
    asked: list[str] = []
    answer = Handler._answer

    def noted(self: Handler, *, with_body: bool) -> None:
        asked.append(self.path)
        if is_failing:
            self.send_error(503)
        else:
            answer(self, with_body=with_body)

    monkeypatch.setattr(Handler, "_answer", noted)
    is_failing = False
    context = browser.new_context(locale="en-GB")
    with serving(folder) as address:
        page = visited(context, address)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        asked.clear()
        page.goto(f"{address}method/")
        page.goto(address)
        assert BASE in asked
        # A server that fails counts as no network.
        is_failing = True
        page.goto(f"{address}method/")
        expect(page.locator("#method-title")).to_be_visible()
    context.close()


def test_a_worker_that_dies_is_replaced(visit: Visit) -> None:
    page = visit.open()
    wait_for_python(page)
    train(page)
    first = worker_of(page)
    first.evaluate("() => { setTimeout(() => { throw new Error('out of memory'); }); }")
    expect(page.locator("html")).not_to_have_attribute("data-python", "ready")
    expect(page.locator("#python-word")).to_contain_text("Python stopped and is starting again.")
    # Nothing that was seen or typed is gone, and the lost model comes back by itself.
    expect(page.locator("#corpus")).to_have_value(LOW)
    is_in_state(page, "trained")
    page.locator("#prefix").fill("1")
    wait_for_python(page)
    shows_prefix(page, 1)
    encode(page, "slow")


def test_a_training_that_is_cut_off_is_said(visit: Visit) -> None:
    page = visit.open()
    wait_for_python(page)
    worker = worker_of(page)
    worker.evaluate("(code) => { globalThis.python.runPython(code)(globalThis.bridge.app); }", _HOLD)
    page.locator("#corpus").fill(LOW)
    page.locator("#train").click()
    expect(page.locator("#training progress")).to_be_visible()
    worker.evaluate("() => { setTimeout(() => { throw new Error('gone'); }); }")
    expect(page.locator("#trouble")).to_contain_text("That did not work as it should.")
    is_in_state(page, "empty")
    wait_for_python(page)
    press_train(page)
    visit.complaints = [each for each in visit.complaints if "htmx" not in each and "gone" not in each]


def test_python_that_cannot_start_is_said_and_can_be_tried_again(visit: Visit, host: Host) -> None:
    (app,) = host.folder.glob("python/app-*.zip")
    away = app.rename(app.with_suffix(".away"))
    try:
        page = visit.open()
        page.locator("#corpus").fill(LOW)
        page.locator("#train").click()
        expect(page.locator("#python-word")).to_contain_text("Python could not be started.", timeout=PYTHON_MS)
        assert violations(page) == []
    finally:
        away.rename(app)
    page.locator("#python-retry").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained", timeout=PYTHON_MS)
    visit.complaints = [each for each in visit.complaints if "404" not in each]


def test_cancelling_reaches_python(visit: Visit) -> None:
    page = visit.open()
    wait_for_python(page)
    words = " ".join(f"{number * 7919 % 100_003:x}{number}" for number in range(4_000))
    page.locator("#corpus").fill(words)
    page.locator("#merge-limit").fill("40000")
    page.locator("#train").click()
    expect(page.locator("#training progress")).to_be_visible()
    page.locator("#cancel").click()
    expect(page.locator("#status")).to_contain_text("Cancelled")
    left = "def left(app):\n return len(app.state.services.models.scheduler)\nleft"
    for _ in range(100):
        if worker_of(page).evaluate("(code) => globalThis.python.runPython(code)(globalThis.bridge.app)", left) == 0:
            return
        page.wait_for_timeout(100)
    pytest.fail("the training goes on")


def test_languages_have_addresses(visit: Visit, host: Host) -> None:
    page = visit.open("de/lesson/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator(".views [data-view=method]").click()
    assert page.url == f"{host.address}de/method/"
    page.locator("a[data-language=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url == f"{host.address}method/"
    page.go_back()
    # An entry of before the choice: the same view, in the language that the page has now.
    expect(page.locator("#lesson")).to_be_visible()
    assert page.url == f"{host.address}lesson/"
    page.goto(f"{host.address}?lang=de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(host.address)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == f"{host.address}de/"
    wait_for_python(page)


def test_every_vector_trains_to_the_fingerprint_of_the_library(visit: Visit) -> None:
    page = visit.open()
    wait_for_python(page)
    vectors = [
        each for name in ("training", "reports") for each in json.loads((VECTORS / f"{name}.json").read_text("ascii"))
    ]
    for vector in vectors:
        form = {
            "corpus": vector["corpus"],
            "pre_tokenizer": vector["pretokenizer"],
            "merge_limit": str(vector["merge_limit"]),
        }
        model = page.evaluate(
            "async (form) => {"
            " const send = (path, body) => fetch(path, { method: 'POST', body: new URLSearchParams(body) });"
            " const said = await (await send('/workbench/train', form)).text();"
            " const key = /id=.model-key[^>]*value=.([0-9a-f]{32})/.exec(said)?.[1] ?? said;"
            " return (await send('/workbench/files/model.json', { key })).text(); }",
            form | ({"lowercase": "on"} if vector["lowercase"] else {}),
        )
        ours = pairloom.train(
            vector["corpus"], vector["merge_limit"], lowercase=vector["lowercase"], pre_tokenizer=vector["pretokenizer"]
        )
        assert json.loads(model)["fingerprint"] == ours.fingerprint, vector["name"]
    assert len(vectors) == 30


def test_a_snapshot_that_does_not_fit_is_done_without(browser: Browser, tmp_path: Path) -> None:
    build_in_a_process(tmp_path / "site", snapshot=True)
    (snapshot,) = (tmp_path / "site").glob("python/snapshot-*.bin")
    whole = snapshot.read_bytes()
    for body, message in ((whole, None), (whole[: len(whole) // 2], "the snapshot does not fit")):
        snapshot.write_bytes(body)
        context = browser.new_context()
        said: list[str] = []
        with serving(tmp_path / "site") as address:
            page = context.new_page()
            page.on("console", lambda each: said.append(each.text))  # noqa: B023  # read in the same round
            page.goto(address)
            wait_for_python(page)
            train(page)
        assert [each for each in said if "snapshot" in each][:1] == ([] if message is None else said[:1])
        assert (message or "") in " ".join(said)
        context.close()


def test_what_is_kept_for_ever_has_its_content_in_its_name(folder: Path) -> None:
    """Even what holds the documents: with a snapshot they change while the version does not."""
    (kept,) = folder.glob("static/*/offline-*.json")
    digest = hashlib.sha256(kept.read_bytes()).hexdigest()[:12]
    assert kept.name == f"offline-{digest}.json"
    assert f'"small": "{BASE}{kept.relative_to(folder).as_posix()}"' in (folder / "offline.js").read_text()
    assert f' {digest}"' in (folder / "offline.js").read_text()
    # It counts as a part of the first visit.
    listing = (folder / "files.json").read_text("utf-8")
    transfer = building._list_files(folder, BASE)
    kept_aside = kept.rename(kept.with_name("aside"))
    size = kept_aside.stat().st_size
    assert building._list_files(folder, BASE) == transfer - size
    kept_aside.rename(kept)
    (folder / "files.json").write_text(listing, "utf-8")


def test_the_list_of_files_is_right(folder: Path) -> None:
    listed: dict[str, dict[str, Any]] = json.loads((folder / "files.json").read_text("utf-8"))["files"]
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert set(listed) == set(there) - {"files.json"}
    for name, facts in listed.items():
        body = there[name].read_bytes()
        assert facts == {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    # Long-cacheable names hold their content.
    for name in listed:
        if name.startswith("python/"):
            assert re.fullmatch(r"python/[a-z]+-[0-9a-f]{12}\.[a-z]+", name)
