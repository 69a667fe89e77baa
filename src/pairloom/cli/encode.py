"""`pairloom encode`: texts + model → tokens and their IDs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from pairloom.cli import options
from pairloom.cli.encoded import Piece, pieces
from pairloom.cli.inputs import reads_keyboard, texts
from pairloom.cli.listing import UNKNOWN, token_with_id, uses_color
from pairloom.cli.messages import blaming
from pairloom.cli.models import model_beside
from pairloom.cli.outputs import STANDARD_OUTPUT, Output, json_line, output_to
from pairloom.cli.progress import progress
from pairloom.encoder import Encoding
from pairloom.formats.id_files import FORMS, NPY, IdWriter
from pairloom.views.display import plain
from pairloom.views.rounding import hundredths

_NPY_NEEDS = "npy needs a file, whose beginning says how many IDs there are: -o names it"


@options.command(
    "encode",
    examples=[
        "echo 'lower slow' | pairloom encode -m model.json",
        "echo 'lower slow' | pairloom encode -m model.json --json",
        "pairloom encode -m model.json --prefix 2 --lines names.txt",
        "pairloom encode -m model.json --format npy -o ids.npy names.txt",
    ],
)
@options.model
@options.files
@options.prefix("Encode with the first N merges.")
@click.option(
    "--unknown",
    type=click.Choice(["show", "error"]),
    default="show",
    help="Characters that the model does not know: show them without an ID (the default), or end with an error.",
)
@options.lines("a text")
@options.json("one object a line for each text")
@click.option("--ids", "as_ids", is_flag=True, help="Write the IDs alone, as decode reads them.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Write the IDs alone, as binary numbers: u16 or u32, of two or four bytes, or npy, numpy's format. Texts "
    "follow each other.",
)
@click.option(
    "--unknown-id",
    type=options.WholeNumber(0, 2**32 - 1),
    metavar="N",
    help="The number that --format writes for a character without an ID, no token's own. Default: it is an error.",
)
@options.threads("Encode with")
@options.color
@options.output
def command(
    *,
    model_path: str,
    files: tuple[str, ...],
    prefix: int | None,
    unknown: str,
    lines: bool,
    as_json: bool,
    as_ids: bool,
    form: str | None,
    unknown_id: int | None,
    threads: int,
    color: str,
    output: str | None,
) -> None:
    """Cut text into tokens and look up their IDs.

    Each word starts as its characters; then pairs are merged in the order in which training learned them. A character
    that the model never saw stays a token of its own without an ID: UNK stands in its place, null in JSON.

    Long texts are read and written in parts; only --json, and the terminal, need a whole text at a time.
    """
    _check(form, unknown_id, as_json=as_json, as_ids=as_ids, output=output)
    model = model_beside(files, model_path)
    prefix = model.check_prefix(prefix)
    with output_to(output) as out, progress("encoding", quiet=out.is_terminal or reads_keyboard(files)) as line:
        if form is not None and out.is_terminal:
            raise click.UsageError("binary numbers are nothing for a terminal: -o names a file")
        if form == NPY and not out.file.seekable():
            raise click.UsageError(_NPY_NEEDS)
        if as_json or out.is_terminal:
            in_color = uses_color(color, out)
            for text in texts(files, lines=lines):
                line.status = f"encoding {plain(text.source)}"
                with blaming(text.source):
                    encoding = model.encode(text.text, prefix)
                    if unknown == "error":
                        encoding.known_ids()
                if as_json:
                    out.write(json_line(_fields(encoding)))
                elif as_ids:
                    out.write(_ids_line(encoding.ids) + "\n")
                else:
                    _write_tokens(out, encoding, color=in_color)
            return
        parts = pieces(
            model,
            files,
            prefix=prefix,
            lines=lines,
            threads=threads,
            needs_ids=unknown == "error" or (form is not None and unknown_id is None),
            say=lambda status: setattr(line, "status", status),
        )
        if form is not None:
            writer = IdWriter(out.file, form, vocabulary_size=len(model.vocabulary), unknown=unknown_id)
            for piece in parts:
                writer.write(piece.ids)
            writer.close()
            return
        for piece in parts:
            _write_piece(out, piece, as_ids=as_ids, color=uses_color(color, out))


def _check(form: str | None, unknown_id: int | None, *, as_json: bool, as_ids: bool, output: str | None) -> None:
    """Raise click.UsageError for options that exclude each other."""
    chosen = [name for name, given in (("--json", as_json), ("--ids", as_ids), ("--format", form)) if given]
    if len(chosen) > 1:
        raise click.UsageError(f"{chosen[0]} and {chosen[1]} exclude each other")
    if unknown_id is not None and form is None:
        raise click.UsageError("--unknown-id is for --format: text says UNK")
    if form == NPY and (output is None or output == STANDARD_OUTPUT):
        raise click.UsageError(_NPY_NEEDS)


def _write_piece(out: Output, piece: Piece, *, as_ids: bool, color: bool) -> None:
    """Write a part of a text, or some whole ones, each on a line of its own."""
    if as_ids:
        shown = [_ids_line(ids) for ids in piece.ids.lists()]
    else:
        begin = 0
        tokens = piece.ids.tokens()
        known = {pair: token_with_id(*pair, color=color) for pair in {*zip(tokens, piece.ids, strict=True)}}
        every = [known[pair] for pair in zip(tokens, piece.ids, strict=True)]
        shown = []
        for end in piece.ids.ends:
            shown.append(" ".join(every[begin:end]))
            begin = end
    text = "\n".join(shown)
    # The parts of a text are parted by the space that stands between tokens.
    before = " " if piece.goes_on and text else ""
    out.write(before + text + ("\n" if piece.is_end else ""))


def _fields(encoding: Encoding) -> dict[str, Any]:
    """Return the fields of an encoding under the names that the library gives them."""
    return {
        "tokens": encoding.tokens,
        "ids": encoding.ids,
        "offsets": encoding.offsets,
        "normalized": encoding.normalized,
        "code_points": encoding.code_points,
        "unknown_count": encoding.unknown_count,
        "code_points_per_token": encoding.code_points_per_token,
    }


def _ids_line(ids: Iterable[int | None]) -> str:
    return " ".join([UNKNOWN if token_id is None else str(token_id) for token_id in ids])


def _write_tokens(out: Output, encoding: Encoding, *, color: bool) -> None:
    pairs = zip(encoding.tokens, encoding.ids, strict=True)
    out.write(" ".join([token_with_id(token, token_id, color=color) for token, token_id in pairs]) + "\n")
    if out.is_terminal:
        out.write(f"{_summary(encoding)}\n")


def _summary(encoding: Encoding) -> str:
    """Return the counts of an encoding in words. Rules: E5, E6, W9."""
    count = len(encoding.tokens)
    ratio = "{}.{:02}".format(*divmod(hundredths(encoding.code_points, count), 100)) if count else "—"
    parts = [
        f"{count:,} token{'' if count == 1 else 's'}",
        f"{encoding.code_points:,} code point{'' if encoding.code_points == 1 else 's'}",
        f"code points per token: {ratio}",
    ]
    if encoding.unknown_count:
        pairs = zip(encoding.tokens, encoding.ids, strict=True)
        unknown = dict.fromkeys(token for token, token_id in pairs if token_id is None)
        parts.append(f"{encoding.unknown_count:,} unknown: {' '.join(map(plain, unknown))}")
    return ", ".join(parts)
