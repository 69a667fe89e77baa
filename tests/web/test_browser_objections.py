"""Objections and failures: heard where the focus is, gone with what they were about, in the way of nothing else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import OpenPage, Watch
from tests.web.driving import LOW, encode, is_in_state, shows_prefix, train

pytestmark = pytest.mark.browser


def object_to_prefix(page: Page, typed: str = "9999") -> None:
    page.locator("#prefix").fill(typed)
    expect(page.locator("#prefix-error")).to_contain_text("whole number")


def test_w1_an_objection_to_the_old_model_does_not_outlive_it(page: Page, watch: Watch) -> None:
    watch.expected_statuses.add(422)
    train(page)
    object_to_prefix(page)
    page.locator("#rank").fill("99")
    page.locator("#rank").press("Enter")
    expect(page.locator("#rank-error")).not_to_be_empty()
    train(page, "newest newest widest widest")
    for field in ("prefix", "rank"):
        expect(page.locator(f"#{field}-error")).to_be_empty()
        assert page.locator(f"#{field}").get_attribute("aria-invalid") is None


def test_w12_an_objection_to_the_field_that_has_the_focus_is_heard_each_time(page: Page, watch: Watch) -> None:
    watch.expected_statuses.add(422)
    train(page)
    for _ in range(2):
        page.evaluate("() => document.getElementById('live').replaceChildren()")
        page.locator("#rank").fill("99")
        page.locator("#rank").press("Enter")
        expect(page.locator("#live")).to_contain_text("whole number")


def test_w5_what_is_no_prefix_stands_in_the_way_of_nothing_else(page: Page, watch: Watch) -> None:
    watch.expected_statuses.add(422)
    train(page)
    last = page.locator("#selection [data-prefix]").get_attribute("data-prefix")
    object_to_prefix(page)
    assert page.locator("#slider").input_value() == last
    encode(page, "slow")
    page.locator("#rank").fill("1")
    page.locator("#rank").press("Enter")
    expect(page.locator("#merges-view tr.found")).to_have_attribute("data-r", "1")


@pytest.mark.parametrize("typed", ["1e0", "9999", ""])
def test_w5_the_slider_does_not_follow_what_is_no_prefix(page: Page, watch: Watch, typed: str) -> None:
    watch.expected_statuses.add(422)
    train(page)
    last = page.locator("#slider").input_value()
    object_to_prefix(page, typed)
    assert page.locator("#slider").input_value() == last


def test_w5_a_step_that_failed_can_be_tried_again(page: Page, watch: Watch) -> None:
    watch.expected_statuses.add(500)
    train(page)
    last = page.locator("#prefix").input_value()
    page.route("**/workbench/prefix", lambda route: route.fulfill(status=500, body=""))
    page.locator("#merges-view tr[data-r='1']").click()
    expect(page.locator("#trouble")).to_contain_text("did not answer")
    expect(page.locator("#prefix")).to_have_value(last)
    expect(page.locator("#slider")).to_have_value(last)
    page.unroute("**/workbench/prefix")
    page.locator("#merges-view tr[data-r='1']").click()
    shows_prefix(page, 2)
    # The server answers again: what was said of it goes.
    expect(page.locator("#trouble")).not_to_contain_text("did not answer")


def test_a_forgotten_model_is_trained_again_once_and_not_at_every_step(page: Page, watch: Watch) -> None:
    watch.expected_statuses.add(409)
    train(page)
    page.evaluate("() => { document.getElementById('model-key').value = 'gone' }")
    with_inputs: list[bool] = []

    def note(route: Route) -> None:
        with_inputs.append("corpus=" in (route.request.post_data or ""))
        route.continue_()

    page.route("**/workbench/prefix", note)
    page.locator("#prefix").fill("1")
    shows_prefix(page, 1)
    page.locator("#prefix").fill("2")
    shows_prefix(page, 2)
    assert with_inputs == [False, True, False]


def test_a_search_that_finds_nothing_ends_what_the_last_one_found(page: Page, watch: Watch) -> None:
    watch.expected_statuses.add(422)
    train(page)
    search = page.locator("#merges-token")
    search.fill("lo")
    search.press("Enter")
    expect(page.locator("#merges-found")).not_to_be_empty()
    search.fill("zzz")
    search.press("Enter")
    expect(page.locator("#merges-token-error")).not_to_be_empty()
    expect(page.locator("#merges-found")).to_be_empty()


def test_w14_a_typed_text_that_is_replaced_can_be_brought_back(page: Page) -> None:
    page.locator("#corpus").fill("typed for an hour")
    page.locator("#load-sample").click()
    expect(page.locator("#discarded")).to_contain_text("The training text was replaced.")
    expect(page.locator("#bring-back")).to_have_text("Bring the earlier inputs back")
    page.locator("#bring-back").click()
    expect(page.locator("#corpus")).to_have_value("typed for an hour")
    # There never was a model of it.
    expect(page.locator("#status")).to_have_text("Your inputs are back.")
    expect(page.locator("#discarded")).to_be_hidden()


def test_t10_a_field_without_a_text_is_told_from_a_text_without_words(page: Page, watch: Watch) -> None:
    watch.expected_statuses.add(422)
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).to_have_text("There is no text yet: paste one, or load the sample.")
    page.locator("#corpus").fill(" \n ")
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).to_contain_text("The corpus holds no word")


def test_w14_an_empty_file_replaces_nothing(page: Page) -> None:
    page.locator("#corpus").fill(LOW)
    with page.expect_file_chooser() as chooser:
        page.locator("#open-file").click()
    chooser.value.set_files({"name": "empty.txt", "mimeType": "text/plain", "buffer": b""})
    expect(page.locator("#corpus-error")).to_contain_text("is empty. The training text is as it was.")
    expect(page.locator("#corpus")).to_have_value(LOW)


def test_what_was_said_of_other_inputs_goes_with_the_next_edit(page: Page) -> None:
    page.locator("#load-sample").click()
    page.locator("#corpus").fill("typed")
    page.locator("#load-sample").click()
    page.locator("#bring-back").click()
    expect(page.locator("#status")).to_contain_text("Your inputs are back.")
    page.locator("#corpus").press_sequentially("x")
    expect(page.locator("#status")).to_be_empty()


def test_without_scripts_nothing_that_was_typed_goes_anywhere(open_page: OpenPage, watch: Watch) -> None:
    """Before the scripts have come, or without them, a form must not put a text into the address."""
    page = open_page(java_script_enabled=False)
    address = page.url
    expect(page.locator(".noscript")).to_contain_text("needs JavaScript")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator("#corpus").fill("a secret text")
    page.locator("#train").click(no_wait_after=True)
    page.wait_for_timeout(500)
    assert page.url == address
    assert sent == []
    # Chromium reports the form that it did not send.
    assert all("form-action" in complaint for complaint in watch.complaints)
    watch.complaints.clear()


HALF = "".join(map(chr, range(0x4E00, 0x4E00 + 3_000)))


def test_l2_a_vocabulary_without_measure_is_an_objection(page: Page) -> None:
    """A legal text whose tokens would fill the memory: nothing is cut, the word says what to do, fewer merges help."""
    page.locator("#merge-limit").fill("40000")
    page.locator("#corpus").fill(HALF * 2)
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).to_contain_text("have more than 4,000,000 code points together")
    is_in_state(page, "empty")
    expect(page.locator("#corpus")).to_have_attribute("aria-invalid", "true")
    page.locator("#merge-limit").fill("500")
    page.locator("#train").click()
    is_in_state(page, "trained")


def test_l2_so_it_is_on_the_walkthrough(open_page: OpenPage) -> None:
    page = open_page("/walkthrough")
    page.locator("#walk-corpus").fill(HALF * 2)
    expect(page.locator("#walk-corpus-error")).to_contain_text("have more than 4,000,000 code points together")
    expect(page.locator("#walk-training")).to_be_empty()
