"""Word counts on Dask: futures over the two functions of `pairloom.corpus`. Needs distributed, none of our extras."""

from __future__ import annotations

from typing import Any

from pyarrow import parquet

from pairloom import corpus
from pairloom.word_counts import WordCounts


def count_file(path: str) -> Any:
    """The map: a Parquet file with a column `text` → one table."""
    batches = parquet.ParquetFile(path).iter_batches(columns=["text"])
    return corpus.merge_tables(batch.select(["word", "count"]) for batch in corpus.count_batches(batches))


def add_up(tables: list[Any]) -> Any:
    """The reduce, of some tables at a time."""
    return corpus.merge_tables(tables)


def count_words(client: Any, paths: list[str], *, at_a_time: int = 8) -> WordCounts:
    """Return the word counts of files; `client` is a `distributed.Client`."""
    tables = client.map(count_file, paths)
    while len(tables) > 1:
        tables = [client.submit(add_up, tables[at : at + at_a_time]) for at in range(0, len(tables), at_a_time)]
    return corpus.word_counts_of(client.gather(tables))
