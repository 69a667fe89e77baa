"""Counting words by rule: P1 to P3, T1, T10. What trainings make of tables is tested with the trainer."""

from __future__ import annotations

import pickle

import pytest

from pairloom.errors import CountError, CountOverflow, ForbiddenCodePoint, NotText, SettingError
from pairloom.word_counts import WordCounts, count_words


def test_counting() -> None:
    counts = count_words("Low low, low", lowercase=True, pre_tokenizer="punctuation")
    assert dict(counts.counts) == {"▁low": 3, ",": 1}
    assert (counts.lowercase, counts.pre_tokenizer, counts.marker) == (True, "punctuation", True)
    assert (counts.total, len(counts)) == (4, 2)


def test_no_word_at_all_is_a_count_of_none() -> None:
    """Only training refuses it."""
    for nothing in ("", "  ", [], ["", "\n"]):
        counts = count_words(nothing)
        assert (counts.total, len(counts), dict(counts.counts)) == (0, 0, {})


def test_several_texts_are_each_on_its_own() -> None:
    assert dict(count_words(["a", "b", "", "a "]).counts) == {"▁a": 2, "▁b": 1}
    assert count_words(iter(["a b", "a"])) == count_words("a b a")
    # Final sigma sees its own text only.
    assert dict(count_words(["ΑΣ", "Α"], lowercase=True).counts) == {"▁ας": 1, "▁α": 1}


def test_an_error_names_text_and_position() -> None:
    with pytest.raises(ForbiddenCodePoint) as caught:
        count_words(["ok", "a\udfff"])
    assert (caught.value.text_index, caught.value.position, caught.value.code_point) == (1, 1, 0xDFFF)
    assert "text 1" in str(caught.value)


@pytest.mark.parametrize("texts", [None, 5, b"ab", bytearray(b"ab"), memoryview(b"ab"), [b"ab"], ["a", 1]])
def test_what_is_no_text(texts: object) -> None:
    with pytest.raises(NotText):
        count_words(texts)  # type: ignore[arg-type]  # what is tested


def test_wrong_settings() -> None:
    with pytest.raises(SettingError):
        count_words("low", pre_tokenizer="words")
    with pytest.raises(SettingError):
        count_words("low", lowercase=1)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(SettingError):
        WordCounts({"▁low": 1}, marker=None)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(SettingError):
        WordCounts({"▁low": 1}, pre_tokenizer="words")


def test_a_table_is_as_strict_as_a_text() -> None:
    """A key that no text with these settings could give is refused."""
    WordCounts({"▁low": 1, "▁.": 1})
    WordCounts({"low": 1}, marker=False)
    WordCounts({"▁low": 1, ".": 1}, pre_tokenizer="punctuation")
    for counts, settings in (
        ({"low": 1}, {}),  # by whitespace every word has its marker
        ({"▁": 1}, {}),
        ({"▁": 1}, {"marker": False}),
        ({"": 1}, {"marker": False}),
        ({"lo w": 1}, {"marker": False}),
        ({"▁Low": 1}, {"lowercase": True}),
        ({"▁low.": 1}, {"pre_tokenizer": "punctuation"}),
        ({"▁low": 0}, {}),
        ({"▁low": True}, {}),
        ({"▁low": 1.0}, {}),
        ({"▁lo\ud800": 1}, {}),
    ):
        with pytest.raises(CountError):
            WordCounts(counts, **settings)  # type: ignore[arg-type]  # one setting or none


def test_overflow_is_of_tokens_not_of_words() -> None:
    assert WordCounts({"ab": 2**62 - 1}, marker=False).total == 2**62 - 1
    with pytest.raises(CountOverflow) as caught:
        WordCounts({"ab": 2**62}, marker=False)
    assert isinstance(caught.value, CountError)
    assert caught.value.word == "ab"


def test_a_table_is_a_value() -> None:
    source = {"▁low": 2, "▁lower": 1}
    counts = WordCounts(source)
    source["▁low"] = 9
    assert counts.counts["▁low"] == 2
    with pytest.raises(TypeError):
        counts.counts["▁low"] = 3  # type: ignore[index]  # what is tested
    assert counts == count_words("low lower low")
    assert pickle.loads(pickle.dumps(counts)) == counts
    assert counts != WordCounts(dict(counts.counts), lowercase=True)
