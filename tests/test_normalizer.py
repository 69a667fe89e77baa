"""Normalizing by rule: N1 to N8, L1, L2. The vectors and the comparison with a JavaScript engine stand beside."""

from __future__ import annotations

import pytest

import pairloom
from pairloom.errors import EmptyCorpus, ForbiddenCodePoint, NotText, SettingError, TextTooLong
from pairloom.normalizer import check_forbidden, normalize_with_places, normalize_within
from pairloom.unicode_data import WHITESPACE
from tests.support.implementations import Implementation, on_every_implementation

# N4, written out once more: code points by their numbers.
ECMASCRIPT_WHITESPACE = [
    *(0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0xA0, 0x1680),
    *range(0x2000, 0x200B),
    *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF),
]


def test_there_are_25_whitespace_code_points() -> None:
    assert sorted(map(ord, WHITESPACE)) == ECMASCRIPT_WHITESPACE
    assert len(ECMASCRIPT_WHITESPACE) == 25


@on_every_implementation
def test_every_code_point_is_whitespace_or_stays(implementation: Implementation) -> None:
    """N4, N6 over all of Unicode: one at a time between two letters, lower case off."""
    code_points = [cp for cp in range(0x110000) if cp != 0x2581 and not 0xD800 <= cp <= 0xDFFF]
    for start in range(0, len(code_points), 50_000):
        chunk = code_points[start : start + 50_000]
        text = "".join(f"x{chr(cp)}y" for cp in chunk)
        expected = "".join("x y" if cp in ECMASCRIPT_WHITESPACE else f"x{chr(cp)}y" for cp in chunk)
        assert implementation.normalize(text, lowercase=False) == expected


@on_every_implementation
@pytest.mark.parametrize("char", ["\x85", "\x1c", "\x1d", "\x1e", "\x1f", "\u180e", "\u200b", "\x00", "\u2060"])
def test_what_others_take_for_whitespace(implementation: Implementation, char: str) -> None:
    for lowercase in (False, True):
        assert implementation.normalize(f"{char}a{char} b{char}", lowercase=lowercase) == f"{char}a{char} b{char}"


@on_every_implementation
@pytest.mark.parametrize(
    ("text", "lowered"),
    [
        ("ΑΣ\ufeffΑ", "ασ α"),  # N3: ignorable, so the Α behind it counts, and whitespace afterwards
        ("ΑΣ Α", "ας α"),
        ("ΑΣ\ufeff", "ας"),
        ("\ufeffΣ", "σ"),
        ("ʰΣ", "ʰσ"),  # cased and ignorable: skipped, and nothing cased is left
        ("AΣʰ", "aςʰ"),
        ("AΣʰA", "aσʰa"),
        ("AʰΣ", "aʰς"),
        ("Σ", "σ"),
        ("ΣΣ", "σς"),
        ("AΣ'A AΣ' AΣ", "aσ'a aς' aς"),
        ("AΣ1", "aς1"),
        ("1Σ", "1σ"),
        ("aΣb", "aσb"),
        ("aΣ\u0345", "aς\u0345"),
        ("İ", "i\u0307"),
        ("I", "i"),
        ("ıİIi", "ıi\u0307ii"),
        ("ẞ", "ß"),
        ("\u212a\u2126", "kω"),
        ("ꟋƛꟜ", "ɤƛƛ"),  # Unicode 16; CPython 3.11 carries 14
    ],
)
def test_lower_case(implementation: Implementation, text: str, lowered: str) -> None:
    """Rules: N1, N3, N5. The kernels lower-case where they count and encode; normalizing alone is always plain."""
    assert implementation.normalize(text, lowercase=True) == lowered
    words = [f"▁{word}" for word in lowered.split(" ")]
    counted = implementation.count_words(text, lowercase=True, pre_tokenizer="whitespace")
    assert counted == {word: words.count(word) for word in words}
    encoding = implementation.train(lowered, 0, lowercase=True).encode(text, None)
    assert "".join(encoding.tokens) == "".join(words)
    assert encoding.unknown_count == 0
    assert implementation.normalize(text, lowercase=False) == text.replace("\ufeff", " ").strip()


@on_every_implementation
def test_composed_and_decomposed_stay_different(implementation: Implementation) -> None:
    for text in ("é", "e\u0301", "ﬁ", "\u1100\u1161", "가", "Å", "\u212b", "①", "㎏"):
        assert implementation.normalize(text, lowercase=False) == text


# ---------------------------------------------------------------- N8


@pytest.mark.parametrize(
    ("text", "kind", "position", "code_point"),
    [
        ("▁", "marker", 0, 0x2581),
        ("ab▁", "marker", 2, 0x2581),
        ("😀😀▁", "marker", 2, 0x2581),  # code points, neither units nor bytes
        ("  \n▁", "marker", 3, 0x2581),  # of the raw text
        ("İİ▁", "marker", 2, 0x2581),  # before anything grows
        ("\ud800", "surrogate", 0, 0xD800),
        ("a\udfff", "surrogate", 1, 0xDFFF),
        ("a\ud83d\ude00", "surrogate", 1, 0xD83D),  # a pair as two code points is no character either
        ("\ude00\ud83d", "surrogate", 0, 0xDE00),
        ("▁\ud800", "marker", 0, 0x2581),  # the first of both
        ("\ud800▁", "surrogate", 0, 0xD800),
    ],
)
@pytest.mark.parametrize("lowercase", [False, True])
def test_the_first_offence_is_named(text: str, kind: str, position: int, code_point: int, lowercase: bool) -> None:
    with pytest.raises(ForbiddenCodePoint) as caught:
        pairloom.normalize(text, lowercase)
    error = caught.value
    assert (error.kind, error.position, error.code_point, error.text_index) == (kind, position, code_point, None)
    assert error.code == f"text.{kind}"
    assert str(position) in str(error)
    with pytest.raises(ForbiddenCodePoint):
        check_forbidden(text)
    with pytest.raises(ForbiddenCodePoint):
        normalize_with_places(text, lowercase=lowercase)


@pytest.mark.parametrize("char", ["_", "\u2580", "\u2582", "\ud7ff", "\ue000", "\U0010ffff", "\ufffd", "\uffff"])
def test_the_neighbours_of_what_is_forbidden(char: str) -> None:
    assert pairloom.normalize(f"a{char}b") == f"a{char}b"


@pytest.mark.parametrize("text", [None, 1, b"low", bytearray(b"low"), ["low"], ("low",)])
def test_what_is_no_text(text: object) -> None:
    with pytest.raises(NotText) as caught:
        pairloom.normalize(text)  # type: ignore[arg-type]  # what is tested
    assert caught.value.type_name == type(text).__name__
    with pytest.raises(NotText):
        normalize_within(text, lowercase=False, max_code_points=9, allow_empty=True)  # type: ignore[arg-type]  # too


def test_lowercase_is_true_or_false() -> None:
    for value in (1, 0, "yes", None):
        with pytest.raises(SettingError):
            pairloom.normalize("low", value)  # type: ignore[arg-type]  # what is tested


def test_a_subclass_of_str_gives_a_plain_str() -> None:
    class Text(str):
        __slots__ = ()

    assert type(pairloom.normalize(Text("Low  low"))) is str
    assert pairloom.normalize(Text("Low  low"), lowercase=True) == "low low"


# ---------------------------------------------------------------- the order of the checks, under a limit


def within(text: str, *, lowercase: bool = False, limit: int = 10, allow_empty: bool = False) -> str:
    return normalize_within(text, lowercase=lowercase, max_code_points=limit, allow_empty=allow_empty)


def test_the_limit_itself_is_allowed() -> None:
    assert within("a" * 10) == "a" * 10
    assert within("😀" * 10) == "😀" * 10
    assert within("İ" * 5, lowercase=True) == "i\u0307" * 5


def test_raw_length_comes_first() -> None:
    """Too long and forbidden at once: the length; whitespace counts in it."""
    for text in ("a" * 11, "▁" * 11, " " * 11, "\ud800" * 11, "İ" * 11):
        with pytest.raises(TextTooLong) as caught:
            within(text, lowercase=True)
        assert (caught.value.stage, caught.value.length, caught.value.limit) == ("raw", 11, 10)
        assert caught.value.code == "text.raw_too_long"


def test_then_what_is_forbidden() -> None:
    with pytest.raises(ForbiddenCodePoint) as caught:
        within("İ" * 9 + "▁", lowercase=True)
    assert caught.value.position == 9
    with pytest.raises(ForbiddenCodePoint):
        within("  ▁  ")


def test_then_the_normalized_length() -> None:
    with pytest.raises(TextTooLong) as caught:
        within("İ" * 6, lowercase=True)
    assert (caught.value.stage, caught.value.length, caught.value.limit) == ("normalized", 12, 10)
    assert caught.value.code == "text.normalized_too_long"
    assert "12" in str(caught.value)
    assert "10" in str(caught.value)


def test_then_whether_there_is_anything() -> None:
    for text in ("", "   ", "\ufeff\n"):
        with pytest.raises(EmptyCorpus):
            within(text)
        assert within(text, allow_empty=True) == ""


# ---------------------------------------------------------------- places


def test_a_space_has_the_place_of_its_whole_run() -> None:
    placed = normalize_with_places(" a \n\tb ", lowercase=False)
    assert placed.text == "a b"
    assert list(placed.starts) == [1, 2, 5]
    assert list(placed.ends) == [2, 5, 6]


def test_nothing_has_no_places() -> None:
    for text in ("", " \n "):
        placed = normalize_with_places(text)
        assert (placed.text, list(placed.starts), list(placed.ends)) == ("", [], [])
