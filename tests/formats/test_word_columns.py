"""A sound Parquet table goes to the kernel whole; with anything wrong in it, reading row by row says where."""

from __future__ import annotations

import io
import random
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from pairloom import kernel
from pairloom.errors import CountError, ModelError
from pairloom.formats import word_counts_file
from pairloom.formats.word_columns import columns_of, sound_table
from pairloom.formats.word_counts_file import added_up, loads_parquet
from pairloom.trainer import train_from_word_counts
from pairloom.unicode_data import WHITESPACE
from pairloom.word_counts import WordCounts, count_words
from tests.support.kernels import needs_compiled, on_every_kernel, running

WORDS = ["low", "né", "😀", "l\u0301x", "straße", "a" * 300]


def table_of(words: list[Any], counts: list[Any] | None = None, **types: Any) -> Any:
    numbers = list(range(1, len(words) + 1)) if counts is None else counts
    return pa.table(
        {"word": pa.array(words, types.get("word", pa.string())), "count": pa.array(numbers, types.get("count"))}
    )


def written(table: Any, **how: Any) -> bytes:
    data = io.BytesIO()
    parquet.write_table(table, data, **how)
    return data.getvalue()


@on_every_kernel
@pytest.mark.parametrize("front", ["", "▁"])
@pytest.mark.parametrize("word", [pa.string(), pa.large_string()], ids=str)
@pytest.mark.parametrize("count", [pa.uint8(), pa.int32(), pa.int64(), pa.uint64()], ids=str)
def test_a_sound_table(front: str, word: Any, count: Any, kernel_name: str) -> None:
    """P3: a marker is put in front of each word, unless they have one; the order stays."""
    given = table_of([front + each for each in WORDS], word=word, count=count)
    expected = WordCounts({"▁" + each: number for number, each in enumerate(WORDS, start=1)})
    with running(kernel_name):
        read = sound_table(given, lowercase=False)
        assert read is not None
        assert read == expected
        assert list(read.counts.items()) == list(expected.counts.items())
        assert sound_table(given, lowercase=True) == WordCounts(expected.counts, lowercase=True)
        assert loads_parquet(written(given)) == expected
        assert train_from_word_counts(read, 9) == train_from_word_counts(expected, 9)


@on_every_kernel
def test_parts_of_a_table(kernel_name: str) -> None:
    """Slices begin in the middle of their buffers; files come in groups of rows, and these in batches."""
    drawn = random.Random(3)
    words = list(dict.fromkeys("".join(drawn.choices("abcdé😀", k=drawn.randint(5, 9))) for _ in range(90_000)))
    given = table_of(words)
    expected = {"▁" + each: number for number, each in enumerate(words, start=1)}
    with running(kernel_name):
        whole = loads_parquet(written(given, row_group_size=10_007))
        assert whole.counts == expected
        assert len(whole) > 65_536
        part = sound_table(given.slice(5, 70_000), lowercase=False)
    assert part is not None
    assert list(part.counts.items()) == list(expected.items())[5:70_005]


@needs_compiled
def test_no_object_for_each_word() -> None:
    with running("compiled"):
        read = loads_parquet(written(table_of(WORDS)))
        assert type(read.counts) is type(count_words("low").counts)
        assert not isinstance(read.counts, dict)
        # One table is its own sum.
        assert added_up([read]) is read


WRONG: dict[str, tuple[list[Any], list[Any] | None]] = {
    "no word": (["low", None], None),
    "no count": (["low", "new"], [1, None]),
    "nothing counted": (["low", "new"], [1, 0]),
    "fewer than nothing": (["low", "new"], [1, -1]),
    "twice": (["low", "new", "low"], None),
    "empty": (["low", ""], None),
    "a marker alone": (["▁low", "▁"], None),
    "two markers": (["▁low", "▁▁low"], None),
    "a marker inside": (["low", "n▁w"], None),
    "markers in front of some": (["▁low", "new"], None),
    "one without and one with two": (["low", "▁n▁w", "▁new"], None),
    "too many": (["low", "new"], [1, 2**62]),
    **{f"with {space!a}": (["low", f"n{space}w"], None) for space in WHITESPACE},
}


@on_every_kernel
@pytest.mark.parametrize(("words", "counts"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_found_row_by_row(words: list[Any], counts: list[Any] | None, kernel_name: str) -> None:
    given = table_of(words, counts)
    with running(kernel_name):
        assert sound_table(given, lowercase=False) is None
        with pytest.raises((CountError, ModelError)):
            loads_parquet(written(given))


@pytest.mark.parametrize("word", ["Low", "ſOw", "É", "İ", "Σ"])
def test_capitals_in_a_table_of_lower_case(word: str) -> None:
    given = table_of(["low", word])
    assert sound_table(given, lowercase=False) is not None
    assert sound_table(given, lowercase=True) is None
    with pytest.raises(CountError, match="lower-case"):
        loads_parquet(written(given), lowercase=True)


def test_more_than_a_count_can_be() -> None:
    given = table_of(["low"], [2**63], count=pa.uint64())
    assert sound_table(given, lowercase=False) is None
    with pytest.raises(CountError):
        loads_parquet(written(given))


def test_an_empty_table() -> None:
    assert sound_table(table_of([], count=pa.int64()), lowercase=False) is None
    assert dict(loads_parquet(written(table_of([], count=pa.int64()))).counts) == {}


def test_bytes_that_are_no_text() -> None:
    raw = pa.array([b"low", b"l\xffw"], pa.binary())
    text = pa.Array.from_buffers(pa.string(), 2, raw.buffers())
    given = pa.table({"word": text, "count": [1, 2]})
    assert sound_table(given, lowercase=False) is None
    with pytest.raises(ModelError, match="UTF-8"):
        loads_parquet(written(given))


@pytest.mark.parametrize("settings", [{"marker": False}, {"pre_tokenizer": "punctuation"}], ids=str)
def test_tables_of_pieces_or_without_markers_are_read_row_by_row(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_counts_file, "sound_table", None)  # would raise
    read = loads_parquet(written(table_of(WORDS[:3])), **settings)
    assert list(read.counts.values()) == [1, 2, 3]


def test_columns() -> None:
    text, ends, counts = columns_of(table_of(["low", "é"], [7, 1]).slice(1))
    begin, end = memoryview(ends).cast("q")
    assert bytes(memoryview(text)[begin:end]) == "é".encode()
    assert memoryview(counts).cast("q").tolist() == [1]
    table = kernel.table_of_columns([(text, ends, counts)], 1, 2, mark=True)
    assert dict(table.items()) == {"▁é": 1}
    with pytest.raises(ValueError, match="nulls"):
        columns_of(table_of(["low", None]))
