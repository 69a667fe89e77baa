"""What the compiled kernel cannot hold is refused, never wrapped; the limits are made small to be seen."""

from __future__ import annotations

from importlib import import_module

import pytest

import pairloom
from pairloom.errors import CorpusTooLarge
from pairloom.kernel.pure_merging import MergeTable
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


@needs_compiled
def test_what_no_model_gives_is_refused() -> None:
    """The kernel's own functions read nothing that is not there, whatever they are given."""
    kernel = import_module("pairloom.kernel._compiled")
    model = pairloom.train("low low lower lowest")
    everything = model.text_encoder.encode_texts(["lowest low"], prefix=len(model.merges))[0].tolist()
    assert model.text_encoder.encode_texts(["lowest low"], prefix=2**32 - 2)[0].tolist() == everything
    settings = {"lowercase": False, "punctuation": False, "marker": False}
    for wrong in (2, 4_000_000_000, -1):
        encoder = kernel.TextEncoder(
            MergeTable([("a", "b", "ab")]),
            alphabet=("a", "b"),
            vocabulary=("a", "b"),
            ids={"a": 0, "b": 1, "ab": wrong},
            **settings,
        )
        with pytest.raises(ValueError, match="is not below the size of the vocabulary"):
            encoder.encode_texts(["ab"], prefix=1)
    codes = memoryview(bytes(8)).cast("I")
    for item in (0, 1, 3, 8):
        with pytest.raises(ValueError, match="2 or 4"):
            kernel.little_endian(codes, item)
    assert kernel.little_endian(codes, 2) == bytes(4)
