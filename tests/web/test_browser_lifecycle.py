"""A model from the press of Train to its end: W1 to W4, and the limits that stand before it (L1, L3, N8)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Server, Watch
from tests.web.driving import (
    LOW,
    choose_prefix,
    encode,
    hide,
    hold_training,
    is_in_state,
    press_train,
    release,
    set_text,
    shows_nothing_of_a_model,
    shows_prefix,
    train,
)

pytestmark = pytest.mark.browser


def edit(page: Page, field: str) -> None:
    """Change one of the four inputs."""
    if field == "corpus":
        page.locator("#corpus").press_sequentially("x")
    elif field == "lowercase":
        page.locator("#lowercase").check()
    elif field == "pre_tokenizer":
        page.locator("[name=pre_tokenizer][value=punctuation]").check()
    else:
        page.locator("#merge-limit").fill("5")


FIELDS = ("corpus", "lowercase", "pre_tokenizer", "merge_limit")


@pytest.mark.parametrize("field", FIELDS)
def test_w1_an_edit_of_any_input_discards_everything_at_once(page: Page, field: str) -> None:
    train(page)
    encode(page, "slow")
    edit(page, field)
    shows_nothing_of_a_model(page)
    # Training is explicit: nothing begins by itself.
    page.wait_for_timeout(200)
    shows_nothing_of_a_model(page)


def test_w2_progress_is_seen_and_the_page_goes_on_living(page: Page, server: Server) -> None:
    hold_training(page, server, at=2)
    merges = int(page.locator("#training progress").get_attribute("value") or "0")
    assert merges >= 2
    expect(page.locator("#training")).to_contain_text(
        f"{merges} merges learned (the limit is 1,000; training may end sooner)"
    )
    # Held, and still everything can be used: another view, the text to encode, and back.
    assert page.evaluate("() => new Promise((done) => requestAnimationFrame(() => done('alive')))") == "alive"
    server.gate.hold_at = None
    is_in_state(page, "trained")
    expect(page.locator("#training")).to_be_empty()


def test_w2_cancel_leaves_only_the_word(page: Page, server: Server) -> None:
    hold_training(page, server, at=3)
    merges = page.locator("#training progress").get_attribute("value")
    page.locator("#cancel").click()
    expect(page.locator("#status")).to_have_text(f"Cancelled after {merges} merges. There is no model.")
    expect(page.locator("#live")).to_have_text(f"Cancelled after {merges} merges. There is no model.")
    expect(page.locator("#train")).to_be_focused()
    release(page, server)
    shows_nothing_of_a_model(page)


@pytest.mark.parametrize("what", [*FIELDS, "reset", "hide", "move"])
def test_w3_a_training_that_ends_late_is_never_shown(page: Page, server: Server, what: str) -> None:
    hold_training(page, server)
    word = re.compile(r"^Cancelled after \d+ merges?\. There is no model\.$")
    if what == "hide":
        hide(page)
    elif what == "move":
        page.locator(".views [data-view=method]").click()
    elif what == "reset":
        page.locator("#reset").click()
    else:
        edit(page, what)
    expect(page.locator("#live")).to_have_text(word)
    release(page, server)
    shows_nothing_of_a_model(page)
    if what == "move":
        page.locator(".views [data-view=workbench]").click()
        shows_nothing_of_a_model(page)
    expect(page.locator("#status")).to_have_text(word)


@pytest.mark.parametrize("what", ["edit", "inputs", "reset", "hide", "move"])
def test_w3_an_encoding_that_comes_late_is_never_shown(page: Page, what: str) -> None:
    train(page)
    held: list[Route] = []
    page.route("**/workbench/encode", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("#text").fill("slow")
    page.locator("#encode").click()
    page.wait_for_timeout(100)
    assert len(held) == 1
    if what == "hide":
        hide(page)
    elif what == "move":
        page.locator(".views [data-view=method]").click()
    elif what == "reset":
        page.locator("#reset").click()
    else:
        page.locator({"edit": "#text", "inputs": "#corpus"}[what]).press_sequentially("x")
    held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator("#encoding-view")).to_be_empty()
    if what in {"hide", "move"}:
        # What is finished stays: the model does.
        is_in_state(page, "trained")
        expect(page.locator("#status")).to_have_text("The encoding was cancelled.")


def test_w3_what_is_finished_stays_when_the_page_is_hidden(page: Page) -> None:
    train(page)
    encode(page, "slow")
    hide(page)
    page.wait_for_timeout(100)
    is_in_state(page, "trained")
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)


def test_w4_reset_discards_the_model_and_keeps_the_inputs(page: Page) -> None:
    page.locator("#lowercase").check()
    page.locator("#merge-limit").fill("7")
    train(page)
    encode(page, "slow")
    page.locator("#reset").click()
    shows_nothing_of_a_model(page)
    expect(page.locator("#corpus")).to_have_value(LOW)
    expect(page.locator("#text")).to_have_value("slow")
    expect(page.locator("#merge-limit")).to_have_value("7")
    expect(page.locator("#lowercase")).to_be_checked()
    expect(page.locator("#status")).to_have_text("The model was discarded.")
    # Nothing was edited, so there is nothing to bring back.
    expect(page.locator("#discarded")).to_be_hidden()


def test_w14_the_inputs_of_a_discarded_model_can_be_brought_back(page: Page) -> None:
    page.locator("#merge-limit").fill("3")
    page.locator("[name=pre_tokenizer][value=punctuation]").check()
    train(page)
    expect(page.locator("#discarded")).to_be_hidden()
    for field in ("corpus", "lowercase", "merge_limit"):
        edit(page, field)
    page.locator("[name=pre_tokenizer][value=whitespace]").check()
    line = page.locator("#discarded")
    expect(line).to_contain_text("Edited: the model of 3 merges was discarded.")
    page.locator("#bring-back").click()
    expect(page.locator("#corpus")).to_have_value(LOW)
    expect(page.locator("#merge-limit")).to_have_value("3")
    expect(page.locator("#lowercase")).not_to_be_checked()
    expect(page.locator("[name=pre_tokenizer][value=punctuation]")).to_be_checked()
    expect(page.locator("#corpus-count")).to_have_text(str(len(LOW)))
    expect(line).to_be_hidden()
    # The inputs, not the model: that takes another training.
    is_in_state(page, "empty")
    expect(page.locator("#train")).to_be_focused()
    press_train(page)
    shows_prefix(page, 3)


def test_w14_the_offer_stands_as_long_as_it_changes_something(page: Page) -> None:
    train(page)
    page.locator("#corpus").press_sequentially("x")
    expect(page.locator("#discarded")).to_be_visible()
    page.locator("#corpus").press("Backspace")
    expect(page.locator("#discarded")).to_be_hidden()
    page.locator("#corpus").fill("another text, another")
    expect(page.locator("#discarded")).to_be_visible()
    press_train(page)
    expect(page.locator("#discarded")).to_be_hidden()
    page.locator("#corpus").press_sequentially("x")
    page.locator("#bring-back").click()
    expect(page.locator("#corpus")).to_have_value("another text, another")


def test_l1_the_normalized_corpus_has_a_limit_too(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    page.locator("#corpus").fill("İ" * 20_001)
    page.locator("#merge-limit").fill("2")
    page.locator("#lowercase").check()
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).to_contain_text("40,002 code points after normalization")
    expect(page.locator("#corpus-error")).to_contain_text("40,000 are allowed")
    expect(page.locator("#corpus")).to_have_value("İ" * 20_001)
    page.locator("#corpus").fill("İ" * 20_000)
    press_train(page)


def test_an_edit_ends_the_objection_to_what_was_there(page: Page) -> None:
    page.locator("#corpus").fill("😀" * 40_001)
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).not_to_be_empty()
    page.locator("#corpus").fill("low")
    expect(page.locator("#corpus-error")).to_be_empty()
    expect(page.locator("#corpus")).not_to_have_attribute("aria-invalid", "true")


def test_n8_a_surrogate_typed_by_script_is_refused_with_its_position(page: Page) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    set_text(page, "corpus", [0x61, 0xD83D, 0xDE00, 0x20, 0xD800, 0x62])
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).to_contain_text("unpaired surrogate U+D800 at position 3")
    assert "POST" not in sent
    set_text(page, "corpus", [0x6C, 0x6F, 0x20, 0x6C, 0x6F])
    press_train(page)
    choose_prefix(page, 0)
