"""Shards → blocks of texts: plain text by block, JSON lines and Parquet by row. Nothing is counted here."""

from __future__ import annotations

import codecs
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pairloom.corpus.errors import NoText, ShardError
from pairloom.corpus.libraries import library
from pairloom.corpus.shards import Shard
from pairloom.corpus.streams import LINE_CUTS, WORD_CUTS, cut_blocks, expanded, over_expanded
from pairloom.errors import ForbiddenCodePoint, InvalidUtf8, PairloomError
from pairloom.unicode_data import MARKER

_BATCH_ROWS = 1024
_MARKER_BYTES = MARKER.encode()


@dataclass(frozen=True, slots=True)
class Prose:
    """A block of plain text, raw UTF-8; it begins `offset` bytes behind the start of its file."""

    offset: int
    data: bytes

    @property
    def read_bytes(self) -> int:
        """How many bytes of the file it is."""
        return len(self.data)


@dataclass(frozen=True, slots=True)
class Rows:
    """Texts of their own. A row is raw UTF-8, or the objection that there is to it.

    `first` is the number of the first one in the file, if it is known; `kind` says how rows are called and counted:
    "line" from 1, "row" from 0.
    """

    first: int
    rows: list[bytes | PairloomError]
    kind: str
    read_bytes: int


def blocks_of(shard: Shard, *, column: str, by_line: bool, max_expansion: int) -> Iterator[Prose | Rows]:
    """Yield the texts of a shard, block by block.

    Args:
        shard: what to read.
        column: the field or column that holds the texts.
        by_line: whether blocks of plain text end with a line, rather than with a word.
        max_expansion: see `streams.MAX_EXPANSION`.

    Raises:
        ShardError, InvalidUtf8, OSError.
    """
    if shard.file.format == "parquet":
        yield from _parquet_rows(shard, column, max_expansion)
        return
    is_whole = shard.file.compression is not None
    stop = None if is_whole or shard.stop == shard.file.size else shard.stop
    is_text = shard.file.format == "text"
    cuts = WORD_CUTS if is_text and not by_line else LINE_CUTS
    with expanded(shard.file, max_expansion=max_expansion) as stream:
        line = 1
        for offset, data in cut_blocks(stream, cuts, start=shard.start, stop=stop):
            if is_text:
                yield Prose(offset, data)
                continue
            lines = lines_of(without_mark(data, offset))
            first = line
            line += len(lines)
            rows = [_json_row(row, column, shard.name) for row in lines]
            yield Rows(first, rows, "line", len(data))


def objection_to(data: bytes, source: str) -> PairloomError | None:
    """Return what is wrong with a text, None if nothing is. Rule: N8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return InvalidUtf8(source=source, byte_offset=error.start)
    if _MARKER_BYTES not in data:
        return None
    return ForbiddenCodePoint(kind="marker", position=text.index(MARKER), code_point=ord(MARKER))


def without_mark(data: bytes, offset: int) -> bytes:
    """Return a block of JSON lines without the byte order mark that a file may begin with (RFC 8259, 8.1)."""
    return data if offset else data.removeprefix(codecs.BOM_UTF8)


def lines_of(data: bytes) -> list[bytes]:
    """Return the lines of a block without their line feeds."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def is_blank(line: bytes) -> bool:
    """Whether a line of JSON lines holds nothing but whitespace of JSON."""
    return not line.strip(b" \t\r")


def json_object(line: bytes, shard: str) -> dict[str, Any] | PairloomError:
    """Return the one JSON object that a line holds, or what is wrong with it; fields that are there twice are, too."""
    try:
        value = _DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return InvalidUtf8(source=shard, byte_offset=error.start)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return NoText(reason=f"the line holds more than one JSON value, the second one at position {error.pos}")
        return NoText(reason=f"the line is no JSON ({error.msg} at position {error.pos})")
    except (ValueError, RecursionError) as error:
        return NoText(reason=f"the line is no JSON ({error})")
    return value if isinstance(value, dict) else NoText(reason="the line is no JSON object")


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r} is there twice")
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_unambiguous)


def _json_row(line: bytes, field: str, shard: str) -> bytes | PairloomError:
    """Return the text of a line; a line of whitespace alone is an empty text."""
    if is_blank(line):
        return b""
    value = json_object(line, shard)
    return value if isinstance(value, PairloomError) else _text_of(value, field)


def _text_of(value: dict[str, Any], field: str) -> bytes | PairloomError:
    if field not in value:
        return NoText(reason=f"the line is no JSON object with the field {field!r} (column=, --column)")
    text = value[field]
    if not isinstance(text, str):
        return NoText(reason=f"the field {field!r} holds {json.dumps(text)[:40]}, no string")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        return ForbiddenCodePoint(kind="surrogate", position=error.start, code_point=ord(text[error.start]))


def _parquet_rows(shard: Shard, column: str, max_expansion: int) -> Iterator[Rows]:
    room = max_expansion * shard.file.size + (64 << 20)
    row = 0
    with opened_parquet(shard, max_expansion=max_expansion) as file:
        kind = text_column_type(file.schema_arrow, column, shard)
        groups = row_groups(shard, file)
        binary = library("pyarrow").large_binary()
        for batch in file.iter_batches(batch_size=_BATCH_ROWS, row_groups=list(groups), columns=[column]):
            values = batch.column(0)
            if library("pyarrow").types.is_dictionary(kind):
                values = values.dictionary_decode()
            texts = values.cast(binary).to_pylist()
            size = values.nbytes
            room -= size
            if room < 0:
                raise over_expanded(shard.file, max_expansion)
            yield Rows(row, [NoText(reason="null is no text") if text is None else text for text in texts], "row", size)
            row += len(texts)


def text_column_type(schema: Any, column: str, shard: Shard) -> Any:
    """Return the type of the column that holds the texts. Raises: ShardError, if there is none or it holds none."""
    types = library("pyarrow").types
    if column not in schema.names:
        reason = f"there is no column {column!r} (column=, --column); there are: {', '.join(schema.names)}"
        raise ShardError(shard=shard.name, reason=reason)
    if schema.names.count(column) > 1:
        reason = f"there are {schema.names.count(column)} columns {column!r}: rename all but the one with the texts"
        raise ShardError(shard=shard.name, reason=reason)
    kind = schema.field(column).type
    plain = kind.value_type if types.is_dictionary(kind) else kind
    if not (types.is_string(plain) or types.is_large_string(plain) or types.is_string_view(plain)):
        raise ShardError(shard=shard.name, reason=f"the column {column!r} holds {kind}, no strings")
    return kind


@contextmanager
def opened_parquet(shard: Shard, *, max_expansion: int) -> Iterator[Any]:
    """Give a Parquet file; one that is compressed as a whole is expanded into a temporary file first."""
    pyarrow, parquet = library("pyarrow"), library("pyarrow.parquet")
    with expanded(shard.file, max_expansion=max_expansion) as stream:
        source = stream
        if shard.file.compression is not None:
            source = tempfile.TemporaryFile()  # noqa: SIM115  # closed below
            shutil.copyfileobj(stream, source, 1 << 20)
        try:
            yield parquet.ParquetFile(source)
        except (pyarrow.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise ShardError(shard=shard.name, reason=f"no Parquet that pyarrow reads: {error}") from None
        finally:
            if source is not stream:
                source.close()


def row_groups(shard: Shard, file: Any) -> range:
    """Return the numbers of the row groups of a shard."""
    return range(file.num_row_groups) if shard.file.compression else range(shard.start, shard.stop)
