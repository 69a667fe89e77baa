"""Merges, vocabulary, tokens and pairs as tables that any data-frame library takes, without needing one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn, Protocol

from pairloom.encoder import Encoding
from pairloom.history import History
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.notebook.displays import Bundle, bundle
from pairloom.notebook.markup import note, shown, table, text_table, told, whole
from pairloom.views.tables import vocabulary_rows

FIRST, LAST = 20, 5
"""Rows of a table that are shown from either end."""


class _Printer(Protocol):
    """What IPython hands to `_repr_pretty_`."""

    def text(self, words: str) -> None: ...


class Table(dict[str, list[object]]):
    """Columns by name, all of one length: `pandas.DataFrame(table)` and `polars.DataFrame(table)` take it as it is.

    So do `pyarrow.table(table)` and whatever else takes a dict of lists. Columns do not change once they are made;
    `dict(table)` is a copy that may. `len()` is the number of columns, as of any dict; `rows` that of the rows.

    >>> from pairloom import train
    >>> table = merges(train("low low lower"))
    >>> table["result"], table.rows
    (['lo', 'low', '▁low'], 3)
    """

    def __init__(self, columns: Mapping[str, Sequence[object]]) -> None:
        super().__init__({name: list(values) for name, values in columns.items()})
        if len({len(values) for values in self.values()}) > 1:
            raise ValueError(f"columns of one length are needed, not {[len(values) for values in self.values()]}")

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.values()), []))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a table does not change: dict(table) is a copy that may")

    __setitem__ = __delitem__ = pop = popitem = clear = update = setdefault = _refuse

    def __repr__(self) -> str:
        return f"<Table: {self.rows:,} rows of {', '.join(self)}>"

    def _repr_pretty_(self, printer: _Printer, cycle: bool) -> None:  # noqa: ARG002, FBT001  # the protocol's
        # IPython has a way of its own to print a dict, which it prefers to the twin below.
        printer.text(self._repr_mimebundle_()["text/plain"])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:  # noqa: ARG002  # the protocol's
        numbers = frozenset(
            place
            for place, values in enumerate(self.values())
            if any(isinstance(each, int) and not isinstance(each, bool) for each in values[:FIRST])
        )
        between = max(self.rows - FIRST - LAST, 0)
        chosen = range(self.rows) if not between else (*range(FIRST), *range(self.rows - LAST, self.rows))
        columns = list(self.values())
        html_rows = [[_cell(column[row]) for column in columns] for row in chosen]
        text_rows = [[_told(column[row]) for column in columns] for row in chosen]
        words = f"{self.rows:,} row{'' if self.rows == 1 else 's'}"
        gap = f"… {between:,} more …"
        if between:
            html_rows.insert(FIRST, [gap, *[""] * (len(columns) - 1)])
        lines = text_table(list(self), text_rows, numbers=numbers).split("\n")
        if between:
            lines.insert(1 + FIRST, gap)
        return bundle(whole(table(list(self), html_rows, numbers=numbers), note(words)), "\n".join([*lines, words]))


def _cell(value: object) -> str:
    return shown(value) if isinstance(value, str) else _told(value)


def _told(value: object) -> str:
    if isinstance(value, str):
        return told(value)
    return "—" if value is None else str(value)


def merges(model: Model) -> Table:
    """Return the merges of a model, a row each: what a merge records (T6), named as there.

    `frequency`, `replacements` and `corpus_tokens` are None throughout for an imported model.
    """
    return Table({name: [getattr(merge, name) for merge in model.merges] for name in Merge.__match_args__})


def vocabulary(model: Model, prefix: int | None = None) -> Table:
    """Return the vocabulary, the full one, a row an ID: `id`, `token`, `kind`, `rank`, `active`. Rules: V1, V3.

    Args:
        model: any model.
        prefix: active merges, all if None; it decides `active` alone.

    Raises:
        PrefixError.
    """
    rows = vocabulary_rows(model, prefix=prefix)
    return Table({name: [getattr(row, name) for row in rows] for name in ("id", "token", "kind", "rank", "active")})


def tokens(encoding: Encoding) -> Table:
    """Return the tokens of an encoding, a row each: `token`, `id` (None if unknown), `start`, `end` (E3, E8)."""
    return Table(
        {
            "token": encoding.tokens,
            "id": encoding.ids,
            "start": [start for start, _ in encoding.offsets],
            "end": [end for _, end in encoding.offsets],
        }
    )


def pairs(history: History, prefix: int | None = None) -> Table:
    """Return all pairs of the corpus at a prefix: `left`, `right`, `frequency`, most frequent first, in T4's order.

    Args:
        history: what a training went through.
        prefix: merges made, all if None.

    Raises:
        PrefixError.
    """
    counted = history.top_pairs(prefix, limit=len(history.pair_counts(prefix)))
    return Table(
        {
            "left": [left for (left, _), _ in counted],
            "right": [right for (_, right), _ in counted],
            "frequency": [frequency for _, frequency in counted],
        }
    )
