"""`pairloom normalize`: texts → normalized texts."""

from __future__ import annotations

import click

from pairloom.cli import options
from pairloom.cli.inputs import texts
from pairloom.cli.messages import blaming
from pairloom.cli.outputs import json_line, output_to
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import PRE_TOKENIZERS, pre_tokenize
from pairloom.views.display import plain


@options.command(
    "normalize",
    examples=[
        "echo '  An   Example  ' | pairloom normalize --lowercase",
        "echo 'An example.' | pairloom normalize --pre-tokens --pre-tokenizer punctuation",
    ],
)
@options.files
@options.lowercase
@click.option("--pre-tokens", is_flag=True, help="Cut the text, too: write its pre-tokens with spaces between them.")
@click.option(
    "--pre-tokenizer",
    type=click.Choice(PRE_TOKENIZERS),
    default=PRE_TOKENIZERS[0],
    help="With --pre-tokens: cut words at whitespace only (the default), or also where letters and punctuation meet.",
)
@options.lines("a text")
@options.json("one object a line for each text")
@options.output
def command(
    *,
    files: tuple[str, ...],
    lowercase: bool,
    pre_tokens: bool,
    pre_tokenizer: str,
    lines: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Show text as training and encoding see it.

    Whitespace at both ends is removed, every other run of it becomes one space, and with --lowercase capitals become
    small first. Nothing else changes; no accent is composed or decomposed. Writes a line for each text. --pre-tokens
    shows what no merge crosses: words, each with the marker ▁ in front, or pieces of them.
    """
    with output_to(output) as out:
        for text in texts(files, lines=lines):
            with blaming(text.source):
                normalized = normalize(text.text, lowercase)
            fields: dict[str, object] = {"normalized": normalized, "code_points": len(normalized)}
            shown = normalized
            if pre_tokens:
                pieces = pre_tokenize(normalized, pre_tokenizer)
                fields["pre_tokens"], shown = pieces, " ".join(pieces)
            if as_json:
                out.write(json_line(fields))
            else:
                out.write((plain(shown) if out.is_terminal else shown) + "\n")
