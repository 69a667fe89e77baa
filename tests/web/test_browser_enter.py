"""The Enter key: in no field does the browser itself send a form; with Ctrl or ⌘ it trains and encodes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Watch
from tests.web.driving import LOW, encode, is_in_state, train

pytestmark = pytest.mark.browser

FIELDS = "main input:not([type=hidden], [type=file]), main select"


@pytest.mark.parametrize("path", ["/", "/walkthrough", "/method"])
def test_enter_in_any_field_sends_no_form_by_the_browser(open_page: OpenPage, path: str, watch: Watch) -> None:
    # A search for nothing is objected to.
    watch.expected_statuses = {422}
    page = open_page(path)
    if path == "/":
        train(page, f"{LOW} " * 120 + " ".join(f"w{number}" for number in range(400)))
        encode(page, "low slow " * 80)
    elif path == "/walkthrough":
        page.locator("#walk-corpus").fill(" ".join(f"w{number} low" for number in range(900)))
        expect(page.locator("#walk-corpus-page")).to_be_visible()
        page.locator("#walk-pairs-all").click()
        expect(page.locator("#walk-pairs-page")).to_be_visible()
    ids = page.locator(FIELDS).evaluate_all(
        # Those of the form that trains come last: a training ends the encoding.
        "(fields) => fields.filter((each) => each.checkVisibility())"
        ".sort((one, other) => (one.form?.id === 'train-form') - (other.form?.id === 'train-form'))"
        ".map((each, number) =>"
        " { each.dataset.field = number; return each.id || each.name; })"
    )
    if path != "/method":
        assert len(ids) > 6
    went: list[str] = []
    page.on("framenavigated", lambda frame: went.append(frame.url))
    for number, name in enumerate(ids):
        field = page.locator(f"[data-field='{number}']")
        if field.count() == 0:
            field = page.locator(f"#{name}")
        field.focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
    assert went == []
    # The prefix is still the page's to move. (Nor has the browser complained: `open_page` sees to that.)
    if path == "/":
        is_in_state(page, "trained")


def test_w1_w9_ctrl_enter_in_a_text_is_the_button_below_it(page: Page) -> None:
    page.locator("#corpus").fill(LOW)
    page.keyboard.press("Enter")
    is_in_state(page, "empty")
    page.locator("#corpus").fill(LOW)
    page.keyboard.press("Control+Enter")
    is_in_state(page, "trained")
    page.locator("#text").fill("low slow")
    page.keyboard.press("Meta+Enter")
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)
    expect(page.locator("#text")).to_have_value("low slow")


def test_e7_after_an_edit_of_the_text_it_is_said_what_to_do(page: Page) -> None:
    train(page)
    note = page.locator("#text-edited")
    page.locator("#text").fill("low")
    expect(note).to_be_empty()
    encode(page, "low")
    page.locator("#text").press_sequentially("er")
    expect(note).to_have_text("Edited: press Encode.")
    expect(page.locator("#live")).to_have_text("Edited: press Encode.")
    page.locator("[data-language=de]").click()
    expect(note).to_have_text("Geändert: bitte neu kodieren.")
    page.locator("#encode").click()
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)
    expect(note).to_be_hidden()
    # Another model: nothing was encoded with it yet.
    page.locator("#text").press_sequentially("s")
    expect(note).to_be_visible()
    train(page, f"{LOW} newest")
    expect(note).to_be_empty()
