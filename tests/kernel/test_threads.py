"""Other threads may look at a training while one is at work: what they see is complete, and stays."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pairloom.kernel import LearnedPair
from tests.support.kernels import KERNELS, needs_compiled


def words(number: int) -> dict[str, int]:
    drawn = random.Random(3)
    return {"".join(drawn.choices("abcdefgh", k=drawn.randint(2, 12))): drawn.randint(1, 90) for _ in range(number)}


@needs_compiled
def test_looking_on_while_merges_are_learned() -> None:
    run: Any = KERNELS["compiled"]["TrainingRun"](words(20_000), min_frequency=2)
    seen: list[list[LearnedPair]] = []

    def look() -> None:
        while not run.is_exhausted:
            learned = list(run.learned)
            assert len(learned) <= run.learned_count
            seen.append(learned[-50:])
            assert learned[: len(learned) // 2] == run.learned[: len(learned) // 2]

    with ThreadPoolExecutor(3) as pool:
        looking = [pool.submit(look) for _ in range(3)]
        while not run.is_exhausted:
            run.advance(max_operations=math.inf, max_merges=10_000)
        for done in looking:
            done.result(60)
    final = list(run.learned)
    assert len(final) == run.learned_count > 1000
    assert len({len(each) for each in seen}) > 1
    places = {pair: number for number, pair in enumerate(final)}
    for each in seen:
        first = places[each[0]] if each else 0
        assert each == final[first : first + len(each)]


@needs_compiled
def test_two_threads_never_work_on_one_object() -> None:
    run: Any = KERNELS["compiled"]["TrainingRun"](words(20_000), min_frequency=1)
    refused = []

    def work() -> None:
        while not run.is_exhausted:
            try:
                run.advance(max_operations=math.inf, max_merges=500)
            except ValueError as error:
                refused.append(str(error))

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work) for _ in range(2)]:
            done.result(60)
    alone: Any = KERNELS["compiled"]["TrainingRun"](words(20_000), min_frequency=1)
    while not alone.is_exhausted:
        alone.advance(max_operations=math.inf, max_merges=10_000)
    assert run.learned == alone.learned
    assert set(refused) <= {"this training is at work already"}


@needs_compiled
def test_counters_in_many_threads() -> None:
    text = " ".join(words(3000)).encode()

    def counted(threads: int) -> list[tuple[str, int]]:
        counter: Any = KERNELS["compiled"]["WordCounter"](
            lowercase=True, punctuation=True, threads=threads, block_bytes=999
        )
        counter.add_bytes(text)
        return list(counter.finish().items())

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(counted, [1, 2, 3, 1] * 4))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("threads", [2, 5])
@needs_compiled
def test_a_large_table_is_laid_out_by_several_threads(threads: int) -> None:
    """As it is without being asked, where a table is large; here the sizes are made small."""
    counts = words(4000) | {"漢字" * 9: 3, "é" * 40: 2}
    runs = [
        KERNELS["compiled"]["TrainingRun"](counts, min_frequency=2, **settings)
        for settings in ({}, {"large_from": 0, "threads": threads}, {"large_from": 0})
    ]
    for run in runs:
        while not run.is_exhausted:
            run.advance(max_operations=3000, max_merges=100)
    assert runs[1].learned == runs[0].learned
    assert runs[2].learned == runs[0].learned
