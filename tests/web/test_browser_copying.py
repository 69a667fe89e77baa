"""W9, E4: Copy IDs, with and without a clipboard, and when it is locked."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

import pairloom
from tests.web.conftest import OpenPage, Server, Watch
from tests.web.driving import LOW, choose_prefix, encode, train

pytestmark = pytest.mark.browser

MODEL = pairloom.train(LOW)
ALLOWED = ["clipboard-read", "clipboard-write"]
KEEP_READING = "window.read = navigator.clipboard.readText.bind(navigator.clipboard);"
NO_CLIPBOARD = KEEP_READING + "Object.defineProperty(Navigator.prototype, 'clipboard', { get() {} });"


def clipboard(page: Page) -> object:
    return json.loads(page.evaluate("() => window.read()"))


def copied(page: Page, count: int) -> None:
    word = f"Copied: {count:,} ID{'' if count == 1 else 's'}."
    expect(page.locator("#copy-word")).to_have_text(word)
    expect(page.locator("#live")).to_have_text(word)


def test_w9_the_ids_of_the_whole_encoding_are_copied(open_page: OpenPage) -> None:
    page = open_page(script=KEEP_READING, permissions=ALLOWED)
    train(page)
    text = "lower lowest low " * 100
    encode(page, text)
    choose_prefix(page, 2)
    expect(page.locator("#encoding-view [data-encoded='2']")).to_have_count(1)
    expect(page.locator("#encoding-view .tokens li")).to_have_count(100)
    page.locator("#copy-ids").click()
    ids = list(MODEL.encode(text, 2).known_ids())
    assert len(ids) > 100
    copied(page, len(ids))
    assert clipboard(page) == ids
    choose_prefix(page, 0)
    expect(page.locator("#encoding-view [data-encoded='0']")).to_have_count(1)
    expect(page.locator("#copy-word")).to_be_empty()
    page.locator("#copy-ids").click()
    copied(page, len(text.split()) + sum(map(len, text.split())))
    assert clipboard(page) == list(MODEL.encode(text, 0).known_ids())


def test_w9_copying_works_without_a_secure_context(open_page: OpenPage) -> None:
    page = open_page(script=NO_CLIPBOARD, permissions=ALLOWED)
    train(page)
    encode(page, "slow")
    page.locator("#copy-ids").click()
    copied(page, len(MODEL.encode("slow").ids))
    assert clipboard(page) == list(MODEL.encode("slow").ids)
    expect(page.locator("#copy-ids")).to_be_focused()
    expect(page.locator("body > textarea")).to_have_count(0)


def test_w9_copying_works_where_the_clipboard_refuses(open_page: OpenPage) -> None:
    refuse = "Clipboard.prototype.write = () => Promise.reject(new DOMException('', 'NotAllowedError'));"
    page = open_page(script=KEEP_READING + refuse, permissions=ALLOWED)
    train(page)
    encode(page, "low")
    page.locator("#copy-ids").click()
    copied(page, 1)
    assert clipboard(page) == list(MODEL.encode("low").ids)


def test_w9_what_cannot_be_copied_can_be_copied_by_hand(open_page: OpenPage) -> None:
    page = open_page(script=NO_CLIPBOARD + "Document.prototype.execCommand = () => false;")
    train(page)
    encode(page, "slow")
    expect(page.locator("#copy-list")).to_be_hidden()
    page.locator("#copy-ids").click()
    field = page.locator("#copy-list")
    expect(field).to_be_focused()
    assert json.loads(field.input_value()) == list(MODEL.encode("slow").ids)
    assert page.evaluate("() => getSelection().toString()") == field.input_value()
    expect(page.locator("#copy-word")).to_contain_text("copy it with Ctrl+C")
    expect(page.locator("#live")).to_contain_text("copy it with Ctrl+C")


def test_e4_copying_is_locked_by_an_unknown_and_says_why(page: Page) -> None:
    train(page)
    encode(page, "x low z")
    expect(page.locator("#copy-ids")).to_be_disabled()
    expect(page.locator("#copy-word")).to_contain_text("Locked: 2 tokens have no ID")
    encode(page, "x")
    expect(page.locator("#copy-word")).to_contain_text("Locked: 1 token has no ID")
    encode(page, "low")
    expect(page.locator("#copy-ids")).to_be_enabled()
    expect(page.locator("#copy-word")).to_be_empty()


def test_e5_an_empty_encoding_is_an_empty_list(open_page: OpenPage) -> None:
    page = open_page(script=KEEP_READING, permissions=ALLOWED)
    train(page)
    encode(page, "")
    page.locator("#copy-ids").click()
    copied(page, 0)
    assert clipboard(page) == []


@pytest.mark.parametrize("script", [KEEP_READING, NO_CLIPBOARD])
def test_w3_ids_that_come_too_late_are_not_copied(open_page: OpenPage, script: str) -> None:
    page = open_page(script=script, permissions=ALLOWED)
    train(page)
    encode(page, "slow")
    page.evaluate("() => navigator.clipboard?.writeText('[7]')")
    held: list[Route] = []
    page.route("**/workbench/ids", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("#copy-ids").click()
    page.wait_for_timeout(100)
    page.locator("#text").press_sequentially("x")
    held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator("#live")).not_to_have_text(re.compile("Copied"))
    if script is KEEP_READING:
        assert clipboard(page) == [7]


def test_a_forgotten_model_is_no_obstacle(open_page: OpenPage, server: Server, watch: Watch) -> None:
    watch.expected_statuses = {409}
    page = open_page(script=KEEP_READING, permissions=ALLOWED)
    train(page)
    encode(page, "slow")
    server.forget()
    page.locator("#copy-ids").click()
    copied(page, len(MODEL.encode("slow").ids))
    assert clipboard(page) == list(MODEL.encode("slow").ids)


def test_no_answer_is_said(page: Page, watch: Watch) -> None:
    train(page)
    encode(page, "low")
    page.route("**/workbench/ids", lambda route: route.abort())
    page.locator("#copy-ids").click()
    expect(page.locator("#trouble")).to_contain_text("did not answer as it should")
    watch.complaints = [each for each in watch.complaints if "Failed" not in each]
