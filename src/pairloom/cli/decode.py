"""`pairloom decode`: token IDs + model → normalized text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from pairloom.cli import options
from pairloom.cli.inputs import STANDARD_INPUT, chunks, decoded, name_of, opened, reads_keyboard
from pairloom.cli.messages import InputError, InSourceError, blaming
from pairloom.cli.models import model_beside
from pairloom.cli.outputs import output_to, plain_lines
from pairloom.cli.progress import progress
from pairloom.formats.id_files import FORMS, read_ids
from pairloom.formats.json_guard import JsonRefusedError, read_json_values
from pairloom.unicode_data import WHITESPACE
from pairloom.views.display import plain

# Nothing that int() alone would take as well: no underscores, no digits of other scripts.
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,19}\Z")
# Separated by whitespace as everywhere (N4); `str.split` has other ideas of it.
_WORD = re.compile(f"[^{WHITESPACE}]+")


@options.command(
    "decode",
    examples=[
        "echo 'lower  wool' | pairloom encode -m model.json --json | pairloom decode -m model.json",
        "echo 8 0 3 | pairloom decode -m model.json",
        "pairloom decode -m model.json --format npy ids.npy",
    ],
)
@options.model
@options.files
@options.lines("the IDs of a text")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Read binary numbers, as encode --format writes them; each file is one text, of any length.",
)
@options.output
def command(*, model_path: str, files: tuple[str, ...], lines: bool, form: str | None, output: str | None) -> None:
    """Turn token IDs back into text.

    Reads what encode --json writes, JSON lists of IDs, or IDs separated by whitespace; writes a line for each text. It
    is the normalized text: the original whitespace and capitals are not in the IDs. An unknown token (null) has no ID
    and is refused.
    """
    if form is not None and lines:
        raise click.UsageError("--format and --lines exclude each other: binary numbers have no lines")
    model = model_beside(files, model_path)
    with output_to(output) as out, progress("decoding", quiet=out.is_terminal or reads_keyboard(files)):
        if form is not None:
            for path in files or (STANDARD_INPUT,):
                with opened(path, what="binary numbers") as file, blaming(name_of(path)):
                    for text in model.decode_blocks(read_ids(file, form)):
                        out.write(plain_lines(text) if out.is_terminal else text)
                out.write("\n")
            return
        for ids in _all_ids(files, lines=lines):
            with blaming(ids.source):
                text = model.decode(ids.ids)
            out.write((plain(text) if out.is_terminal else text) + "\n")


@dataclass(frozen=True, slots=True)
class _Ids:
    """What was given as the IDs of one text; `Model.decode` says what is none."""

    source: str
    ids: list[Any]


def _all_ids(files: Sequence[str], *, lines: bool) -> Iterator[_Ids]:
    """Yield the IDs of each text: JSON values one after the other, or the numbers of one text; nothing is no text."""
    for chunk in chunks(files, lines=lines):
        text = decoded(chunk)
        bare = text.strip(WHITESPACE)
        if bare.startswith(("{", "[")):
            # More is whitespace here than in JSON, a byte order mark above all. Blanks keep the place of what follows.
            blanks = re.sub(r"[^\n]", " ", text[: text.index(bare)])
            yield from _ids_of_json(blanks + bare, source=chunk.source)
        elif text or lines:
            words = _WORD.findall(bare)
            yield _Ids(chunk.source, [int(word) if _WHOLE_NUMBER.match(word) else word for word in words])


def _ids_of_json(text: str, *, source: str) -> Iterator[_Ids]:
    advice = "give what encode --json writes"
    try:
        for number, value in enumerate(read_json_values(text.encode(), max_bytes=None), start=1):
            here = source if number == 1 else f"{source}, text {number}"
            ids = value.get("ids") if isinstance(value, dict) else value
            if not isinstance(ids, list):
                raise InSourceError(source=here, error=InputError(reason=f"no list of IDs; {advice}"))
            yield _Ids(here, ids)
    except JsonRefusedError as error:
        raise InSourceError(source=source, error=InputError(reason=f"{error}; {advice}")) from None
