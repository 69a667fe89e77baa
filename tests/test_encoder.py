"""Encoding by rule: E1 to E6, E8, N7."""

from __future__ import annotations

from itertools import pairwise

import pytest

import pairloom
from pairloom import educational
from pairloom.errors import ForbiddenCodePoint, NotText, UnknownTokens
from tests.support.implementations import Implementation, on_every_implementation


@on_every_implementation
@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", "\ufeff"])
def test_an_empty_text_has_no_tokens(implementation: Implementation, text: str) -> None:
    """E5: valid, and without a ratio."""
    trained = implementation.train("low low", 10)
    for prefix in (None, 0, 1):
        encoding = trained.encode(text, prefix)
        assert (encoding.tokens, encoding.ids, encoding.offsets) == ((), (), ())
        assert encoding.normalized == ""
        assert encoding.code_points == encoding.unknown_count == 0
        assert encoding.code_points_per_token is None


@on_every_implementation
def test_unknown_code_points_stay_visible_without_an_id(implementation: Implementation) -> None:
    """E3: each on its own, never merged, never -1."""
    encoding = implementation.train("low low", 10).encode("slowzz", None)
    assert encoding.tokens == ("▁", "s", "low", "z", "z")
    assert encoding.ids == (3, None, 5, None, None)
    assert encoding.unknown_count == 3
    assert encoding.code_points_per_token == 6 / 5


def test_known_ids_refuse_unknown_tokens() -> None:
    """E4: the strict form names each of them."""
    encoding = pairloom.train("low low").encode("slow low z")
    with pytest.raises(UnknownTokens) as caught:
        encoding.known_ids()
    assert caught.value.positions == (1, 5)
    assert caught.value.tokens == ("s", "z")
    assert all(encoding.ids[position] is None for position in caught.value.positions)
    known = pairloom.train("low low").encode("low")
    assert known.known_ids() == known.ids


@on_every_implementation
def test_single_spaces_count_and_markers_do_not(implementation: Implementation) -> None:
    """E6: `a b` is three code points and, unmerged, four tokens."""
    trained = implementation.train("a b", 0)
    encoding = trained.encode("  a \n b  ", 0)
    assert encoding.normalized == "a b"
    assert encoding.code_points == 3
    assert encoding.tokens == ("▁", "a", "▁", "b")
    assert encoding.code_points_per_token == 3 / 4


@on_every_implementation
def test_one_code_point_beyond_the_basic_plane_is_one(implementation: Implementation) -> None:
    encoding = implementation.train("😀😀 😀", 0).encode("😀 😀", None)
    assert encoding.code_points == 3
    assert encoding.tokens == ("▁", "😀", "▁", "😀")
    assert encoding.offsets == ((0, 0), (0, 1), (2, 2), (2, 3))


@on_every_implementation
def test_the_model_lowercases_what_it_encodes(implementation: Implementation) -> None:
    """N7. Rules: E1, N7."""
    assert implementation.train("low low", 10, lowercase=True).encode("LOW", None).unknown_count == 0
    assert implementation.train("low low", 10).encode("LOW", None).unknown_count == 3


@on_every_implementation
def test_the_lowest_rank_and_then_the_leftmost(implementation: Implementation) -> None:
    """E2 by the pictures: rank decides before place; equal ranks go from the left, one at a time."""

    def tokens(alphabet: str, merges: list[tuple[str, str]], word: str) -> tuple[str, ...]:
        return implementation.from_merges(alphabet, merges, marker=False).encode(word, None).tokens

    assert tokens("abc", [("b", "c"), ("a", "b")], "abc") == ("a", "bc")
    assert tokens("abc", [("a", "b"), ("b", "c")], "abc") == ("ab", "c")
    assert tokens("a", [("a", "a")], "aaa") == ("aa", "a")
    # After the first aa stands a: rank 0 again, before aa+a of rank 1.
    assert tokens("a", [("a", "a"), ("aa", "a")], "aaaaa") == ("aa", "aaa")
    assert tokens("ab", [("b", "a"), ("a", "a"), ("aa", "a")], "aaaa") == ("aa", "aa")


# The string abc is made twice, so that a merge of it can stand above ab+c.
WAKING = [("a", "b"), ("b", "c"), ("a", "bc"), ("abc", "ab"), ("ab", "c")]


def replace_all(word: str, merges: list[tuple[str, str]]) -> tuple[str, ...]:
    """The shorter rule that E2 is not: all occurrences of the lowest rank at once, then look again."""
    symbols = list(word)
    while present := [merge for merge in merges if merge in pairwise(symbols)]:
        symbols = educational.merge(symbols, *present[0])
    return tuple(symbols)


def replay(word: str, merges: list[tuple[str, str]]) -> tuple[str, ...]:
    """The other one: each merge of the list once, in order."""
    symbols = list(word)
    for left, right in merges:
        symbols = educational.merge(symbols, left, right)
    return tuple(symbols)


@on_every_implementation
def test_one_occurrence_at_a_time(implementation: Implementation) -> None:
    """E2: ab c ab c → abc ab c by rank 4, and abc+ab of rank 3 goes before the second ab+c."""
    encoding = implementation.from_merges("abc", WAKING, marker=False).encode("abcabc", None)
    assert encoding.tokens == ("abcab", "c")
    assert replace_all("abcabc", WAKING) == replay("abcabc", WAKING) == ("abc", "abc")


@on_every_implementation
def test_a_merge_can_wake_a_lower_rank(implementation: Implementation) -> None:
    """E2: replaying the list in order misses what stands there only after a later merge of it."""
    # ab c ab → abc ab by rank 4, which makes abc+ab of rank 3; aa aa a → aa aaa by rank 3, aa+aaa of rank 2.
    for alphabet, merges, word, replayed in (
        ("abc", WAKING, "abcab", ("abc", "ab")),
        ("a", [("a", "a"), ("a", "aa"), ("aa", "aaa"), ("aa", "a")], "aaaaa", ("aa", "aaa")),
    ):
        assert implementation.from_merges(alphabet, merges, marker=False).encode(word, None).tokens == (word,)
        assert replay(word, merges) == replayed
    # A pair that is listed twice has its lower rank: here replaying gives the same.
    merges = [("a", "b"), ("ab", "c"), ("c", "c"), ("cc", "ab"), ("b", "cc"), ("a", "b")]
    assert implementation.from_merges("abc", merges, marker=False).encode("ccab", None).tokens == ("ccab",)


# ---------------------------------------------------------------- E8: places in the raw text


@on_every_implementation
def test_both_halves_of_a_grown_i_have_the_one_place(implementation: Implementation) -> None:
    trained = implementation.train("xİ xİ İ", 0, lowercase=True)
    encoding = trained.encode(" İx\t İ", None)
    assert encoding.tokens == ("▁", "i", "\u0307", "x", "▁", "i", "\u0307")
    assert encoding.offsets == ((1, 1), (1, 2), (1, 2), (2, 3), (5, 5), (5, 6), (5, 6))
    merged = implementation.train("İ İ", 10, lowercase=True).encode("İİ", None)
    assert merged.tokens == ("▁i\u0307", "i\u0307")
    assert merged.offsets == ((0, 1), (1, 2))


@on_every_implementation
def test_a_token_over_half_an_i_covers_it(implementation: Implementation) -> None:
    """i + (U+0307 + x): the right token comes from İ as well."""
    model = implementation.from_merges(["i", "\u0307", "x", "▁"], [("\u0307", "x")], lowercase=True)
    encoding = model.encode("İx", None)
    assert encoding.tokens == ("▁", "i", "\u0307x")
    assert encoding.offsets == ((0, 0), (0, 1), (0, 2))


@on_every_implementation
def test_a_marker_alone_is_zero_wide_at_its_word(implementation: Implementation) -> None:
    encoding = implementation.train("a b", 0).encode("\n\n a \u3000\ufeffb ", None)
    assert encoding.tokens == ("▁", "a", "▁", "b")
    assert encoding.offsets == ((3, 3), (3, 4), (7, 7), (7, 8))


@on_every_implementation
def test_a_merged_marker_takes_no_room(implementation: Implementation) -> None:
    encoding = implementation.train("low low low", 10).encode("  low  low", None)
    assert encoding.tokens == ("▁low", "▁low")
    assert encoding.offsets == ((2, 5), (7, 10))


@on_every_implementation
def test_pieces_of_a_word_follow_each_other(implementation: Implementation) -> None:
    encoding = implementation.train("don't stop. don't", 0, pre_tokenizer="punctuation").encode("don't.", None)
    assert encoding.tokens == ("▁", "d", "o", "n", "'", "t", ".")
    assert encoding.offsets == ((0, 0), *((i, i + 1) for i in range(6)))


@on_every_implementation
def test_places_without_marker(implementation: Implementation) -> None:
    model = implementation.from_merges("ab", [("a", "b")], marker=False)
    encoding = model.encode(" ab  ba ", None)
    assert encoding.tokens == ("ab", "b", "a")
    assert encoding.offsets == ((1, 3), (5, 6), (6, 7))
    assert encoding.normalized == "ab ba"
    assert encoding.code_points == 5


# ---------------------------------------------------------------- what is no text to encode


def test_what_cannot_be_encoded() -> None:
    model = pairloom.train("low low")
    for text in (None, 3, b"low", ["low"]):
        with pytest.raises(NotText):
            model.encode(text)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(ForbiddenCodePoint) as caught:
        model.encode("lo▁w")
    assert caught.value.position == 2
    with pytest.raises(ForbiddenCodePoint) as caught:
        model.encode("lo\ud83d\ude00w")
    assert (caught.value.position, caught.value.kind, caught.value.code_point) == (2, "surrogate", 0xD83D)
