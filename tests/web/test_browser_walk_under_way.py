"""The walkthrough while something is under way: Play goes on beside everything else, what was chosen last is kept."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import OpenPage, Server, Watch
from tests.web.driving import train
from tests.web.test_browser_walkthrough import TOTAL, is_ready, stands_at, step, type_corpus

pytestmark = pytest.mark.browser

TURNED = " ".join(f"w{number * 37 % 61}" for number in range(400))


@pytest.fixture
def walk(open_page: OpenPage) -> Page:
    """The walkthrough, freshly opened, with its first preset."""
    page = open_page("/walkthrough")
    is_ready(page)
    return page


@pytest.fixture
def far(walk: Page) -> Page:
    """The same on a slow network."""

    def later(route: Route) -> None:
        time.sleep(0.08)
        route.continue_()

    walk.route("**/walkthrough/*", later)
    return walk


def plays(page: Page) -> None:
    page.locator("#walk-speed").select_option("100")
    page.locator("#walk-play").click()
    expect(page.locator("#walk-place")).to_have_text(re.compile(r"^[2-9] /"))


def goes_on(page: Page) -> None:
    """Play runs, and to the end."""
    expect(page.locator("#walk-play")).to_have_accessible_name(re.compile("Pause|Anhalten"))
    expect(page.locator("#walk-place")).to_have_text(f"{TOTAL} / {TOTAL}", timeout=30_000)
    expect(page.locator("#walk-play")).to_have_accessible_name(re.compile("Play|Abspielen"))


def test_s2_g_play_goes_on_in_another_language(far: Page) -> None:
    plays(far)
    far.locator("a[data-language=de]").click()
    expect(far.locator("#walk-next")).to_contain_text("Nächste Verschmelzung")
    goes_on(far)
    expect(far.locator("#walk-slider")).to_have_value(str(TOTAL))
    far.unroute_all(behavior="wait")


def test_s2_play_goes_on_beside_a_chosen_token_and_a_typed_text(far: Page) -> None:
    plays(far)
    far.locator("#walk-alphabet-view [data-token]").nth(3).click()
    far.locator("#walk-text").press_sequentially("we", delay=60)
    far.locator("#walk-alphabet-view [data-token]").nth(5).click()
    goes_on(far)
    for part in far.locator("#walkthrough [data-at]").all():
        expect(part).to_have_attribute("data-at", str(TOTAL))
    far.unroute_all(behavior="wait")


def test_s3_all_pairs_asked_for_under_way_stay(far: Page) -> None:
    plays(far)
    far.locator("#walk-pairs-all").click()
    expect(far.locator("#walk-pairs-view tbody tr")).to_have_count(40)
    far.wait_for_timeout(500)
    far.locator("#walk-play").click()
    expect(far.locator("#walk-pairs-all")).to_have_attribute("aria-expanded", "true")
    far.locator("#walk-pairs-all").click()
    far.locator("#walk-step").click()
    expect(far.locator("#walk-pairs-all")).to_have_attribute("aria-expanded", "false")
    far.unroute_all(behavior="wait")


def test_s1_a_preset_that_does_not_come_is_not_chosen(walk: Page, watch: Watch) -> None:
    watch.expected_statuses = {500}
    before = walk.locator("#walk-preset").input_value()
    walk.route(re.compile("/static/.*ties"), lambda route: route.fulfill(status=500))
    walk.locator("#walk-preset").select_option("ties")
    expect(walk.locator("#trouble")).to_contain_text("did not answer")
    expect(walk.locator("#walk-preset")).to_have_value(before)
    is_ready(walk)
    stands_at(walk, 0)


def test_s1_a_replaced_text_comes_back(walk: Page) -> None:
    type_corpus(walk, "my own, my own words")
    walk.locator("#walk-inputs [name=walk_lowercase]").check()
    is_ready(walk)
    walk.locator("#walk-preset").select_option("ties")
    expect(walk.locator("#walk-corpus")).not_to_have_value("my own, my own words")
    is_ready(walk)
    walk.locator("#walk-inputs [name=walk_lowercase]").uncheck()
    walk.locator("#walk-bring-back").click()
    expect(walk.locator("#walk-corpus")).to_have_value("my own, my own words")
    expect(walk.locator("#walk-preset")).to_have_value("")
    assert walk.locator("#walk-inputs [name=walk_lowercase]").is_checked()
    expect(walk.locator("#walk-replaced")).to_be_hidden()
    is_ready(walk)
    # "My own text" in the list does the same.
    walk.locator("#walk-preset").select_option("ties")
    expect(walk.locator("#walk-replaced")).to_be_visible()
    walk.locator("#walk-preset").select_option("")
    expect(walk.locator("#walk-corpus")).to_have_value("my own, my own words")


def test_s2_stepping_by_keys_keeps_the_focus(walk: Page) -> None:
    step(walk, 5)
    made = walk.locator("#walk-merges-view [data-token]").first
    made.focus()
    walk.keyboard.press("ArrowRight")
    stands_at(walk, 6)
    expect(walk.locator("#walk-merges-view [data-token]").first).to_be_focused()
    # The row is gone with its merge; the focus stays in the list.
    walk.locator("#walk-merges-view [data-token]").last.focus()
    walk.keyboard.press("ArrowLeft")
    stands_at(walk, 5)
    expect(walk.locator("#walk-learned")).to_be_focused()
    walk.locator("#walk-pair-list").focus()
    walk.keyboard.press("ArrowRight")
    stands_at(walk, 6)
    expect(walk.locator("#walk-pair-list")).to_be_focused()
    made.press("Enter")
    part = walk.locator("#walk-origin-view .tree [data-token]").last
    token = part.inner_text()
    part.press("Enter")
    expect(walk.locator("#walk-origin-token")).to_contain_text(token)
    expect(walk.locator("#walk-origin-token")).to_be_focused()


def test_w14_a_step_takes_the_text_that_was_encoded(walk: Page) -> None:
    """Half composed, a text is none yet: all three levels go on showing the one before."""
    walk.locator("#walk-text").fill("we")
    expect(walk.locator("#walk-characters-view .tokens li")).to_have_count(3)
    walk.locator("#walk-text").focus()
    keys = walk.context.new_cdp_session(walk)
    keys.send("Input.imeSetComposition", {"text": "かき", "selectionStart": 2, "selectionEnd": 2})
    walk.locator("#walk-step").dispatch_event("click")
    stands_at(walk, 1)
    assert "か" not in walk.locator("#walk-subwords-view").inner_text()
    keys.send("Input.insertText", {"text": "か"})
    expect(walk.locator("#walk-subwords-view")).to_contain_text("か")
    expect(walk.locator("#walk-characters-view")).to_contain_text("か")


def test_the_workbench_keeps_its_model_of_the_same_text(walk: Page) -> None:
    type_corpus(walk, TURNED)
    walk.locator("#walk-inputs [name=walk_pre_tokenizer][value=whitespace]").check()
    is_ready(walk)
    walk.locator(".views [data-view=workbench]").click()
    train(walk, TURNED)
    walk.locator(".views [data-view=walkthrough]").click()
    is_ready(walk)
    walk.locator("#open-in-workbench").click()
    expect(walk.locator("#workbench")).to_have_attribute("data-state", "trained")


def test_s6_a_text_typed_during_a_training_is_encoded_by_the_new_model(walk: Page, server: Server) -> None:
    walk.locator("#walk-text").fill("we")
    expect(walk.locator("#walk-characters-view .tokens li")).to_have_count(3)
    server.gate.hold_at = 1
    walk.locator("#walk-corpus").fill("aa bb cc aa bb cc " * 30)
    expect(walk.locator("#walk-training progress")).to_be_visible()
    walk.locator("#walk-text").fill("aa w")
    walk.wait_for_timeout(200)
    server.gate.hold_at = None
    is_ready(walk)
    expect(walk.locator("#walk-characters-view")).to_contain_text("5 tokens · 1 unknown")
    expect(walk.locator("#walk-subwords-view")).to_contain_text("5 tokens · 1 unknown")
    expect(walk.locator("#walk-words-view")).to_contain_text("2 tokens · 1 unknown")


def test_s6_a_text_that_lowercase_makes_too_long_is_objected_to(walk: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    walk.locator("#walk-text").fill("İ" * 2_001)
    expect(walk.locator("#walk-subwords-view [data-encoded]")).to_have_count(1)
    walk.locator("#walk-inputs [name=walk_lowercase]").check()
    expect(walk.locator("#walk-text-error")).to_contain_text("4,002")
    expect(walk.locator("#walk-text")).to_have_value("İ" * 2_001)
    expect(walk.locator("#walk-subwords-view")).to_be_empty()
