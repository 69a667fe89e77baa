"""The text of the Method page comes when its view is opened, in the language of the page, and stays. Rule: M."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.conftest import Server, Watch
from tests.web.driving import LOW, choose_prefix, encode, shows_prefix, train

pytestmark = pytest.mark.browser

FAILED = "did not answer as it should"


def open_method(page: Page) -> None:
    page.locator(".views [data-view=method]").click()
    expect(page.locator("#method-title")).to_be_visible()


def has_come(page: Page, language: str = "en") -> None:
    expect(page.locator("#method-text")).to_have_attribute("lang", language)
    lead = {"en": "What happens to a text here", "de": "Was hier mit einem Text geschieht"}[language]
    expect(page.locator("#method-text .lead")).to_contain_text(lead)
    assert page.locator("#method-text").get_attribute("aria-busy") is None


def hold(page: Page) -> list[Route]:
    """Let requests for the text wait until somebody lets them go on."""
    held: list[Route] = []
    page.route("**/method/text", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    return held


def test_it_comes_with_the_view_and_nothing_jumps(page: Page) -> None:
    held = hold(page)
    expect(page.locator("#method-text")).to_be_empty()
    open_method(page)
    expect(page.locator("#method-title")).to_be_focused()
    expect(page.locator("#method-text")).to_have_attribute("aria-busy", "true")
    places = (
        "() => ['header.top', '#method', '#method-title'].map((each) => {"
        " const { x, y, width } = document.querySelector(each).getBoundingClientRect(); return [x, y, width]; })"
    )
    scrolls = "() => document.documentElement.scrollHeight > innerHeight"
    before = page.evaluate(places)
    assert page.evaluate(scrolls)
    held[0].continue_()
    has_come(page)
    assert page.evaluate(places) == before
    assert page.evaluate(scrolls)
    assert page.evaluate("() => scrollY") == 0
    expect(page.locator("#method-title")).to_be_focused()
    expect(page.locator("#trouble")).to_be_empty()
    assert len(held) == 1


def test_the_same_as_in_the_document_that_was_asked_for(page: Page) -> None:
    open_method(page)
    has_come(page)
    came = page.locator("#method").inner_text()
    page.reload()
    has_come(page)
    assert page.locator("#method").inner_text() == came


@pytest.mark.parametrize("what", ["**/method/text", "**/js/method.js"])
@pytest.mark.parametrize("again", ["its link", "another view", "back"])
def test_a_failure_is_said_and_the_next_opening_tries_again(page: Page, watch: Watch, what: str, again: str) -> None:
    watch.expected_statuses.add(500)
    page.route(what, lambda route: route.fulfill(status=500, body=""))
    open_method(page)
    expect(page.locator("#trouble")).to_contain_text(FAILED)
    expect(page.locator("#trouble")).to_be_in_viewport(ratio=1)
    expect(page.locator("#live")).to_contain_text(FAILED)
    expect(page.locator("#method-text")).to_be_empty()
    page.unroute(what)
    if again == "another view":
        page.locator(".views [data-view=workbench]").click()
        expect(page.locator("#method")).to_be_hidden()
    elif again == "back":
        page.go_back()
        expect(page.locator("#method")).to_be_hidden()
        page.go_forward()
    if again != "back":
        open_method(page)
    has_come(page)
    expect(page.locator("#trouble")).to_be_empty()


def test_g_another_language_brings_it_anew_and_w10_loses_nothing(page: Page) -> None:
    train(page)
    choose_prefix(page, 3)
    encode(page, "slow lows")
    open_method(page)
    has_come(page)
    page.locator("a.try[data-focus=text]").first.click()
    expect(page.locator("#text")).to_be_focused()
    page.locator("a[data-language=de]").click()
    # It is there before the view is opened.
    expect(page.locator("#method-text")).to_have_attribute("lang", "de")
    held = hold(page)
    open_method(page)
    has_come(page, "de")
    german = page.locator("#method").inner_text()
    assert held == []
    page.locator(".views [data-view=workbench]").click()
    shows_prefix(page, 3)
    expect(page.locator("#corpus")).to_have_value(LOW)
    expect(page.locator("#encoding-view .tokens li").first).to_be_visible()
    page.goto("/method")
    has_come(page, "de")
    assert page.locator("#method").inner_text() == german


def test_g_on_the_page_itself_nothing_of_the_old_language_is_left(page: Page) -> None:
    open_method(page)
    has_come(page)
    for language in ("de", "en", "de"):
        page.locator(f"a[data-language={language}]").click()
        has_come(page, language)
    german = page.locator("#method").inner_text()
    page.reload()
    has_come(page, "de")
    assert page.locator("#method").inner_text() == german


def test_g_a_text_in_the_old_language_that_comes_late_is_not_shown(page: Page) -> None:
    held = hold(page)
    open_method(page)
    expect(page.locator("#method-text")).to_have_attribute("aria-busy", "true")
    page.locator("a[data-language=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    # It came with the document that brought the other words.
    expect(page.locator("#method-text")).to_have_attribute("lang", "de")
    held[0].continue_()
    expect(page.locator("#method-text")).not_to_have_attribute("aria-busy", "true")
    has_come(page, "de")
    assert len(held) == 1


def test_g_left_and_in_another_language_before_it_came(page: Page) -> None:
    held = hold(page)
    open_method(page)
    expect(page.locator("#method-text")).to_have_attribute("aria-busy", "true")
    page.locator(".views [data-view=workbench]").click()
    page.locator("a[data-language=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    held[0].continue_()
    expect(page.locator("#method-text")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#method-text")).to_be_empty()
    page.unroute("**/method/text")
    open_method(page)
    has_come(page, "de")


def test_g_a_text_that_does_not_come_in_the_other_language_says_which_one_it_is_in(page: Page, watch: Watch) -> None:
    open_method(page)
    has_come(page)
    page.locator(".views [data-view=workbench]").click()
    watch.expected_statuses.add(500)
    page.route("**/method/text", lambda route: route.fulfill(status=500, body=""))
    page.locator("a[data-language=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#trouble")).not_to_be_empty()
    has_come(page, "en")
    page.unroute("**/method/text")
    open_method(page)
    has_come(page, "de")


def test_a_place_in_the_address_is_found_when_the_text_comes(page: Page) -> None:
    open_method(page)
    page.locator(".toc a").nth(4).click()
    assert page.evaluate("() => location.hash") == "#method-training"
    page.locator(".views [data-view=workbench]").click()
    page.reload()
    expect(page.locator("#method-text")).to_be_empty()
    page.go_back()
    has_come(page)
    expect(page.locator("#method-training")).to_be_in_viewport()


def test_printed_after_it_came(page: Page) -> None:
    open_method(page)
    has_come(page)
    page.emulate_media(media="print")
    expect(page.locator("#workbench")).to_be_hidden()
    expect(page.locator("#method-title")).to_be_visible()
    expect(page.locator("#method-sources")).to_be_visible()
    expect(page.locator("#method th .try").first).to_be_visible()
    expect(page.locator("#method dd .try").first).to_be_hidden()


def test_it_can_be_read_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.address, java_script_enabled=False, locale="de-DE")
    page = context.new_page()
    page.goto("/")
    page.locator(".views [data-view=method]").click()
    expect(page.locator("#method-text .lead")).to_contain_text("Was hier mit einem Text geschieht")
    expect(page.locator("#method-sources")).to_be_visible()
    page.locator("a.try[data-focus=corpus]").first.click()
    expect(page.locator("#corpus")).to_be_in_viewport()
    context.close()
