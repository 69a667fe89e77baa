"""What tests do on the pages in a browser, in the words of those who use them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Server

LOW = "low low lower lowest"


def train(page: Page, corpus: str = LOW) -> None:
    """Type a text and train; the model has arrived afterwards."""
    page.locator("#corpus").fill(corpus)
    press_train(page)


def press_train(page: Page) -> None:
    page.locator("#train").click()
    is_in_state(page, "trained")


def is_in_state(page: Page, state: str) -> None:
    expect(page.locator("#workbench")).to_have_attribute("data-state", state)


def encode(page: Page, text: str) -> None:
    """Type a text and encode it; the tokens have arrived afterwards."""
    page.locator("#text").fill(text)
    page.locator("#encode").click()
    expect(page.locator("#encoding-view [data-encoded]")).to_have_count(1)


def choose_prefix(page: Page, prefix: int) -> None:
    page.locator("#prefix").fill(str(prefix))
    shows_prefix(page, prefix)


def shows_prefix(page: Page, prefix: int) -> None:
    expect(page.locator("#selection [data-prefix]")).to_have_attribute("data-prefix", str(prefix))


def hold_training(page: Page, server: Server, corpus: str = f"{LOW} " * 20, at: int = 1) -> None:
    """Begin a training that stops after some merges, and stays there until the gate opens."""
    server.gate.hold_at = at
    page.locator("#corpus").fill(corpus)
    page.locator("#train").click()
    expect(page.locator("#training progress")).to_be_visible()
    expect(page.locator("#training")).to_contain_text(" learned (the limit is ")


def release(page: Page, server: Server) -> None:
    """Open the gate and give whatever was held the time to arrive."""
    server.gate.hold_at = None
    page.wait_for_timeout(300)


def hide(page: Page) -> None:
    """Hide the page as another tab does."""
    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )


def shows_nothing_of_a_model(page: Page) -> None:
    is_in_state(page, "empty")
    expect(page.locator("#model-key")).to_have_count(0)
    for place in ("summary", "selection", "corpus-view", "merges-view", "vocabulary-view", "encoding-view"):
        expect(page.locator(f"#{place}")).to_be_empty()


def set_text(page: Page, field: str, units: list[int]) -> None:
    """Put UTF-16 units into a field, unpaired surrogates among them: such a text cannot travel to the browser."""
    page.evaluate(
        "([id, units]) => { const area = document.getElementById(id); area.value = String.fromCharCode(...units);"
        " area.dispatchEvent(new Event('input', { bubbles: true })); }",
        [field, units],
    )
