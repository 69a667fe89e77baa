"""`pairloom import`: files of another tool → model file, with a report by line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from pairloom.cli import options
from pairloom.cli.inputs import STANDARD_INPUT, Chunk, decoded, name_of, opened
from pairloom.cli.messages import blaming, write_line
from pairloom.cli.outputs import check_output, output_to
from pairloom.formats.exchange import FORMATS, guess_format, import_files
from pairloom.formats.findings import Finding, Imported
from pairloom.formats.json_guard import read_capped
from pairloom.formats.merge_list import EncodingSettings
from pairloom.formats.model_file import dumps
from pairloom.formats.subword_nmt import STAND_IN
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.views.display import plain


@options.command(
    "import",
    examples=[
        "pairloom import tokenizer.json -o model.json",
        "pairloom import exported/vocab.json exported/merges.txt -o model.json",
        "pairloom import codes.bpe --alphabet book.txt --report report.json -o model.json",
    ],
)
@options.files
@click.option(
    "--from",
    "form",
    type=click.Choice(list(FORMATS)),
    help="The format; the names of the files say it, too, where they are the usual ones.",
)
@options.lowercase
@click.option(
    "--pre-tokenizer",
    type=click.Choice(PRE_TOKENIZERS),
    help="How the model cuts words, where the file does not say it. Without this option: whitespace.",
)
@click.option(
    "--marker/--no-marker",
    default=None,
    help="Whether words have the marker ▁, where the file does not say it. Without this option: if a token has it.",
)
@click.option(
    "--alphabet",
    "alphabet_path",
    type=options.FILE,
    metavar="TEXT",
    help="Add the characters of this file to the alphabet: merge lists name only those that they use.",
)
@click.option(
    "--end-of-word",
    default=STAND_IN,
    metavar="CHARACTER",
    help=f"What stands for </w> of subword-nmt, and is then put behind words to encode. Default: {STAND_IN}.",
)
@click.option(
    "--report", "report_path", type=options.OUTPUT, metavar="FILE", help="Write the report as JSON to FILE, too."
)
@options.output
def command(
    *,
    files: tuple[str, ...],
    form: str | None,
    lowercase: bool,
    pre_tokenizer: str | None,
    marker: bool | None,
    alphabet_path: str | None,
    end_of_word: str,
    report_path: str | None,
    output: str | None,
) -> None:
    """Read another tool's merges and write the model.

    What is found is said line by line. Errors refuse the file: parts that nothing makes, symbols with spaces, IDs that
    two tokens share. Warnings are accepted: pairs listed twice, strings made twice, merges that no text can bring to
    act. A byte-level tokenizer, as of GPT-2, is recognised and refused: its symbols are bytes, not characters.
    """
    check_output(output)
    check_output(report_path)
    form = form or guess_format(files)
    if form is None:
        which = "the names of the files do" if files else "without FILES, standard input is read: its name does"
        raise click.UsageError(f"{which} not say {'their' if files else 'its'} format: name it with --from")
    settings = _settings(lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=marker)
    imported = import_files(
        form,
        _read(form, files),
        settings=settings,
        alphabet=_alphabet(alphabet_path, lowercase=lowercase),
        end_of_word=end_of_word,
    )
    _report(imported, files, report_path)
    with blaming(name_of(files[0] if files else STANDARD_INPUT)):
        model = imported.model
    with output_to(output) as out:
        out.write(dumps(model).decode("ascii"))


def _settings(*, lowercase: bool, pre_tokenizer: str | None, marker: bool | None) -> EncodingSettings | None:
    if not lowercase and pre_tokenizer is None and marker is None:
        return None
    return EncodingSettings(lowercase, pre_tokenizer or PRE_TOKENIZERS[0], marker)


def _read(form: str, files: Sequence[str]) -> dict[str, bytes]:
    names = FORMATS[form].files
    if len(files) > 1 and len(files) != len(names):
        raise click.UsageError(f"{form} is {' and '.join(names) if names else 'one file'}, not {len(files)} files")
    if names and len(files) != len(names):
        raise click.UsageError(f"{form} is two files: {' and '.join(names)}")
    if not names:
        return {form: _bytes(files[0] if files else STANDARD_INPUT)}
    by_kind = sorted(files, key=lambda path: Path(path).suffix != ".json")  # vocab.json, then merges.txt
    return {name: _bytes(path) for name, path in zip(names, by_kind, strict=True)}


def _bytes(path: str) -> bytes:
    with opened(path, what="a model of another tool") as file:
        return read_capped(file)


def _alphabet(path: str | None, *, lowercase: bool) -> set[str]:
    if path is None:
        return set()
    with opened(path) as file:
        text = decoded(Chunk(name_of(path), file.read()))
    with blaming(name_of(path)):
        return set(normalize(text.replace("▁", " "), lowercase)) - {" "}


def _report(imported: Imported, files: Sequence[str], path: str | None) -> None:
    for finding in imported.found:
        write_line(_said(finding, files))
    if path is not None:
        with output_to(path) as out:
            out.write(json.dumps(imported.fields(), indent=1) + "\n")


def _said(finding: Finding, files: Sequence[str]) -> str:
    """Return a finding as editors jump to it: `file:line: severity: message`."""
    name = plain(name_of(files[0] if files else STANDARD_INPUT))
    if finding.file is not None:
        name = plain(
            next((path for path in files if Path(path).suffix == Path(finding.file or "").suffix), finding.file)
        )
    line = "" if finding.line is None else f":{finding.line}"
    where = "" if finding.where is None else f" {plain(finding.where)}:"
    return f"{name}{line}: {finding.severity}:{where} {finding.message} [{finding.kind}]"
