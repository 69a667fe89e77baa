"""How lists are laid out: coloured tokens, tables for people in a terminal, tab-separated lines in a pipe."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar

from pairloom.cli.outputs import Output, json_line, output_to
from pairloom.views.colors import TERMINAL_COLORS, TERMINAL_INK, color_index
from pairloom.views.display import plain

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")

UNKNOWN = "UNK"
# A longer cell sticks out of its column rather than widen it, or be cut.
_WIDEST_COLUMN = 32
_RESET = "\x1b[0m"
_UNKNOWN_STYLE = "\x1b[1;7m"
_HEADING_STYLE = "\x1b[1m"


def uses_color(choice: str, output: Output) -> bool:
    """Whether to colour: as asked, or for a terminal that can and a user who has not said no (NO_COLOR)."""
    if choice != "auto":
        return choice == "always"
    return output.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class Token:
    """A token in a table: it has the colour of its ID there, too."""

    text: str
    id: int | None


def token_with_id(token: str, token_id: int | None, *, color: bool) -> str:
    r"""Return `token:ID` on one line, as a coloured box if asked; an unknown token has UNK in its ID's place. Rule: E3.

    >>> token_with_id("▁low", 7, color=False), token_with_id("\x1b", None, color=False)
    ('▁low:7', '\\u001b:UNK')
    """
    text = f"{plain(token)}:{UNKNOWN if token_id is None else token_id}"
    return _box(text, token_id) if color else text


def _box(text: str, token_id: int | None) -> str:
    if token_id is None:
        return f"{_UNKNOWN_STYLE}{text}{_RESET}"
    return f"\x1b[38;5;{TERMINAL_INK};48;5;{TERMINAL_COLORS[color_index(token_id)]}m{text}{_RESET}"


def write_list(
    path: str | None,
    rows: Sequence[Row],
    *,
    columns: Sequence[str],
    cells: Callable[[Row], Sequence[object]],
    as_json: bool,
    color: str,
) -> None:
    """Write dataclasses as a table or as a JSON list.

    Args:
        path: of the output, as `output_to` takes it.
        rows: dataclasses; JSON has their fields.
        columns: headings of the table.
        cells: makes the cells of a row for the table.
        as_json: whether JSON is asked for.
        color: "auto", "always" or "never".

    Raises:
        OSError.
    """
    with output_to(path) as output:
        if as_json:
            write_json_rows(output, map(asdict, rows))
        else:
            write_table(output, columns, [cells(row) for row in rows], color=uses_color(color, output))


def write_table(output: Output, columns: Sequence[str], rows: Sequence[Sequence[object]], *, color: bool) -> None:
    """Write rows under headings: aligned in a terminal, tab-separated elsewhere; None is a dash, or nothing."""
    absent = "—" if output.is_terminal else ""
    shown = [[_text_of(cell, absent) for cell in row] for row in rows]
    padded = _aligner(columns, rows, shown) if output.is_terminal else None
    separator = "\t" if padded is None else "  "
    heading = separator.join(columns if padded is None else padded(columns, columns)).rstrip()
    output.write((f"{_HEADING_STYLE}{heading}{_RESET}" if color else heading) + "\n")
    for row, texts in zip(rows, shown, strict=True):
        styled = list(map(_painted, row, texts)) if color else texts
        output.write(separator.join(styled if padded is None else padded(texts, styled)).rstrip(" ") + "\n")


def _text_of(cell: object, absent: str) -> str:
    if cell is None:
        return absent
    return plain(cell.text if isinstance(cell, Token) else str(cell))


def _painted(cell: object, text: str) -> str:
    return _box(text, cell.id) if isinstance(cell, Token) else text


def _aligner(
    columns: Sequence[str], rows: Sequence[Sequence[object]], shown: Sequence[Sequence[str]]
) -> Callable[[Sequence[str], Sequence[str]], list[str]]:
    """Return what pads the cells of a row, given as texts, to measure, and as what is written, styles included."""
    right = [all(isinstance(row[place], int | None) for row in rows) for place in range(len(columns))]
    widths = [
        max([width(heading), *(min(width(row[place]), _WIDEST_COLUMN) for row in shown)])
        for place, heading in enumerate(columns)
    ]

    def padded(texts: Sequence[str], styled: Sequence[str]) -> list[str]:
        paddings = [" " * (room - width(text)) for text, room in zip(texts, widths, strict=True)]
        cells = zip(styled, paddings, right, strict=True)
        return [padding + cell if is_number else cell + padding for cell, padding, is_number in cells]

    return padded


def write_json_rows(output: Output, rows: Iterable[object]) -> None:
    """Write a JSON list with one row a line."""
    lead = "[\n"
    for row in rows:
        output.write(lead + json_line(row).rstrip("\n"))
        lead = ",\n"
    output.write("[]\n" if lead == "[\n" else "\n]\n")


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes, as far as that can be known.

    Wide East Asian code points take two, marks and joiners none. Only for alignment, so Python's own tables will do.
    """
    if text.isascii():
        return len(text)
    return sum(_width_of(code_point) for code_point in text)


def fitted(text: str, columns: int) -> str:
    """Return the text, or its beginning and an ellipsis, in at most so many columns of a terminal.

    >>> fitted("training", 8), fitted("training", 5), fitted("中文中文", 6), fitted("training", 0)
    ('training', 'trai…', '中文…', '')
    """
    if width(text) <= columns:
        return text
    taken = 0
    for place, code_point in enumerate(text):
        taken += _width_of(code_point)
        if taken > columns - 1:
            return f"{text[:place]}…" if columns > 0 else ""
    return text


def _width_of(code_point: str) -> int:
    if unicodedata.category(code_point) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(code_point) in {"W", "F"} else 1
