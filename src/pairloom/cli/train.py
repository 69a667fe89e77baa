"""`pairloom train`: texts → model file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from pairloom.checks import MAX_COUNT
from pairloom.cli import options
from pairloom.cli.corpora import CorpusRequest, corpus_options, named_files, tell_memory, tell_what_was_left_out
from pairloom.cli.inputs import STANDARD_INPUT, name_of, opened, reads_keyboard
from pairloom.cli.messages import blamed, write_line
from pairloom.cli.outputs import STANDARD_OUTPUT, check_output, output_to
from pairloom.cli.progress import Progress, progress
from pairloom.cli.tables import tables
from pairloom.errors import ForbiddenCodePoint
from pairloom.formats.model_file import dumps
from pairloom.formats.trace import trace_portions
from pairloom.history import History
from pairloom.model import Model
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.trainer import Trainer
from pairloom.views.display import plain
from pairloom.word_counts import WordCounter, WordCounts

# Some tens of milliseconds: the line of progress changes ten times a second.
_PORTION = 50_000


@options.command(
    "train",
    examples=[
        "printf 'low low lower' | pairloom train --merges 10 -o model.json",
        "pairloom train chapters/*.txt --lowercase --merges 2000 -o model.json",
        "pairloom count book.txt | pairloom train --counts -o model.json",
        "pairloom train 'chapters/*.txt' --workers 2 -o model.json",
    ],
    also_reads=named_files,
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
@options.threads("Count words with")
@options.lines("a text")
@corpus_options
@click.option(
    "--counts", "as_counts", is_flag=True, help="Take FILES as tables of word counts, as pairloom count writes them."
)
@click.option(
    "--trace",
    "trace_path",
    type=options.OUTPUT,
    metavar="FILE",
    help="Write every round to FILE, with the words of the text, so that the training can be replayed.",
)
@options.output
def command(
    *,
    files: tuple[str, ...],
    merges: int,
    lowercase: bool,
    pre_tokenizer: str,
    min_frequency: int,
    threads: int,
    lines: bool,
    as_counts: bool,
    trace_path: str | None,
    output: str | None,
    **corpus: Any,
) -> None:
    """Learn merges from text and write the model.

    The text is cut into words; then, again and again, the most frequent pair of neighbouring symbols becomes one
    symbol, until --merges are learned or no pair is frequent enough. Each file is a text of its own: words do not run
    across.

    With an option from --workers to --sample, or a pattern, an address, JSON lines, Parquet or a compressed file among
    FILES, they are counted as a corpus, see pairloom count; the memory that merging needs is told before it begins.
    """
    request = CorpusRequest.taken_from(files, corpus)
    if as_counts and lines:
        raise click.UsageError("--counts and --lines exclude each other")
    is_corpus = request.is_one if not as_counts else request.has_options
    if as_counts and is_corpus:
        raise click.UsageError("--counts takes tables that are counted already: leave the options of counting away")
    if is_corpus:
        request.check(lines=lines, threads=threads)
    check_output(output)
    check_output(trace_path)
    if trace_path == STANDARD_OUTPUT and output in (None, STANDARD_OUTPUT):
        raise click.UsageError("The model and the trace cannot both go to standard output: give one of them a file.")
    with progress("counting words", quiet=reads_keyboard(files)) as line:
        if as_counts:
            word_counts = tables(files, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
        elif is_corpus:
            word_counts = _of_corpus(request, line, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
        else:
            word_counts = counted(
                files, line, lines=lines, lowercase=lowercase, pre_tokenizer=pre_tokenizer, threads=threads
            )
        model = _trained(Trainer(word_counts, merges, min_frequency=min_frequency), line)
        trace = None if trace_path is None else list(_trace(word_counts, model, line))
    if trace is not None:
        with output_to(trace_path) as out:
            for portion in trace:
                out.write(portion.decode("ascii"))
    with output_to(output) as out:
        out.write(dumps(model).decode("ascii"))
    if sys.stderr is not None and sys.stderr.isatty():
        write_line(_summary(model, output))


def counted(
    files: Sequence[str], line: Progress, *, lines: bool, lowercase: bool, pre_tokenizer: str, threads: int = 1
) -> WordCounts:
    """Return the word counts of files, counted as they are read; no file is ever in memory whole.

    The line of progress names the file of the moment.

    Raises:
        OSError, InvalidUtf8, InSourceError around a TextError.
    """
    counter = WordCounter(lowercase=lowercase, pre_tokenizer=pre_tokenizer, threads=threads)
    for path in files or (STANDARD_INPUT,):
        name = name_of(path)
        line.status = f"counting words of {plain(name)}"
        with opened(path) as file:
            try:
                counter.add_utf8(file, name=name, by_line=lines)
            except ForbiddenCodePoint as error:
                in_line = f", line {error.text_index + 1}" if lines and error.text_index is not None else ""
                raise blamed(error, source=f"{name}{in_line}") from error
    return counter.word_counts()


def _of_corpus(request: CorpusRequest, line: Progress, *, lowercase: bool, pre_tokenizer: str) -> WordCounts:
    from pairloom.corpus.table import loaded

    with request.counted(line, lowercase=lowercase, pre_tokenizer=pre_tokenizer) as (manifest, folder):
        tell_what_was_left_out(manifest, line)
        tell_memory(manifest, line)
        return loaded(manifest, folder)


def _trained(trainer: Trainer, line: Progress) -> Model:
    while not trainer.is_done:
        trainer.run(max_operations=_PORTION)
        line.status = f"training: {trainer.merge_count:,} of at most {trainer.merge_limit:,} merges"
    return trainer.model()


def _trace(word_counts: WordCounts, model: Model, line: Progress) -> Iterator[bytes]:
    line.status = "looking back for the trace"
    return trace_portions(History.of(word_counts, model))


def _summary(model: Model, output: str | None) -> str:
    why = "the limit" if model.stop_reason == "merge_limit" else f"no pair occurs {model.min_frequency} times any more"
    after = model.merges[-1].corpus_tokens if model.merges else model.initial_tokens
    where = "" if output is None or output == STANDARD_OUTPUT else f"; {plain(output)} is written"
    return (
        f"{len(model.merges):,} merges ({why}), {len(model.vocabulary):,} tokens in the vocabulary; "
        f"the corpus went from {model.initial_tokens:,} to {after:,} tokens{where}"
    )
