"""W14: text composed with an input method is left alone until the composition ends."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.web.driving import encode, is_in_state, shows_nothing_of_a_model, train

pytestmark = pytest.mark.browser


@pytest.fixture
def keys(page: Page) -> CDPSession:
    """The browser's own input method, driven from outside."""
    return page.context.new_cdp_session(page)


def compose(keys: CDPSession, text: str) -> None:
    keys.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})


def commit(keys: CDPSession, text: str) -> None:
    keys.send("Input.insertText", {"text": text})


def saved(page: Page) -> str:
    found: str = page.evaluate("() => localStorage.getItem('pairloom.inputs.1')") or ""
    return found


def test_w14_nothing_is_discarded_while_a_text_is_composed(page: Page, keys: CDPSession) -> None:
    train(page)
    encode(page, "slow")
    page.locator("#corpus").focus()
    before = page.locator("#corpus-count").inner_text()
    for text in ("n", "に", "にh", "にほ", "にほn"):
        compose(keys, text)
        page.wait_for_timeout(20)
    expect(page.locator("#corpus")).to_have_value("low low lower lowestにほn")
    # Composed, and nobody has noticed.
    is_in_state(page, "trained")
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)
    expect(page.locator("#corpus-count")).to_have_text(before)
    assert "に" not in saved(page)
    commit(keys, "日本")
    expect(page.locator("#corpus")).to_have_value("low low lower lowest日本")
    shows_nothing_of_a_model(page)
    expect(page.locator("#corpus-count")).to_have_text(str(int(before) + 2))
    assert "日本" in saved(page)
    expect(page.locator("#discarded")).to_be_visible()


def test_w14_the_text_to_encode_too(page: Page, keys: CDPSession) -> None:
    train(page)
    encode(page, "slow")
    page.locator("#text").focus()
    compose(keys, "か")
    page.wait_for_timeout(50)
    expect(page.locator("#encoding-view .tokens li")).not_to_have_count(0)
    commit(keys, "課")
    expect(page.locator("#encoding-view")).to_be_empty()
    is_in_state(page, "trained")


def test_w14_a_composition_that_is_given_up_was_no_edit(page: Page, keys: CDPSession) -> None:
    train(page)
    page.locator("#corpus").focus()
    compose(keys, "に")
    compose(keys, "")
    page.wait_for_timeout(50)
    expect(page.locator("#corpus")).to_have_value("low low lower lowest")
    is_in_state(page, "trained")


def test_w14_numbers_are_not_counted_as_errors_meanwhile(page: Page, keys: CDPSession) -> None:
    train(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.locator("#rank").focus()
    compose(keys, "１")
    page.wait_for_timeout(50)
    assert "POST" not in sent
    expect(page.locator("#rank-error")).to_be_empty()
