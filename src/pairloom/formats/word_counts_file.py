"""Word counts ↔ a table in a file: tab-separated text, which SentencePiece reads too, or Parquet.

A table of whole words (the pre-tokenizer `whitespace`) is written without markers: every word has one, so it says
nothing, and SentencePiece puts its own in front. A table of pieces of words keeps them: only the first piece of a word
has one (P2). Whoever reads a table without any marker puts one in front of each word (P3).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from pairloom.checks import MAX_COUNT, check_flag
from pairloom.errors import CountError, ModelError
from pairloom.formats.findings import Findings, ReadingStoppedError
from pairloom.formats.json_guard import JsonRefusedError, read_json
from pairloom.formats.left_out_object import left_out_of
from pairloom.formats.peers import peer
from pairloom.formats.text_lines import lines_of
from pairloom.formats.word_columns import sound_table
from pairloom.left_out import LeftOut, with_record
from pairloom.unicode_data import MARKER
from pairloom.word_counts import WordCounts, with_markers

if TYPE_CHECKING:
    from collections.abc import Callable

TSV: Final = "tsv"
PARQUET: Final = "parquet"
_SETTINGS_KEY: Final = b"pairloom"
_PARQUET_MAGIC: Final = b"PAR1"


def dumps_tsv(table: WordCounts) -> bytes:
    """Return a table as lines `word TAB count`, in the order of the table. Its settings are not in it."""
    rows = _rows(table).items()
    return "".join([f"{word}\t{count}\n" for word, count in rows]).encode("utf-8")


def loads_tsv(
    data: bytes, *, lowercase: bool = False, pre_tokenizer: str = "whitespace", marker: bool = True
) -> WordCounts:
    """Return the table of lines `word TAB count`.

    Rule: P3.

    Args:
        data: the file; only a line feed ends a line.
        lowercase, pre_tokenizer: of the table.
        marker: whether the words carry markers, or get them if no word of the file has one.

    Raises:
        ModelError: a line that is no word and count; `where` says which line.
        CountError, CountOverflow: a word or a count that cannot be; a note says which line.
    """
    findings = Findings()
    try:
        lines = lines_of(data, findings)
    except ReadingStoppedError:
        first = findings.found[-1]
        raise ModelError(reason=first.message, where=first.place) from None
    counts: dict[str, int] = {}
    line_of: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        word, tab, digits = line.partition("\t")
        if not tab or not digits.isascii() or not digits.isdigit() or len(digits) > len(str(MAX_COUNT)):
            reason = "a line is a word, a tab and a whole number in ASCII digits"
            raise ModelError(reason=reason, where=f"line {number}")
        if word in counts:
            reason = f"the word stands in line {line_of[word]}, too: add the counts up"
            raise ModelError(reason=reason, where=f"line {number}")
        counts[word], line_of[word] = int(digits), number
    return _table(counts, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=marker, place=line_of.get)


def dumps_parquet(table: WordCounts) -> bytes:
    """Return a table as Parquet: columns `word` and `count`, the settings in the metadata.

    Raises:
        MissingPeer: pyarrow is not installed.
    """
    pyarrow, parquet = peer("pyarrow"), peer("pyarrow.parquet")
    settings: dict[str, Any] = {
        "lowercase": table.lowercase,
        "pre_tokenizer": table.pre_tokenizer,
        "marker": table.marker,
    }
    if table.left_out is not None:
        settings["left_out"] = asdict(table.left_out)
    rows = _rows(table)
    schema = pyarrow.schema(
        [
            pyarrow.field("word", pyarrow.string(), nullable=False),
            pyarrow.field("count", pyarrow.int64(), nullable=False),
        ],
        metadata={_SETTINGS_KEY: json.dumps(settings)},
    )
    written = BytesIO()
    parquet.write_table(pyarrow.table([list(rows), list(rows.values())], schema=schema), written, compression="zstd")
    return written.getvalue()


def loads_parquet(
    data: bytes, *, lowercase: bool = False, pre_tokenizer: str = "whitespace", marker: bool = True
) -> WordCounts:
    """Return the table of a Parquet file with the columns `word` and `count`.

    The settings are those that the file names, for one of ours; what is given here serves for others.

    Raises:
        MissingPeer: pyarrow is not installed.
        ModelError: no Parquet, or other columns.
        CountError, CountOverflow: as `loads_tsv`; a note says which row.
    """
    pyarrow, parquet = peer("pyarrow"), peer("pyarrow.parquet")
    try:
        read = parquet.read_table(BytesIO(data))
    except (pyarrow.ArrowException, OSError) as error:
        raise ModelError(reason=f"no Parquet that pyarrow reads: {error}") from None
    try:
        return _of_columns(read, {"lowercase": lowercase, "pre_tokenizer": pre_tokenizer, "marker": marker})
    except UnicodeDecodeError as error:
        raise ModelError(reason=f"a text in it is not UTF-8: {error.reason}") from None


def _of_columns(read: Any, given: dict[str, Any]) -> WordCounts:
    """Return the table of a Parquet table. Raises: as `loads_parquet`; UnicodeDecodeError, pyarrow checks no text."""
    kinds = {name: str(read.schema.field(name).type) for name in read.column_names}
    if kinds.get("word") not in {"string", "large_string"} or not kinds.get("count", "").startswith(("int", "uint")):
        reason = f"the columns word (string) and count (integer) are needed; there are {kinds}"
        raise ModelError(reason=reason)
    settings = given | _named_settings(read.schema.metadata)
    left_out = settings.pop("left_out", None)
    check_flag("lowercase", settings["lowercase"])
    if settings["marker"] is True and settings["pre_tokenizer"] == "whitespace":
        # Row by row it takes four times as long, and twice the memory.
        table = sound_table(read, lowercase=settings["lowercase"])
        if table is not None:
            return with_record(table, left_out)
    words, numbers = read.column("word").to_pylist(), read.column("count").to_pylist()
    row_of: dict[str, int] = {}
    for row, word in enumerate(words):
        if word in row_of:
            raise ModelError(
                reason=f"the word stands in row {row_of[word]}, too: add the counts up", where=f"row {row}"
            )
        row_of[word] = row
    counts = dict(zip(words, numbers, strict=True))
    return with_record(_table(counts, **settings, place=row_of.get), left_out)


def is_parquet(data: bytes) -> bool:
    """Whether bytes are a Parquet file."""
    return data.startswith(_PARQUET_MAGIC)


def added_up(tables: Iterable[WordCounts]) -> WordCounts:
    """Return the sum of tables with the same settings. Raises: CountError, if they differ; CountOverflow."""
    first, *others = tables
    if not others:
        return first
    counts = dict(first.counts)
    for table in others:
        for name in ("lowercase", "pre_tokenizer", "marker"):
            if getattr(table, name) != getattr(first, name):
                raise CountError(word="", count=0, reason=f"the tables differ in {name}, so they cannot be added up")
        for word, count in table.counts.items():
            counts[word] = counts.get(word, 0) + count
    left_out = _together([table.left_out for table in (first, *others) if table.left_out is not None])
    total = WordCounts(counts, lowercase=first.lowercase, pre_tokenizer=first.pre_tokenizer, marker=first.marker)
    return with_record(total, left_out)


def _together(records: list[LeftOut]) -> LeftOut | None:
    """Return what a sum of tables lacks: the smallest part, the highest threshold, all skipped texts."""
    if not records:
        return None
    return LeftOut(
        sample=min(record.sample for record in records),
        min_word_count=max(record.min_word_count for record in records),
        skipped_texts=sum(record.skipped_texts for record in records),
    )


def _rows(table: WordCounts) -> dict[str, int]:
    """Return words as they are written; see the top of the module."""
    if table.marker and table.pre_tokenizer == "whitespace":
        return {word.removeprefix(MARKER): count for word, count in table.counts.items()}
    return dict(table.counts)


def _table(
    counts: Mapping[str, int],
    *,
    lowercase: bool,
    pre_tokenizer: str,
    marker: bool,
    place: Callable[[str], int | None],
) -> WordCounts:
    carries = any(str(word).startswith(MARKER) for word in counts)
    try:
        if marker and carries:
            return WordCounts(counts, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=True)
        return with_markers(counts, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=marker)
    except CountError as error:
        word = error.word
        at = place(word) if isinstance(word, str) else None
        at = at if at is not None or not isinstance(word, str) else place(word.removeprefix(MARKER))
        if at is not None:
            error.add_note(f"in line {at}")
        raise


def _named_settings(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    named = (metadata or {}).get(_SETTINGS_KEY)
    if named is None:
        return {}
    try:
        settings = read_json(named)
    except JsonRefusedError:
        settings = None
    if not isinstance(settings, dict) or settings.keys() - {"left_out"} != {"lowercase", "pre_tokenizer", "marker"}:
        raise ModelError(reason="the settings in the metadata are none of ours", where="metadata.pairloom")
    if "left_out" in settings:
        settings["left_out"] = left_out_of(settings["left_out"], where="metadata.pairloom.left_out")
    return settings
