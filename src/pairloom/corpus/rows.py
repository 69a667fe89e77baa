"""Shards → rows with all of their columns, as Arrow tables of bounded size: what encoding a dataset keeps."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pairloom.corpus.errors import ShardError
from pairloom.corpus.libraries import library
from pairloom.corpus.readers import opened_parquet, row_groups, text_column_type
from pairloom.corpus.shards import Shard
from pairloom.corpus.streams import LINE_CUTS, cut_blocks, expanded

_BATCH_ROWS = 8192


def schema_of(shard: Shard, *, column: str, max_expansion: int) -> Any:
    """Return the columns that the rows of a shard have. Raises: ShardError, OSError."""
    pyarrow = library("pyarrow")
    if shard.file.format == "text":
        return pyarrow.schema([pyarrow.field(column, pyarrow.large_string())])
    if shard.file.format == "parquet":
        with opened_parquet(shard, max_expansion=max_expansion) as file:
            return file.schema_arrow
    found = [_parsed(data, shard).schema for data in _line_blocks(shard, max_expansion)]
    return unified(found, shard)


def unified(schemas: list[Any], shard: Shard) -> Any:
    """Return the schema that holds all of these: what one lacks is null there. Raises: ShardError."""
    pyarrow = library("pyarrow")
    try:
        return pyarrow.unify_schemas(schemas, promote_options="permissive") if schemas else pyarrow.schema([])
    except pyarrow.ArrowException as error:
        raise ShardError(shard=shard.name, reason=f"a field has values of several types: {error}") from None


def tables_of(shard: Shard, schema: Any, *, column: str, max_expansion: int) -> Iterator[Any]:
    """Yield the rows of a shard in tables with the columns of `schema`. Raises: ShardError, OSError."""
    pyarrow = library("pyarrow")
    if shard.file.format == "parquet":
        with opened_parquet(shard, max_expansion=max_expansion) as file:
            text_column_type(file.schema_arrow, column, shard)
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, row_groups=list(row_groups(shard, file))):
                yield _fitted(pyarrow.Table.from_batches([batch]), schema, shard)
        return
    for data in _line_blocks(shard, max_expansion):
        if shard.file.format == "text":
            lines = data.removesuffix(b"\n").split(b"\n")
            # Bytes as they are: whether they are UTF-8 is asked where the row can be named.
            texts = pyarrow.array(lines, pyarrow.large_binary())
            yield pyarrow.table([texts.view(pyarrow.large_string())], names=[column])
        else:
            yield _fitted(_parsed(data, shard, schema), schema, shard)


def _fitted(table: Any, schema: Any, shard: Shard) -> Any:
    pyarrow = library("pyarrow")
    columns = [
        table.column(field.name) if field.name in table.column_names else pyarrow.nulls(table.num_rows, field.type)
        for field in schema
    ]
    try:
        return pyarrow.table(columns, names=schema.names).cast(schema)
    except pyarrow.ArrowException as error:
        raise ShardError(shard=shard.name, reason=f"its columns are not those of the other files: {error}") from None


def _line_blocks(shard: Shard, max_expansion: int) -> Iterator[bytes]:
    stop = None if shard.file.compression is not None or shard.stop == shard.file.size else shard.stop
    with expanded(shard.file, max_expansion=max_expansion) as stream:
        for _, data in cut_blocks(stream, LINE_CUTS, start=shard.start, stop=stop):
            yield data


def _parsed(data: bytes, shard: Shard, schema: Any | None = None) -> Any:
    pyarrow, json = library("pyarrow"), library("pyarrow.json")
    options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="infer")
    # A block of the reader must hold the longest line.
    reading = json.ReadOptions(use_threads=False, block_size=len(data) + 1)
    if not data.strip():
        return pyarrow.table({})
    try:
        return json.read_json(BytesIO(data), read_options=reading, parse_options=options)
    except pyarrow.ArrowException as error:
        raise ShardError(shard=shard.name, reason=f"its lines are no JSON objects of one kind: {error}") from None
