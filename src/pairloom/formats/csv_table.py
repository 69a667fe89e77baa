r"""Tables of merges as CSV that no spreadsheet executes, every spreadsheet reads, and `pairloom import` reads back.

One rule for every text (`harmless`, undone by `as_read`):

1. Backslashes are doubled.
2. What cannot be seen is written out (N9), such as `\u0000`: some programs lose controls, and some texts turn others.
3. An apostrophe is put in front of what begins with `=`, `+`, `-`, `@`, or with an apostrophe. A spreadsheet takes the
   four signs for the start of a formula, quoted or not; with some keyboards, their wide forms too.

Numbers are written as numbers. UTF-8 with a byte order mark, without which spreadsheets guess another encoding; lines
end as RFC 4180 has it. Files without the mark, with other line ends or with other columns beside are read as well.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

from pairloom.formats.findings import Findings, Imported, ReadingStoppedError, in_order_of_lines
from pairloom.formats.json_guard import MAX_BYTES
from pairloom.formats.merge_list import EncodingSettings, ListedMerge, model_of_list, settled
from pairloom.formats.text_lines import lines_of
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.unicode_data import MARKER
from pairloom.views.display import visible

TRACE_NAME: Final = "trace.csv"
MEDIA_TYPE: Final = "text/csv; charset=utf-8"
BOM: Final = b"\xef\xbb\xbf"
MERGE_COLUMNS: Final = (
    *("rank", "left", "right", "result", "frequency", "replacements", "corpus_tokens", "id", "is_new"),
    "result_code_points",
)
TRACE_COLUMNS: Final = ("prefix", *MERGE_COLUMNS)

Cell = str | int | None

# Tabs and line ends, which some spreadsheets strip before they look for a sign, are written out before this is asked.
_EXECUTED = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_ESCAPED: Final = re.compile(r"\\(?:(\\)|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\})|\\")
# Rows that are written in one go.
_ROWS = 200


def harmless(text: str) -> str:
    r"""Return a text as a cell on which neither a spreadsheet nor a terminal acts; see the top of the module.

    >>> print(harmless("=1+1"), harmless("'s"), harmless("low"), harmless("a\0"), harmless(r"\u"))
    '=1+1 ''s low a\u0000 \\u
    """
    doubled = text.replace("\\", "\\\\")
    # By the whole cell, for what follows what can matter: of a tower of marks the upper ones are written out.
    shown = "".join([span.text if span.kind == "escape" else span.source for span in visible(doubled)])
    return f"'{shown}" if shown.startswith((*_EXECUTED, "'")) else shown


def as_read(cell: str) -> str:
    r"""Return the text that `harmless` made a cell of.

    Raises:
        ValueError: a backslash that begins no escape of this format.

    >>> as_read("'=1+1"), as_read("''s"), as_read("low"), as_read(r"a\u0000"), as_read(r"\\u")
    ('=1+1', "'s", 'low', 'a\x00', '\\u')
    """
    return _ESCAPED.sub(_plain, cell.removeprefix("'"))


def csv_portions(columns: Iterable[str], rows: Iterable[Iterable[Cell]]) -> Iterator[bytes]:
    """Yield the bytes of a table in portions; together they are one file. Cost: linear."""
    yield BOM + _lines([columns])
    remaining = iter(rows)
    while portion := list(islice(remaining, _ROWS)):
        yield _lines(portion)


def merge_cells(merge: Merge) -> tuple[Cell, ...]:
    """Return the cells of a merge, as `MERGE_COLUMNS` names them.

    The code points stand there once more, since some programs compose what was decomposed.
    """
    numbers = (merge.frequency, merge.replacements, merge.corpus_tokens, merge.id)
    code_points = " ".join(f"U+{ord(each):04X}" for each in merge.result)
    is_new = "true" if merge.is_new else "false"
    return (merge.rank, merge.left, merge.right, merge.result, *numbers, is_new, code_points)


def merges_csv(merges: Iterable[Merge]) -> Iterator[bytes]:
    """Yield the merge table as CSV. Rule: T6; what an imported model does not know is an empty cell."""
    return csv_portions(MERGE_COLUMNS, map(merge_cells, merges))


def trace_csv(model: Model) -> Iterator[bytes]:
    """Yield the merge table with a row for each prefix: prefix 0 has the tokens at the start alone (T7)."""
    start: dict[str, Cell] = {"prefix": 0, "corpus_tokens": model.initial_tokens}
    rows = ((merge.rank + 1, *merge_cells(merge)) for merge in model.merges)
    return csv_portions(TRACE_COLUMNS, [[start.get(column) for column in TRACE_COLUMNS], *rows])


def loads(data: bytes, *, settings: EncodingSettings | None = None, alphabet: Iterable[str] = ()) -> Imported:
    """Return the model of the columns `left` and `right`; the other columns are for people and not read.

    Args:
        data: the file, with or without a byte order mark.
        settings: of the model; None takes a marker if a symbol of the file has one.
        alphabet: symbols beside those of the merges.
    """
    findings = Findings()
    model = None
    try:
        lines = lines_of(data.removeprefix(BOM), findings, takes_windows_ends=True)
        with _cells_of_any_length():
            merges = _merges(lines, findings)
        settings = settled(settings, has_marker=not merges or any(MARKER in merge.result for merge in merges))
        symbols = {part for merge in merges for part in (merge.left, merge.right) if len(part) == 1}
        model = model_of_list(merges, alphabet={*symbols, *alphabet}, settings=settings, findings=findings)
    except ReadingStoppedError:
        pass
    return Imported(TRACE_NAME, in_order_of_lines(findings.found), model)


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    """Lift the standard library's limit of 131,072 code points: symbols of one letter repeated can be longer."""
    before = csv.field_size_limit(MAX_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _merges(lines: list[str], findings: Findings) -> list[ListedMerge]:
    rows = csv.reader(lines, strict=True)
    try:
        heading = next(rows, [])
        if not {"left", "right"} <= set(heading):
            raise findings.stop("shape", "the first line has no columns left and right", line=1)
        if heading.count("left") > 1 or heading.count("right") > 1:
            raise findings.stop("shape", "the first line has a column left or right twice", line=1)
        left, right = heading.index("left"), heading.index("right")
        merges: list[ListedMerge] = []
        for row in rows:
            if len(row) != len(heading):
                findings.error("parts", f"{len(row)} cells under {len(heading)} headings", line=rows.line_num)
                continue
            try:
                pair = as_read(row[left]), as_read(row[right])
            except ValueError as error:
                findings.error("parts", str(error), line=rows.line_num)
                continue
            if any(pair):
                merges.append(ListedMerge(*pair, line=rows.line_num))
    except csv.Error as error:
        raise findings.stop("shape", f"no CSV: {error}", line=rows.line_num) from None
    return merges


def _plain(found: re.Match[str]) -> str:
    backslash, short, long = found.groups()
    code_point = int(short or long or "110000", 16)
    if not backslash and code_point > 0x10FFFF:
        raise ValueError(f"{found[0]!a} is no escape of this format")
    return backslash or chr(code_point)


def _lines(rows: Iterable[Iterable[Cell]]) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    for row in rows:
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return buffer.getvalue().encode()
