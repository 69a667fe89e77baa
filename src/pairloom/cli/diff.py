"""`pairloom diff`: two models, or one corpus under the tie rules of two tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import click

from pairloom.checks import MAX_COUNT
from pairloom.cli import options
from pairloom.cli.differences import write_models, write_rules, write_text
from pairloom.cli.inputs import STANDARD_INPUT, reads_keyboard, texts
from pairloom.cli.listing import uses_color
from pairloom.cli.messages import blaming
from pairloom.cli.models import model_of
from pairloom.cli.outputs import json_line, output_to
from pairloom.cli.progress import progress
from pairloom.cli.train import counted
from pairloom.kernel.tie_training import TieRule
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.views.model_difference import ModelDifference, TextDifference
from pairloom.views.other_rule import Comparison
from pairloom.views.rule_difference import difference_of_rules

RULES: Final[dict[str, TieRule]] = {
    "ours": "ours",
    "hugging-face": "smallest_ids",
    "subword-nmt": "largest_pair",
    "first-seen": "first_seen",
    "sentencepiece": "sentencepiece",
}
"""The tools whose tie rules there are, and what `educational.tie_rule` calls them."""


@options.command(
    "diff",
    examples=[
        "pairloom diff --rules ours hugging-face book.txt || true",
        "pairloom train --merges 5 book.txt | pairloom diff -m model.json -m - names.txt || true",
    ],
)
@options.files
@click.option(
    "-m",
    "--model",
    "model_paths",
    type=options.FILE,
    multiple=True,
    metavar="MODEL",
    help="One of two model files; give it twice. FILES are then texts to cut with both.",
)
@click.option(
    "--rules",
    nargs=2,
    type=click.Choice(list(RULES)),
    help="Two tools whose tie rules decide. FILES, or standard input, are then the corpus.",
)
@click.option(
    "--merges",
    type=options.WholeNumber(0, MAX_COUNT),
    default=1000,
    metavar="N",
    help="With --rules: learn at most N merges. Default: 1000.",
)
@options.lowercase
@click.option(
    "--pre-tokenizer",
    type=click.Choice(PRE_TOKENIZERS),
    default=PRE_TOKENIZERS[0],
    help="With --rules: cut words at whitespace only (the default), or also where letters and punctuation meet.",
)
@click.option(
    "--min-frequency",
    type=options.WholeNumber(1, MAX_COUNT),
    default=2,
    metavar="N",
    help="With --rules: merge only pairs that occur at least N times. Default: 2.",
)
@options.lines("a text")
@options.json("one object, and with FILES and models one a line for each text")
@options.color
@options.output
def command(
    *,
    files: tuple[str, ...],
    model_paths: tuple[str, ...],
    rules: tuple[str, str] | None,
    merges: int,
    lowercase: bool,
    pre_tokenizer: str,
    min_frequency: int,
    lines: bool,
    as_json: bool,
    color: str,
    output: str | None,
) -> None:
    """Compare two models, or two tools' tie rules.

    Two models: settings, the first merge in which they differ, and each text with the places marked where they cut it
    otherwise. Two rules: one corpus trained under both, the first merge that differs, why, and what it changes. Exit
    code 1: something differs.
    """
    if (rules is None) == (not model_paths) or (rules is None and len(model_paths) != 2):
        raise click.UsageError("either two models (-m A -m B), or --rules and two tools")
    if rules is not None:
        with progress("counting words", quiet=reads_keyboard(files)) as line:
            table = counted(files, line, lines=lines, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
            line.status = "training under both rules"
            found = difference_of_rules(
                table, RULES[rules[0]], RULES[rules[1]], merge_limit=merges, min_frequency=min_frequency
            )
        with output_to(output) as out:
            if as_json:
                out.write(json_line(_fields(found, rules)))
            else:
                write_rules(out, found, rules)
        differs = found.first is not None or found.ours_merges != found.theirs_merges
    else:
        differs = _models(files, model_paths, lines=lines, as_json=as_json, color=color, output=output)
    if differs:
        raise click.exceptions.Exit(1)


def _models(
    files: Sequence[str], paths: Sequence[str], *, lines: bool, as_json: bool, color: str, output: str | None
) -> bool:
    if [*paths, *files].count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input can be one of the models or a text, not more")
    left, right = (model_of(path) for path in paths)
    found = ModelDifference.of(left, right)
    differs = not found.is_same
    with output_to(output) as out:
        if as_json:
            out.write(json_line(asdict(found)))
        else:
            write_models(out, found)
        for text in texts(files, lines=lines) if files else ():
            with blaming(text.source):
                cut = TextDifference.of(left, right, text.text)
            differs = differs or bool(cut.differing)
            if as_json:
                out.write(json_line({"source": text.source} | asdict(cut)))
            else:
                write_text(out, text.source, cut, color=uses_color(color, out))
    return differs


def _fields(found: Comparison, rules: tuple[str, str]) -> dict[str, object]:
    """Return a comparison as JSON has it: without the history, which is no answer."""
    names = ("ours_merges", "theirs_merges", "ours_tokens", "theirs_tokens", "only_ours", "only_theirs", "same_rank")
    fields = {name.replace("ours", "left").replace("theirs", "right"): getattr(found, name) for name in names}
    first = None if found.first is None else asdict(found.first)
    if first is not None:
        first = {"rank": first["rank"], "left": first["ours"], "right": first["theirs"], "choice": first["choice"]}
    words = [{"word": word.word, "count": word.count, "left": word.ours, "right": word.theirs} for word in found.words]
    return {"rules": rules, "first": first, **fields, "words": words}
