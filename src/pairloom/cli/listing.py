"""How lists are laid out: coloured tokens, tables for people in a terminal, tab-separated lines in a pipe."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from pairloom.cli.outputs import Output, json_line
from pairloom.views.colors import TERMINAL_COLORS, TERMINAL_INK, color_index
from pairloom.views.display import plain

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


def token_with_id(token: str, token_id: int | None, *, color: bool) -> str:
    r"""Return `token:ID` on one line, as a coloured box if asked; an unknown token has UNK in its ID's place. Rule: E3.

    >>> token_with_id("▁low", 7, color=False), token_with_id("\x1b", None, color=False)
    ('▁low:7', '\\u001b:UNK')
    """
    text = f"{plain(token)}:{UNKNOWN if token_id is None else token_id}"
    if not color:
        return text
    if token_id is None:
        return f"{_UNKNOWN_STYLE}{text}{_RESET}"
    return f"\x1b[38;5;{TERMINAL_INK};48;5;{TERMINAL_COLORS[color_index(token_id)]}m{text}{_RESET}"


def write_table(output: Output, columns: Sequence[str], rows: Sequence[Sequence[object]], *, color: bool) -> None:
    """Write rows under headings: aligned in a terminal, tab-separated elsewhere; None is a dash, or nothing."""
    if not output.is_terminal:
        output.write("\t".join(columns) + "\n")
        for row in rows:
            output.write("\t".join(["" if cell is None else plain(str(cell)) for cell in row]) + "\n")
        return
    shown = [["—" if cell is None else plain(str(cell)) for cell in row] for row in rows]
    right = [all(isinstance(row[place], int | None) for row in rows) for place in range(len(columns))]
    widths = [
        max([width(heading), *(min(width(row[place]), _WIDEST_COLUMN) for row in shown)])
        for place, heading in enumerate(columns)
    ]
    heading = _aligned(columns, widths, right)
    output.write((f"{_HEADING_STYLE}{heading}{_RESET}" if color else heading) + "\n")
    for row in shown:
        output.write(_aligned(row, widths, right) + "\n")


def write_json_rows(output: Output, rows: Iterable[object]) -> None:
    """Write a JSON list with one row a line."""
    lead = "[\n"
    for row in rows:
        output.write(lead + json_line(row).rstrip("\n"))
        lead = ",\n"
    output.write("[]\n" if lead == "[\n" else "\n]\n")


def _aligned(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    return "  ".join(_padded(cells, widths, right)).rstrip()


def _padded(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    for cell, room, is_number in zip(cells, widths, right, strict=True):
        padding = " " * (room - width(cell))
        yield padding + cell if is_number else cell + padding


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes, as far as that can be known.

    Wide East Asian code points take two, marks and joiners none. Only for alignment, so Python's own tables will do.
    """
    if text.isascii():
        return len(text)
    return sum(_width_of(code_point) for code_point in text)


def _width_of(code_point: str) -> int:
    if unicodedata.category(code_point) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(code_point) in {"W", "F"} else 1
