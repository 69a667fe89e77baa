"""Encoding and decoding cost at most n log n, and a word that was met costs nothing again. Nothing is timed.

The compiled kernel counts for itself: `TextEncoder.operations`, pairs and entries of its queue looked at while words
are merged. Of plain Python every executed line counts.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable
from itertools import accumulate

import pytest

import pairloom
from tests.support.kernels import needs_compiled, running
from tests.support.scaling import ONE_WORD, TABLES, check_growth, executed_lines, many_words

on_every_table = pytest.mark.parametrize("table_of", TABLES.values(), ids=TABLES)
on_every_word = pytest.mark.parametrize("word_of", ONE_WORD.values(), ids=ONE_WORD)

SIZES = (500, 1000, 2000, 4000)
# The last one that is looked at whole before each merge has 64 symbols; longer ones have a queue.
SHORT_SIZES = (16, 32, 64, 65, 128, 256)


def _list_that_makes_strings_twice() -> list[tuple[str, str]]:
    """What replaying or rescanning would be quadratic in: many ranks that meet on one long word."""
    merges = [("a", "a" * i) for i in range(1, 16)]
    made = {"a"} | {left + right for left, right in merges}
    pairs = [("a" * i, "a" * j) for i in range(1, 9) for j in range(1, 9)]
    return merges + [pair for pair in pairs if set(pair) <= made]


def fresh(model: pairloom.Model, kernel_name: str) -> pairloom.Model:
    """The model on a kernel, with nothing encoded yet."""
    with running(kernel_name):
        again: pairloom.Model = pickle.loads(pickle.dumps(model))
    return again


def trained(table: dict[str, int]) -> pairloom.Model:
    return pairloom.train_from_word_counts(table, sys.maxsize, marker=False)


def operations(model: pairloom.Model, texts: list[str], prefix: int | None = None) -> int:
    """What merging the words of texts costs the compiled kernel, with what it knows so far."""
    encoder = model.text_encoder
    before: int = encoder.operations  # type: ignore[attr-defined]  # the compiled one's
    model.encode_batch(texts, prefix)
    after: int = encoder.operations  # type: ignore[attr-defined]  # likewise
    return after - before


# ---------------------------------------------------------------- growth


@on_every_table
def test_plain_python(table_of: Callable[[int], dict[str, int]]) -> None:
    lines = {}
    for n in SIZES:
        table = table_of(n)
        model = fresh(trained(table), "pure")
        lines[n] = executed_lines(lambda: model.encode(" ".join(table)))  # noqa: B023  # called at once
    check_growth(lines, per_step=10)


@on_every_word
def test_plain_python_with_a_list_that_makes_strings_twice(word_of: Callable[[int], str]) -> None:
    lines = {}
    for n in SIZES:
        model = fresh(pairloom.Model.from_merges("abcd01", _list_that_makes_strings_twice(), marker=False), "pure")
        lines[n] = executed_lines(lambda: model.encode(word_of(n)))  # noqa: B023  # called at once
    check_growth(lines, per_step=10)


@needs_compiled
@pytest.mark.parametrize("sizes", [(1000, 2000, 4000), (20_000, 40_000, 80_000)], ids=["thousands", "many thousands"])
@on_every_word
def test_compiled(word_of: Callable[[int], str], sizes: tuple[int, ...]) -> None:
    model = trained({word_of(max(sizes)): 3})
    counted = {n: operations(fresh(model, "compiled"), [word_of(n)]) for n in sizes}
    check_growth(counted, per_step=3, doubling=2.6)
    # The counter counts: every pair is looked at once at least.
    assert all(done >= n for n, done in counted.items())


@needs_compiled
@on_every_word
def test_compiled_with_a_list_that_makes_strings_twice(word_of: Callable[[int], str]) -> None:
    model = pairloom.Model.from_merges("abcd01", _list_that_makes_strings_twice(), marker=False)
    counted = {n: operations(fresh(model, "compiled"), [word_of(n)]) for n in (1000, 2000, 4000, 50_000, 100_000)}
    check_growth(counted, per_step=3, doubling=2.6)


@needs_compiled
@on_every_word
def test_compiled_on_both_sides_of_the_switch(word_of: Callable[[int], str]) -> None:
    """A short word is looked at whole before each merge: that may cost no more than the queue by much."""
    counted = {n: operations(fresh(trained({word_of(n): 3}), "compiled"), [word_of(n)]) for n in SHORT_SIZES}
    check_growth(counted, per_step=4, doubling=None)


@needs_compiled
def test_compiled_with_many_short_words() -> None:
    counted = {}
    for n in (2500, 5000, 10_000, 20_000):
        table = many_words(n)
        counted[n] = operations(fresh(trained(table), "compiled"), [" ".join(table)])
    check_growth(counted, per_step=1)


@needs_compiled
@pytest.mark.parametrize("threads", [1, 4])
def test_compiled_with_threads(threads: int) -> None:
    """Each has a cache of its own: a word costs at most once for each."""
    table = many_words(4000)
    model = fresh(trained(table), "compiled")
    text = (" ".join(table) + " ") * 500
    model.encode_batch([text], threads=threads)
    once = operations(fresh(model, "compiled"), [" ".join(table)])
    # A set of the cache has two places: of three words that meet in one, one may be merged again and again.
    assert once <= model.text_encoder.operations <= once * (threads + 500 * 0.4)  # type: ignore[attr-defined]  # the compiled one's


# ---------------------------------------------------------------- what was met


@needs_compiled
@pytest.mark.parametrize("length", [2, 3, 16, 17, 64, 65, 256])
def test_a_word_costs_nothing_again(length: int) -> None:
    """Whether it stands in its entry or beside, and whichever way it was merged; longer ones are not kept."""
    word = ONE_WORD["random"](length)
    model = fresh(trained({word: 3, "ab": 1}), "compiled")
    once = operations(model, [word])
    assert once > 0
    assert operations(model, [word]) == 0
    assert operations(model, [f"{word} {word}\n{word}", word]) == 0
    assert operations(model, [" ".join([word] * 1000)]) == 0
    # Other merges, other tokens: what was kept does not serve.
    assert operations(model, [word], 0) > 0


@needs_compiled
def test_a_longer_word_costs_as_much_each_time() -> None:
    """It is not kept, so that the cache has a bound; and costs no more than the first time."""
    word = ONE_WORD["random"](5000)
    model = fresh(trained({word: 3}), "compiled")
    once = operations(model, [word])
    assert operations(model, [f"{word} {word} {word}"]) == 3 * once


@needs_compiled
@pytest.mark.parametrize("punctuation", [False, True])
def test_a_text_of_words_that_come_again_costs_what_its_words_cost(*, punctuation: bool) -> None:
    """As texts do: few words often, many rarely."""
    drawn = random.Random(4)
    words = list(many_words(6000))
    weights = list(accumulate(1 / place for place in range(1, len(words) + 1)))
    text = drawn.choices(words, cum_weights=weights, k=60_000)
    pre_tokenizer = "punctuation" if punctuation else "whitespace"
    made = pairloom.train(" ".join(words), 500, pre_tokenizer=pre_tokenizer)
    once = operations(fresh(made, "compiled"), [" ".join(dict.fromkeys(text))])
    # Pieces are known too: a word in other company costs looking it up.
    joined = [f"{word}{drawn.choice(',.;')}" if punctuation else word for word in text]
    spent = operations(fresh(made, "compiled"), [" ".join(joined)])
    each_anew = sum(operations(fresh_word, [word]) for fresh_word, word in _each_on_its_own(made, text[:300]))
    assert spent <= 5 * once
    assert spent * 300 / len(text) < each_anew / 5


def _each_on_its_own(model: pairloom.Model, words: list[str]) -> list[tuple[pairloom.Model, str]]:
    return [(fresh(model, "compiled"), word) for word in words]


@on_every_word
def test_plain_python_merges_a_word_once_in_a_text(word_of: Callable[[int], str]) -> None:
    word = word_of(200)
    model = fresh(trained({word: 3}), "pure")
    one, many = (executed_lines(lambda n=n: model.encode(" ".join([word] * n))) for n in (1, 50))  # type: ignore[misc]  # bound early
    tokens = len(model.encode(word).tokens)
    # Splitting, looking up and placing remain, for each code point and token.
    assert many <= one + 49 * (12 * len(word) + 20 * tokens)


# ---------------------------------------------------------------- decoding


@on_every_table
def test_decoding_in_plain_python(table_of: Callable[[int], dict[str, int]]) -> None:
    lines = {}
    for n in SIZES:
        table = table_of(n)
        model = fresh(trained(table), "pure")
        ids = model.encode_batch([" ".join(table)], 0).token_ids.ids.tolist()
        assert len(ids) >= n - len(table)
        lines[n] = executed_lines(lambda: model.decode(ids))  # noqa: B023  # called at once
    check_growth(lines, per_step=2, doubling=2.2)
