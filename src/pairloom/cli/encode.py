"""`pairloom encode`: texts + model → tokens and their IDs."""

from __future__ import annotations

from typing import Any

import click

from pairloom.cli import options
from pairloom.cli.inputs import reads_keyboard, texts
from pairloom.cli.listing import UNKNOWN, token_with_id, uses_color
from pairloom.cli.messages import blaming
from pairloom.cli.models import model_beside
from pairloom.cli.outputs import Output, json_line, output_to
from pairloom.cli.progress import progress
from pairloom.encoder import Encoding
from pairloom.views.display import plain
from pairloom.views.rounding import hundredths


@options.command(
    "encode",
    examples=[
        "echo 'lower slow' | pairloom encode -m model.json",
        "echo 'lower slow' | pairloom encode -m model.json --json",
        "pairloom encode -m model.json --prefix 2 --lines names.txt",
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
    color: str,
    output: str | None,
) -> None:
    """Cut text into tokens and look up their IDs.

    Each word starts as its characters; then pairs are merged in the order in which training learned them. A character
    that the model never saw stays a token of its own without an ID: UNK stands in its place, null in JSON.
    """
    if as_json and as_ids:
        raise click.UsageError("--json and --ids exclude each other")
    model = model_beside(files, model_path)
    prefix = model.check_prefix(prefix)
    with output_to(output) as out, progress("encoding", quiet=out.is_terminal or reads_keyboard(files)) as line:
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
                out.write(_ids_line(encoding))
            else:
                _write_tokens(out, encoding, color=in_color)


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


def _ids_line(encoding: Encoding) -> str:
    return " ".join([UNKNOWN if token_id is None else str(token_id) for token_id in encoding.ids]) + "\n"


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
