"""The picture of a step: well-formed, readable, true to the step, and honest about what it leaves out."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.history import History
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.trainer import train
from pairloom.views.colors import PALETTE_SIZE, PAPER_COLORS, PAPER_INK, color_index
from pairloom.views.corpus import CorpusPages
from pairloom.views.display import plain
from pairloom.views.step_picture import WIDTH, step_picture
from pairloom.web.catalogue import load_catalogues
from pairloom.word_counts import count_words
from tests.support.repository import ROOT
from tests.support.strategies import Training, trainings

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES = ("en", "de")


def drawn(text: str, prefix: int, page: int = 0, *, language: str = "en", page_tokens: int = 300) -> ET.Element:
    settings = {"pre_tokenizer": "punctuation"}
    history = History.of(count_words(text, **settings), train(text, 40_000, **settings))  # type: ignore[arg-type]  # handed on
    pages = CorpusPages.cut(pre_tokenize(normalize(text), "punctuation"), page_tokens=page_tokens)
    return ET.fromstring(step_picture(history, pages, prefix, page, labels=load_catalogues()[language]))


def boxes_of(picture: ET.Element) -> list[tuple[ET.Element, str]]:
    """Each box with what stands in it."""
    elements = list(picture)
    texts = (f"{SVG}text", "middle")
    return [
        (elements[place - 1], "".join(element.itertext()))
        for place, element in enumerate(elements)
        if (element.tag, element.get("text-anchor")) == texts
    ]


def lines_of(picture: ET.Element) -> list[str]:
    """The lines above the boxes, without the marks that isolate what is filled in."""
    lines = [element for element in picture.findall(f"{SVG}text") if element.get("text-anchor") is None]
    return [re.sub("[\u2068\u2069]", "", "".join(line.itertext())) for line in lines]


def frames_of(picture: ET.Element) -> list[ET.Element]:
    return [rect for rect in picture.findall(f"{SVG}rect") if rect.get("stroke-dasharray")]


TEXT = "low low lower newest newest widest"


def test_s3_s4_the_numbers_of_the_step() -> None:
    model = train(TEXT, pre_tokenizer="punctuation")
    last, coming = model.merges[1], model.merges[2]
    ratio = (model.initial_tokens or 0) / (last.corpus_tokens or 1)
    tokens = f"Corpus tokens: {last.corpus_tokens} (at the start {model.initial_tokens})"
    assert lines_of(drawn(TEXT, 2)) == [
        f"Step 2 of {len(model.merges)}",
        f"Vocabulary: {len(model.alphabet) + 2} = {len(model.alphabet)} base + 2 merged",
        f"{tokens}; characters per token: {ratio:.2f}",
        f"Last merge #2: {last.left} + {last.right} → {last.result}, {last.replacements} replacements",
        f"Next merge #3: {coming.left} + {coming.right} → {coming.result}, frequency {coming.frequency}",
        "Solid frame: made by the last merge. Dashed frame: merged next.",
    ]


def test_the_first_and_the_last_step_say_so() -> None:
    model = train(TEXT, pre_tokenizer="punctuation")
    assert "No merge yet: every character is a token." in lines_of(drawn(TEXT, 0))
    assert "All merges have been made." in lines_of(drawn(TEXT, len(model.merges)))
    assert "Noch keine Verschmelzung: Jeder Codepunkt ist ein Token." in lines_of(drawn(TEXT, 0, language="de"))


@given(training=trainings(), data=st.data())
def test_s5_the_boxes_are_the_tokens_of_the_page(training: Training, data: st.DataObject) -> None:
    text = " ".join(training.corpus)
    model = train(text, 40_000, pre_tokenizer="punctuation")
    prefix = data.draw(st.integers(0, len(model.merges)))
    picture = drawn(text, prefix, language=data.draw(st.sampled_from(LANGUAGES)))
    history = History.of(count_words(text, pre_tokenizer="punctuation"), model)
    pages = CorpusPages.cut(pre_tokenize(normalize(text), "punctuation"), page_tokens=300)
    upcoming = (model.merges[prefix].left, model.merges[prefix].right) if prefix < len(model.merges) else None
    page = pages.page(0, history, prefix, upcoming=upcoming)
    tokens = [token for piece in page.pieces for token in piece.tokens]
    boxes = boxes_of(picture)
    assert len(boxes) == len(tokens)
    for (box, shown), token in zip(boxes, tokens, strict=True):
        assert token.id is not None
        assert box.get("fill") == PAPER_COLORS[color_index(token.id)]
        assert (box.get("stroke") is not None) == (token.text == page.made)
        if len(plain(token.text)) <= 44 and "\\" not in token.text and "\u25cc" not in plain(token.text):
            assert shown == plain(token.text)
        left, width = float(box.get("x") or 0), float(box.get("width") or 0)
        assert 0 <= left <= left + width <= WIDTH
    # One dashed frame a place; a place that is broken over two lines has two.
    assert page.upcoming_here <= len(frames_of(picture)) <= 2 * page.upcoming_here


def test_a_token_that_is_written_out_fits_into_the_picture() -> None:
    for length in (12, 20, 44, 45, 300):
        written_out = "\U000e0001" * length
        text = f"{written_out} {written_out}"
        whole = len(train(text, 40_000, pre_tokenizer="punctuation").merges)
        for box, shown in boxes_of(drawn(text, whole)):
            assert float(box.get("x") or 0) + float(box.get("width") or 0) <= WIDTH
            assert shown


def test_n9_what_a_corpus_holds_disturbs_nothing() -> None:
    hostile = "<script>&amp;\"' \x00\x1b[31m \u202eabc\u202c \ufffe ]]> &#x41; ▁".replace("▁", "")
    source = f"{hostile} {hostile}"
    picture = drawn(source, 0)
    assert {element.tag for element in picture.iter()} <= {
        f"{SVG}{tag}" for tag in ("svg", "title", "desc", "rect", "text", "tspan")
    }
    text = "".join(picture.itertext())
    assert not set(text) & set("\x00\x1b\u202e\u202c\ufffe")
    assert "\\u202e" in text
    assert not [
        name for element in picture.iter() for name in element.attrib if name.startswith("on") or "href" in name
    ]


def test_a_long_corpus_says_which_part_is_shown() -> None:
    words = [f"word{number}" for number in range(400)]
    text = " ".join(words)
    for page in (0, 1, 99):
        picture = drawn(text, 5, page)
        (line,) = [line for line in lines_of(picture) if line.startswith("Shown is part")]
        found = re.fullmatch(
            r"Shown is part (\d+) of (\d+), pre-tokens (\d+) to (\d+) of 400; the numbers above are those of the whole "
            r"corpus\.",
            line,
        )
        assert found is not None
        part, count, first, last = map(int, found.groups())
        assert part == min(page, count - 1) + 1
        shown = "".join(text for _, text in boxes_of(picture))
        assert shown == "".join(f"▁{word}" for word in words[first - 1 : last])
    assert not [line for line in lines_of(drawn(TEXT, 1)) if line.startswith("Shown is part")]


def test_a_long_token_is_shown_by_its_ends_with_its_length() -> None:
    text = f"{'a' * 64} {'a' * 64}"
    model = train(text)
    (first, *_) = boxes_of(drawn(text, len(model.merges)))
    assert first[1] == f"▁{'a' * 27}…65…{'a' * 8}"


def test_from_right_to_left() -> None:
    boxes = boxes_of(drawn("كتاب الكاتب كتب", 0))
    places = [float(box.get("x") or 0) for box, _ in boxes]
    assert places == sorted(places, reverse=True)
    assert "".join(text for _, text in boxes) == "▁كتاب▁الكاتب▁كتب"


def test_it_needs_nothing_else_and_says_what_it_shows() -> None:
    picture = drawn(TEXT, 2)
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == "Step 2 of 9"
    assert "Next merge" in (picture.findtext(f"{SVG}desc") or "")
    assert not [element for element in picture.iter() if element.get("style") or element.get("class")]


# -- colours


def luminance(color: str) -> float:
    # WCAG 2.2, relative luminance.
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("background", [*PAPER_COLORS, "#ffffff"])
@pytest.mark.parametrize(("ink", "contrast"), [(PAPER_INK, 7), ("#7a2620", 4.5)])
def test_text_can_be_read_on_every_colour(background: str, ink: str, contrast: float) -> None:
    assert (luminance(background) + 0.05) / (luminance(ink) + 0.05) >= contrast


def test_the_colours_are_those_of_the_pages() -> None:
    folder = ROOT / "src" / "pairloom" / "web" / "static"
    style = "".join(path.read_text("utf-8") for path in folder.rglob("*.css"))
    pages = {int(place): color for place, color in re.findall(r"\.c(\d+) \{ background: light-dark\((#\w{6}),", style)}
    assert pages == dict(enumerate(PAPER_COLORS))
    assert len(PAPER_COLORS) == PALETTE_SIZE
