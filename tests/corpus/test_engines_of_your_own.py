"""The two functions for other engines, and the recipes for Spark, Dask and DuckDB over them, as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from examples.corpora import dask_futures, duckdb_sql, spark
from pairloom import corpus, kernel
from pairloom.corpus import errors
from pairloom.corpus.libraries import library
from pairloom.errors import CountOverflow, SettingError
from tests.corpus.corpora import expected, write

pyarrow = library("pyarrow")
TEXTS = ["low low lower", "", "Straße don't 漢字", "newest 😀widest\u00a0low"] * 30


def batches(column: str = "text", texts: list[str | None] | None = None) -> list[Any]:
    rows = pyarrow.table({column: pyarrow.array(texts or TEXTS, pyarrow.string())})
    return list(rows.to_batches(max_chunksize=7))


@pytest.mark.parametrize("pre_tokenizer", ["whitespace", "punctuation"])
@pytest.mark.parametrize("partitions", [1, 2, 7, 1000])
def test_counted_by_partition_and_added_up(pre_tokenizer: str, partitions: int) -> None:
    settings: dict[str, Any] = {"pre_tokenizer": pre_tokenizer, "lowercase": True}
    halves = [batches()[:5], batches()[5:]]
    tables = [table for half in halves for table in corpus.count_batches(half, partitions=partitions, **settings)]
    rows = [row for table in tables for row in table.to_pylist()]
    for row in rows:
        assert row["partition"] == kernel.word_hash(row["word"].encode()) * partitions >> 64
    merged = [
        corpus.merge_tables(table.filter(pyarrow.compute.equal(table["partition"], number)) for table in tables)
        for number in {row["partition"] for row in rows}
    ]
    assert corpus.word_counts_of(merged, **settings) == expected(TEXTS, **settings)


def test_what_is_refused() -> None:
    with pytest.raises(errors.BadText, match="row 1"):
        list(corpus.count_batches(batches(texts=["a", "▁"])))
    with pytest.raises(SettingError):
        list(corpus.count_batches(batches(), partitions=0))
    table = pyarrow.table({"word": ["a", "a"], "count": [2**62, 2**62]})
    with pytest.raises(CountOverflow):
        corpus.merge_tables([table])
    for word, count in (("a", 0), ("a", None), (None, 1)):
        row = pyarrow.table({"word": pyarrow.array([word], "string"), "count": pyarrow.array([count], "int64")})
        with pytest.raises(ValueError, match="table of words"):
            corpus.merge_tables([row])
    no_text = pyarrow.table({"word": pyarrow.array([b"\xff"]).view("string"), "count": [1]})
    with pytest.raises(ValueError, match="UTF8"):
        corpus.merge_tables([no_text])


class Frame:
    """What the recipe asks of a data frame of Spark, over lists of batches: one a partition."""

    def __init__(self, parts: list[list[Any]]) -> None:
        self.parts = parts

    def select(self, name: str) -> Frame:
        return Frame([[batch.select([name]) for batch in part] for part in self.parts])

    def mapInArrow(self, work: Callable[[Iterator[Any]], Iterable[Any]], schema: str) -> Frame:  # noqa: N802  # Spark's name
        fields = [field.split()[0] for field in schema.split(", ")]
        parts = [list(work(iter(part))) for part in self.parts]
        assert all(batch.schema.names == fields for part in parts for batch in part)
        return Frame(parts)

    def repartition(self, count: int, name: str) -> Frame:
        whole = pyarrow.Table.from_batches([batch for part in self.parts for batch in part])
        numbers = pyarrow.compute.cast(whole[name], "int64")
        groups = [whole.filter(pyarrow.compute.equal(numbers, number)) for number in range(count)]
        return Frame([group.to_batches() for group in groups if group.num_rows])

    def toArrow(self) -> Any:  # noqa: N802  # Spark's name
        return pyarrow.Table.from_batches([batch for part in self.parts for batch in part])


def test_the_recipe_for_spark() -> None:
    assert spark.count_words(Frame([batches()[:9], batches()[9:]])) == expected(TEXTS)


class Client:
    """What the recipe asks of a client of Dask."""

    def map(self, work: Callable[[Any], Any], values: list[Any]) -> list[Any]:
        return [work(value) for value in values]

    def submit(self, work: Callable[[Any], Any], value: Any) -> Any:
        return work(value)

    def gather(self, values: list[Any]) -> list[Any]:
        return values


def test_the_recipe_for_dask(tmp_path: Path) -> None:
    paths = [str(write(tmp_path / f"{number}.parquet", TEXTS)) for number in range(11)]
    assert dask_futures.count_words(Client(), paths, at_a_time=3) == expected(TEXTS * 11)


def test_the_recipe_for_duckdb(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{number}.parquet", TEXTS) for number in range(3)]
    with import_module("duckdb").connect() as connection:
        counted = duckdb_sql.count_words(connection, f"SELECT text FROM '{paths[0].parent}/*.parquet'")
    assert counted == expected(TEXTS * 3)
