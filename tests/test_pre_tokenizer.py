"""Splitting by rule: P1, P2."""

from __future__ import annotations

import pytest

from pairloom.errors import SettingError
from pairloom.pre_tokenizer import PRE_TOKENIZERS, pre_tokenize
from tests.support.implementations import Implementation, on_every_implementation

ZWNJ, ZWJ = "\u200c", "\u200d"


@on_every_implementation
@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS)
def test_the_first_word_is_marked_like_any_other(implementation: Implementation, pre_tokenizer: str) -> None:
    assert implementation.pre_tokenize("low low", pre_tokenizer, marker=True) == ["▁low", "▁low"]
    assert implementation.pre_tokenize("low low", pre_tokenizer, marker=False) == ["low", "low"]
    assert implementation.pre_tokenize("", pre_tokenizer, marker=True) == []


@on_every_implementation
@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("don't", ["don", "'", "t"]),
        ("«Hallo»,", ["«", "Hallo", "»,"]),
        ("...", ["..."]),
        ("a.b.c", ["a", ".", "b", ".", "c"]),
        ("snake_case9", ["snake_case9"]),  # Pc and N are word class
        ("x²½Ⅷ", ["x²½Ⅷ"]),  # No and Nl too
        ("a‿b", ["a‿b"]),  # U+203F is Pc
        ("$5", ["$", "5"]),
        # Hindi: vowel signs and virama are marks; Python's \w splits here.
        ("क्षत्रिय।", ["क्षत्रिय", "।"]),
        ("हिन्दी,में", ["हिन्दी", ",", "में"]),
        (f"क्{ZWJ}ष", [f"क्{ZWJ}ष"]),
        # Persian: U+200C inside a word is of the letter before it.
        (f"می{ZWNJ}خواهم", [f"می{ZWNJ}خواهم"]),
        (f"می{ZWNJ}خواهم،", [f"می{ZWNJ}خواهم", "،"]),
        # A heart keeps its variation selector (Mn), and a family its joiners.
        ("❤\ufe0f", ["❤\ufe0f"]),
        ("a❤\ufe0fb", ["a", "❤\ufe0f", "b"]),
        (f"👩{ZWJ}👧a", [f"👩{ZWJ}👧", "a"]),
        ("!\u0301a", ["!\u0301", "a"]),
        ("a\u0301!", ["a\u0301", "!"]),
        # Several marks and joiners in a row all inherit from the one before them.
        (f"!\u0301{ZWJ}\u0308{ZWNJ}b", [f"!\u0301{ZWJ}\u0308{ZWNJ}", "b"]),
        (f"a{ZWJ}\u0301{ZWNJ}b", [f"a{ZWJ}\u0301{ZWNJ}b"]),
        # At a word's start they count as word class.
        ("\u0301a", ["\u0301a"]),
        ("\u0301", ["\u0301"]),
        ("\u0301!", ["\u0301", "!"]),
        (f"{ZWJ}!", [ZWJ, "!"]),
        (f"{ZWNJ}\u0301a!", [f"{ZWNJ}\u0301a", "!"]),
        # Controls and other format characters are of the other class.
        ("a\x00b", ["a", "\x00", "b"]),
        ("a\u200bb", ["a", "\u200b", "b"]),
        ("a\u00adb", ["a", "\u00ad", "b"]),
        # Beyond the basic plane: letters, a digit, a mark, an emoji.
        ("𐐀𝟘a", ["𐐀𝟘a"]),
        ("😀\U000e0100a", ["😀\U000e0100", "a"]),
        ("河边，有", ["河边", "，", "有"]),
    ],
)
def test_words_are_cut_where_the_class_changes(implementation: Implementation, word: str, pieces: list[str]) -> None:
    first, *rest = pieces
    assert implementation.pre_tokenize(word, "punctuation", marker=True) == [f"▁{first}", *rest]
    assert implementation.pre_tokenize(word, "punctuation", marker=False) == pieces
    assert implementation.pre_tokenize(word, "whitespace", marker=True) == [f"▁{word}"]


@on_every_implementation
def test_only_the_first_piece_of_each_word_is_marked(implementation: Implementation) -> None:
    pieces = implementation.pre_tokenize("don't. ...stop \u0301", "punctuation", marker=True)
    assert pieces == ["▁don", "'", "t", ".", "▁...", "stop", "▁\u0301"]


def test_the_newest_letters_are_letters() -> None:
    """Unicode 17's, whichever Python runs: U+16EA0 (Beria Erfe) is a letter, U+1ACF a mark."""
    assert pre_tokenize("\U00016ea0!a", "punctuation") == ["▁\U00016ea0", "!", "a"]
    assert pre_tokenize("!\u1acfa", "punctuation") == ["▁!\u1acf", "a"]


@pytest.mark.parametrize("pre_tokenizer", ["", "none", "WHITESPACE", None, 1, ["whitespace"]])
def test_pre_tokenizers_that_there_are_not(pre_tokenizer: object) -> None:
    with pytest.raises(SettingError) as caught:
        pre_tokenize("low", pre_tokenizer)  # type: ignore[arg-type]  # what is tested
    assert "whitespace" in caught.value.allowed
    assert "punctuation" in caught.value.allowed
