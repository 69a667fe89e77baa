"""The fuzz targets on their seeds, and on some that are damaged; `make fuzz` looks for more with coverage guidance."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from fuzz.choosing import Choices
from fuzz.targets import TARGETS

CORPUS = Path(__file__).resolve().parents[1] / "fuzz" / "corpus"
# What `make fuzz` has found on this machine is tried again where every access to memory is looked at.
FOUND = [CORPUS.parents[1] / ".cache" / "fuzz"] if os.environ.get("PAIRLOOM_SANITIZED") else []
SEEDS = {
    name: [path.read_bytes() for folder in (CORPUS, *FOUND) for path in sorted((folder / name).glob("*"))]
    for name in TARGETS
}


def test_each_target_has_seeds_and_no_folder_is_without_a_target() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)
    assert all(len(seeds) >= 5 for seeds in SEEDS.values())


@pytest.mark.parametrize("name", TARGETS)
def test_seeds(name: str) -> None:
    for seed in SEEDS[name]:
        TARGETS[name](seed)


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_seeds(name: str) -> None:
    drawn = random.Random(name)
    for _ in range(200):
        data = bytearray(drawn.choice(SEEDS[name]))
        for _ in range(drawn.randint(1, 4)):
            at = drawn.randrange(len(data))
            data[at : at + drawn.choice((0, 1, 1, 9))] = drawn.randbytes(drawn.choice((0, 1, 1, 2)))
            data = data or bytearray(1)
        TARGETS[name](bytes(data))


def test_choices_are_the_bytes_and_end() -> None:
    choices = Choices(bytes([3, 128, 1, 44, 9, 9]))
    assert choices.choice("abc") == "a"
    assert choices.random() == 0.5
    assert choices.randint(10, 10 + 999) == 310
    assert choices.choices("wxyz", k=3) == ["x", "x", "w"]
    assert [choices.randint(5, 6), choices.random()] == [5, 0]
