"""What a notebook shows of models, merges, encodings and differences: HTML that only shows, and the same in words."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairloom
from pairloom import notebook
from pairloom.notebook import displays, markup
from tests.support.hostile import HOSTILE

TAGS = {"div", "b", "p", "table", "thead", "tbody", "tr", "th", "td", "bdi", "samp", "small", "span", "br"}
TAGS |= {"svg", "title", "line", "text", "polyline"}
ATTRIBUTES = {"style", "scope", "class", "viewbox", "width", "role", "font-family", "font-size", "fill", "points"}
ATTRIBUTES |= {"x", "y", "x1", "x2", "y1", "y2", "stroke", "stroke-width", "stroke-opacity", "text-anchor"}
MARKUP = (
    "<script>alert(1)</script>",
    '"><img/src=x/onerror=alert(1)>',
    "</bdi></td>",
    "&lt;",
    "<!--",
    "]]>",
    "{{7*7}}",
    "${7}",
)
# What would turn the text around it, or act in a terminal; a line feed is ours.
ACTIVE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


class Shows(Protocol):
    """Something with a display of its own."""

    def _repr_mimebundle_(self) -> dict[str, str]: ...


class Harmless(HTMLParser):
    """Fails on any element or attribute that does more than show, and on one that is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES, name
            assert not re.search(r"url|expression|javascript|@import", value or "", re.IGNORECASE)
        if tag not in {"br", "line", "polyline"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        assert {name for name, _ in attrs} <= ATTRIBUTES

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        self.words += data


def read(shown: Shows) -> tuple[str, str]:
    """Return the words of both twins, after a look at what they could do."""
    bundle = shown._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html"]
    parser = Harmless()
    parser.feed(bundle["text/html"])
    parser.close()
    assert parser.open == []
    for text in (parser.words, bundle["text/plain"]):
        assert not ACTIVE.search(text), text
    return parser.words, bundle["text/plain"]


def everything(text: str) -> list[Shows]:
    model, other = pairloom.train(text, min_frequency=1), pairloom.train("low lower")
    shown: list[Shows] = [
        model,
        other,
        model.encode(text),
        other.encode(text),
        notebook.merges(model),
        notebook.vocabulary(model),
    ]
    shown += [notebook.tokens(model.encode(text)), notebook.diff(model, other, text), notebook.curve(model, name=text)]
    return [*shown, *model.merges[:1]]


@pytest.mark.parametrize("word", [*HOSTILE, *MARKUP])
def test_hostile_tokens_are_text(word: str) -> None:
    """Nothing of a corpus is an element, an attribute or a control; it stands there to be read. Rule: N9."""
    try:
        shown = everything(f"{word} {word}")
    except pairloom.ForbiddenCodePoint:
        assert "▁" in word or re.search("[\ud800-\udfff]", word)
        return
    for each in shown:
        read(each)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="▁"), min_size=1, max_size=12))
def test_any_text_is_only_shown(text: str) -> None:
    try:
        shown = everything(text)
    except pairloom.EmptyCorpus:
        return
    for each in shown:
        read(each)


def test_markup_in_a_corpus_can_be_read_as_it_stands() -> None:
    html, text = read(pairloom.train("<b>bold</b> <b>bold</b>").encode("<b>bold</b>"))
    assert "▁<b>bold</b>" in html
    assert text.startswith("▁<b>bold</b>:")


def test_a_model_shows_its_merges_and_settings() -> None:
    model = pairloom.train("low low lower newest newest widest")
    html, text = read(model)
    for words in (html, text):
        assert "9 merges, vocabulary of 20, base alphabet of 11" in words
        assert f"fingerprint {model.fingerprint}" in words
        assert "training ended: no_pair" in words
    assert re.search(r"^ +0 +e +s +es +3 +3 +32 +11 +new$", text, re.MULTILINE)
    assert text.count("\n") == 2 + len(model.merges) + 1


def test_what_is_not_shown_of_a_long_model_is_counted() -> None:
    model = pairloom.train(" ".join(chr(ord("a") + first) * (second + 2) for first in range(9) for second in range(9)))
    hidden = len(model.merges) - displays.FIRST - displays.LAST
    assert hidden > 0
    html, text = read(model)
    assert f"… {hidden:,} more …" in html
    ranks = [int(rank) for rank in re.findall(r"^ *(\d+)  ", text, re.MULTILINE)]
    assert ranks == [*range(displays.FIRST), *range(len(model.merges) - displays.LAST, len(model.merges))]
    assert f"\n… {hidden:,} more …\n" in text


def test_an_imported_model_has_dashes_for_numbers() -> None:
    html, text = read(pairloom.Model.from_merges("▁ab", [("a", "b"), ("▁", "ab")]))
    assert "imported: no numbers of training" in text
    assert html.count("—") == text.count("—") == 2 * 3
    assert read(pairloom.Model.from_merges("▁ab", []))[0].count("no merges") == 1


def test_an_encoding_shows_ids_and_unknowns() -> None:
    """Rules: E3, E5, E6, S5."""
    model = pairloom.train("low low lower newest newest widest")
    encoding = model.encode("slow fast")
    html, text = read(encoding)
    assert (
        text
        == "▁:10 s:7 low:14 ▁:10 f:UNK a:UNK s:7 t:8\n8 tokens, 9 code points, 1.12 code points per token, 2 unknown"
    )
    assert html.count("UNK") == 2
    colors = re.findall(r"background:(#\w+);color", encoding._repr_mimebundle_()["text/html"])
    assert len(colors) == 8
    assert colors[0] == colors[3] != colors[1]
    assert "— code points per token" in read(model.encode(""))[1]


def test_a_long_encoding_and_a_long_token_are_counted() -> None:
    model = pairloom.train("ab")
    html, text = read(model.encode("ab " * displays.TOKENS))
    assert f"… and {2 * displays.TOKENS:,} more tokens" in html or f"{displays.TOKENS * 2:,} more tokens" in text
    word = "x" * 1000
    assert "1,000 code points in all" in markup.shown(word)
    assert "1,000 code points in all" in markup.told(word)
    assert markup.LONGEST < len(unescape(re.sub("<.*?>", "", markup.shown(word)))) < 100


def test_a_difference_names_the_first_merge_that_differs() -> None:
    left, right = pairloom.train("low low lower"), pairloom.train("slow slow newest newest")
    html, text = read(notebook.diff(left, right, "slow newest"))
    assert f"merges: {len(left.merges)} | {len(right.merges)}; the first 0 are the same" in text
    assert "l+o | e+s" in text
    assert "tokens, cut otherwise at" in html
    same = read(notebook.diff(left, left))[1]
    assert "equal fingerprints" in same


def test_a_display_costs_no_more_for_a_longer_list() -> None:
    """Not timed: what is shown is what is rendered, so the markup of 3,000 merges is as long as that of 300."""
    words = [chr(0x4E00 + number) * 2 for number in range(3_000)]
    few, many = (pairloom.train(words[:count], 40_000, min_frequency=1) for count in (300, 3_000))
    assert len(many.merges) >= 10 * len(few.merges) // 2 > 100
    sizes = [len(model._repr_mimebundle_()["text/html"]) for model in (few, many)]
    assert abs(sizes[0] - sizes[1]) < 500


def test_colours_are_those_of_paper() -> None:
    assert "background:#f8c9c4" in markup.box("a", 0)
    assert "UNK" in markup.box("a", None)
