"""`pairloom normalize`: texts → normalized texts."""

from __future__ import annotations

from pairloom.cli import options
from pairloom.cli.inputs import texts
from pairloom.cli.messages import blaming
from pairloom.cli.outputs import json_line, output_to
from pairloom.normalizer import normalize
from pairloom.views.display import plain


@options.command("normalize", examples=["echo '  An   Example  ' | pairloom normalize --lowercase"])
@options.files
@options.lowercase
@options.lines("a text")
@options.json("one object a line for each text")
@options.output
def command(*, files: tuple[str, ...], lowercase: bool, lines: bool, as_json: bool, output: str | None) -> None:
    """Show text as training and encoding see it.

    Whitespace at both ends is removed, every other run of it becomes one space, and with --lowercase capitals become
    small first. Nothing else changes; no accent is composed or decomposed. Writes a line for each text.
    """
    with output_to(output) as out:
        for text in texts(files, lines=lines):
            with blaming(text.source):
                normalized = normalize(text.text, lowercase)
            if as_json:
                out.write(json_line({"normalized": normalized, "code_points": len(normalized)}))
            else:
                out.write((plain(normalized) if out.is_terminal else normalized) + "\n")
