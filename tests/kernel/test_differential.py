"""The compiled kernel beside the pure one, on many random tables: every round, every number, every threshold."""

from __future__ import annotations

import math
import random

import pytest

from pairloom.kernel import LearnedPair
from tests.support.kernels import KERNELS, needs_compiled

ALPHABETS = ("a", "ab", "abc", "ab\U00010000\uffff", "aé漢", "abcdefgh", "❤\ufe0f\u200da")
COUNTS = (1, 1, 1, 2, 3, 5, 100, 2**31 - 1, 2**31, 2**32 + 1, 2**40, 2**53 + 1)
TABLES_A_SEED = 150


def table(drawn: random.Random) -> dict[str, int]:
    alphabet = drawn.choice(ALPHABETS)
    longest = drawn.choice([3, 8, 30, 90])
    words = ("".join(drawn.choices(alphabet, k=drawn.randint(1, longest))) for _ in range(drawn.randint(1, 12)))
    return {word: drawn.choice(COUNTS) for word in words}


def learned(kernel_name: str, counts: dict[str, int], **settings: int) -> list[LearnedPair]:
    run = KERNELS[kernel_name]["TrainingRun"](counts, **settings)
    while not run.is_exhausted:
        run.advance(max_operations=math.inf, max_merges=7)
    assert run.learned_count == len(run.learned)
    return list(run.learned)


@needs_compiled
@pytest.mark.parametrize("seed", range(8))
def test_random_tables(seed: int) -> None:
    drawn = random.Random(seed)
    for _ in range(TABLES_A_SEED):
        counts = table(drawn)
        settings = {"min_frequency": drawn.choice([1, 2, 2, 2, 5]), "expected_merges": drawn.choice([1, 3, 1000])}
        assert learned("compiled", counts, **settings) == learned("pure", counts, **settings), counts


@needs_compiled
def test_more_symbols_than_sixteen_bits_number() -> None:
    """Slots grow while the training goes on, and from the start where the alphabet alone is that large."""
    drawn = random.Random(9)
    for first, size in ((0x10000, 66_000), (0x10000, 65_400)):
        points = [chr(first + number) for number in range(size)]
        words = ["".join(points[at : at + 40]) for at in range(0, size, 40)]
        counts = {word: drawn.randint(1, 3) for word in words} | {"ab" * 40: 9, words[0] + "x": 5}
        settings = {"min_frequency": 2, "expected_merges": 10**6}
        compiled, pure = (KERNELS[name]["TrainingRun"](counts, **settings) for name in ("compiled", "pure"))
        for run in (compiled, pure):
            while run.learned_count < 400:
                run.advance(max_operations=math.inf, max_merges=1)
        assert compiled.learned == pure.learned
