"""Word counts as columns: the kernels agree to the byte, whatever words, ranges and merges."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.errors import CountOverflow
from pairloom.kernel import pure_columns
from tests.support.kernels import KERNELS, needs_compiled, on_every_kernel

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
tables = st.dictionaries(words.map(lambda word: "▁" + word), st.integers(1, 2**40), max_size=60)


@needs_compiled
@given(tables=st.lists(tables, max_size=4), cuts=st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)))
def test_the_kernels_agree(tables: list[dict[str, int]], cuts: tuple[int, int]) -> None:
    compiled, pure = KERNELS["compiled"], KERNELS["pure"]
    for bare in (False, True):
        made = [pure["sorted_columns"](table, bare=bare) for table in tables]
        assert [compiled["sorted_columns"](table, bare=bare) for table in tables] == made
        for low, high in (sorted(cuts), (0, 2**64 - 1)):
            assert compiled["merged_columns"](made, low, high) == pure["merged_columns"](made, low, high)
        merged = pure["merged_columns"](made)
        size = len(merged[2]) // 8
        read = [kernel["table_of_columns"]([merged], size, len(merged[0]), mark=bare) for kernel in (compiled, pure)]
        total: dict[str, int] = {}
        for table in tables:
            for word, count in table.items():
                total[word] = total.get(word, 0) + count
        assert dict(read[0].items()) == dict(read[1].items()) == total


@on_every_kernel
def test_the_hash_is_the_same_on_every_machine(kernel_name: str) -> None:
    word_hash = KERNELS[kernel_name]["word_hash"]
    # FNV-1a of nothing is its offset basis; of "a" 0xaf63dc4c8601ec8c; each through the finalizer of MurmurHash3.
    assert [f"{word_hash(word):016x}" for word in (b"", b"low")] == ["efd01f60ba992926", "bdb93670f224ab82"]


@on_every_kernel
@pytest.mark.parametrize(
    "columns",
    [
        (b"ab", bytes(8), bytes(8)),
        (b"a", (0).to_bytes(8, "little") + (2).to_bytes(8, "little"), (1).to_bytes(8, "little")),
        (b"a", (0).to_bytes(8, "little") + (1).to_bytes(8, "little"), bytes(8)),
        (b"ab", (2).to_bytes(8, "little") + (1).to_bytes(8, "little"), (1).to_bytes(8, "little")),
    ],
    ids=["one end too few", "beyond the text", "no count", "backwards"],
)
def test_columns_that_do_not_fit(kernel_name: str, columns: Any) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        KERNELS[kernel_name]["merged_columns"]([columns])
    with pytest.raises(ValueError, match="do not fit"):
        KERNELS[kernel_name]["table_of_columns"]([columns], 5, 50, mark=False)


@on_every_kernel
def test_counts_past_63_bits(kernel_name: str) -> None:
    columns = pure_columns.sorted_columns({"a": 2**62}, bare=False)
    with pytest.raises(CountOverflow):
        KERNELS[kernel_name]["merged_columns"]([columns, columns])
