"""`pairloom merges`: the merge table of a model."""

from __future__ import annotations

from functools import partial

import click

from pairloom.cli import options
from pairloom.cli.listing import Token, write_list
from pairloom.cli.models import model_of
from pairloom.cli.outputs import output_to
from pairloom.formats.csv_table import BOM, merges_csv
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.views.tables import merge_rows, ranks_of_result

COLUMNS = ("rank", "left", "right", "result", "frequency", "replacements", "corpus tokens", "ID", "new")


@options.command(
    "merges",
    examples=[
        "pairloom merges -m model.json --count 20",
        "pairloom merges -m model.json --token ▁low",
        "pairloom merges -m model.json --csv -o merges.csv",
        "printf 'low low lower' | pairloom train | pairloom merges",
    ],
)
@options.model_or_input
@options.rows("rank", "Only merges that make this token, such as ▁low.")
@options.json("a list of objects, one a line")
@click.option("--csv", "as_csv", is_flag=True, help="Write CSV that no spreadsheet executes.")
@options.color
@options.output
def command(
    *,
    model_path: str,
    start: int,
    count: int | None,
    token: str | None,
    as_json: bool,
    as_csv: bool,
    color: str,
    output: str | None,
) -> None:
    """List what was learned, merge by merge.

    Frequency is the number of places where the pair stood, overlaps counted; replacements is how many of them became
    one symbol; corpus tokens is what the corpus had left after that. An imported model does not know the three.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other: choose one.")
    model = model_of(model_path)
    if token is None:
        merges = merge_rows(model, start, count)
    else:
        ranks = [rank for rank in ranks_of_result(model, token) if rank >= start]
        merges = tuple([model.merges[rank] for rank in ranks[:count]])
    if as_csv:
        with output_to(output) as out:
            for portion in merges_csv(merges):
                # A spreadsheet needs the byte order mark; a terminal does not know what to do with it.
                out.write((portion.removeprefix(BOM) if out.is_terminal else portion).decode())
        return
    write_list(output, merges, columns=COLUMNS, cells=partial(_cells, model), as_json=as_json, color=color)


def _cells(model: Model, merge: Merge) -> tuple[object, ...]:
    tokens = [Token(text, model.token_id(text)) for text in (merge.left, merge.right, merge.result)]
    numbers = (merge.frequency, merge.replacements, merge.corpus_tokens, merge.id)
    return (merge.rank, *tokens, *numbers, "new" if merge.is_new else "reused")
