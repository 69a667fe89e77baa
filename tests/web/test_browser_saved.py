"""W11: what survives a reload, and above all what does not."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Watch
from tests.web.driving import LOW, encode, is_in_state, press_train, set_text, shows_nothing_of_a_model, train

pytestmark = pytest.mark.browser

KEY = "pairloom.inputs.1"
SMALL = "an older and smaller text"
INPUTS = {"corpus": LOW, "lowercase": True, "pre_tokenizer": "punctuation", "merge_limit": "12", "text": "slow"}


def saved(page: Page) -> str | None:
    found: str | None = page.evaluate("(key) => localStorage.getItem(key)", KEY)
    return found


def put(page: Page, value: str) -> None:
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [KEY, value])


def is_fresh(page: Page) -> None:
    expect(page.locator("#corpus")).to_have_value("")
    expect(page.locator("#text")).to_have_value("")
    expect(page.locator("#merge-limit")).to_have_value("1000")
    expect(page.locator("#lowercase")).not_to_be_checked()
    expect(page.locator("[name=pre_tokenizer][value=whitespace]")).to_be_checked()


def test_w11_valid_inputs_come_back_and_results_do_not(page: Page) -> None:
    page.locator("#lowercase").check()
    page.locator("[name=pre_tokenizer][value=punctuation]").check()
    page.locator("#merge-limit").fill("12")
    train(page)
    encode(page, "slow")
    assert json.loads(saved(page) or "") == INPUTS
    assert page.evaluate("() => [localStorage.length, sessionStorage.length]") == [1, 0]
    assert page.evaluate("async () => (await indexedDB.databases()).length") == 0
    sent: list[str] = []
    page.reload()
    page.on("request", lambda request: sent.append(request.method))
    expect(page.locator("#corpus")).to_have_value(LOW)
    expect(page.locator("#text")).to_have_value("slow")
    expect(page.locator("#merge-limit")).to_have_value("12")
    expect(page.locator("#lowercase")).to_be_checked()
    expect(page.locator("[name=pre_tokenizer][value=punctuation]")).to_be_checked()
    expect(page.locator("#corpus-count")).to_have_text(str(len(LOW)))
    expect(page.locator("#live")).to_have_text("Your inputs of last time are back.")
    page.wait_for_timeout(200)
    shows_nothing_of_a_model(page)
    assert "POST" not in sent
    press_train(page)


def test_w11_the_page_says_what_it_keeps(page: Page) -> None:
    kept = "Inputs stay in this browser over a reload, up to 64 KiB. Results are never saved."
    expect(page.locator("#saved")).to_have_text(kept)
    page.locator("#corpus").fill("😀" * 20_000)
    expect(page.locator("#saved")).to_contain_text("larger than 64 KiB")
    page.locator("#corpus").fill("low ▁")
    expect(page.locator("#saved")).to_contain_text("only valid ones are kept")
    page.locator("#corpus").fill("low")
    expect(page.locator("#saved")).to_have_text(kept)


def make_invalid(page: Page, how: str) -> None:
    corpus = page.locator("#corpus")
    if how == "oversized":
        corpus.fill("é" * 33_000)  # within L1, and 66,000 bytes
    elif how == "too long":
        corpus.fill("a" * 40_001)
    elif how == "normalized too long":
        page.locator("#lowercase").check()
        corpus.fill("İ" * 20_001)
    elif how == "marker":
        corpus.fill("low ▁low")
    elif how == "surrogate":
        set_text(page, "corpus", [0x61, 0xD800])
    elif how == "empty":
        corpus.fill(" \n ")
    elif how == "merge limit":
        page.locator("#merge-limit").fill("40001")
    elif how == "text":
        page.locator("#text").fill("a" * 4_001)
    else:
        page.locator("#text").fill("low ▁")


BROKEN = (
    "oversized",
    "too long",
    "normalized too long",
    "marker",
    "surrogate",
    "empty",
    "merge limit",
    "text",
    "text marker",
)


@pytest.mark.parametrize("how", BROKEN)
def test_w11_an_older_text_never_comes_back_in_place_of_a_newer_one(page: Page, how: str) -> None:
    train(page, SMALL)  # so that there is a field for the text to encode
    assert SMALL in (saved(page) or "")
    make_invalid(page, how)
    # At the edit, not some time after it.
    assert saved(page) is None
    page.reload()
    is_fresh(page)
    assert saved(page) is None


def test_w11_the_limit_is_exact_over_all_inputs(page: Page) -> None:
    train(page)
    page.locator("#text").fill("ééé")
    rest = 65_536 - len("1000" + "whitespace" + "false") - 2 * 3 - 2 * 26_000
    page.locator("#corpus").fill("é" * 26_000 + "a" * rest)
    assert saved(page) is not None
    page.locator("#merge-limit").fill("10000")
    assert saved(page) is None
    page.locator("#merge-limit").fill("1000")
    assert saved(page) is not None
    page.locator("#corpus").press_sequentially("a")
    assert saved(page) is None


HOSTILE = {
    "no JSON": "{",
    "foreign JSON": '{"theme": "dark"}',
    "null": "null",
    "a list": '["low"]',
    "a number": "7",
    "missing": json.dumps({name: value for name, value in INPUTS.items() if name != "text"}),
    "more": json.dumps(INPUTS | {"model": "x"}),
    "wrong type": json.dumps(INPUTS | {"corpus": ["low"]}),
    "wrong switch": json.dumps(INPUTS | {"lowercase": "on"}),
    "a number for text": json.dumps(INPUTS | {"merge_limit": 12}),
    "unknown pre-tokenizer": json.dumps(INPUTS | {"pre_tokenizer": '"] , [name=lowercase'}),
    "merge limit": json.dumps(INPUTS | {"merge_limit": "1e3"}),
    "too long": json.dumps(INPUTS | {"corpus": "a" * 40_001}),
    "too large": json.dumps(INPUTS | {"corpus": "é" * 33_000}),
    "huge": "[" * 5_000_000,
    "marker": json.dumps(INPUTS | {"corpus": "low ▁"}),
    "surrogate": json.dumps(INPUTS | {"corpus": "low \ud800"}),
    "surrogate in the text": json.dumps(INPUTS | {"text": "\udfff"}),
    "prototype": '{"__proto__": {"corpus": "x"}, "corpus": "x"}',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_w11_hostile_saved_state_is_ignored_and_removed(page: Page, what: str) -> None:
    put(page, HOSTILE[what])
    page.reload()
    is_fresh(page)
    expect(page.locator("#corpus-count")).to_have_text("0")
    assert saved(page) is None
    train(page)


def test_w11_saved_markup_is_text(page: Page) -> None:
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    put(page, json.dumps(INPUTS | {"corpus": "</textarea><img src=x onerror=alert(1)>\u0000\u202e"}))
    page.reload()
    expect(page.locator("#corpus")).to_have_value("</textarea><img src=x onerror=alert(1)>\u0000\u202e")
    expect(page.locator("img")).to_have_count(0)


@pytest.mark.parametrize(
    "script",
    [
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });",
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
        "Storage.prototype.getItem = Storage.prototype.removeItem = () => { throw new Error('broken'); };",
    ],
)
def test_w11_the_page_works_without_storage(open_page: OpenPage, script: str) -> None:
    page = open_page(script=script)
    page.locator("#corpus").fill(LOW)
    expect(page.locator("#saved")).to_contain_text("this browser keeps nothing for this page")
    press_train(page)
    encode(page, "slow")
    page.reload()
    is_fresh(page)


def test_w11_a_full_storage_leaves_no_older_text(page: Page) -> None:
    page.locator("#corpus").fill(SMALL)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }; }")
    page.locator("#corpus").fill("newer")
    assert saved(page) is None


def test_w11_of_two_tabs_the_last_edit_is_found(page: Page) -> None:
    other = page.context.new_page()
    other.goto("/")
    page.locator("#corpus").fill("first")
    other.locator("#corpus").fill("second")
    page.wait_for_timeout(200)
    # They do not talk to each other.
    expect(page.locator("#corpus")).to_have_value("first")
    page.reload()
    expect(page.locator("#corpus")).to_have_value("second")
    other.locator("#corpus").fill("▁")
    page.reload()
    is_fresh(page)


def test_w11_reset_and_cancel_keep_what_is_saved(page: Page) -> None:
    train(page)
    page.locator("#reset").click()
    is_in_state(page, "empty")
    assert LOW in (saved(page) or "")


def test_w11_refused_inputs_are_not_sent_to_be_kept_elsewhere(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    page.locator("#corpus").fill("low ▁")
    page.locator("#train").click()
    expect(page.locator("#corpus-error")).not_to_be_empty()
    assert page.evaluate("() => document.cookie") == ""
    assert page.evaluate("() => localStorage.length") == 0
