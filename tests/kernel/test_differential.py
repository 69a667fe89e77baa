"""The compiled kernel beside the pure one, on many random jobs: every round, every number, every threshold.

Some thousand jobs here. `PAIRLOOM_CASES=300000 .venv/bin/pytest tests/kernel/test_differential.py` runs as many of each
kind of job as it says, each of them another one.
"""

from __future__ import annotations

import math
import os
import random

import pytest

from tests.support.kernel_cases import CHECKS
from tests.support.kernels import KERNELS, needs_compiled

CASES = int(os.environ.get("PAIRLOOM_CASES", "6400"))
SEEDS = 8


@needs_compiled
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("kind", CHECKS)
def test_random_jobs(kind: str, seed: int) -> None:
    drawn = random.Random(f"{kind} {seed}")
    for _ in range(CASES // SEEDS):
        CHECKS[kind](drawn)


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
