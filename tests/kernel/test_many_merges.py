"""Models of very many merges: pairs then look like each other in the table of ranks, and each is found all the same."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest

import pairloom
from tests.kernel.test_encoding import encoder_of, keys_in_registers
from tests.support.kernels import needs_compiled

__all__ = ["keys_in_registers"]

LETTERS = [chr(0x4E00 + number) for number in range(560)]
MERGES = 300_000


@pytest.fixture(scope="module")
def encoders() -> dict[str, Any]:
    """Every pair of letters in any order; results merge among themselves, so that long words have steps too."""
    drawn = random.Random(5)
    pairs = [(left, right) for left in LETTERS for right in LETTERS]
    drawn.shuffle(pairs)
    pairs = pairs[: MERGES * 2 // 3]
    made = ["".join(pair) for pair in pairs]
    pairs += [(drawn.choice(made), drawn.choice(made)) for _ in range(MERGES // 3)]
    model = pairloom.Model.from_merges(sorted(LETTERS), pairs, marker=False)
    return {name: encoder_of(model, name) for name in ("compiled", "pure")}


@needs_compiled
@pytest.mark.usefixtures("keys_in_registers")
def test_every_pair_finds_its_own_rank(encoders: dict[str, Any]) -> None:
    """Some hundred pairs have the bits of another one in the slots where they are looked for."""
    rows = encoders["compiled"].table.rows
    words = " ".join(left + right for left, right, _ in rows[:MERGES])
    for prefix in (len(rows), len(rows) // 2):
        ours, plain = (encoders[name].encode_utf8(words.encode(), prefix=prefix) for name in ("compiled", "pure"))
        assert ours[0].tobytes() == plain[0].tobytes()


@needs_compiled
@pytest.mark.usefixtures("keys_in_registers")
@pytest.mark.parametrize("length", [3, 9, 10, 33, 57, 58, 64, 65, 400])
def test_words_of_every_length(encoders: dict[str, Any], length: int) -> None:
    """In each way of merging: registers, memory, heap."""
    drawn = random.Random(length)
    words = " ".join("".join(drawn.choices(LETTERS, k=length)) for _ in range(300_000 // length))
    prefix = drawn.choice([MERGES, MERGES * 9 // 10])
    ours, plain = (encoders[name].encode_utf8(words.encode(), prefix=prefix) for name in ("compiled", "pure"))
    assert ours[0].tobytes() == plain[0].tobytes()


MUCH = """
import itertools, resource
import pairloom
letters = [chr(0x4E00 + number) for number in range(1100)]
pairs = itertools.islice(((left, right) for left in letters for right in letters), 1 << 20)
model = pairloom.Model.from_merges(letters, pairs, marker=False)
numbers = [bytearray(b"x") * (256 << 20)]  # what the peak is measured above
numbers.clear()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert model.encode(letters[0] + letters[1]).ids == (model.vocabulary.index(letters[0] + letters[1]),)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


@needs_compiled
def test_memory_grows_as_the_merges_do() -> None:
    """A million merges: some 40 MB of tables, and not the gigabyte that a table without look-alikes takes."""
    pytest.importorskip("resource", reason="a process tells its peak on Unix only")
    ended = subprocess.run([sys.executable, "-c", MUCH], capture_output=True, text=True, timeout=300, check=True)
    assert int(ended.stdout) < 200
