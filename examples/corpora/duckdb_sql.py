"""Word counts with DuckDB: it reads the texts and adds the counts up, spilling to disk; Pairloom cuts the words."""

from __future__ import annotations

from typing import Any

from pairloom import corpus
from pairloom.word_counts import WordCounts


def count_words(connection: Any, query: str) -> WordCounts:
    """Return the word counts of a query with a column `text`; `connection` is a `duckdb.DuckDBPyConnection`."""
    connection.execute("CREATE OR REPLACE TEMP TABLE counted (word VARCHAR, count BIGINT)")
    texts = connection.cursor().sql(query).to_arrow_reader(100_000)
    for batch in corpus.count_batches(texts):
        connection.register("counted_batch", batch)
        connection.execute("INSERT INTO counted SELECT word, count FROM counted_batch")
        connection.unregister("counted_batch")
    # DuckDB's sums are wider than 64 bits; the cast refuses what no table can hold.
    summed = connection.sql("SELECT word, sum(count)::BIGINT AS count FROM counted GROUP BY word")
    return corpus.word_counts_of([summed.to_arrow_table()])
