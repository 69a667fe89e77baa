"""`pairloom count`: texts → word counts."""

from __future__ import annotations

import json
from typing import Any

import click

from pairloom.cli import options
from pairloom.cli.corpora import CorpusRequest, corpus_options, named_files, tell_what_was_left_out
from pairloom.cli.inputs import reads_keyboard
from pairloom.cli.outputs import STANDARD_OUTPUT, check_output, output_to, plain_lines
from pairloom.cli.progress import progress
from pairloom.cli.train import counted
from pairloom.formats.atomic import replacing
from pairloom.formats.word_counts_file import PARQUET, TSV, dumps_parquet, dumps_tsv
from pairloom.pre_tokenizer import PRE_TOKENIZERS


def _manifest_of(output: str) -> str:
    return f"{output}.manifest.json"


def _manifests(given: dict[str, Any]) -> list[str]:
    """Return the file that appears beside that of -o."""
    output = given["output"]
    is_one = CorpusRequest.taken_from(given["files"], dict(given)).is_one
    return [_manifest_of(output)] if is_one and output not in (None, STANDARD_OUTPUT) else []


@options.command(
    "count",
    examples=[
        "pairloom count book.txt",
        "pairloom count chapters/*.txt -o counts.tsv && pairloom train --counts counts.tsv",
        "pairloom count 'chapters/*.txt' --workers 2 --to parquet -o counts.parquet",
    ],
    also_reads=named_files,
    also_writes=_manifests,
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
@corpus_options
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
    **corpus: Any,
) -> None:
    """Count the words of texts: all that training reads.

    A line for each word, with its count, in the order of their first appearance. Whole words are written without their
    markers; pieces of words (--pre-tokenizer punctuation) with them, since only the first piece of a word has one.

    With an option from --workers to --sample, or a pattern, an address, JSON lines, Parquet or a compressed file among
    FILES, they are counted as a corpus: in parts, in bounded memory, and written in an order that does not depend on
    how. Beside the file of -o stands a manifest then.
    """
    request = CorpusRequest.taken_from(files, corpus)
    if form == PARQUET and (output is None or output == STANDARD_OUTPUT):
        raise click.UsageError("Parquet is no text: -o names its file")
    check_output(output)
    if request.is_one:
        request.check(lines=lines, threads=threads)
        if output is not None and output != STANDARD_OUTPUT:
            check_output(_manifest_of(output))
        _count_corpus(request, form, output, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
        return
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


def _count_corpus(
    request: CorpusRequest, form: str, output: str | None, *, lowercase: bool, pre_tokenizer: str
) -> None:
    from pairloom.corpus.table import batches_of, tsv_of, write_table

    with (
        progress("counting words", quiet=False) as line,
        request.counted(line, lowercase=lowercase, pre_tokenizer=pre_tokenizer) as (manifest, folder),
    ):
        line.status = "writing the table"
        if output is None or output == STANDARD_OUTPUT:
            with output_to(output) as out:
                for batch in batches_of(manifest.parts, folder):
                    text = str(tsv_of(batch), "utf-8")
                    out.write(plain_lines(text) if out.is_terminal else text)
        else:
            with replacing(output) as file:
                write_table(manifest, folder, file, form=form)
            with replacing(_manifest_of(output)) as file:
                file.write(json.dumps(manifest.as_json(), indent=1).encode("ascii") + b"\n")
        tell_what_was_left_out(manifest, line)
