"""Shards → rows with all of their columns, as Arrow tables of bounded size: what encoding a dataset keeps."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, Final

from pairloom.corpus.counting import rows_before
from pairloom.corpus.errors import NoText, ShardError
from pairloom.corpus.libraries import library
from pairloom.corpus.readers import (
    is_blank,
    json_object,
    lines_of,
    opened_parquet,
    row_groups,
    text_column_type,
    without_mark,
)
from pairloom.corpus.shards import Shard
from pairloom.corpus.streams import LINE_CUTS, cut_blocks, expanded

MAX_NESTING: Final = 32
"""How deep the values of a line of JSON may be nested, the object itself being one."""

_BATCH_ROWS = 8192
_ROW_OF_BLOCK = re.compile(r" in row [0-9]+\Z")


def schema_of(shard: Shard, *, column: str, max_expansion: int) -> Any:
    """Return the columns that the rows of a shard have. Raises: ShardError, OSError."""
    pyarrow = library("pyarrow")
    if shard.file.format == "text":
        return pyarrow.schema([pyarrow.field(column, pyarrow.large_string())])
    if shard.file.format == "parquet":
        with opened_parquet(shard, max_expansion=max_expansion) as file:
            return file.schema_arrow
    found = [_kept_as_written(_parsed(data, first, shard).schema) for first, data in _json_blocks(shard, max_expansion)]
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
    if shard.file.format == "text":
        for _, data in _line_blocks(shard, max_expansion):
            lines = data.removesuffix(b"\n").split(b"\n")
            # Bytes as they are: whether they are UTF-8 is asked where the row can be named.
            texts = pyarrow.array(lines, pyarrow.large_binary())
            yield _fitted(pyarrow.table([texts.view(pyarrow.large_string())], names=[column]), schema, shard)
        return
    for first, data in _json_blocks(shard, max_expansion):
        table = _fitted(_parsed(data, first, shard, schema), schema, shard)
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


def _line_blocks(shard: Shard, max_expansion: int) -> Iterator[tuple[int, bytes]]:
    stop = None if shard.file.compression is not None or shard.stop == shard.file.size else shard.stop
    with expanded(shard.file, max_expansion=max_expansion) as stream:
        yield from cut_blocks(stream, LINE_CUTS, start=shard.start, stop=stop)


def _json_blocks(shard: Shard, max_expansion: int) -> Iterator[tuple[int, bytes]]:
    """Yield a shard of JSON lines in blocks, each with the number in the shard, from 1, of its first line."""
    first = 1
    for offset, data in _line_blocks(shard, max_expansion):
        yield first, without_mark(data, offset)
        first += data.count(b"\n")


def _parsed(data: bytes, first: int, shard: Shard, schema: Any | None = None) -> Any:
    """Return a block of lines as a table, a row for each line with an object. Raises: ShardError, with the line."""
    # The parser takes objects, wherever lines end. A line that begins and ends like one ends no object in its middle:
    # nothing but a comma or a bracket can follow there. So if there are as many, each line holds one. Anything else
    # never comes to the parser: a bare `null` would be the end of this process.
    objects = _lines_like_objects(data)
    if objects is None:
        raise _line_to_blame(data, first, shard, schema, None)
    _check_nesting(data, objects, first, shard)
    try:
        table = _table_of(data, schema)
    except (library("pyarrow").ArrowException, UnicodeDecodeError) as error:
        raise _line_to_blame(data, first, shard, schema, error) from None
    if table.num_rows != objects:
        raise _line_to_blame(data, first, shard, schema, None)
    return table


def _lines_like_objects(data: bytes) -> int | None:
    """Return how many lines begin and end like an object, if all do that are not blank; None otherwise."""
    inside = data.removesuffix(b"\n")
    ends = inside.count(b"\n")
    # Mostly they do so without a blank between, which is seen at once.
    if inside.startswith(b"{") and inside.endswith(b"}") and inside.count(b"}\n{") == ends:
        return ends + 1
    lines = [line for line in lines_of(data) if not is_blank(line)]
    are_like = all(line.lstrip(b" \t").startswith(b"{") and line.rstrip(b" \t\r").endswith(b"}") for line in lines)
    return len(lines) if are_like else None


def _check_nesting(data: bytes, objects: int, first: int, shard: Shard) -> None:
    """Raise ShardError where values are nested deeper than readers of Parquet follow, or than pyarrow survives."""
    # As many can be opened in one line, whatever of that is in strings.
    if data.count(b"[") + data.count(b"{") - objects < MAX_NESTING:
        return
    for number, line in enumerate(lines_of(data)):
        if line.count(b"[") + line.count(b"{") <= MAX_NESTING:
            continue
        value = _object_of(line, shard)
        reason = value.reason if isinstance(value, NoText) else f"its values are nested more than {MAX_NESTING} deep"
        if isinstance(value, NoText) or _nesting(value) > MAX_NESTING:
            raise ShardError(shard=shard.name, where=f"line {rows_before(shard) + first + number}", reason=reason)


def _object_of(line: bytes, shard: Shard) -> object:
    """Return the object in a line, or a NoText; whether it is UTF-8 is asked where the row can be named."""
    return json_object(line.decode("utf-8", "replace").encode("utf-8"), shard.name)


def _nesting(value: object) -> int:
    depth = 0
    level = [value]
    while level:
        containers = [each for each in level if isinstance(each, dict | list)]
        level = [inside for each in containers for inside in (each.values() if isinstance(each, dict) else each)]
        depth += bool(containers)
    return depth


def _table_of(data: bytes, schema: Any | None) -> Any:
    """Return a block of lines as a table. Raises: ArrowException; UnicodeDecodeError, for the name of a field."""
    pyarrow, json = library("pyarrow"), library("pyarrow.json")
    if not data.strip():
        return pyarrow.table({})
    options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="infer")
    # A block of the reader must hold the longest line.
    reading = json.ReadOptions(use_threads=False, block_size=len(data) + 1)
    table = json.read_json(BytesIO(data), read_options=reading, parse_options=options)
    _look_at_names(table.schema)
    return table


def _look_at_names(fields: Iterable[Any]) -> None:
    """Raise UnicodeDecodeError where the name of a field, or of one inside of it, is no UTF-8."""
    types = library("pyarrow").types
    for field in fields:
        assert isinstance(field.name, str)
        kind = field.type
        while types.is_list(kind):
            kind = kind.value_type
        if types.is_struct(kind):
            _look_at_names(kind)


def _line_to_blame(data: bytes, first: int, shard: Shard, schema: Any | None, error: object) -> ShardError:
    """Return the error about the first line that holds no single object, or about the first that Arrow refuses."""
    before = rows_before(shard) + first
    lines = lines_of(data)
    for number, line in enumerate(lines):
        objection = None if is_blank(line) else _object_of(line, shard)
        if isinstance(objection, NoText):
            return ShardError(shard=shard.name, where=f"line {before + number}", reason=objection.reason)

    def is_refused(count: int) -> bool:
        try:
            _table_of(b"\n".join(lines[:count]), schema)
        except (library("pyarrow").ArrowException, UnicodeDecodeError):
            return True
        return False

    count = bisect_left(range(len(lines)), True, key=is_refused)  # noqa: FBT003  # what is looked for
    reason = f"its lines are no JSON objects of one kind: {_ROW_OF_BLOCK.sub('', str(error))}"
    return ShardError(shard=shard.name, where=f"line {before + count - 1}", reason=reason)
