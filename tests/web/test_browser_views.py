"""Views of the one document: W10, the navigation of W3, and M."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, expect

from tests.web.conftest import OpenPage, Server, Watch
from tests.web.driving import LOW, choose_prefix, encode, hold_training, press_train, shows_prefix, train
from tests.web.test_browser_access import violations

pytestmark = pytest.mark.browser


def go(page: Page, view: str) -> None:
    page.locator(f".views [data-view={view}]").click()
    shows(page, view)


def leave(page: Page, view: str) -> None:
    """Go without scrolling up to the link, as the keyboard's shortcuts for links do."""
    page.locator(f".views [data-view={view}]").dispatch_event("click")
    shows(page, view)


def shows(page: Page, view: str) -> None:
    """One view is seen, and address, navigation and title say which."""
    other = {"workbench": "#method", "method": "#workbench"}[view]
    expect(page.locator(f"#{view}")).to_be_visible()
    expect(page.locator(other)).to_be_hidden()
    expect(page.locator(".views [aria-current=page]")).to_have_attribute("data-view", view)
    title = {"workbench": "Pairloom · character BPE workbench", "method": "Pairloom · method"}[view]
    expect(page).to_have_title(title)
    # The static edition's views are folders.
    path = page.evaluate("() => location.pathname").rstrip("/") or "/"
    assert path == {"workbench": "/", "method": "/method"}[view]
    if view == "method":
        expect(page.locator("#method-sources")).to_be_attached()


def test_w10_moving_keeps_everything_in_memory(page: Page) -> None:
    page.locator("#merge-limit").fill("5")
    train(page)
    choose_prefix(page, 3)
    encode(page, "slow lows")
    page.locator("#corpus").evaluate("(area) => area.setSelectionRange(2, 5)")
    seen = page.locator("#workbench").inner_html()
    sent: list[Request] = []
    page.on("request", lambda request: None if "/static/" in request.url else sent.append(request))  # Chromium's icon
    go(page, "method")
    go(page, "workbench")
    page.go_back()
    shows(page, "method")
    page.go_back()
    shows(page, "workbench")
    page.go_forward()
    shows(page, "method")
    page.go_forward()
    shows(page, "workbench")
    assert page.locator("#workbench").inner_html().splitlines() == seen.splitlines()
    # Only the text to read, and that once.
    assert [request.url.rpartition(":")[2].partition("/")[2] for request in sent] == ["method/text"]
    shows_prefix(page, 3)
    expect(page.locator("#corpus")).to_have_value(LOW)
    expect(page.locator("#text")).to_have_value("slow lows")
    expect(page.locator("#merge-limit")).to_have_value("5")
    # And it goes on from there: nothing was edited, so the encoding follows the prefix (E7).
    page.locator("#prefix").fill("0")
    shows_prefix(page, 0)
    expect(page.locator("#encoding-view .tokens li")).to_have_count(len("▁slow▁lows"))


def test_w3_w10_a_training_is_cancelled_by_moving_and_can_be_repeated(page: Page, server: Server) -> None:
    hold_training(page, server)
    go(page, "method")
    server.gate.hold_at = None
    page.wait_for_timeout(200)
    go(page, "workbench")
    expect(page.locator("#status")).to_contain_text("Cancelled after")
    press_train(page)


def test_the_focus_goes_to_the_heading_of_the_view(page: Page) -> None:
    page.locator("#corpus").focus()
    go(page, "method")
    expect(page.locator("#method-title")).to_be_focused()
    go(page, "workbench")
    expect(page.locator("#workbench-title")).to_be_focused()
    page.go_back()
    expect(page.locator("#method-title")).to_be_focused()


def test_each_view_is_where_one_left_it(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 600})
    train(page)
    page.evaluate("() => scrollTo(0, 300)")
    page.wait_for_timeout(100)
    leave(page, "method")
    assert page.evaluate("() => scrollY") == 0
    page.evaluate("() => scrollTo(0, 700)")
    page.wait_for_timeout(100)
    leave(page, "workbench")
    assert page.evaluate("() => scrollY") == 300
    page.go_back()
    shows(page, "method")
    page.wait_for_timeout(100)
    assert page.evaluate("() => scrollY") == 700
    page.go_back()
    shows(page, "workbench")
    page.wait_for_timeout(100)
    assert page.evaluate("() => scrollY") == 300


def test_the_address_of_a_view_opens_it(open_page: OpenPage) -> None:
    page = open_page("/method")
    shows(page, "method")
    go(page, "workbench")
    train(page)
    page.go_back()
    shows(page, "method")


def test_a_fragment_is_a_place_in_a_view(page: Page) -> None:
    go(page, "method")
    page.locator(".toc a").nth(4).click()
    assert page.evaluate("() => location.hash") == "#method-training"
    top = page.locator("#method-training").bounding_box()
    assert top
    assert 0 <= top["y"] < 300
    shows(page, "method")
    page.go_back()
    shows(page, "method")
    page.wait_for_timeout(100)
    assert page.evaluate("() => scrollY") == 0
    page.go_forward()
    shows(page, "method")
    page.wait_for_timeout(100)
    assert page.evaluate("() => scrollY") > 0
    go(page, "workbench")
    page.go_back()
    shows(page, "method")


def test_a_link_with_a_modifier_key_is_the_browsers(page: Page) -> None:
    page.locator(".views [data-view=method]").click(modifiers=["Control"])
    page.wait_for_timeout(200)
    expect(page.locator("#workbench")).to_be_visible()


def test_m_each_statement_leads_to_the_place_where_it_can_be_tried(page: Page) -> None:
    train(page)
    encode(page, "slow")
    go(page, "method")
    places = page.locator("a.try").evaluate_all("(links) => [...new Set(links.map((link) => link.dataset.focus))]")
    assert len(places) > 8
    for place in places:
        page.locator(f"a.try[data-focus='{place}']").first.click()
        shows(page, "workbench")
        inside = "(id) => document.getElementById(id).contains(document.activeElement)"
        assert page.evaluate(inside, place), place
        box = page.evaluate("() => document.activeElement.getBoundingClientRect().toJSON()")
        assert box["bottom"] > 0, place
        assert box["top"] < 800, place
        page.go_back()
        shows(page, "method")


def test_m_a_place_that_comes_with_a_model_says_so(page: Page) -> None:
    go(page, "method")
    page.locator("a.try[data-focus=merges-view]").first.click()
    shows(page, "workbench")
    expect(page.locator("#train")).to_be_focused()
    expect(page.locator("#status")).to_have_text("That part of the workbench appears when a model is trained.")


def test_m_the_page_speaks_both_languages(open_page: OpenPage) -> None:
    page = open_page("/method", locale="de-DE")
    expect(page.locator("#method-title")).to_have_text("Methode")
    expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.parametrize("width", [320, 360, 768, 1280, 1920])
@pytest.mark.parametrize("language", ["en", "de"])
def test_m_the_page_is_not_wider_than_the_window(open_page: OpenPage, language: str, width: int) -> None:
    page = open_page(f"/method?lang={language}", viewport={"width": width, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


@pytest.mark.parametrize("view", ["/", "/walkthrough"])
def test_w12_a_failure_is_said_where_the_reader_is(open_page: OpenPage, watch: Watch, view: str) -> None:
    page = open_page(view, viewport={"width": 360, "height": 640})
    form = "#encode-form" if view == "/" else "#walk-form"
    if view == "/":
        train(page)
        page.locator("#text").fill("slow")
    else:
        expect(page.locator("#walkthrough")).to_have_attribute("data-state", "trained")
    page.route("**/*", lambda route: route.fulfill(status=500, body=""))
    watch.expected_statuses.add(500)
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    page.locator(form).evaluate("(form) => htmx.trigger(form, form.matches('#encode-form') ? 'submit' : 'input')")
    expect(page.locator("#trouble")).to_contain_text("did not answer as it should")
    expect(page.locator("#trouble")).to_be_in_viewport(ratio=1)
    expect(page.locator("#live")).to_contain_text("did not answer as it should")
    assert violations(page) == []
