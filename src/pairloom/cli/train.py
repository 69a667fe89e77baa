"""`pairloom train`: texts → model file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from pairloom.checks import MAX_COUNT
from pairloom.cli import options
from pairloom.cli.inputs import reads_keyboard, texts
from pairloom.cli.messages import blamed, write_line
from pairloom.cli.outputs import STANDARD_OUTPUT, check_output, output_to
from pairloom.cli.progress import Progress, progress
from pairloom.cli.tables import tables
from pairloom.errors import PairloomError
from pairloom.formats.model_file import dumps
from pairloom.model import Model
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.trainer import Trainer
from pairloom.views.display import plain
from pairloom.word_counts import WordCounts, count_words

# Some tens of milliseconds: the line of progress changes ten times a second.
_PORTION = 50_000


@options.command(
    "train",
    examples=[
        "printf 'low low lower' | pairloom train --merges 10 -o model.json",
        "pairloom train chapters/*.txt --lowercase --merges 2000 -o model.json",
        "pairloom count book.txt | pairloom train --counts -o model.json",
    ],
)
@options.files
@click.option(
    "--merges",
    type=options.WholeNumber(0, MAX_COUNT),
    default=1000,
    metavar="N",
    help="Learn at most N merges. Default: 1000.",
)
@options.lowercase
@click.option(
    "--pre-tokenizer",
    type=click.Choice(PRE_TOKENIZERS),
    default=PRE_TOKENIZERS[0],
    help="Cut words at whitespace only (the default), or also where letters and punctuation meet.",
)
@click.option(
    "--min-frequency",
    type=options.WholeNumber(1, MAX_COUNT),
    default=2,
    metavar="N",
    help="Merge only pairs that occur at least N times. Default: 2.",
)
@options.lines("a text")
@click.option(
    "--counts", "as_counts", is_flag=True, help="Take FILES as tables of word counts, as pairloom count writes them."
)
@options.output
def command(
    *,
    files: tuple[str, ...],
    merges: int,
    lowercase: bool,
    pre_tokenizer: str,
    min_frequency: int,
    lines: bool,
    as_counts: bool,
    output: str | None,
) -> None:
    """Learn merges from text and write the model.

    The text is cut into words; then, again and again, the most frequent pair of neighbouring symbols becomes one
    symbol, until --merges are learned or no pair is frequent enough. Each file is a text of its own: words do not run
    across.
    """
    if as_counts and lines:
        raise click.UsageError("--counts and --lines exclude each other")
    check_output(output)
    with progress("counting words", quiet=reads_keyboard(files)) as line:
        if as_counts:
            word_counts = tables(files, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
        else:
            word_counts = counted(files, line, lines=lines, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
        model = _trained(Trainer(word_counts, merges, min_frequency=min_frequency), line)
    with output_to(output) as out:
        out.write(dumps(model).decode("ascii"))
    if sys.stderr is not None and sys.stderr.isatty():
        write_line(_summary(model, output))


def counted(files: Sequence[str], line: Progress, *, lines: bool, lowercase: bool, pre_tokenizer: str) -> WordCounts:
    """Return the word counts of files; the line of progress names the file of the moment.

    Raises:
        OSError, InvalidUtf8, InSourceError around a TextError.
    """
    here = ""

    def each_text() -> Iterator[str]:
        nonlocal here
        for text in texts(files, lines=lines):
            here = text.source
            line.status = f"counting words of {plain(here)}"
            yield text.text

    try:
        return count_words(each_text(), lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    except PairloomError as error:
        raise blamed(error, source=here) from error


def _trained(trainer: Trainer, line: Progress) -> Model:
    while not trainer.is_done:
        trainer.run(max_operations=_PORTION)
        line.status = f"training: {trainer.merge_count:,} of at most {trainer.merge_limit:,} merges"
    return trainer.model()


def _summary(model: Model, output: str | None) -> str:
    why = "the limit" if model.stop_reason == "merge_limit" else f"no pair occurs {model.min_frequency} times any more"
    after = model.merges[-1].corpus_tokens if model.merges else model.initial_tokens
    where = "" if output is None or output == STANDARD_OUTPUT else f"; {plain(output)} is written"
    return (
        f"{len(model.merges):,} merges ({why}), {len(model.vocabulary):,} tokens in the vocabulary; "
        f"the corpus went from {model.initial_tokens:,} to {after:,} tokens{where}"
    )
