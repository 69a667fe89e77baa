"""`pairloom encode-dataset`: files of texts → Parquet with a list of IDs a row."""

from __future__ import annotations

import click

from pairloom.cli import options
from pairloom.cli.corpora import engine_of, engine_options, input_options, reporting
from pairloom.cli.messages import write_line
from pairloom.cli.models import model_of
from pairloom.cli.progress import progress


@options.command(
    "encode-dataset",
    examples=[
        "pairloom encode-dataset -m model.json 'chapters/*.txt' -o encoded",
        "pairloom encode-dataset -m model.json names.txt --workers 2 --ids-column tokens -o encoded-names",
    ],
)
@click.argument("files", nargs=-1, type=options.FILE, metavar="FILES...", required=True)
@options.model
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FOLDER",
    help="The folder for the files, at any address that all workers reach.",
)
@input_options
@click.option("--ids-column", default="ids", metavar="NAME", help="The new column. Default: ids.")
@options.prefix("Encode with the first N merges.")
@click.option(
    "--on-bad-text",
    type=click.Choice(["raise", "null"]),
    default="raise",
    help="A row whose text cannot be taken: raise (the default) stops, null stands in the place of its IDs.",
)
@engine_options(work_dir=False)
def command(
    *,
    files: tuple[str, ...],
    model_path: str,
    output: str,
    column: str | None,
    form_of_input: str | None,
    max_expansion: int | None,
    ids_column: str,
    prefix: int | None,
    on_bad_text: str,
    workers: int | None,
    ray: str | None,
    resume: bool,
) -> None:
    """Encode many files into Parquet with a list of IDs a row.

    FILES are Parquet, JSON lines or lines of plain text. All columns and the order of the rows are kept. IDs take 16
    bits, or 32 for more than 65,536 tokens; an unknown token is a null in its list. Each file, or each 64 MB of one,
    gives one file in FOLDER, the same to the byte for any number of workers; the fingerprint of the model stands in
    their metadata.
    """
    from pairloom.corpus.encoding import Encoded, encode

    model = model_of(model_path)
    with progress("encoding", quiet=False) as line, engine_of(ray, workers) as engine:
        encoded = encode(
            files,
            model,
            column="text" if column is None else column,
            ids_column=ids_column,
            output=output,
            prefix=prefix,
            format=form_of_input,
            resume=resume,
            on_bad_text=on_bad_text,
            max_expansion=200 if max_expansion is None else max_expansion,
            on_progress=reporting(line),
            **engine,
        )
        assert isinstance(encoded, Encoded)
    write_line(_summary(encoded))


def _summary(encoded: object) -> str:
    from pairloom.corpus.encoding import Encoded

    assert isinstance(encoded, Encoded)
    parts = "1 file" if len(encoded.parts) == 1 else f"{len(encoded.parts):,} files"
    text = f"{encoded.rows:,} rows, {encoded.tokens:,} tokens in {parts}"
    if encoded.unknown:
        text += f"; {encoded.unknown:,} unknown tokens are null"
    return text + (f"; {encoded.null_rows:,} rows have no list" if encoded.null_rows else "")
