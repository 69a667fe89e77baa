"""Tables as CSV that no spreadsheet executes and every spreadsheet reads.

A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end for a formula, quoted or not; with
some keyboards, the wide forms of the four signs too. So an apostrophe is put in front of a text that begins with one of
these, or with an apostrophe: whoever reads the file as data takes one leading apostrophe away from texts, and has them
back as they were. Numbers are written as numbers.

UTF-8 with a byte order mark, without which spreadsheets guess another encoding; lines end as RFC 4180 has it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from pairloom.merges import Merge

MEDIA_TYPE: Final = "text/csv; charset=utf-8"
BOM: Final = b"\xef\xbb\xbf"
MERGE_COLUMNS: Final = (
    *("rank", "left", "right", "result", "frequency", "replacements", "corpus_tokens", "id", "is_new"),
    "result_code_points",
)

Cell = str | int | None

_EXECUTED = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
# Rows that are written in one go.
_ROWS = 200


def harmless(text: str) -> str:
    """Return a text as a cell that no spreadsheet executes.

    >>> harmless("=1+1"), harmless("'s"), harmless("low")
    ("'=1+1", "''s", 'low')
    """
    return f"'{text}" if text.startswith((*_EXECUTED, "'")) else text


def as_read(cell: str) -> str:
    """Return the text that `harmless` made a cell of.

    >>> as_read("'=1+1"), as_read("''s"), as_read("low")
    ('=1+1', "'s", 'low')
    """
    return cell.removeprefix("'")


def csv_portions(columns: Iterable[str], rows: Iterable[Iterable[Cell]]) -> Iterator[bytes]:
    """Yield the bytes of a table in portions; together they are one file. Cost: linear."""
    yield BOM + _lines([columns])
    remaining = iter(rows)
    while portion := list(islice(remaining, _ROWS)):
        yield _lines(portion)


def merge_cells(merge: Merge) -> tuple[Cell, ...]:
    """Return the cells of a merge, as `MERGE_COLUMNS` names them.

    The code points stand there once more, since some programs lose controls or compose what was decomposed.
    """
    numbers = (merge.frequency, merge.replacements, merge.corpus_tokens, merge.id)
    code_points = " ".join(f"U+{ord(each):04X}" for each in merge.result)
    is_new = "true" if merge.is_new else "false"
    return (merge.rank, merge.left, merge.right, merge.result, *numbers, is_new, code_points)


def merges_csv(merges: Iterable[Merge]) -> Iterator[bytes]:
    """Yield the merge table as CSV. Rule: T6; what an imported model does not know is an empty cell."""
    return csv_portions(MERGE_COLUMNS, map(merge_cells, merges))


def _lines(rows: Iterable[Iterable[Cell]]) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    for row in rows:
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return buffer.getvalue().encode()
