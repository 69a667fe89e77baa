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
    found = [_kept_as_written(_parsed(data, shard).schema) for data in _line_blocks(shard, max_expansion)]
    return unified(found, shard)


def unified(schemas: list[Any], shard: Shard) -> Any:
    """Return the schema that holds all of these: what one lacks is null there. Raises: ShardError."""
    pyarrow = library("pyarrow")
    try:
        whole = pyarrow.unify_schemas(schemas, promote_options="permissive") if schemas else pyarrow.schema([])
    except pyarrow.ArrowException as error:
        raise ShardError(shard=shard.name, reason=f"a field has values of several types: {error}") from None
    for number, field in enumerate(whole):
        if not field.nullable and any(field.name not in schema.names for schema in schemas):
            whole = whole.set(number, field.with_nullable(nullable=True))
    return whole


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
            yield _fitted(pyarrow.table([texts.view(pyarrow.large_string())], names=[column]), schema, shard)
        else:
            table = _fitted(_parsed(data, shard, schema), schema, shard)
            _check_strings(table, column, shard)
            yield table


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


def _check_strings(table: Any, column: str, shard: Shard) -> None:
    """Raise ShardError where a column beside that of the texts is no UTF-8: Parquet has no strings of other bytes."""
    pyarrow = library("pyarrow")
    for name in table.column_names:
        if name == column:
            continue  # the row is named there
        try:
            table.column(name).validate(full=True)
        except pyarrow.ArrowException as error:
            raise ShardError(shard=shard.name, reason=f"the field {name!r} is no UTF-8: {error}") from None


def _kept_as_written(schema: Any) -> Any:
    """Return a schema of JSON with strings where pyarrow saw dates in them: rewritten, they would not be kept."""
    return library("pyarrow").schema([field.with_type(_type_as_written(field.type)) for field in schema])


def _type_as_written(kind: Any) -> Any:
    pyarrow = library("pyarrow")
    types = pyarrow.types
    if types.is_timestamp(kind):
        return pyarrow.string()
    if types.is_list(kind):
        return pyarrow.list_(_type_as_written(kind.value_type))
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(_type_as_written(field.type)) for field in kind])
    return kind


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
