"""Pieces of HTML that are safe in any notebook: every text escaped and isolated, styles in place, never a script.

Notebooks of strangers are shown without their style sheets, so each element brings its own style; where that is taken
away, too, tables and words are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from pairloom.views.colors import PAPER_COLORS, PAPER_INK, color_index
from pairloom.views.display import plain, visible

LONGEST = 40
"""Code points of a token that are shown; of a longer one the ends, and how many there are."""

_MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_BOX = f"font-family:{_MONO};border-radius:3px;padding:1px 4px;white-space:pre-wrap;overflow-wrap:anywhere"
_ESCAPE = "font-size:85%;border:1px dotted;border-radius:2px;padding:0 1px"
_UNKNOWN = "outline:2px dashed #a3231c;outline-offset:-2px;background:#fdecea;color:#a3231c"
_CELL = "padding:1px 8px"
_NUMBER = "text-align:right;font-variant-numeric:tabular-nums"


def shown(text: str) -> str:
    """Return any text as HTML that only shows it: escaped, isolated, controls written out (N9), a long one by its ends.

    >>> shown("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    if len(text) > LONGEST:
        end = LONGEST // 4
        note = f"<small>… {len(text):,} code points in all …</small>"
        return f"<bdi>{_spans(text[: LONGEST - end])}{note}{_spans(text[-end:])}</bdi>"
    return f"<bdi>{_spans(text)}</bdi>"


def told(text: str) -> str:
    """Return any text as plain text in which nothing acts: what is invisible is written out; a long one by its ends."""
    if len(text) > LONGEST:
        end = LONGEST // 4
        return f"{plain(text[: LONGEST - end])} … {len(text):,} code points in all … {plain(text[-end:])}"
    return plain(text)


def _spans(text: str) -> str:
    parts = []
    for span in visible(text):
        words = escape(span.text)
        parts.append(f'<samp style="{_ESCAPE}">{words}</samp>' if span.kind == "escape" else words)
    return "".join(parts)


def box(token: str, token_id: int | None, *, with_id: bool = False) -> str:
    """Return a token as a box in the colour of its ID (S5); one without an ID looks otherwise and says UNK (E3)."""
    if token_id is None:
        style, number = _UNKNOWN, "UNK"
    else:
        style, number = f"background:{PAPER_COLORS[color_index(token_id)]};color:{PAPER_INK}", str(token_id)
    below = f'<br><small style="font-family:sans-serif">{number}</small>' if with_id or token_id is None else ""
    placed = "display:inline-block;text-align:center;line-height:1.25;margin:1px;vertical-align:top;" if below else ""
    return f'<span style="{placed}{_BOX};{style}">{shown(token)}{below}</span>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: frozenset[int] = frozenset()) -> str:
    """Return a table.

    Args:
        head: names of the columns, as text.
        rows: cells, as HTML.
        numbers: places of the columns that hold numbers.
    """

    def style(place: int) -> str:
        return f"{_CELL};{_NUMBER if place in numbers else 'text-align:left'}"

    top = "".join(f'<th scope="col" style="{style(place)}">{escape(name)}</th>' for place, name in enumerate(head))
    body = "".join(f"<tr>{_cells(row, style)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[str], style: Callable[[int], str]) -> str:
    return "".join(f'<td style="{style(place)}">{cell}</td>' for place, cell in enumerate(row))


def note(words: str) -> str:
    """Return a line of small print from plain words."""
    return f'<p style="margin:4px 0;font-size:90%">{escape(words)}</p>'


def whole(*parts: str) -> str:
    """Return the parts as one piece of a notebook."""
    return f'<div class="pairloom">{"".join(parts)}</div>'


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: frozenset[int] = frozenset()) -> str:
    """Return a table as plain text with aligned columns."""
    lines = [tuple(head), *map(tuple, rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]

    def line_of(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if place in numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return "\n".join(map(line_of, lines))
