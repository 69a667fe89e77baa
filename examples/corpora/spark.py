"""Word counts on Spark: `mapInArrow` twice, over the two functions of `pairloom.corpus`.

Spark brings the texts together by partition in between; nothing of Pairloom but these functions runs on its workers.
Needs pyspark, which is not among Pairloom's extras.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pairloom import corpus
from pairloom.word_counts import WordCounts

PARTITIONS = 200


def count_texts(batches: Iterator[Any]) -> Iterator[Any]:
    """The map: batches with a column `text` → batches with word, count and partition."""
    yield from corpus.count_batches(batches, partitions=PARTITIONS)


def add_up(batches: Iterator[Any]) -> Iterator[Any]:
    """The reduce: all batches of some partitions → each word once."""
    yield corpus.merge_tables(batch.select(["word", "count"]) for batch in batches)


def count_words(frame: Any) -> WordCounts:
    """Return the word counts of a Spark data frame with a column `text`."""
    counted = frame.select("text").mapInArrow(count_texts, "word string, count long, partition int")
    merged = counted.repartition(PARTITIONS, "partition").mapInArrow(add_up, "word string, count long")
    return corpus.word_counts_of([merged.toArrow()])
