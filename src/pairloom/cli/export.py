"""`pairloom export`: model → the format of another tool."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from pairloom.cli import options
from pairloom.cli.inputs import STANDARD_INPUT, Text, texts
from pairloom.cli.messages import write_line
from pairloom.cli.models import model_of
from pairloom.cli.outputs import STANDARD_OUTPUT, check_output, output_to, plain_lines
from pairloom.formats.atomic import check_replaceable, replacing
from pairloom.formats.csv_table import BOM
from pairloom.formats.exchange import FORMATS, export_files
from pairloom.formats.subword_nmt import NAME as SUBWORD_NMT
from pairloom.formats.verifying import Disagreement, disagreements
from pairloom.model import Model
from pairloom.views.display import plain


def _files_in_a_folder(given: dict[str, Any]) -> list[str]:
    """Return the files that a format of several files has in the folder of -o."""
    output = given["output"]
    if output is None or output == STANDARD_OUTPUT:
        return []
    return [str(Path(output) / name) for name in FORMATS[given["form"]].files]


@options.command(
    "export",
    examples=[
        "pairloom export -m model.json --to tokenizer.json -o tokenizer.json",
        "pairloom export -m model.json --to subword-nmt -o codes.bpe --verify names.txt",
        "pairloom export -m model.json --to vocab-merges -o exported",
        "pairloom export -m model.json --to trace.csv",
    ],
    also_writes=_files_in_a_folder,
)
@options.model_or_input
@click.option(
    "--to",
    "form",
    type=click.Choice(list(FORMATS)),
    required=True,
    help="The format: for Hugging Face tokenizers in one file or in two (vocab.json and merges.txt), for subword-nmt, "
    "or every round of the training as JSON or CSV.",
)
@options.prefix("Export the first N merges.")
@click.option(
    "--verify",
    "verified",
    type=options.FILE,
    multiple=True,
    metavar="TEXTS",
    help="Let the other tool encode this file, too, and name each text that it encodes otherwise; may be given "
    "several times. Needs the tool's library.",
)
@options.lines("a text to verify")
@options.output
def command(
    *, model_path: str, form: str, prefix: int | None, verified: tuple[str, ...], lines: bool, output: str | None
) -> None:
    """Write a model for another tool to read.

    Token IDs stay ours wherever a format has IDs. What the format cannot carry is said on standard error, a line for
    each; --verify finds the texts that it concerns. vocab-merges are two files in the folder that -o names.
    """
    if form == "vocab-merges" and (output is None or output == STANDARD_OUTPUT):
        raise click.UsageError("vocab-merges are two files: -o names their folder")
    if verified and not _can_verify(form):
        raise click.UsageError(f"no other tool encodes with {form}: there is nothing to verify")
    if STANDARD_INPUT in verified and model_path == STANDARD_INPUT:
        raise click.UsageError("standard input cannot be both the model and the texts to verify")
    if form != "vocab-merges":
        check_output(output)
    model = model_of(model_path)
    model = _beginning(model, model.check_prefix(prefix))
    data = export_files(model, form)
    found = _verified(model, form, data, list(texts(verified, lines=lines))) if verified else 0
    for limit in FORMATS[form].limits(model):
        write_line(f"{form}: {plain(limit)}")
    _write(data, form, output)
    if found:
        raise click.exceptions.Exit(1)


def _can_verify(form: str) -> bool:
    return not form.startswith("trace")


def _beginning(model: Model, prefix: int) -> Model:
    """Return the model of the first merges, the model itself if these are all."""
    if prefix == len(model.merges):
        return model
    return Model.from_merges(
        model.alphabet,
        [(merge.left, merge.right) for merge in model.merges[:prefix]],
        lowercase=model.lowercase,
        pre_tokenizer=model.pre_tokenizer,
        marker=model.marker,
    )


def _verified(model: Model, form: str, data: Mapping[str, bytes], given: list[Text]) -> int:
    """Say which texts the other tool encodes otherwise, and return how many there are."""
    count = 0
    for found in disagreements(model, form, data, (text.text for text in given)):
        count += 1
        write_line(f"{plain(given[found.text].source)}: {_said(found)}")
    write_line(f"verified {len(given):,} texts: {'none' if not count else f'{count:,}'} encoded otherwise")
    return count


def _said(found: Disagreement) -> str:
    if found.reason == "refused":
        return "holds a literal ▁, which we refuse (N8)"
    ours, theirs = (_token(token) for token in (found.ours, found.theirs))
    why = " (unknown here, E3)" if found.reason == "unknown" else ""
    return f"token {found.place}: {ours} here, {theirs} there{why}"


def _token(token: tuple[str, int | None] | None) -> str:
    if token is None:
        return "no token"
    text, token_id = token
    return plain(text) if token_id is None else f"{plain(text)}:{token_id}"


def _write(data: Mapping[str, bytes], form: str, output: str | None) -> None:
    if not FORMATS[form].files:
        with output_to(output) as out:
            # JSON in ASCII is safe as it is, and CSV without the mark that only spreadsheets need.
            text = (data[form].removeprefix(BOM) if out.is_terminal else data[form]).decode("utf-8")
            out.write(plain_lines(text) if out.is_terminal and form == SUBWORD_NMT else text)
        return
    assert output is not None
    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), output)
    folder.mkdir(exist_ok=True)
    for path in _paths(folder, data):
        check_replaceable(path)
    for path, content in zip(_paths(folder, data), data.values(), strict=True):
        with replacing(path) as file:
            file.write(content)


def _paths(folder: Path, data: Mapping[str, bytes]) -> Iterator[Path]:
    return (folder / name for name in data)
