"""What the compiled kernel cannot hold is refused, never wrapped; the limits are made small to be seen."""

from __future__ import annotations

from importlib import import_module

import pytest

from pairloom.errors import CorpusTooLarge
from tests.docs.markdown import ROOT
from tests.support.kernels import KERNELS, needs_compiled


@needs_compiled
@pytest.mark.parametrize("counts", [{"▁ab": 5, "▁é": 2}, {"a": 1}, {"a" * 90: 2**40, "😀": 1}])
def test_more_bytes_of_distinct_words_than_positions(counts: dict[str, int]) -> None:
    size = sum(len(word.encode()) + 1 for word in counts)
    make = KERNELS["compiled"]["TrainingRun"]
    with pytest.raises(CorpusTooLarge, match="PAIRLOOM_KERNEL=pure") as caught:
        make(counts, min_frequency=2, largest=size - 1)
    assert caught.value.details == {"size": size, "limit": size - 1}
    run = make(counts, min_frequency=2, largest=size)
    while not run.is_exhausted:
        run.advance(max_operations=1e9, max_merges=9)


@needs_compiled
def test_the_limit_is_the_documented_one_and_fits_a_position() -> None:
    """Also that of the boundary behind the last word, and of what is read behind it."""
    limit: int = import_module("pairloom.kernel._compiled").LARGEST
    assert limit + 2 < 2**32
    assert f"more than {limit:,} bytes" in (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
