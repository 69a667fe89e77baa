"""The language is the reader's choice, and the switch keeps everything that is on the page. Rule: G."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

import pairloom
from tests.support.prose import real_text
from tests.web.conftest import OpenPage, Server, Watch
from tests.web.driving import (
    LOW,
    choose_prefix,
    encode,
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


def switch(page: Page, language: str) -> None:
    page.locator(f"a[data-language={language}]").click()
    speaks(page, language)


def speaks(page: Page, language: str) -> None:
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#train")).to_have_text({"en": "Train", "de": "Trainieren"}[language])
    expect(page.locator("a[data-language][aria-current]")).to_have_attribute("data-language", language)


def fields(page: Page) -> list[object]:
    """Return what the form holds, and where the reader is in it."""
    found: list[object] = page.evaluate(
        "() => [...document.querySelectorAll('input:not([type=hidden]), textarea')]"
        ".map((each) => [each.id, each.value, each.checked])"
    )
    return found


@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("de-DE", "de"), ("de-AT", "de"), ("fr-FR", "en")])
def test_g_the_browser_chooses_first(open_page: OpenPage, locale: str, language: str) -> None:
    page = open_page(locale=locale)
    speaks(page, language)
    for code in ("en", "de"):
        link = page.locator(f"a[data-language={code}]")
        expect(link).to_have_attribute("hreflang", code)
        expect(link).to_have_attribute("lang", code)
        expect(page.locator(f"link[rel=alternate][hreflang={code}]")).to_have_attribute("href", f"/?lang={code}")


def test_g_the_choice_is_remembered(open_page: OpenPage) -> None:
    page = open_page(locale="en-GB")
    assert page.context.cookies() == []
    switch(page, "de")
    (cookie,) = page.context.cookies()
    assert (cookie["name"], cookie["value"], cookie["sameSite"], cookie["httpOnly"]) == ("lang", "de", "Lax", True)
    page.reload()
    speaks(page, "de")
    page.goto("/method")
    expect(page.locator("#method-title")).to_have_text("Methode")
    switch(page, "en")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_g_the_address_of_a_language_chooses_it(open_page: OpenPage) -> None:
    page = open_page("/?lang=de", locale="en-GB")
    speaks(page, "de")
    page.goto("/")
    speaks(page, "de")


def test_g_the_switch_keeps_everything(page: Page, watch: Watch) -> None:
    corpus = real_text(3_000)
    page.locator("#lowercase").check()
    train(page, corpus)
    merges = len(pairloom.train(corpus, lowercase=True).merges)
    assert merges > 300
    grouped = f"{merges:,}".replace(",", ".")
    choose_prefix(page, 170)
    encode(page, "lowest " * 150 + "Ж")
    for name in ("corpus", "vocabulary", "encoding"):
        where = page.locator(f"#{name}-view .where")
        before = where.inner_text()
        page.locator(f"#{name}-next").click()
        expect(where).not_to_have_text(before)
    expect(page.locator("#merges-view tr[aria-current]")).to_have_attribute("data-r", "169")
    watch.expected_statuses = {422}
    page.locator("#rank").fill("many")
    page.locator("#rank").press("Enter")
    expect(page.locator("#rank-error")).to_contain_text("from 0 to")
    page.locator("#prefix").fill("99999")
    expect(page.locator("#prefix-error")).to_contain_text("from 0 to")
    page.locator("#corpus").evaluate("(area) => area.setSelectionRange(3, 9)")
    page.evaluate("() => scrollTo(0, 120)")

    def numbers() -> list[list[str]]:
        places = ("#summary dd", "#encoding-view dd", "#encoding-view .tokens b", "#vocabulary-view td:first-child")
        texts = [page.locator(place).all_inner_texts() for place in places]
        return [[re.sub(r"[.,]", "", text) for text in each] for each in texts]

    held, shown, box = fields(page), numbers(), page.locator("#corpus-view .flow").inner_text()
    switch(page, "de")
    expect(page.locator("#summary")).to_contain_text("Basisalphabet")
    expect(page.locator("#encoding-view")).to_contain_text("Codepunkte")
    expect(page.locator("#status")).to_have_text(f"Trainiert: {grouped} Verschmelzungen.")
    expect(page.locator("#rank-error")).to_contain_text("von 0 bis")
    expect(page.locator("#rank")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#prefix-error")).to_contain_text("von 0 bis")
    expect(page.locator("#prefix")).to_have_value("99999")
    expect(page.locator("#prefix")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("a[data-language=de]")).to_be_focused()
    assert fields(page) == held
    assert numbers() == shown
    assert page.locator("#corpus-view .flow").inner_text() == box
    assert page.evaluate("() => [...document.querySelectorAll('#corpus')].map((a) => a.selectionStart)") == [3]
    shows_prefix(page, 170)
    expect(page.locator("#merges-view tr[aria-current]")).to_have_attribute("data-r", "169")
    expect(page.locator("#live")).to_have_text("Die Seite ist jetzt auf Deutsch.")
    # It goes on in the new language: the model is the old one, the encoding follows the prefix (E7).
    choose_prefix(page, 5)
    expect(page.locator("#encoding-view [data-encoded='5']")).to_have_count(1)
    expect(page.locator("#selection")).to_contain_text("Rang")
    # And back again, to the very same page.
    switch(page, "en")
    expect(page.locator("#summary")).to_contain_text("Base alphabet")
    expect(page.locator("#rank-error")).to_contain_text("from 0 to")


def test_g_numbers_have_the_form_of_the_language(page: Page) -> None:
    page.locator("#corpus").fill("low lower " * 1_500)
    expect(page.locator("#corpus-count")).to_have_text("15,000")
    press_train(page)
    encode(page, "low lower " * 300)
    expect(page.locator("#summary")).to_contain_text("3,000")
    expect(page.locator("#encoding-view")).to_contain_text("2,999")
    expect(page.locator("#encoding-view")).to_contain_text("5.00")
    switch(page, "de")
    expect(page.locator("#corpus-count")).to_have_text("15.000")
    expect(page.locator("#summary")).to_contain_text("3.000")
    expect(page.locator("#encoding-view")).to_contain_text("2.999")
    expect(page.locator("#encoding-view")).to_contain_text("5,00")
    expect(page.locator(".count").first).to_contain_text("40.000")


@pytest.mark.parametrize(
    ("corpus", "english", "german"),
    [
        ("aa aa", "Trained: 2 merges.", "Trainiert: 2 Verschmelzungen."),
        ("a a", "Trained: 1 merge.", "Trainiert: 1 Verschmelzung."),
        ("a", "Trained: 0 merges.", "Trainiert: 0 Verschmelzungen."),
    ],
)
def test_g_plural_forms(page: Page, corpus: str, english: str, german: str) -> None:
    train(page, corpus)
    expect(page.locator("#status")).to_have_text(english)
    switch(page, "de")
    expect(page.locator("#status")).to_have_text(german)
    page.locator("#corpus").press_sequentially("x")
    expect(page.locator("#discarded-word")).to_contain_text(german.split()[1])
    switch(page, "en")
    expect(page.locator("#discarded-word")).to_contain_text(english.split(" ", 1)[1].removesuffix(".") + " was disc")


def test_g_without_a_model_and_with_objections(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    page.locator("#corpus").fill("low ▁low")
    page.locator("#merge-limit").fill("40001")
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).to_contain_text("literal ▁ (U+2581) at position 4")
    switch(page, "de")
    expect(page.locator("#corpus-error")).to_contain_text("Position 4")
    expect(page.locator("#merge-limit-error")).to_contain_text("40.000")
    expect(page.locator("#merge-limit")).to_have_value("40001")
    expect(page.locator("#corpus")).to_have_value("low ▁low")
    # Objections that the browser alone can make.
    page.locator("#merge-limit").fill("10")
    page.locator("#corpus").fill("😀" * 40_001)
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).to_contain_text("40.001 Codepunkte")
    switch(page, "en")
    expect(page.locator("#corpus-error")).to_contain_text("40,001 code points, 40,000 are allowed")
    set_text(page, "corpus", [0x61, 0xD800])
    page.locator("#train").click()
    switch(page, "de")
    expect(page.locator("#corpus-error")).to_contain_text("U+D800")
    expect(page.locator("#saved")).to_contain_text("Diese Eingaben gehen beim Neuladen verloren")


def test_g_what_was_cancelled_stays_said(page: Page, server: Server) -> None:
    hold_training(page, server, at=3)
    merges = page.locator("#training progress").get_attribute("value")
    page.locator("#cancel").click()
    switch(page, "de")
    expect(page.locator("#status")).to_have_text(f"Nach {merges} Verschmelzungen abgebrochen. Es gibt kein Modell.")
    shows_nothing_of_a_model(page)


def test_g_a_training_under_way_goes_on_in_the_new_language(page: Page, server: Server) -> None:
    hold_training(page, server)
    switch(page, "de")
    expect(page.locator("#training")).to_contain_text("gelernt (höchstens 1.000;")
    is_in_state(page, "training")
    server.gate.hold_at = None
    is_in_state(page, "trained")
    expect(page.locator("#status")).to_contain_text("Trainiert:")
    expect(page.locator("#summary")).to_contain_text("Basisalphabet")


def test_g_w3_a_step_under_way_does_not_bring_the_old_language_back(page: Page) -> None:
    train(page)
    held: list[Route] = []
    page.route("**/workbench/prefix", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("#prefix").fill("1")
    page.wait_for_timeout(100)
    switch(page, "de")
    held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator("#selection")).to_contain_text("Rang")
    expect(page.locator("#selection")).not_to_contain_text("Rank")
    # The position chosen last is the one that is shown.
    shows_prefix(page, 1)
    expect(page.locator("#prefix")).to_have_value("1")


def test_g_on_the_method_page(page: Page) -> None:
    train(page)
    page.locator(".views [data-view=method]").click()
    expect(page.locator("#method-title")).to_have_text("Method")
    switch_link = page.locator("a[data-language=de]")
    switch_link.click()
    expect(page.locator("#method-title")).to_have_text("Methode")
    expect(page).to_have_title("Pairloom · Methode")
    assert page.evaluate("() => location.pathname + location.search") == "/method"
    expect(switch_link).to_be_focused()
    # Nothing of the other language is left on it, wherever words stand in another order.
    expect(page.locator("#method-text")).to_have_attribute("lang", "de")
    german = page.locator("#method").inner_text()
    page.reload()
    assert page.locator("#method").inner_text() == german
    page.locator(".views [data-view=workbench]").click()
    expect(page.locator("#corpus")).to_have_value(LOW)


def test_g_the_model_is_there_after_a_switch_elsewhere(page: Page) -> None:
    train(page)
    page.locator(".views [data-view=method]").click()
    page.locator("a[data-language=de]").click()
    expect(page.locator("#method-title")).to_have_text("Methode")
    page.locator(".views [data-view=workbench]").click()
    expect(page.locator("#summary")).to_contain_text("Basisalphabet")
    is_in_state(page, "trained")


def test_g_each_tab_speaks_its_own_language(page: Page) -> None:
    train(page)
    other = page.context.new_page()
    other.goto("/?lang=de")
    page.locator("#prefix").fill("1")
    shows_prefix(page, 1)
    expect(page.locator("#selection")).to_contain_text("Rank")
    press_train(page)
    expect(page.locator("#status")).to_contain_text("Trained")


def test_g_a_forgotten_model_is_no_obstacle(page: Page, server: Server, watch: Watch) -> None:
    watch.expected_statuses = {409}
    train(page)
    choose_prefix(page, 2)
    server.forget()
    switch(page, "de")
    expect(page.locator("#summary")).to_contain_text("Basisalphabet")
    shows_prefix(page, 2)


def test_g_of_two_quick_switches_the_last_one_counts(page: Page) -> None:
    held: list[Route] = []
    page.route("**/?lang=de", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("a[data-language=de]").click()
    page.locator("a[data-language=en]").click()
    page.wait_for_timeout(100)
    held[0].continue_()
    page.wait_for_timeout(300)
    speaks(page, "en")


def test_g_no_answer_is_said(page: Page, server: Server, watch: Watch) -> None:
    page.route("**/?lang=de", lambda route: route.abort())
    page.locator("a[data-language=de]").click()
    expect(page.locator("#trouble")).to_contain_text("did not answer as it should")
    speaks(page, "en")
    page.unroute("**/?lang=de")
    switch(page, "de")
    expect(page.locator("#trouble")).to_be_empty()
    watch.complaints = [each for each in watch.complaints if "Failed" not in each]
    release(page, server)
