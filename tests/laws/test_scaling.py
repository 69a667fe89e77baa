"""Work grows at most like n log n, for the words that made other tools quadratic. Nothing is timed.

Two measures, both exact and the same on every machine: the trainer's own `.operations`, and the lines of Python that
the interpreter says it executed, which no counter can forget.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

import pairloom
from pairloom.history import HistoryBuilder
from pairloom.trainer import Trainer
from pairloom.word_counts import WordCounts
from tests.support.kernels import KERNELS, needs_compiled, on_every_kernel, running

Tracer = Callable[[FrameType, str, object], Any]
SIZES = (500, 1000, 2000, 4000)


def fibonacci(n: int) -> str:
    """a, ab, aba, abaab, …: as repetitive as a word without a fourth power can be."""
    shorter, longer = "a", "ab"
    while len(longer) < n:
        shorter, longer = longer, longer + shorter
    return longer[:n]


def de_bruijn(n: int) -> str:
    """Every binary word of length log n once, the shortest way to have as many different pairs as can be."""
    order = math.ceil(math.log2(n))
    word = "0" * order
    seen = {word}
    while len(word) < n:
        # Prefer one: the greedy construction.
        last = word[len(word) - order + 1 :]
        digit = "1" if last + "1" not in seen else "0"
        seen.add(last + digit)
        word += digit
    return word


def rising(n: int) -> str:
    """a, aa, aaa, … with b between: runs of every length."""
    runs: list[str] = []
    while sum(map(len, runs)) + len(runs) < n:
        runs.append("a" * (len(runs) + 1))
    return "b".join(runs)[:n]


def scrambled(n: int) -> str:
    return "".join(random.Random(1).choices("abcd", k=n))


ONE_WORD: dict[str, Callable[[int], str]] = {
    "equal symbols": lambda n: "a" * n,
    "two in turn": lambda n: ("ab" * n)[:n],
    "Fibonacci": fibonacci,
    "de Bruijn": de_bruijn,
    "rising runs": rising,
    "random": scrambled,
}


def many_words(n: int) -> dict[str, int]:
    """Distinct words of about n code points in all, each with a count."""
    drawn = random.Random(2)
    table: dict[str, int] = {}
    while sum(map(len, table)) < n:
        table["".join(drawn.choices("abcdefgh", weights=range(8, 0, -1), k=drawn.randint(2, 12)))] = drawn.randint(1, 9)
    return table


TABLES: dict[str, Callable[[int], dict[str, int]]] = {
    **{name: lambda n, made=made: {made(n): 3} for name, made in ONE_WORD.items()},  # type: ignore[misc]  # bound early
    "many words": many_words,
}

on_every_table = pytest.mark.parametrize("table_of", TABLES.values(), ids=TABLES)


def executed_lines(call: Callable[[], object]) -> int:
    """How many lines of this package are executed during a call."""
    lines = 0

    def local(frame: FrameType, event: str, argument: object) -> Tracer:
        nonlocal lines
        lines += event == "line"
        return local

    def enter(frame: FrameType, event: str, argument: object) -> Tracer | None:
        return local if "pairloom" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines


def check_growth(work: dict[int, int], *, per_step: float) -> None:
    """Work of each size at most `per_step` · n · log2 n, and a doubling at most a little more than doubles it."""
    for n, done in work.items():
        assert done <= per_step * n * math.log2(n), work
        if 2 * n in work:
            assert work[2 * n] <= 2.5 * done, work


def trained(table: dict[str, int]) -> pairloom.Model:
    return pairloom.train_from_word_counts(table, sys.maxsize, marker=False)


@on_every_kernel
@on_every_table
def test_training(table_of: Callable[[int], dict[str, int]], kernel_name: str) -> None:
    counted, lines = {}, {}
    for n in SIZES:
        with running(kernel_name):
            trainer = Trainer(WordCounts(table_of(n), marker=False), sys.maxsize)
            lines[n] = executed_lines(trainer.run)
        counted[n] = trainer.operations
        assert trainer.stop_reason == "no_pair"
    check_growth(counted, per_step=1)
    if kernel_name == "pure":
        check_growth(lines, per_step=8)


@needs_compiled
@on_every_table
def test_training_a_long_word(table_of: Callable[[int], dict[str, int]]) -> None:
    """Sizes that plain Python would take minutes for."""
    counted = {}
    for n in (50_000, 100_000, 200_000):
        with running("compiled"):
            trainer = Trainer(WordCounts(table_of(n), marker=False), sys.maxsize)
            trainer.run()
        counted[n] = trainer.operations
    check_growth(counted, per_step=1)


@on_every_kernel
@pytest.mark.parametrize("expected", [1, 30, 1000], ids="{} merges expected".format)
def test_a_threshold_costs_little(expected: int, kernel_name: str) -> None:
    """The compiled kernel keeps no rare pairs at first, and counts anew when the frequent ones are merged."""
    run = KERNELS[kernel_name]["TrainingRun"]
    table = many_words(8000)
    whole, part = (run(table, min_frequency=1, expected_merges=number) for number in (10**6, expected))
    for training in (whole, part):
        while not training.is_exhausted:
            training.advance(max_operations=math.inf, max_merges=10**6)
    assert part.learned == whole.learned
    assert part.operations <= 3 * whole.operations


@on_every_table
def test_encoding(table_of: Callable[[int], dict[str, int]]) -> None:
    lines = {}
    for n in SIZES:
        table = table_of(n)
        model = trained(table)
        lines[n] = executed_lines(lambda: model.encode(" ".join(table)))  # noqa: B023  # called at once
    check_growth(lines, per_step=8)


@pytest.mark.parametrize("word_of", ONE_WORD.values(), ids=ONE_WORD)
def test_encoding_with_a_list_that_makes_strings_twice(word_of: Callable[[int], str]) -> None:
    """What replaying or rescanning would be quadratic in: many ranks that meet on one long word."""
    merges = [("a" * i, "a" * j) for i in range(1, 9) for j in range(1, 9)]
    made = {"a"} | {left + right for left, right in merges}
    merges = [("a" * 1, "a" * i) for i in range(1, 16)] + [pair for pair in merges if set(pair) <= made]
    model = pairloom.Model.from_merges("abcd01", merges, marker=False)
    lines = {n: executed_lines(lambda n=n: model.encode(word_of(n))) for n in SIZES}  # type: ignore[misc]  # bound early
    check_growth(lines, per_step=8)


@on_every_table
def test_history(table_of: Callable[[int], dict[str, int]]) -> None:
    counted, lines = {}, {}
    for n in SIZES:
        table = table_of(n)
        builder = HistoryBuilder(WordCounts(table, marker=False), trained(table))
        lines[n] = executed_lines(builder.run)
        counted[n] = builder.operations
    check_growth(counted, per_step=1)
    check_growth(lines, per_step=12)


@pytest.mark.parametrize("lowercase", [False, True], ids=["as it is", "lowercase"])
@pytest.mark.parametrize("unit", ["a", "Σ", "A'", "'", "ʰΣ", "İ", " ", "\ufeffΣ", "a. ", "क\u094d"], ids=ascii)
@pytest.mark.parametrize("pre_tokenizer", ["whitespace", "punctuation"])
def test_normalizing_and_counting(unit: str, lowercase: bool, pre_tokenizer: str) -> None:
    """Final sigma looks as far as it must: over a run of ignorable code points too, but not again for each of them."""
    lines = {}
    for n in SIZES:
        text = "a" + unit * (n // len(unit)) + "Σ"
        lines[n] = executed_lines(
            lambda: pairloom.count_words(text, lowercase=lowercase, pre_tokenizer=pre_tokenizer)  # noqa: B023
        )
    assert lines[SIZES[-1]] <= 60 * SIZES[-1], lines
    assert lines[SIZES[-1]] <= 2.5 * lines[SIZES[-2]], lines


@on_every_kernel
@on_every_table
def test_a_trainer_stops_soon_after_its_budget(table_of: Callable[[int], dict[str, int]], kernel_name: str) -> None:
    """No portion is a large part of the whole, neither the set-up nor the last look for another pair."""
    size = 40_000
    with running(kernel_name):
        trainer = Trainer(WordCounts(table_of(size), marker=False), sys.maxsize)
    portions = []
    while not trainer.is_done:
        before = trainer.operations
        trainer.run(max_operations=500)
        portions.append(trainer.operations - before)
    assert max(portions) <= 500 + size / 4 + 1000
