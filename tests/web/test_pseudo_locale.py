"""No text that a reader meets is hard-coded: where every message stands in brackets, nothing stands outside of them.

The language that does so is made here from messages.pot; it is also half as long again, as translations tend to be.

What comes from a reader's text, names and numbers may stand without brackets. Rule: G.
"""

from __future__ import annotations

import asyncio
import gettext
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from playwright.sync_api import Browser, Page, Route, expect
from starlette.applications import Starlette

from pairloom.views.lesson.fixed import FIXED, fixed_problem
from pairloom.views.lesson.problems import KINDS
from pairloom.views.lesson.wording import answer_text
from pairloom.views.ties import OTHER_RULES
from pairloom.web.app import create_app
from pairloom.web.catalogue import Catalogue, load_catalogues
from tests.web.asgi import ask, events
from tests.web.conftest import Server, serving
from tests.web.driving import LOW, choose_prefix, encode, hold_training, set_text, train

PSEUDO = "x-pseudo"
# What a catalogue is asked for that is no text.
NO_TEXT = {
    "name of this language in itself",
    "decimal sign",
    "sign between groups of three digits",
    "language of the sample text",
}
# Names, and signs that are the same in each language.
NAMES = {
    "Pairloom", "English", "Deutsch", "UNK", "SentencePiece", "subword-nmt", "Hugging Face tokenizers, rustbpe",
    "minbpe", "Hugging Face",
    "aclanthology.org", "github.com",
}  # fmt: skip  # grouped by kind
# Where a reader's own text stands, and tokens made of it. Numbers of rules: `rule`.
OWN = {"bdi", "samp", "mark", "code", "math", "textarea", "script", "style"}
OWN_CLASSES = {"flow", "tokens", "rule", "decoded"}
READ_ALOUD = ("aria-label", "aria-valuetext", "aria-roledescription", "title", "placeholder", "alt")


def bracketed(text: str) -> str:
    return f"⟦{text}{'~' * (len(text) // 2)}⟧"


def pseudo() -> Catalogue:
    with (files("pairloom.web") / "locale" / "messages.pot").open("rb") as file:
        template = read_po(file)
    catalog = Catalog(locale="en")
    for message in template:
        if not message.id or message.context in NO_TEXT:
            continue
        if isinstance(message.id, str):
            catalog.add(message.id, bracketed(message.id), context=message.context)
        else:
            catalog.add(message.id, tuple(map(bracketed, message.id)), context=message.context)
    stream = io.BytesIO()
    write_mo(stream, catalog)
    stream.seek(0)
    return Catalogue(PSEUDO, gettext.GNUTranslations(stream))


CATALOGUES = {**load_catalogues(), PSEUDO: pseudo()}


def outside(text: str, depth: int = 0) -> tuple[str, int]:
    """Return what stands outside of brackets, and how many are open at the end."""
    found = []
    for sign in text:
        if sign == "⟧":
            depth -= 1
        if not depth and sign not in "⟦⟧":
            found.append(sign)
        if sign == "⟦":
            depth += 1
    return "".join(found).strip(), depth


def is_hard_coded(text: str) -> bool:
    # A name may be part of a longer one.
    for name in sorted(NAMES, key=len, reverse=True):
        text = text.replace(name, "")
    return re.search(r"[^\W\d_]", text) is not None


class Finder(HTMLParser):
    """Text and texts of attributes outside of brackets."""

    VOID = frozenset({"input", "br", "wbr", "meta", "link", "img", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.own = 0
        self.open: list[tuple[str, bool]] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        for name in READ_ALOUD:
            text, _ = outside(given.get(name, ""))
            if is_hard_coded(text):
                self.found.append(f"{name}={text}")
        if tag in self.VOID:
            return
        is_own = tag in OWN or bool(OWN_CLASSES & set(given.get("class", "").split()))
        self.own += is_own
        self.open.append((tag, is_own))

    def handle_endtag(self, tag: str) -> None:
        # Cells and rows are closed by what follows them: go back to the tag that this one closes.
        while self.open:
            name, was_own = self.open.pop()
            self.own -= was_own
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        text, self.depth = outside(data, self.depth)
        if not self.own and is_hard_coded(text):
            self.found.append(text)


def hard_coded(markup: str) -> list[str]:
    finder = Finder()
    finder.feed(markup)
    return finder.found


def test_the_finder_finds() -> None:
    assert hard_coded("<p>⟦a <b>b</b>⟧ c <i title='d'>⟦e⟧</i><bdi>f</bdi> 7 · UNK</p>") == ["c", "title=d"]


LESSON = ("/lesson/text", "/lesson/tools", "/lesson/print", "/lesson/worksheet?seed=1&level=2&count=12")


async def lesson(app: Starlette, answers: dict[str, str]) -> None:
    """Ask for all that the lesson and its tools can say."""
    in_pseudo = [("page-language", PSEUDO)]

    async def post(path: str, **fields: str) -> str:
        answer = await ask(app, "POST", path, form=fields, headers=in_pseudo)
        answers[f"{path} {fields}"] = answer.text
        return answer.text

    for name in FIXED:
        await post("/lesson/solution", fixed=name)
        for guess in ("q + q", "q", "7", "", "never", answer_text(fixed_problem(name).problem)):
            await post("/lesson/answer", fixed=name, answer=guess)
    for kind in KINDS:
        await post("/lesson/problem", seed="1", level="3", kind=kind, number="1")
        await post("/lesson/solution", seed="1", level="3", kind=kind, number="1")
    stream = await post("/walkthrough/train", corpus="nap pan tap pat nat tan tan nat pat tap pan nap", predict="mixed")
    key = re.search(r'id="walk-key" value="([0-9a-f]+)"', "".join(events(stream)))
    assert key
    answers.pop(next(name for name in answers if name.startswith("/walkthrough/train")))
    for prefix in ("0", "1", "2", "12"):
        at = {"key": key[1], "prefix": prefix, "predict": "mixed"}
        await post("/walkthrough/step", **at)
        if prefix != "12":
            await post("/walkthrough/predict", answer="x", **at)
            await post("/walkthrough/predict", reveal="on", **at)
    for word in ("nap", "tan", "x"):
        await post("/walkthrough/life", key=key[1], prefix="0", walk_word=word)
    for rule in OTHER_RULES:
        await post("/walkthrough/rule", key=key[1], prefix="0", rule=rule)
    await post("/walkthrough/program", key=key[1], prefix="0")


def test_every_answer_of_the_server() -> None:
    async def main() -> dict[str, str]:
        app = create_app(catalogues=CATALOGUES)
        in_pseudo = [("page-language", PSEUDO)]
        answers = {
            path: (await ask(app, "GET", path, headers=in_pseudo)).text
            for path in ("/", "/method", "/method/text", *LESSON)
        }
        corpus = "low lower lowest slow slowest newer wider " * 30
        inputs = {"corpus": corpus, "merge_limit": "1000", "pre_tokenizer": "punctuation"}

        async def post(name: str, path: str, fields: dict[str, str]) -> str:
            answer = await ask(app, "POST", f"/workbench/{path}", form=fields, headers=in_pseudo)
            is_stream = answer.headers["content-type"].startswith("text/event-stream")
            answers[name] = "".join(events(answer.text)) if is_stream else answer.text
            return answers[name]

        for name, change in {
            "trained": {},
            "no merge": {"merge_limit": "0"},
            "two errors": {"corpus": "low ▁", "merge_limit": "x"},
            "too long": {"corpus": "a" * 40_001},
            "too long normalized": {"corpus": "İ" * 20_001, "lowercase": "on"},
            "empty": {"corpus": " "},
            "pre-tokenizer": {"pre_tokenizer": "x"},
        }.items():
            await post(name, "train", inputs | change)
        key = re.search(r'name="key" value="([0-9a-f]+)"', answers["trained"])
        assert key
        form = {"key": key[1], "prefix": "3"}
        for path in ("prefix", "shown", "corpus", "merges", "vocabulary"):
            for prefix in ("0", "3"):
                await post(f"{path} {prefix}", path, form | {"prefix": prefix})
        for text in ("low", "low x", "x y z", "", "low " * 900):
            for path in ("encode", "prefix", "shown"):
                await post(f"{path} {text!r}", path, form | {"text": text})
        for path, wrong in (
            ("prefix", {"prefix": "9999"}),
            ("merges", {"rank": "x"}),
            ("vocabulary", {"token_id": "x"}),
            ("encode", {"text": "▁"}),
            ("ids", {"text": "x"}),
        ):
            await post(f"{path} {wrong}", path, form | wrong)
        await lesson(app, answers)
        return answers

    for name, markup in asyncio.run(main()).items():
        assert hard_coded(markup) == [], name


@pytest.fixture(scope="module")
def pseudo_server() -> Iterator[Server]:
    with serving(CATALOGUES) as made:
        yield made


@pytest.fixture
def page(browser: Browser, pseudo_server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=pseudo_server.address, viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    opened.set_default_timeout(10_000)
    opened.goto(f"/?lang={PSEUDO}")
    yield opened
    pseudo_server.gate.hold_at = None
    context.close()


def is_translated(page: Page) -> None:
    # The document as it is: what scripts have made is in it.
    assert hard_coded(page.locator("html").evaluate("(html) => html.outerHTML")) == []


@pytest.mark.browser
def test_every_state_of_the_page(page: Page, pseudo_server: Server) -> None:
    is_translated(page)
    page.locator("#corpus").fill("a" * 40_001)
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).not_to_be_empty()
    is_translated(page)
    set_text(page, "corpus", [0x61, 0xD800])
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).not_to_be_empty()
    is_translated(page)
    page.locator("#corpus").fill("é" * 33_000)
    is_translated(page)
    for body in (b"\xff", b"a" * 40_001, b"low low lower lowest"):
        page.locator("#file").set_input_files({"name": "1.2", "mimeType": "text/plain", "buffer": body})
        page.wait_for_timeout(50)
        is_translated(page)
    hold_training(page, pseudo_server)
    is_translated(page)
    page.locator("#cancel").click()
    is_translated(page)
    pseudo_server.gate.hold_at = None
    train(page)
    is_translated(page)
    for prefix in (0, 2):
        choose_prefix(page, prefix)
        is_translated(page)
    for text in ("low", "low x", ""):
        encode(page, text)
        is_translated(page)
    page.locator("#rank").fill("x")
    page.locator("#rank").press("Enter")
    expect(page.locator("#rank-error")).not_to_be_empty()
    is_translated(page)
    held: list[Route] = []
    page.route("**/workbench/encode", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("#encode").click()
    page.locator(".views [data-view=method]").click()
    expect(page.locator("#live")).not_to_be_empty()
    expect(page.locator("#method-sources")).to_be_attached()
    is_translated(page)
    page.locator("a.try[data-focus=corpus]").first.click()
    page.locator("#corpus").press_sequentially("x")
    expect(page.locator("#discarded")).to_be_visible()
    is_translated(page)
    page.locator("#bring-back").click()
    is_translated(page)
    page.reload()
    expect(page.locator("#corpus")).to_have_value(LOW)
    is_translated(page)
    page.locator("#reset").evaluate("(button) => button.click()")
    page.locator("a[data-language=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    # And nothing of the old language is left.
    assert "⟦" not in page.locator("body").inner_text()
