"""Every request for memory fails once: MemoryError each time, nothing kept, and no result that is only half of one.

For the build of `make test-sanitized`, which counts and refuses requests; see tests/conftest.py.
"""

from __future__ import annotations

import gc
import io
from array import array
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import pairloom
from pairloom.errors import WorkUnfinished
from pairloom.kernel.pure_merging import MergeTable

kernel: Any = import_module("pairloom.kernel._compiled")

WORDS = [f"{letter}{number:o}" for number in range(220) for letter in "abÉΣ"]
TEXT = " ".join(WORDS + WORDS[::3] * 2) + " " + "long" * 30 + "\ufeff" + "長い" * 20 + " don't"
COUNTS = {"▁" + word: 1 + number % 7 for number, word in enumerate(WORDS)} | {
    "▁" + "ab" * 200: 3,
    "▁" + "a" * 99: 2**40,
}


def count(**settings: Any) -> Callable[[], object]:
    """A counting of all kinds of sources; what comes of it is looked up and listed, too."""

    def job() -> object:
        counter = kernel.WordCounter(**{"lowercase": False, "punctuation": False, "block_bytes": 300} | settings)
        counter.add_text(TEXT, 0)
        counter.add_bytes(TEXT.encode(), "here", by_line=True)
        counter.add_file(io.BytesIO(TEXT.encode()), "here")
        table = counter.finish()
        return list(table.items()), "▁don't" in table, table.code_points(), table.tokens()

    return job


def train(counts: object, **settings: int) -> Callable[[], object]:
    """A training to its end, in portions."""

    def job() -> object:
        run = kernel.TrainingRun(counts, **{"min_frequency": 1, "expected_merges": 3} | settings)
        while not run.is_exhausted:
            run.advance(max_operations=500, max_merges=5)
        return run.learned, run.alphabet

    return job


def encode(**settings: Any) -> Callable[[], object]:
    """An encoder from nothing: texts, bytes and decoding, with one long word among them."""
    model = pairloom.train(TEXT, 300, lowercase=True)

    def job() -> object:
        encoder = kernel.TextEncoder(
            MergeTable([(merge.left, merge.right, merge.result) for merge in model.merges]),
            alphabet=model.alphabet,
            vocabulary=model.vocabulary,
            ids={token: token_id for token_id, token in enumerate(model.vocabulary)},
            **{"lowercase": False, "punctuation": False, "marker": True} | settings,
        )
        several = [TEXT, "", "a" * 300, "\u0130" * 20]
        made = [encoder.encode_texts(several, prefix=250, offsets=True, threads=n, block=300) for n in (1, 3)]
        made.append(encoder.encode_utf8(TEXT.encode(), prefix=9, block=64))
        whole = encoder.encode(TEXT, prefix=300)
        shown = encoder.lists(made[0][0], made[0][1]), encoder.with_unknown(made[0][0], 7).tolist()
        ids = [each for each in whole[1] if each is not None]
        arrays = [None if view is None else view.tolist() for arrays in made for view in arrays]
        return arrays, whole, shown, encoder.decode(ids), encoder.decode(array("Q", ids))

    return job


JOBS: dict[str, Callable[[], object]] = {
    "encoding": encode(),
    "encoding lower-case pieces": encode(lowercase=True, punctuation=True),
    "counting": count(),
    "counting lower-case pieces": count(lowercase=True, punctuation=True),
    "counting on three threads": count(threads=3),
    "counting on two threads, lower-case": count(threads=2, lowercase=True),
    "training": train(COUNTS),
    "training with a large dense table": train({**COUNTS, "▁" + "abcd" * 20_000: 1}),
    "training on three threads": train(COUNTS, threads=3, large_from=0),
    "training on many symbols": train(
        {"".join(chr(0x10000 + n * 33 + i) for i in range(33)): 2 for n in range(2000)}, min_frequency=9
    ),
}


def held(*, wanted: int | None = None) -> int:
    """How many pieces of memory are held; where that is not as wanted, after Python has looked for cycles."""
    if wanted is None or kernel.held_allocations() != wanted:
        gc.collect()
    number: int = kernel.held_allocations()
    return number


@pytest.mark.parametrize("name", JOBS)
def test_every_request_for_memory_fails_once(name: str) -> None:
    job = JOBS[name]
    wanted = job()
    before = held()
    refused = 0
    while (result := refusing(job, refused)) is None:
        assert held(wanted=before) == before, f"request {refused} was refused, and something was kept"
        refused += 1
        assert refused < 5000
    assert result == wanted
    del result
    assert refused >= 10
    assert held(wanted=before) == before


def refusing(job: Callable[[], object], number: int) -> object:
    """What a job gives where one request for memory is refused; None if it says that there is no memory."""
    kernel.refuse_allocation(number)
    try:
        return job()
    except MemoryError:
        return None
    finally:
        kernel.refuse_allocation(-1)


def test_what_was_refused_does_not_go_on() -> None:
    counter = kernel.WordCounter(lowercase=False, punctuation=False)
    kernel.refuse_allocation(0)
    try:
        with pytest.raises(MemoryError):
            counter.add_text(TEXT)
    finally:
        kernel.refuse_allocation(-1)
    with pytest.raises(WorkUnfinished):
        counter.finish()
    run = kernel.TrainingRun(COUNTS, min_frequency=2)
    run.advance(max_operations=1e18, max_merges=5)
    learned = list(run.learned)
    kernel.refuse_allocation(0)
    try:
        with pytest.raises(MemoryError):
            run.advance(max_operations=1e18, max_merges=10**6)
    finally:
        kernel.refuse_allocation(-1)
    with pytest.raises(WorkUnfinished):
        run.advance(max_operations=1e18)
    assert run.learned[:5] == learned
    assert run.learned_count == len(run.learned)
