"""W12 and the main job by keyboard alone; axe on every view, in both languages and both themes."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

import pairloom
from tests.web.conftest import OpenPage, Watch
from tests.web.driving import LOW, choose_prefix, encode, is_in_state, shows_prefix, train

pytestmark = pytest.mark.browser

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
LANGUAGES = ("en", "de")
THEMES = ("light", "dark")


def violations(page: Page) -> list[str]:
    """Return what axe objects to, with the places."""
    page.evaluate(AXE + "\n;0")
    found = page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
    return [f"{each['id']}: {json.dumps([node['target'] for node in each['nodes']])}" for each in found]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_any_state(open_page: OpenPage, watch: Watch, language: str, theme: str) -> None:
    watch.expected_statuses = {422}
    page = open_page(f"/?lang={language}", color_scheme=theme)
    assert violations(page) == []
    page.locator("#corpus").fill("low ▁low")
    page.locator("#merge-limit").fill("x")
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).not_to_be_empty()
    assert violations(page) == []
    page.locator("#merge-limit").fill("1000")
    train(page, "the slow weaver lowers the slowest loom; the loom is slower, the weaver is not " * 12)
    choose_prefix(page, 7)
    assert violations(page) == []
    encode(page, "the slowest Ж weaver \x00 \u05d0\u05d1 " * 9)
    assert violations(page) == []
    encode(page, "the slowest loom")
    page.locator("#copy-ids").focus()
    assert violations(page) == []
    page.locator("#corpus").press_sequentially("x")
    expect(page.locator("#discarded")).to_be_visible()
    assert violations(page) == []
    page.locator(".views [data-view=method]").click()
    expect(page.locator("#method-sources")).to_be_visible()
    assert violations(page) == []


def reach(page: Page, selector: str, *, back: bool = False) -> None:
    """Press Tab until something has the focus."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"{selector} does not show that it has the focus"
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    pytest.fail(f"Tab does not reach {selector}")


def test_the_whole_main_job_by_keyboard_alone(page: Page) -> None:
    keys = page.keyboard
    reach(page, ".skip")
    keys.press("Enter")
    reach(page, "#corpus")
    keys.insert_text(LOW)
    reach(page, "[name=pre_tokenizer]")
    keys.press("ArrowRight")
    expect(page.locator("[name=pre_tokenizer][value=punctuation]")).to_be_checked()
    keys.press("ArrowLeft")
    reach(page, "#lowercase")
    keys.press("Space")
    reach(page, "#merge-limit")
    keys.press("Control+A")
    keys.type("6")
    reach(page, "#train")
    keys.press("Enter")
    is_in_state(page, "trained")
    expect(page.locator("#live")).to_have_text("Trained: 4 merges.")
    model = pairloom.train(LOW, 6, lowercase=True)

    reach(page, "#slider")
    keys.press("Home")
    shows_prefix(page, 0)
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    shows_prefix(page, 2)
    # The slider says its own value.
    tokens = f"{model.merges[1].corpus_tokens} corpus tokens"
    expect(page.locator("#slider")).to_have_attribute("aria-valuetext", re.compile(tokens))
    reach(page, "#prefix")
    keys.press("Control+A")
    keys.type("3")
    shows_prefix(page, 3)
    expect(page.locator("#live")).to_contain_text(f"{model.merges[2].corpus_tokens} corpus tokens")

    reach(page, "#text")
    keys.insert_text("LOWER slow")
    reach(page, "#encode")
    keys.press("Space")
    encoding = model.encode("LOWER slow", 3)
    expect(page.locator("#encoding-view .tokens li")).to_have_count(len(encoding.tokens))
    expect(page.locator("#live")).to_have_text(f"Encoded: {len(encoding.tokens)} tokens.")
    reach(page, "#copy-ids")
    keys.press("Enter")
    expect(page.locator("#live")).to_have_text(f"Copied: {len(encoding.ids)} IDs.")
    expect(page.locator("#copy-ids")).to_be_focused()
    reach(page, "#rank")
    keys.type("3")
    keys.press("Enter")
    expect(page.locator("#merges-view tr[data-r='3']")).to_be_visible()

    reach(page, ".views [data-view=method]", back=True)
    keys.press("Enter")
    expect(page.locator("#method-title")).to_be_focused()
    expect(page.locator("#method-sources")).to_be_attached()
    reach(page, "a.try[data-focus=text]")
    keys.press("Enter")
    expect(page.locator("#text")).to_be_focused()
    reach(page, "#reset", back=True)
    keys.press("Enter")
    is_in_state(page, "empty")
    expect(page.locator("#live")).to_have_text("The model was discarded.")
    reach(page, "a[data-language=de]", back=True)
    keys.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#live")).to_have_text("Die Seite ist jetzt auf Deutsch.")


def test_w12_there_is_one_live_region_and_it_says_what_happened(page: Page) -> None:
    live = page.locator("#live")
    expect(page.locator("[role=status], [role=alert], [role=log], [aria-live]")).to_have_count(1)
    expect(live).to_be_empty()
    train(page)
    expect(live).to_have_text("Trained: 4 merges.")
    encode(page, "low x")
    expect(live).to_have_text("Encoded: 3 tokens. 1 of them is unknown.")
    choose_prefix(page, 1)
    expect(live).to_contain_text("After 1 merge: 17 corpus tokens. Last merge: l + o, frequency 4, replacements 4.")
    page.locator("#corpus").press_sequentially("x")
    expect(live).to_contain_text("Edited: the model of 4 merges was discarded.")
    page.locator("#bring-back").click()
    expect(live).to_have_text("The inputs are back. Train to have the model again.")
    expect(page.locator("[role=status], [role=alert], [role=log], [aria-live]")).to_have_count(1)


def test_w12_an_objection_is_read_with_its_field(page: Page) -> None:
    page.locator("#corpus").fill("a" * 40_001)
    page.locator("#train").click()
    expect(page.locator("#corpus")).to_be_focused()
    expect(page.locator("#corpus")).to_have_accessible_description(
        "40,001 The text has 40,001 code points, 40,000 are allowed: shorten it. Nothing was cut off."
    )


@pytest.fixture
def still(open_page: OpenPage) -> Page:
    return open_page(reduced_motion="reduce")


def test_nothing_moves_for_those_who_ask_for_stillness(still: Page) -> None:
    moving = (
        "() => [...document.querySelectorAll('*')].filter((each) => { const style = getComputedStyle(each);"
        " return style.animationName !== 'none' || style.transitionDuration.split(', ').some((part) => part !== '0s')"
        " || style.scrollBehavior === 'smooth'; }).map((each) => each.outerHTML.slice(0, 80))"
    )
    assert still.evaluate(moving) == []
    train(still)
    encode(still, "low")
    assert still.evaluate(moving) == []
