"""Arrow's columns of words and counts ↔ those of the kernel: a large table, without a Python object for each word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pairloom import kernel
from pairloom.checks import MAX_COUNT
from pairloom.formats.peers import peer
from pairloom.unicode_data import LOWERCASE, MARKER
from pairloom.word_counts import NEVER_IN_A_WORD, WordCounts, trusted_word_counts

if TYPE_CHECKING:
    from pairloom.kernel.pure_columns import Columns

_BATCH_WORDS: Final = 65_536


def columns_of(batch: Any) -> Columns:
    """Return an Arrow batch or table with the columns `word` and `count` as columns of the kernel.

    Raises: ValueError (no such columns, or nulls in them).
    """
    pyarrow = peer("pyarrow")
    words, counts = batch.column("word"), batch.column("count")
    if isinstance(words, pyarrow.ChunkedArray):
        words, counts = words.combine_chunks(), counts.combine_chunks()
    if words.null_count or counts.null_count:
        raise ValueError("a table of words has no nulls")
    words, counts = words.cast(pyarrow.large_string()), counts.cast(pyarrow.int64())
    empty = memoryview(b"")
    if not len(words):
        return empty, memoryview(bytes(8)), empty
    ends, text = words.buffers()[1:]
    first = words.offset * 8
    begin = counts.offset * 8
    return (
        memoryview(text).cast("B") if text is not None else empty,
        memoryview(ends).cast("B")[first : first + 8 * len(words) + 8],
        memoryview(counts.buffers()[1]).cast("B")[begin : begin + 8 * len(counts)],
    )


def sound_table(read: Any, *, lowercase: bool) -> WordCounts | None:
    """Return an Arrow table of whole words as word counts with markers, each put in front if no word has one.

    Rule: P3, for the pre-tokenizer "whitespace".

    Returns:
        None if anything is wrong with any row: what and where, a look at each row says.
    """
    pyarrow, compute = peer("pyarrow"), peer("pyarrow.compute")
    if not read.num_rows:
        return None
    try:
        read.validate(full=True)  # UTF-8, too
        read = read.select(["word", "count"]).cast(
            pyarrow.schema([("word", pyarrow.large_string()), ("count", pyarrow.int64())])
        )
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        return None
    words, counts = read.column("word"), read.column("count")
    lengths = compute.binary_length(words)
    marked = compute.sum(compute.starts_with(words, MARKER)).as_py()
    front = len(MARKER.encode()) if marked else 0
    is_sound = (
        words.null_count == counts.null_count == 0
        and compute.min(counts).as_py() >= 1
        and marked in {0, len(words)}
        and compute.sum(compute.count_substring(words, MARKER)).as_py() == marked
        and compute.min(lengths).as_py() > front
        and compute.count_distinct(words).as_py() == len(words)
        # In floating point: far from the limit there is no doubt.
        and compute.sum(compute.multiply(lengths.cast("float64"), counts.cast("float64", safe=False))).as_py()
        < MAX_COUNT / 8
    )
    if not is_sound or not all(_is_text_of_words(part, lowercase=lowercase) for part in _parts(read)):
        return None
    text_bytes = compute.sum(lengths).as_py()
    table = kernel.table_of_columns(_parts(read), len(words), text_bytes, mark=not marked)
    return trusted_word_counts(table, lowercase=lowercase, pre_tokenizer="whitespace")


def _parts(read: Any) -> Iterator[Columns]:
    for batch in read.to_batches(max_chunksize=_BATCH_WORDS):
        yield columns_of(batch)


def _is_text_of_words(columns: Columns, *, lowercase: bool) -> bool:
    """Whether no word holds what `WordCounts` refuses: what is asked of each code point is asked of all at once."""
    text, ends, _ = columns
    places = memoryview(ends).cast("q")
    whole = str(text[places[0] : places[-1]], "utf-8")
    return not NEVER_IN_A_WORD.search(whole) and not (lowercase and whole.translate(LOWERCASE) != whole)
