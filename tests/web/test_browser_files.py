"""W14: a plain-text file opened into the corpus, strictly UTF-8, under the same limits; nothing is cut (L2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.driving import is_in_state, press_train, shows_nothing_of_a_model, train

pytestmark = pytest.mark.browser

FSI, PDI = "\u2068", "\u2069"


def choose(page: Page, *files: dict[str, object]) -> None:
    with page.expect_file_chooser() as chooser:
        page.locator("#open-file").click()
    chooser.value.set_files(list(files))  # type: ignore[arg-type]  # file payloads


def file(body: bytes, name: str = "words.txt") -> dict[str, object]:
    return {"name": name, "mimeType": "text/plain", "buffer": body}


def drop(page: Page, *bodies: bytes, onto: str = "#corpus") -> bool:
    """Drop files; return whether the page took the drop for its own."""
    taken: bool = page.evaluate(
        "([onto, bodies]) => { const transfer = new DataTransfer();"
        " for (const [i, body] of bodies.entries())"
        "   transfer.items.add(new File([new Uint8Array(body)], `dropped-${i}.txt`, { type: 'text/plain' }));"
        " const fire = (type) => !document.querySelector(onto).dispatchEvent(new DragEvent(type,"
        "   { bubbles: true, cancelable: true, dataTransfer: transfer }));"
        " return fire('dragover') && fire('drop'); }",
        [onto, [list(body) for body in bodies]],
    )
    return taken


def value(page: Page) -> str:
    found: str = page.locator("#corpus").input_value()
    return found


def test_w14_a_file_becomes_the_corpus(page: Page) -> None:
    train(page)
    choose(page, file("größer 😀 größte\r\nZeile\rnoch\x00eine\n".encode()))
    expect(page.locator("#corpus")).to_have_value("größer 😀 größte\nZeile\nnoch\x00eine\n")
    # Opening is an edit: the model is gone, the count is right, the inputs are saved.
    shows_nothing_of_a_model(page)
    expect(page.locator("#corpus-count")).to_have_text("32")
    assert "Zeile" in page.evaluate("() => localStorage.getItem('pairloom.inputs.1')")
    expect(page.locator("#status")).to_have_text(f"Opened {FSI}words.txt{PDI}.")
    expect(page.locator("#live")).to_have_text(f"Opened {FSI}words.txt{PDI}.")
    expect(page.locator("#train")).to_be_focused()
    expect(page.locator("#discarded")).to_be_visible()
    press_train(page)
    expect(page.locator("#corpus-view samp")).to_have_text("\\u0000")


def test_w14_a_byte_order_mark_is_whitespace_like_any_other(page: Page) -> None:
    choose(page, file(b"\xef\xbb\xbflow low"))
    expect(page.locator("#corpus")).to_have_value("\ufefflow low")
    expect(page.locator("#corpus-count")).to_have_text("8")


def test_w14_the_same_file_can_be_opened_again(page: Page) -> None:
    choose(page, file(b"low"))
    expect(page.locator("#corpus")).to_have_value("low")
    page.locator("#corpus").fill("other")
    choose(page, file(b"low"))
    expect(page.locator("#corpus")).to_have_value("low")


INVALID = {
    "latin-1": ("für".encode("latin-1"), 1),
    "UTF-16": ("low".encode("utf-16"), 0),
    "overlong": (b"ab\xc0\xafc", 2),
    "overlong of three": (b"ab\xe0\x80\xafc", 2),
    "surrogate": (b"abc\xed\xa0\x80", 3),
    "beyond": (b"\xf4\x90\x80\x80", 0),
    "lone continuation": ("😀".encode() + b"\x80", 4),
    "cut at the end": ("aé".encode() + "中".encode()[:2], 3),
    "broken sequence": ("é中".encode() + b"\xf0\x9f\x98x", 5),
    "far inside": (b"a" * 39_000 + b"\xff", 39_000),
    "not text": (b"\x89PNG\r\n\x1a\n" * 100_000, 0),
}


@pytest.mark.parametrize("what", INVALID)
def test_w14_what_is_not_utf8_is_refused_with_its_byte(page: Page, what: str) -> None:
    body, offset = INVALID[what]
    with pytest.raises(UnicodeDecodeError) as caught:
        body.decode()
    assert caught.value.start == offset
    page.locator("#corpus").fill("before")
    choose(page, file(body))
    expect(page.locator("#corpus-error")).to_contain_text(f"not UTF-8: the byte at offset {offset:,} begins")
    expect(page.locator("#corpus")).to_have_value("before")
    expect(page.locator("#corpus")).to_be_focused()


@pytest.mark.parametrize(
    ("body", "length"),
    [
        (b"a" * 40_001, "40,001"),
        ("😀" * 40_001, "40,001"),
        ("中a" * 500_000, "1,000,000"),
    ],
)
def test_l1_w14_a_file_that_is_too_long_leaves_the_text_as_it_was(page: Page, body: bytes | str, length: str) -> None:
    train(page, "before before")
    choose(page, file(body.encode() if isinstance(body, str) else body))
    message = f"has {length} code points, 40,000 are allowed"
    expect(page.locator("#corpus-error")).to_contain_text(message)
    assert value(page) == "before before"
    # Nothing was edited.
    is_in_state(page, "trained")


def test_l1_w14_forty_thousand_are_accepted(page: Page) -> None:
    choose(page, file(("😀" * 40_000).encode()))
    expect(page.locator("#corpus-count")).to_have_text("40,000")
    expect(page.locator("#corpus-error")).to_be_empty()


def test_w14_a_file_dropped_onto_the_field(page: Page) -> None:
    assert drop(page, b"dropped words")
    expect(page.locator("#corpus")).to_have_value("dropped words")
    expect(page.locator("#corpus")).not_to_have_class("dropping")
    assert drop(page, b"one", b"two")
    expect(page.locator("#corpus-error")).to_contain_text("One file at a time")
    assert value(page) == "dropped words"
    # Anywhere else the browser would leave the page for the file.
    assert drop(page, b"elsewhere", onto=".intro")
    page.wait_for_timeout(100)
    assert value(page) == "dropped words"


def test_w3_w14_a_file_that_is_read_too_late_is_dropped(page: Page) -> None:
    page.evaluate(
        "() => { const read = Blob.prototype.arrayBuffer; window.go = [];"
        " Blob.prototype.arrayBuffer = async function () {"
        " await new Promise((done) => window.go.push(done)); return read.call(this); }; }"
    )
    choose(page, file(b"late"))
    page.locator("#corpus").fill("typed since")
    page.evaluate("() => window.go.shift()()")
    page.wait_for_timeout(100)
    assert value(page) == "typed since"
    # Of two files the one chosen last counts, whichever is read first.
    choose(page, file(b"first"))
    choose(page, file(b"second"))
    page.evaluate("() => window.go.shift()()")
    page.wait_for_timeout(100)
    assert value(page) == "typed since"
    page.evaluate("() => window.go.shift()()")
    expect(page.locator("#corpus")).to_have_value("second")


def test_w14_a_name_is_shown_as_text(page: Page) -> None:
    choose(page, file(b"low", name="<img src=x onerror=alert(1)>.txt"))
    expect(page.locator("#status")).to_contain_text("<img src=x onerror=alert(1)>.txt")
    expect(page.locator("#status img")).to_have_count(0)


def test_n9_a_name_that_turns_its_ending_is_written_out(page: Page) -> None:
    choose(page, file(b"low", name="gpj\u202ecod\u2069.txt\U000e0041"))
    expect(page.locator("#status")).to_contain_text(f"{FSI}gpj\\u202ecod\\u2069.txt\\u{{e0041}}{PDI}")


def test_a_real_file(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "real.txt"
    path.write_text("real words, really", encoding="utf-8")
    page.locator("#file").set_input_files(path)
    expect(page.locator("#corpus")).to_have_value("real words, really")
