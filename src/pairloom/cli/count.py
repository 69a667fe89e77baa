"""`pairloom count`: texts → word counts."""

from __future__ import annotations

import click

from pairloom.cli import options
from pairloom.cli.inputs import reads_keyboard
from pairloom.cli.outputs import STANDARD_OUTPUT, check_output, output_to, plain_lines
from pairloom.cli.progress import progress
from pairloom.cli.train import counted
from pairloom.formats.atomic import replacing
from pairloom.formats.word_counts_file import PARQUET, TSV, dumps_parquet, dumps_tsv
from pairloom.pre_tokenizer import PRE_TOKENIZERS


@options.command(
    "count",
    examples=[
        "pairloom count book.txt",
        "pairloom count chapters/*.txt -o counts.tsv && pairloom train --counts counts.tsv",
    ],
)
@options.files
@options.lowercase
@click.option(
    "--pre-tokenizer",
    type=click.Choice(PRE_TOKENIZERS),
    default=PRE_TOKENIZERS[0],
    help="Cut words at whitespace only (the default), or also where letters and punctuation meet.",
)
@click.option(
    "--to",
    "form",
    type=click.Choice([TSV, PARQUET]),
    default=TSV,
    help="The format: tsv (the default), which SentencePiece reads, too, or parquet.",
)
@options.threads("Count words with")
@options.lines("a text")
@options.output
def command(
    *,
    files: tuple[str, ...],
    lowercase: bool,
    pre_tokenizer: str,
    form: str,
    threads: int,
    lines: bool,
    output: str | None,
) -> None:
    """Count the words of texts: all that training reads.

    A line for each word, with its count, in the order of their first appearance. Whole words are written without their
    markers; pieces of words (--pre-tokenizer punctuation) with them, since only the first piece of a word has one.
    """
    if form == PARQUET and (output is None or output == STANDARD_OUTPUT):
        raise click.UsageError("Parquet is no text: -o names its file")
    check_output(output)
    with progress("counting words", quiet=reads_keyboard(files)) as line:
        table = counted(files, line, lines=lines, lowercase=lowercase, pre_tokenizer=pre_tokenizer, threads=threads)
    if form == PARQUET:
        assert output is not None
        data = dumps_parquet(table)
        with replacing(output) as file:
            file.write(data)
        return
    with output_to(output) as out:
        text = dumps_tsv(table).decode("utf-8")
        out.write(plain_lines(text) if out.is_terminal else text)
