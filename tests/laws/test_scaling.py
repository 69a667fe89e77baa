"""Work grows at most like n log n, for the words that made other tools quadratic. Nothing is timed.

Two measures, both exact and the same on every machine: the trainer's own `.operations`, and the lines of Python that
the interpreter says it executed, which no counter can forget. Encoding: `test_encoding_work.py`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import pytest

import pairloom
from pairloom.history import HistoryBuilder
from pairloom.trainer import Trainer
from pairloom.word_counts import WordCounts
from tests.support.kernels import KERNELS, needs_compiled, on_every_kernel, running
from tests.support.scaling import TABLES, check_growth, executed_lines, many_words

SIZES = (500, 1000, 2000, 4000)

on_every_table = pytest.mark.parametrize("table_of", TABLES.values(), ids=TABLES)


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
        with running("pure"):
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
