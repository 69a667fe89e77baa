"""S7 in a real browser: predict before reveal, links for a class, pictures, a word's life, another tool's tie rule."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, Response, expect

import pairloom
from pairloom.history import History
from pairloom.views.lesson.wording import answer_text
from pairloom.web.predicting import question_at
from tests.web.conftest import OpenPage, Server, Watch
from tests.web.test_browser_copying import ALLOWED, KEEP_READING, NO_CLIPBOARD
from tests.web.test_browser_lesson import opened
from tests.web.test_browser_walkthrough import WEAVER, is_ready, stands_at, type_corpus

pytestmark = pytest.mark.browser

MODEL = pairloom.train(WEAVER, 40_000, pre_tokenizer="punctuation")
HISTORY = History.of(pairloom.count_words(WEAVER, pre_tokenizer="punctuation"), MODEL)
TOTAL = len(MODEL.merges)


@pytest.fixture
def walk(open_page: OpenPage) -> Page:
    """The walkthrough with its tools."""
    page = open_page("/walkthrough")
    expect(page.locator("#walk-predict")).to_be_attached()
    is_ready(page)
    return page


def answer_at(prefix: int, wanted: str) -> str:
    question = question_at(HISTORY, prefix, wanted)
    assert question
    return answer_text(question)


# -- predict before reveal


@pytest.mark.parametrize("wanted", ["merge", "split", "replacements"])
def test_s7_a_prediction_is_asked_before_anything_is_shown(walk: Page, wanted: str) -> None:
    walk.locator("#walk-predict").select_option(wanted)
    field = walk.locator("#walk-answer")
    expect(field).to_be_visible()
    expect(walk.locator("#walk-next .next")).to_have_text("Merge #1 is still hidden. Answer, or skip it with Step.")
    # Nowhere in the page: no row of pairs, no dashed place, no reason, no name of the next merge.
    merge = MODEL.merges[0]
    markup = walk.locator("#walkthrough").evaluate("(root) => root.outerHTML")
    assert "is-next" not in markup
    assert f"{merge.left} + {merge.right} →" not in re.sub(r"<[^>]*>", "", markup)
    expect(walk.locator("#walk-pairs-view td")).to_have_count(0)
    expect(walk.locator("#walk-corpus-view .flow b")).to_have_count(0)
    expect(walk.locator("#walk-play")).to_have_attribute("aria-disabled", "true")
    # Wrong: told why, and still hidden.
    field.fill({"merge": "w + e", "split": "▁weaver", "replacements": "0"}[wanted])
    field.press("Enter")
    verdict = walk.locator("#walk-verdict")
    expect(verdict).to_contain_text("Not yet.")
    if wanted == "merge":
        expect(verdict).to_contain_text("w + e occurs 12 times, the most frequent pair, e + a, 14 times")
    expect(walk.locator("#live")).to_contain_text("Not yet.")
    expect(walk.locator("#walk-pairs-view td")).to_have_count(0)
    expect(field).to_be_focused()
    # Right: all is shown, with the reason from the trace; then on with one key.
    field.fill(answer_at(0, wanted))
    field.press("Enter")
    expect(walk.locator("#walk-ask .judged")).to_contain_text("Right.")
    expect(walk.locator("#walk-next .next")).to_contain_text("Next merge #1")
    expect(walk.locator("#walk-pairs-view tr.is-next")).to_have_count(1)
    expect(walk.locator("#walk-ask-next")).to_be_focused()
    expect(walk.locator("#live")).to_contain_text("Right.")
    walk.keyboard.press("Enter")
    stands_at(walk, 1)
    expect(walk.locator("#walk-answer")).to_be_focused()
    expect(walk.locator("#walk-next .next")).to_have_text("Merge #2 is still hidden. Answer, or skip it with Step.")


def test_s7_predictions_by_keyboard_alone_to_the_end(walk: Page) -> None:
    type_corpus(walk, "aba abab")
    is_ready(walk)
    walk.locator("#walk-predict").focus()
    walk.keyboard.press("End")
    expect(walk.locator("#walk-predict")).to_have_value("mixed")
    expect(walk.locator("#walk-answer")).to_be_visible()
    model = pairloom.train("aba abab", 40_000, pre_tokenizer="punctuation")
    history = History.of(pairloom.count_words("aba abab", pre_tokenizer="punctuation"), model)
    walk.locator("#walk-answer").focus()
    for prefix in range(len(model.merges)):
        question = question_at(history, prefix, "mixed")
        assert question
        # The next question takes the focus as soon as it is there.
        expect(walk.locator("#walk-answer")).to_be_focused()
        walk.keyboard.insert_text(answer_text(question))
        walk.keyboard.press("Enter")
        expect(walk.locator("#walk-ask-next")).to_be_focused()
        walk.keyboard.press("Enter")
        stands_at(walk, prefix + 1, len(model.merges))
    expect(walk.locator("#walk-ask")).to_contain_text("nothing to predict")


def test_s7_show_me_and_back_to_watching(walk: Page, server: Server, watch: Watch) -> None:
    watch.expected_statuses = {409}
    walk.locator("#walk-predict").select_option("merge")
    walk.locator("#walk-reveal").click()
    expect(walk.locator("#walk-ask")).to_contain_text("Answer: e + a")
    expect(walk.locator("#walk-next .next")).to_contain_text("Next merge #1: e + a")
    # A forgotten model costs a repeat and nothing else.
    server.forget()
    walk.locator("#walk-step").click()
    expect(walk.locator("#walk-next .next")).to_contain_text("Merge #2 is still hidden")
    # Another text is asked about from its first step on.
    walk.locator("#walk-preset").select_option("ties")
    stands_at(walk, 0, 12)
    expect(walk.locator("#walk-next .next")).to_contain_text("Merge #1 is still hidden")
    walk.locator("#walk-predict").select_option("")
    expect(walk.locator("#walk-ask")).to_be_empty()
    expect(walk.locator("#walk-next .next")).to_contain_text("Next merge #1: a + n")
    expect(walk.locator("#walk-play")).not_to_have_attribute("aria-disabled", "true")


def test_s7_nothing_that_stood_there_before_answers_a_question(walk: Page) -> None:
    """A word's life tells of merges to come: it goes when a question opens, and comes back with its answer."""
    view = walk.locator("#walk-life-view")
    walk.locator("#walk-word").fill("weaver")
    walk.locator("#walk-word").press("Enter")
    expect(view.locator("tbody tr")).not_to_have_count(0)
    walk.locator("#walk-predict").select_option("merge")
    expect(view).to_be_empty()
    walk.locator("#walk-word").press("Enter")
    expect(view).to_have_text("This tells of merges to come: answer the question first.")
    walk.locator("#walk-reveal").click()
    expect(walk.locator("#walk-ask-next")).to_be_focused()
    walk.locator("#walk-word").press("Enter")
    expect(view.locator("tbody tr")).not_to_have_count(0)
    walk.locator("#walk-ask-next").click()
    expect(walk.locator("#walk-answer")).to_be_visible()
    expect(view).to_be_empty()


def test_s7_an_answer_being_typed_outlives_another_language(walk: Page) -> None:
    walk.locator("#walk-predict").select_option("merge")
    walk.locator("#walk-answer").fill("e + ")
    walk.get_by_text("Deutsch", exact=True).click()
    expect(walk.locator("#walk-ask")).to_contain_text("Antwort")
    expect(walk.locator("#walk-answer")).to_have_value("e + ")


# -- links


def link_of(page: Page) -> str:
    page.locator("#walk-link").click()
    expect(page.locator("#walk-said")).to_contain_text("Copied: a link of")
    return str(page.evaluate("() => window.read()"))


def set_up(page: Page, corpus: str, text: str) -> None:
    type_corpus(page, corpus)
    page.locator("[name=walk_pre_tokenizer][value=whitespace]").check()
    page.locator("[name=walk_lowercase]").check()
    is_ready(page)
    page.locator("#walk-text").fill(text)
    expect(page.locator("#walk-subwords-view [data-encoded]")).to_have_count(1)
    for prefix in (1, 2):
        page.locator("#walk-step").click()
        expect(page.locator("#walk-next [data-prefix]")).to_have_attribute("data-prefix", str(prefix))


def told(page: Page) -> str:
    place = page.locator("#walk-said")
    expect(place).not_to_be_empty()
    return place.inner_text()


CORPUS = "Low low LOWER newest 🧵🧵 Ελλάς, naïve \u202ex\n low"


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_s7_a_link_opens_the_same_state_elsewhere(open_page: OpenPage, has_clipboard: bool) -> None:
    sender = open_page("/walkthrough", script=KEEP_READING if has_clipboard else NO_CLIPBOARD, permissions=ALLOWED)
    expect(sender.locator("#walk-predict")).to_be_attached()
    is_ready(sender)
    set_up(sender, CORPUS, "slow 🧵 Low")
    link = link_of(sender)
    # All in the fragment: nothing of it is part of a request by itself.
    address, _, fragment = link.partition("#")
    assert address.endswith("/walkthrough")
    assert fragment.startswith("walk=1")
    page = open_page("/method")
    sent: list[str] = []

    def keep(request: Request) -> None:
        sent.append(f"{request.url} {request.headers}")

    page.on("request", keep)
    page.goto(link[link.index("/walkthrough") :])
    model = pairloom.train(CORPUS, 40_000, lowercase=True)
    assert told(page) == (
        f"Opened from a link. The model has the same fingerprint as where the link was made: {model.fingerprint}"
    )
    stands_at(page, 2, len(model.merges))
    expect(page.locator("#walk-corpus")).to_have_value(CORPUS)
    expect(page.locator("#walk-text")).to_have_value("slow 🧵 Low")
    expect(page.locator("[name=walk_pre_tokenizer][value=whitespace]")).to_be_checked()
    expect(page.locator("[name=walk_lowercase]")).to_be_checked()
    expect(page.locator("#walk-fingerprint code")).to_have_text(model.fingerprint)
    expect(page.locator("#walk-preset")).to_have_value("")
    for view in ("#walk-corpus-view .flow", "#walk-subwords-view .tokens", "#walk-merges-view"):
        assert page.locator(view).inner_text() == sender.locator(view).inner_text()
    expect(page.locator("#live")).to_contain_text("same fingerprint")
    assert [each for each in sent if "/walkthrough/train" in each]
    # Playwright's own list of addresses has fragments; what goes over the line has none, nor any header.
    assert not [each for each in sent if "walk=1" in each.partition(" ")[2]]


def test_s7_a_link_carries_what_is_to_be_predicted(open_page: OpenPage) -> None:
    page = open_page("/walkthrough" + made(state(predict="split")))
    assert "same fingerprint" in told(page)
    expect(page.locator("#walk-predict")).to_have_value("split")
    expect(page.locator("#walk-answer")).to_be_visible()
    expect(page.locator("#walk-next .next")).to_contain_text("is still hidden")
    # And what is made here has it too.
    sender = open_page("/walkthrough", script=KEEP_READING, permissions=ALLOWED)
    expect(sender.locator("#walk-predict")).to_be_attached()
    is_ready(sender)
    sender.locator("#walk-predict").select_option("merge")
    expect(sender.locator("#walk-answer")).to_be_visible()
    link = link_of(sender)
    other = open_page(link[link.index("/walkthrough") :])
    assert "same fingerprint" in told(other)
    expect(other.locator("#walk-predict")).to_have_value("merge")


def test_s7_a_link_to_a_preset_keeps_its_name(open_page: OpenPage) -> None:
    sender = opened(open_page, "/lesson", script=KEEP_READING, permissions=ALLOWED)
    sender.locator("#walk-preset").select_option("run")
    stands_at(sender, 0, 11)
    link = link_of(sender)
    page = open_page(link[link.index("/walkthrough") :])
    assert "same fingerprint" in told(page)
    expect(page.locator("#walk-preset")).to_have_value("run")
    # Another one, opened in the same page.
    page.evaluate("(hash) => { location.hash = hash; }", made(state(corpus="ab ab", prefix=1, fingerprint="0" * 64)))
    expect(page.locator("#walk-said")).to_contain_text("this is another model")
    stands_at(page, 1, 2)
    expect(page.locator("#walk-preset")).to_have_value("")


def state(**changes: object) -> dict[str, object]:
    whole: dict[str, object] = {
        "preset": "", "corpus": "low low lower", "lowercase": False, "preTokenizer": "punctuation", "text": "slow",
        "prefix": 2, "fingerprint": pairloom.train("low low lower", 40_000, pre_tokenizer="punctuation").fingerprint,
    }  # fmt: skip  # what a link holds, in two lines
    return whole | changes


def made(whole: object, *, compressed: bool = False, checksum: int | None = None, body: bytes | None = None) -> str:
    """A fragment as the page makes it, or nearly."""
    data = json.dumps(whole, ensure_ascii=False).encode() if body is None else body
    packer = zlib.compressobj(9, wbits=-15)
    sent = packer.compress(data) + packer.flush() if compressed else data
    letters = base64.urlsafe_b64encode(sent).decode().rstrip("=")
    return f"#walk=1{'d' if compressed else 'p'}.{zlib.crc32(data) if checksum is None else checksum:08x}.{letters}"


@pytest.mark.parametrize("compressed", [False, True])
def test_s7_what_another_program_has_packed_can_be_opened(open_page: OpenPage, compressed: bool) -> None:
    page = open_page("/walkthrough" + made(state(), compressed=compressed))
    assert "same fingerprint" in told(page)
    stands_at(page, 2, 3)
    # A text that looks like JSON itself.
    text = '{"corpus": "\\\\", "a":1, "prefix" : 1}'
    page.evaluate("(hash) => { location.hash = hash; }", made(state(text=text), compressed=compressed))
    expect(page.locator("#walk-text")).to_have_value(text)


BOMB = zlib.compressobj(9, wbits=-15)
HONEST, EVIL = (json.dumps(each).encode() for each in (state(), state(corpus="evil evil")))
TAMPERED = made(None, body=EVIL, checksum=zlib.crc32(HONEST))
BAD = {
    "cut off": (made(state())[:-8], "damaged"),
    "another letter": (made(state()).replace("1p.", "1d."), "damaged"),
    "wrong checksum": (made(state(), checksum=1), "damaged"),
    "tampered": (TAMPERED, "damaged"),
    "no JSON": (made(None, body=b"{"), "damaged"),
    "no UTF-8": (made(None, body=b'{"corpus": "\xff"}'), "damaged"),
    "a field too many": (made(state(extra=1)), "damaged"),
    "another type": (made(state(prefix="2")), "damaged"),
    "a key twice": (made(None, body=json.dumps(state())[:-1].encode() + b', "prefix" : 1}'), "damaged"),
    "a key twice, written otherwise": (made(None, body=rb'{"corp\u0075s": "evil", ' + HONEST[1:]), "damaged"),
    "half a surrogate": (made(None, body=json.dumps(state(corpus="a\ud800a")).encode()), "damaged"),
    "nothing": ("#walk=", "damaged"),
    "another version": (made(state()).replace("=1p", "=2p"), "damaged"),
    "too long": ("#walk=1p.00000000." + "A" * 300_000, "too long: 300,018 characters, 300,000 are allowed"),
    "unpacks too far": (made(None, body=b" " * (2 << 20), compressed=True), "unpack to more than 1 MiB"),
    "a question that there is not": (made(state(predict="all")), "damaged"),
    "a question of another type": (made(state(predict=1)), "damaged"),
    "a prefix that is not there": (made(state(prefix=99)), "from 0 to 3"),
    "a marker": (made(state(corpus="low ▁low")), "position 4"),
    "too much text": (made(state(text="x" * 4_001)), "4,001"),
}  # fmt: skip  # a row a case


@pytest.mark.parametrize("name", BAD)
def test_s7_a_bad_link_gives_an_error_and_leaves_the_page_alone(open_page: OpenPage, watch: Watch, name: str) -> None:
    watch.expected_statuses = {422}
    fragment, said = BAD[name]
    page = open_page("/walkthrough")
    expect(page.locator("#walk-predict")).to_be_attached()
    is_ready(page)
    page.locator("#walk-step").click()
    stands_at(page, 1)
    page.evaluate("(hash) => { location.hash = hash; }", fragment)
    assert said in told(page)
    assert re.search(r"[Nn]othing was changed", told(page))
    expect(page.locator("#walk-said")).to_have_class(re.compile("error"))
    expect(page.locator("#live")).to_have_text(told(page))
    stands_at(page, 1)
    expect(page.locator("#walk-corpus")).to_have_value(WEAVER)
    # And freshly opened the page begins as ever.
    fresh = open_page("/walkthrough" + fragment)
    assert said in told(fresh)
    stands_at(fresh, 0)


def test_s7_a_link_can_be_copied_by_hand(open_page: OpenPage) -> None:
    refuse = NO_CLIPBOARD + "Document.prototype.execCommand = () => false;"
    page = open_page("/walkthrough", script=refuse)
    expect(page.locator("#walk-predict")).to_be_attached()
    is_ready(page)
    page.locator("#walk-link").click()
    field = page.locator("#walk-link-text")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(r"/walkthrough/?#walk=1d\."))
    assert page.evaluate("() => getSelection().toString().length || document.activeElement.selectionEnd") > 100


def test_s7_without_compression_a_link_is_longer_and_works(open_page: OpenPage) -> None:
    script = KEEP_READING + "delete window.CompressionStream; delete window.DecompressionStream;"
    page = open_page("/walkthrough", script=script, permissions=ALLOWED)
    expect(page.locator("#walk-predict")).to_be_attached()
    is_ready(page)
    link = link_of(page)
    assert "#walk=1p." in link
    fresh = open_page(link[link.index("/walkthrough") :])
    assert "same fingerprint" in told(fresh)
    old = open_page("/walkthrough" + made(state(), compressed=True), script=script)
    assert "cannot unpack" in told(old)


# -- pictures


def saved(page: Page, button: str) -> bytes:
    with page.expect_download() as waiting:
        page.locator(button).click()
    name = waiting.value.suggested_filename
    assert name == f"pairloom-3.{button.removeprefix('#walk-')}"
    expect(page.locator("#walk-said")).to_have_text(f"Saved as {name}.")
    return Path(waiting.value.path()).read_bytes()


def test_s7_the_step_as_svg_and_png(walk: Page) -> None:
    for prefix in (1, 2, 3):
        walk.locator("#walk-step").click()
        stands_at(walk, prefix)
    drawing = saved(walk, "#walk-svg").decode()
    assert drawing.startswith("<svg ")
    assert MODEL.merges[2].result in re.sub(r"[\u2066-\u2069]", "", drawing)
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawing)
    assert size
    image = saved(walk, "#walk-png")
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", image[16:24])
    assert (width, height) == (2 * int(size[1]), 2 * int(size[2]))
    # Something was painted: many colours, not one.
    colors = walk.evaluate(
        """async (letters) => {
          const bytes = Uint8Array.from(atob(letters), (sign) => sign.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const pen = canvas.getContext("2d");
          pen.drawImage(bitmap, 0, 0);
          const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
          const seen = new Set();
          for (let at = 0; at < data.length; at += 4) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
          return [...seen].map((color) => color.toString(16).padStart(6, "0"));
        }""",
        base64.b64encode(image).decode(),
    )
    fills = {found.lower() for found in re.findall(r'<rect [^>]*fill="#([0-9a-f]{6})"', drawing)}
    assert len(fills) > 5
    assert fills <= set(colors)


# -- a word's life, another rule


def test_s7_one_words_life(walk: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    field = walk.locator("#walk-word")
    field.fill("nowhere")
    field.press("Enter")
    expect(walk.locator("#walk-word-error")).to_contain_text("does not have this word")
    expect(field).to_be_focused()
    field.fill("weaver")
    field.press("Enter")
    view = walk.locator("#walk-life-view")
    expect(view).to_contain_text("It becomes a single token with merge #13.")
    expect(walk.locator("#walk-word-error")).to_be_empty()
    rows = view.locator("tbody tr")
    prefixes = [int(each) for each in rows.locator("td:first-child").all_inner_texts()]
    cuts = [HISTORY.segment("▁weaver", prefix) for prefix in range(TOTAL + 1)]
    assert prefixes == [0, *(prefix for prefix in range(1, TOTAL + 1) if cuts[prefix] != cuts[prefix - 1])]
    assert [row.locator("i").all_inner_texts() for row in rows.all()] == [list(cuts[prefix]) for prefix in prefixes]
    expect(view.locator("ul.pieces li").first).to_contain_text("ea in this word")
    # A row leads to its step.
    rows.nth(2).locator("a").click()
    stands_at(walk, prefixes[2])
    # A word that is refused leaves nothing of the one before.
    field.fill("")
    field.press("Enter")
    expect(walk.locator("#walk-word-error")).to_have_text("Type a word.")
    expect(view).to_be_empty()
    field.fill("weaver")
    field.press("Enter")
    expect(view).not_to_be_empty()
    # What was said about a model goes with it.
    walk.locator("#walk-preset").select_option("ties")
    stands_at(walk, 0, 12)
    expect(view).to_be_empty()


def test_s7_another_tools_tie_rule(walk: Page) -> None:
    walk.locator("#walk-preset").select_option("ties")
    stands_at(walk, 0, 12)
    walk.locator("#walk-rule").select_option("largest_pair")
    walk.locator("#walk-rule-form button").click()
    view = walk.locator("#walk-rule-view")
    expect(view).to_contain_text("The first difference is merge #1: a + n and ▁ + t both occur 4 times.")
    expect(view).to_contain_text("takes the largest pair")
    walk.locator("#walk-step").click()
    stands_at(walk, 1, 12)
    view.locator("button[data-prefix]").click()
    stands_at(walk, 0, 12)


def test_s7_nothing_of_the_lesson_is_loaded_by_the_workbench(open_page: OpenPage) -> None:
    asked: list[str] = []

    def keep(response: Response) -> None:
        asked.append(response.url)

    page = open_page("/method")
    page.on("response", keep)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "lesson" in url]
    page.locator(".views [data-view=walkthrough]").click()
    expect(page.locator("#walk-predict")).to_be_attached()
    assert [url for url in asked if "lesson.css" in url]
    assert not [url for url in asked if url.endswith("/lesson/text")]
