"""What only the browser knows of the walkthrough: when it trains, how fast it plays, and what may not come late."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.web.conftest import OpenPage, Watch
from tests.web.test_browser_walkthrough import is_ready, stands_at, type_corpus

pytestmark = pytest.mark.browser


@pytest.fixture
def walk(open_page: OpenPage) -> Page:
    """The walkthrough, freshly opened, with its first preset."""
    page = open_page("/walkthrough")
    is_ready(page)
    return page


class Held:
    """Requests that wait on their way to the server until they are let go."""

    def __init__(self, page: Page, path: str | re.Pattern[str], *, most: int = 1) -> None:
        self.page = page
        self.routes: list[Route] = []
        self.most = most
        page.route(path, self._hold)

    def _hold(self, route: Route) -> None:
        if len(self.routes) < self.most:
            self.routes.append(route)
        else:
            route.fallback()

    def wait(self) -> None:
        """Until all of them are on their way."""
        for _ in range(200):
            if len(self.routes) == self.most:
                return
            self.page.wait_for_timeout(10)
        raise AssertionError("was never asked for")

    def let_go(self) -> None:
        """Let them go on, and give what comes the time to be shown."""
        for route in self.routes:
            with self.page.expect_response(route.request.url):
                route.continue_()
        self.page.wait_for_timeout(150)


def test_s1_every_setting_trains_anew(walk: Page) -> None:
    numbers = walk.locator("#walk-numbers dd")
    inputs = walk.locator("#walk-inputs")
    type_corpus(walk, "Low low, LOW")
    expect(numbers).to_have_text(["4", "4", "8"])
    inputs.locator("[name=walk_lowercase]").check()
    expect(numbers).to_have_text(["4", "2", "5"])
    inputs.locator("[name=walk_pre_tokenizer][value=whitespace]").check()
    expect(numbers).to_have_text(["3", "2", "5"])
    inputs.locator("[name=walk_lowercase]").uncheck()
    expect(numbers).to_have_text(["3", "3", "8"])


def test_s1_a_preset_that_comes_late_replaces_nothing(walk: Page) -> None:
    held = Held(walk, re.compile("/static/.*ties"))
    walk.locator("#walk-preset").select_option("ties")
    held.wait()
    type_corpus(walk, "low low")
    is_ready(walk)
    held.let_go()
    expect(walk.locator("#walk-corpus")).to_have_value("low low")
    expect(walk.locator("#walk-preset")).to_have_value("")
    stands_at(walk, 0, 3)


def test_s1_w3_answers_about_the_old_text_are_dropped(walk: Page) -> None:
    walk.locator("#walk-text").fill("weave")
    expect(walk.locator("#walk-words-view .tokens li")).to_have_count(1)
    steps, tokens = Held(walk, "**/walkthrough/step"), Held(walk, "**/walkthrough/token")
    pairs = Held(walk, "**/walkthrough/pairs")
    walk.locator("#walk-step").click()
    walk.locator("#walk-alphabet-view [data-token]").last.click()
    walk.locator("#walk-pairs-all").click()
    for held in (steps, tokens, pairs):
        held.wait()
    type_corpus(walk, "low low")
    stands_at(walk, 0, 3)
    is_ready(walk)
    for held in (steps, tokens, pairs):
        held.let_go()
    stands_at(walk, 0, 3)
    expect(walk.locator("#walk-slider")).to_have_value("0")
    expect(walk.locator("#walk-next .next")).to_contain_text("Next merge #1: l + o → lo (2 times)")
    expect(walk.locator("#walk-pairs-view tbody tr")).to_have_count(3)
    expect(walk.locator("#walk-origin-view")).to_be_empty()


def test_s2_the_speed_is_the_one_that_was_chosen(walk: Page) -> None:
    """On a clock of the test's own: no step before its time, and one when it has come."""
    walk.locator("#walk-speed").select_option("2000")
    walk.clock.install()
    walk.clock.pause_at(2_000_000_000)
    walk.locator("#walk-play").click()
    stands_at(walk, 1)
    for prefix in (2, 3):
        walk.clock.run_for(1_900)
        expect(walk.locator("#walk-slider")).to_have_value(str(prefix - 1))
        walk.clock.run_for(150)
        stands_at(walk, prefix)
    walk.locator("#walk-speed").select_option("500")
    walk.clock.run_for(2_050)
    stands_at(walk, 4)
    walk.clock.run_for(550)
    stands_at(walk, 5)


def test_s2_what_is_asked_for_first_is_shown_and_then_the_last(walk: Page) -> None:
    """On a slow network, too, something is seen: a step under way is not given up for the next one."""
    asked: list[str] = []
    given_up: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/walkthrough/step"):
            asked.append(re.findall(r"prefix=(\d+)", request.post_data or "")[0])

    walk.on("request", note)

    def note_failure(request: Request) -> None:
        if request.url.endswith("/walkthrough/step"):
            given_up.append(request.url)

    walk.on("requestfailed", note_failure)
    held = Held(walk, "**/walkthrough/step", most=1)
    for _ in range(4):
        walk.locator("#walk-step").click()
    held.wait()
    expect(walk.locator("#walk-slider")).to_have_value("4")
    stands_at(walk, 0)
    held.let_go()
    stands_at(walk, 4)
    assert asked == ["1", "4"]
    assert given_up == []


def test_s2_what_a_late_step_says_of_a_token_is_of_the_one_chosen_by_then(walk: Page) -> None:
    """The step was asked for with the token before: its places are not said under the name of another one."""
    type_corpus(walk, "abc ab")
    expect(walk.locator("#walk-place")).to_have_text("0 / 2")
    upcoming = walk.locator("#walk-corpus-view .flow [data-t]")
    places = walk.locator("#walk-origin-places p")
    name = walk.locator("#walk-origin-token")
    upcoming.filter(has_text="c").click()
    expect(name).to_have_text("c")
    expect(places).to_have_text("Now it stands at 1 place of the corpus.")
    held = Held(walk, "**/walkthrough/step")
    walk.locator("#walk-step").click()
    held.wait()
    upcoming.filter(has_text="a").first.click()
    expect(name).to_have_text("a")
    said = places.inner_text()
    assert said != "Now it stands at 1 place of the corpus."
    held.let_go()
    expect(walk.locator("#walk-place")).to_have_text("1 / 2")
    expect(places).to_have_text(said)
    expect(places).to_have_attribute("data-at", "1")


def test_s6_an_encoding_of_the_text_before_is_dropped(walk: Page) -> None:
    """The answer comes while the next text rests for as long as it must before it is encoded."""
    held = Held(walk, "**/walkthrough/encode")
    words = walk.locator("#walk-words-view .tokens li")
    walk.locator("#walk-text").fill("zq")
    held.wait()
    walk.clock.install()
    walk.clock.pause_at(2_000_000_000)
    walk.locator("#walk-text").fill("a thread")
    held.let_go()
    assert "zq" not in walk.locator(".levels").inner_text()
    walk.clock.run_for(500)
    expect(words).to_have_count(2)


def test_s6_l2_an_objection_of_a_new_model_stands_as_long_as_it_holds(walk: Page, watch: Watch) -> None:
    """2,001 İ are allowed; in lowercase each becomes two code points, and that is too long."""
    watch.expected_statuses = {422}
    words = walk.locator("#walk-words-view .tokens li")
    walk.locator("#walk-text").fill("İ" * 2_001)
    expect(words).to_have_count(1)
    lowercase = walk.locator("#walk-inputs [name=walk_lowercase]")
    lowercase.check()
    expect(walk.locator("#walk-text-error")).to_contain_text("4,002 code points after normalization")
    expect(walk.locator("#walk-subwords-view")).to_be_empty()
    # Said once, it stands there; whoever changes the corpus stays at it.
    walk.locator("#walk-corpus").focus()
    walk.keyboard.type("x")
    expect(walk.locator("#walk-preset")).to_have_value("")
    is_ready(walk)
    walk.wait_for_load_state("networkidle")
    expect(walk.locator("#walk-corpus")).to_be_focused()
    expect(walk.locator("#walk-text-error")).to_contain_text("4,002 code points")
    lowercase.uncheck()
    expect(words).to_have_count(1)
    expect(walk.locator("#walk-text-error")).to_be_empty()
