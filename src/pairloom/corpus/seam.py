"""Two functions for engines of your own: count texts into tables, add tables up. Spark, Dask and DuckDB go by them.

batches of texts ─count_batches─▸ tables by partition ─(the engine groups them)─▸ merge_tables ─▸ word_counts_of
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

from pairloom import kernel
from pairloom.checks import check_within
from pairloom.corpus.counting import Tally, is_bare
from pairloom.corpus.libraries import library
from pairloom.corpus.ray_data import rows_of
from pairloom.corpus.runs import batch_of
from pairloom.corpus.settings import CountSettings
from pairloom.formats.word_columns import columns_of
from pairloom.word_counts import WordCounts, trusted_word_counts

MAX_PARTITIONS = 65_536


def count_batches(
    batches: Iterable[Any],
    *,
    column: str = "text",
    partitions: int = 1,
    lowercase: bool = False,
    pre_tokenizer: str = "whitespace",
    on_bad_text: str = "raise",
) -> Iterator[Any]:
    """Yield Arrow batches with the columns `word`, `count` and `partition`: what the texts of other batches hold.

    A word may stand in several of them, always with the same partition: that goes by its fixed hash, on every machine.

    Args:
        batches: Arrow batches or tables with a column of strings; each row is a text.
        column: its name.
        partitions: how many there are, 1 to 65,536; a partition is from 0 on.
        lowercase, pre_tokenizer, on_bad_text: as for `count_words`.

    Raises:
        BadText (rows count from 0 in their batch), ShardError, SettingError, MissingPeer.

    Cost: linear; memory for the words, at most some hundred MB.
    """
    check_within("partitions", partitions, minimum=1, maximum=MAX_PARTITIONS)
    settings = CountSettings(column=column, lowercase=lowercase, pre_tokenizer=pre_tokenizer, on_bad_text=on_bad_text)
    tally = Tally(settings)
    for batch in batches:
        for rows in rows_of(batch.column(column)):
            for columns in tally.add(rows):
                yield _with_partitions(batch_of(columns), partitions)
    for columns in tally.rest():
        yield _with_partitions(batch_of(columns), partitions)


def merge_tables(tables: Iterable[Any]) -> Any:
    """Return the sum of Arrow tables or batches with the columns `word` and `count`: each word once, by fixed hash.

    Raises:
        ValueError: nulls, a count below 1, or text that is no UTF-8; CountOverflow, MissingPeer.

    Cost: linear but for a sort; memory for all the rows.
    """
    checked = []
    for table in tables:
        table.validate(full=True)
        checked.append(columns_of(table))
    return batch_of(kernel.merged_columns(checked))


def word_counts_of(tables: Iterable[Any], *, lowercase: bool = False, pre_tokenizer: str = "whitespace") -> WordCounts:
    """Return the word counts of tables as `count_batches` and `merge_tables` make them, added up, to be trained on.

    Args:
        tables: with the columns `word` and `count`, from texts alone: words are not looked at again.
        lowercase, pre_tokenizer: what they were counted with.

    Raises:
        as `merge_tables`.
    """
    text, ends, counts = columns_of(merge_tables(tables))
    CountSettings(lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    words = len(counts) // 8
    counted = kernel.table_of_columns([(text, ends, counts)], words, len(text), mark=is_bare(pre_tokenizer))
    return trusted_word_counts(counted, lowercase=lowercase, pre_tokenizer=pre_tokenizer)


def _with_partitions(batch: Any, partitions: int) -> Any:
    """Return a batch that is sorted by hash with the partition of each row behind it."""
    pyarrow = library("pyarrow")
    words = batch.column(0)

    def hash_at(row: int) -> int:
        return kernel.word_hash(words[row].as_py().encode())

    begins = [
        bisect_left(range(batch.num_rows), number * 2**64 // partitions, key=hash_at) for number in range(partitions)
    ]
    lengths = [end - begin for begin, end in zip(begins, [*begins[1:], batch.num_rows], strict=True)]
    numbers = pyarrow.array([number for number, length in enumerate(lengths) for _ in range(length)], pyarrow.int32())
    return pyarrow.RecordBatch.from_arrays([*batch.columns, numbers], names=["word", "count", "partition"])
