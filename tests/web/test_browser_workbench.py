"""The workbench in a real browser: the whole main job, the errors, what must not be shown."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

import pairloom
from tests.support.prose import real_text
from tests.web.conftest import Server, Watch

pytestmark = pytest.mark.browser


def train(page: Page, corpus: str = "low low lower lowest") -> None:
    page.locator("#corpus").fill(corpus)
    page.locator("#train").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained")


def shows_prefix(page: Page, prefix: int) -> None:
    expect(page.locator("#selection [data-prefix]")).to_have_attribute("data-prefix", str(prefix))


def hold_training(page: Page, server: Server, at: int = 1) -> None:
    server.gate.hold_at = at
    page.locator("#train").click()
    expect(page.locator("#training progress")).to_be_visible()


def test_the_whole_main_job(page: Page) -> None:
    """Rules: W1–W9, E7, D1."""
    corpus = real_text(4_000)
    model = pairloom.train(corpus)
    merges = len(model.merges)
    train(page, corpus)
    expect(page.locator("#status")).to_have_text(f"Trained: {merges:,} merges.")
    expect(page.locator("#summary")).to_contain_text(model.fingerprint)
    rows = page.locator("#merges-view tbody tr")
    expect(rows).to_have_count(100)
    shows_prefix(page, merges)

    # The slider, by keyboard and by value; number field, table and corpus follow.
    slider = page.locator("#slider")
    slider.focus()
    page.keyboard.press("Home")
    shows_prefix(page, 0)
    expect(page.locator("#prefix")).to_have_value("0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    shows_prefix(page, 2)
    expect(page.locator("#merges-view tr[aria-current]")).to_have_attribute("data-r", "1")
    expect(page.locator("#selection")).to_contain_text(f"corpus tokens {model.merges[1].corpus_tokens:,}")
    words = corpus.split()[:5]
    shown = page.locator("#corpus-view .flow bdi").all_inner_texts()[:5]
    assert shown == [f"▁{word}" for word in words]
    tokens = page.locator("#corpus-view .flow bdi").first.locator("i").all_inner_texts()
    assert tokens == list(model.encode(words[0], 2).tokens)

    # A row of the table is the same choice; the table follows the number field over its pages.
    rows.nth(9).click()
    shows_prefix(page, 10)
    expect(slider).to_have_value("10")
    page.locator("#prefix").fill("250")
    shows_prefix(page, 250)
    expect(page.locator("#merges-view tr[aria-current]")).to_have_attribute("data-r", "249")

    # Encode a sentence with a code point that the corpus does not have.
    sentence = "The weaver 🧵 encodes."
    page.locator("#text").fill(sentence)
    page.locator("#encode").click()
    boxes = page.locator("#encoding-view .tokens li")
    encoding = model.encode(sentence, 250)
    expect(boxes).to_have_count(len(encoding.tokens))
    assert page.locator("#encoding-view .tokens b").all_inner_texts() == [
        "UNK" if each is None else str(each) for each in encoding.ids
    ]
    expect(page.locator("#encoding-view .unk bdi")).to_have_text("🧵")
    expect(page.locator("#encoding-view .unknown")).to_contain_text("🧵")

    # E7: unedited, it follows the prefix.
    page.locator("#prefix").fill("0")
    expect(boxes).to_have_count(len(model.encode(sentence, 0).tokens))
    # E7: edited, it is gone and waits.
    page.locator("#text").press_sequentially("x")
    expect(boxes).to_have_count(0)
    page.locator("#prefix").fill("5")
    shows_prefix(page, 5)
    expect(boxes).to_have_count(0)


def test_what_stands_below_the_slider_stays_once_there_is_room(page: Page) -> None:
    """The facts about a prefix take one line or two: back and forth between such, nothing jumps."""
    page.set_viewport_size({"width": 600, "height": 900})
    train(page, f"{'extraordinarily ' * 3}{'low ' * 2}")
    shows_prefix(page, len(pairloom.train(f"{'extraordinarily ' * 3}{'low ' * 2}").merges))
    height = "(facts) => facts.offsetHeight"
    page.locator("#prefix").fill("14")
    shows_prefix(page, 14)
    highest = page.locator("#selection").evaluate(height)
    assert highest > page.locator("#selection .selection .fact").first.evaluate(height) * 2
    for prefix in (0, 1, 14, 0):
        page.locator("#prefix").fill(str(prefix))
        shows_prefix(page, prefix)
        assert page.locator("#selection").evaluate(height) == highest


def test_pages_turn_and_the_focus_stays(page: Page) -> None:
    train(page, real_text(2_000))
    # The merge table opens at the last row.
    for name, turn in (("corpus", "next"), ("merges", "previous"), ("vocabulary", "next")):
        button = page.locator(f"#{name}-{turn}")
        before = page.locator(f"#{name}-view .where").inner_text()
        button.focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#{name}-view .where")).not_to_have_text(before)
        expect(button).to_be_focused()
    first = page.locator("#corpus-view .flow bdi").first.inner_text()
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    shows_prefix(page, 0)
    # W13: the text stays put while the prefix moves.
    expect(page.locator("#corpus-view .flow bdi").first).to_have_text(first)
    page.locator("#rank").fill("321")
    page.locator("#rank").press("Enter")
    expect(page.locator("#merges-view tr[data-r='321']")).to_be_visible()


def test_the_sample_trains(page: Page) -> None:
    page.locator("#load-sample").click()
    expect(page.locator("#corpus")).not_to_have_value("")
    page.locator("#train").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained")
    expect(page.locator(".intro")).to_be_hidden()


def test_w3_cancel_at_the_gate(page: Page, server: Server) -> None:
    """Rules: W2, W3."""
    page.locator("#corpus").fill("low low lower lowest " * 20)
    hold_training(page, server)
    expect(page.locator("#training")).to_contain_text("learned")
    page.locator("#cancel").click()
    expect(page.locator("#status")).to_have_text(re.compile(r"Cancelled after \d+ merges?\. There is no model\."))
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")
    expect(page.locator("#training")).to_be_empty()
    expect(page.locator("#corpus")).to_have_value("low low lower lowest " * 20)
    # The server notices, still held: hanging up is enough.
    scheduler = server.app.state.services.models.scheduler
    for _ in range(200):
        if not len(scheduler):
            break
        page.wait_for_timeout(10)
    assert len(scheduler) == 0
    server.gate.hold_at = None
    page.wait_for_timeout(300)
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")
    page.locator("#train").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained")


@pytest.mark.parametrize("what", ["edit", "lowercase", "limit", "hide"])
def test_w3_what_comes_late_is_dropped(page: Page, server: Server, what: str) -> None:
    page.locator("#corpus").fill("low low lower lowest " * 20)
    hold_training(page, server)
    if what == "edit":
        page.locator("#corpus").press_sequentially("x")
    elif what == "lowercase":
        page.locator("[name=lowercase]").check()
    elif what == "limit":
        page.locator("#merge-limit").fill("5")
    else:
        page.evaluate(
            "() => { Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
            " document.dispatchEvent(new Event('visibilitychange')); }"
        )
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")
    server.gate.hold_at = None
    page.wait_for_timeout(300)
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")
    expect(page.locator("#model-key")).to_have_count(0)


def test_w1_w4_edits_and_reset_discard_the_model_and_keep_the_inputs(page: Page) -> None:
    train(page)
    page.locator("#text").fill("slow")
    page.locator("#encode").click()
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)
    page.locator("#reset").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")
    expect(page.locator("#corpus")).to_have_value("low low lower lowest")
    expect(page.locator("#text")).to_have_value("slow")
    for slot in ("summary", "selection", "corpus-view", "merges-view", "vocabulary-view", "encoding-view"):
        expect(page.locator(f"#{slot}")).to_be_empty()
    page.locator("#train").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained")
    page.locator("[name=pre_tokenizer][value=punctuation]").check()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")


def test_w3_a_late_step_of_the_slider_is_dropped(page: Page) -> None:
    train(page)
    held: list[object] = []
    page.route("**/workbench/prefix", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("#prefix").fill("1")
    page.wait_for_timeout(100)
    assert len(held) == 1
    page.locator("#corpus").press_sequentially("x")
    with page.expect_response("**/workbench/prefix"):
        held[0].continue_()  # type: ignore[attr-defined]  # a Route
    page.wait_for_timeout(300)
    expect(page.locator("#selection")).to_be_empty()
    expect(page.locator("#corpus-view")).to_be_empty()


def test_w3_a_late_encoding_does_not_come_back(page: Page) -> None:
    train(page)
    page.locator("#text").fill("low")
    page.locator("#encode").click()
    expect(page.locator("#encoding-view .tokens li")).to_have_count(1)
    held: list[object] = []
    page.route("**/workbench/prefix", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("#prefix").fill("1")
    page.wait_for_timeout(100)
    page.locator("#text").press_sequentially("x")
    held[0].continue_()  # type: ignore[attr-defined]  # a Route
    # The rest of the answer is shown, the encoding in it is not.
    shows_prefix(page, 1)
    expect(page.locator("#encoding-view")).to_be_empty()


def test_the_slider_ends_on_the_right_value(page: Page) -> None:
    """Rule: W7."""
    train(page, real_text(3_000))
    last = 0
    for value in (300, 10, 250, 40, 199, 123):
        last = value
        page.evaluate(
            "(value) => { const slider = document.getElementById('slider'); slider.value = value;"
            " slider.dispatchEvent(new Event('input', { bubbles: true })); }",
            value,
        )
    shows_prefix(page, last)
    page.wait_for_timeout(200)
    shows_prefix(page, last)
    expect(page.locator("#prefix")).to_have_value(str(last))
    expect(page.locator("#merges-view tr[aria-current]")).to_have_attribute("data-r", str(last - 1))


def test_a_forgotten_model_is_trained_again_unseen(page: Page, server: Server, watch: Watch) -> None:
    watch.expected_statuses = {409}
    train(page)
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    server.forget()
    page.locator("#prefix").fill("1")
    shows_prefix(page, 1)
    assert len(sent) == 2
    page.locator("#text").fill("slow")
    page.locator("#encode").click()
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)


def test_the_repeat_happens_once(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {409}
    train(page)
    asked = 0
    before = int(page.locator("#prefix").input_value())

    def refuse(route: Route) -> None:
        nonlocal asked
        asked += 1
        route.fulfill(status=409, body="gone")

    page.route("**/workbench/prefix", refuse)
    page.locator("#prefix").fill("1")
    expect(page.locator("#trouble")).to_contain_text("did not answer as it should")
    assert asked == 2
    shows_prefix(page, before)


def test_text_survives_a_stream_cut_anywhere(page: Page) -> None:
    # The server of these tests cuts streams every 997 bytes: some cuts fall inside of these.
    corpus = " ".join(f"😀é中{chr(0x4E00 + number)}\U0001f9f5" for number in range(300))
    train(page, corpus)
    tokens = page.locator("#vocabulary-view tbody td:nth-child(2)").all_inner_texts()
    assert tokens == list(pairloom.train(corpus).vocabulary[:100])
    expect(page.locator("main")).not_to_contain_text("\ufffd")


def error_at(page: Page, field: str, message: str) -> None:
    expect(page.locator(f"#{field}-error")).to_contain_text(message)
    expect(page.locator(f"#{field}")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(f"#{field}")).to_be_focused()


def test_l1_40001_code_points(page: Page) -> None:
    """Rules: L1, L2."""
    corpus = "😀" * 40_001
    page.locator("#corpus").fill(corpus)
    expect(page.locator("#corpus-count")).to_have_text("40,001")
    page.locator("#train").click()
    error_at(page, "corpus", "40,001 code points, 40,000 are allowed")
    expect(page.locator("#corpus")).to_have_value(corpus)
    page.locator("#corpus").fill("😀" * 40_000)
    page.locator("#merge-limit").fill("3")
    page.locator("#train").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained", timeout=30_000)
    expect(page.locator("#corpus-error")).to_be_empty()


def test_l1_4001_code_points_to_encode(page: Page) -> None:
    train(page)
    page.locator("#text").fill("😀" * 4_001)
    page.locator("#encode").click()
    error_at(page, "text", "4,001 code points, 4,000 are allowed")
    page.locator("#text").fill("😀" * 4_000)
    page.locator("#encode").click()
    expect(page.locator("#encoding-view .tokens li")).to_have_count(100)
    expect(page.locator("#text-error")).to_be_empty()


def test_n8_a_literal_marker(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    page.locator("#corpus").fill("😀 low ▁ low")
    page.locator("#train").click()
    error_at(page, "corpus", "literal ▁ (U+2581) at position 6")
    expect(page.locator("#corpus")).to_have_value("😀 low ▁ low")


@pytest.mark.parametrize("field", ["corpus", "text"])
def test_n8_an_unpaired_surrogate(page: Page, field: str, watch: Watch) -> None:
    watch.expected_statuses = {422}
    train(page)
    set_value = (
        "([id, value]) => { const area = document.getElementById(id); area.value = value;"
        " area.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))  # noqa: PLW0108  # Playwright marks its handlers
    # Built in the browser: no such text travels.
    page.evaluate(
        "(id) => { const area = document.getElementById(id); area.value = 'a😀' + String.fromCharCode(0xdc00) + '▁';"
        " area.dispatchEvent(new Event('input', { bubbles: true })); }",
        field,
    )
    button = {"corpus": "#train", "text": "#encode"}[field]
    page.locator(button).click()
    error_at(page, field, "unpaired surrogate U+DC00 at position 2")
    assert sent == []
    length = page.evaluate("(id) => document.getElementById(id).value.length", field)
    assert length == 5
    # The first offence counts: a marker before the surrogate is the server's to name.
    page.evaluate(
        "(id) => { const area = document.getElementById(id); area.value = '▁' + String.fromCharCode(0xd800);"
        " area.dispatchEvent(new Event('input', { bubbles: true })); }",
        field,
    )
    page.locator(button).click()
    expect(page.locator(f"#{field}-error")).to_contain_text("literal ▁ (U+2581) at position 0")
    page.evaluate(set_value, [field, "low low"])


def test_l3_the_merge_limit(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    page.locator("#corpus").fill("low low")
    for wrong in ("-1", "40001", "many", "1.5", ""):
        page.locator("#merge-limit").fill(wrong)
        page.locator("#train").click()
        error_at(page, "merge-limit", "whole number from 0 to 40,000")
        expect(page.locator("#merge-limit")).to_have_value(wrong)
        page.locator("#corpus").focus()
    page.locator("#merge-limit").fill("0")
    page.locator("#train").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained")
    expect(page.locator("#merges-view")).to_contain_text("No merge was learned")


def test_n9_hostile_text_is_shown_as_text(page: Page) -> None:
    text = "<img src=x onerror=alert(1)> <b>&amp;</b> \x00 \u202eabc\u202c \u0301 \u200b "
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    train(page, text * 3)
    expect(page.locator("#corpus-view img, #corpus-view b")).to_have_count(0)
    expect(page.locator("#corpus-view")).to_contain_text("<img")
    for escape in ("\\u0000", "\\u202e", "\\u200b"):
        expect(page.locator("#corpus-view samp", has_text=escape).first).to_be_visible()


def test_no_answer_is_said(page: Page, watch: Watch) -> None:
    page.locator("#corpus").fill("low low")
    page.route("**/workbench/train", lambda route: route.abort())
    page.locator("#train").click()
    expect(page.locator("#trouble")).to_contain_text("did not answer as it should")
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")
    # htmx logs a failed request, and so does the browser.
    watch.complaints = [each for each in watch.complaints if "Failed" not in each and "htmx:error" not in each]


def test_a_broken_training_is_said(page: Page, server: Server, watch: Watch) -> None:
    page.locator("#corpus").fill("low low lower lowest " * 20)
    scheduler = server.app.state.services.models.scheduler
    hold_training(page, server)
    for job in scheduler._jobs.values():
        job.work.close()
    server.gate.hold_at = None
    expect(page.locator("#trouble")).to_contain_text("did not answer as it should")
    expect(page.locator("#workbench")).to_have_attribute("data-state", "empty")
    watch.complaints = [each for each in watch.complaints if "ERR_INCOMPLETE" not in each and "htmx" not in each]


@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
def test_nothing_is_wider_than_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    train(page, real_text(1_000))
    page.locator("#text").fill("👩‍👩‍👧 " + "long" * 100)
    page.locator("#encode").click()
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
