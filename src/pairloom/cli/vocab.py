"""`pairloom vocab`: the vocabulary of a model."""

from __future__ import annotations

from pairloom.cli import options
from pairloom.cli.listing import Token, write_list
from pairloom.cli.models import model_of
from pairloom.views.tables import VocabularyRow, vocabulary_rows

COLUMNS = ("ID", "token", "kind", "rank", "active")


@options.command(
    "vocab",
    examples=[
        "pairloom vocab -m model.json --prefix 2",
        "pairloom vocab -m model.json --token ▁low --json",
    ],
)
@options.model_or_input
@options.prefix("Say which tokens can occur with the first N merges.")
@options.rows("ID", "Only this token, such as ▁low.")
@options.json("a list of objects, one a line")
@options.color
@options.output
def command(
    *,
    model_path: str,
    prefix: int | None,
    start: int,
    count: int | None,
    token: str | None,
    as_json: bool,
    color: str,
    output: str | None,
) -> None:
    """List the tokens and their IDs.

    First the base alphabet, every single character of the corpus, then what the merges made, in order. The list is
    always the whole vocabulary; with --prefix it says of each token whether it can occur yet.
    """
    model = model_of(model_path)
    rows = vocabulary_rows(model, start, count if token is None else None, prefix=prefix)
    if token is not None:
        rows = tuple([row for row in rows if row.token == token][:count])
    write_list(output, rows, columns=COLUMNS, cells=_cells, as_json=as_json, color=color)


def _cells(row: VocabularyRow) -> tuple[object, ...]:
    return (row.id, Token(row.token, row.id), row.kind, row.rank, "yes" if row.active else "no")
