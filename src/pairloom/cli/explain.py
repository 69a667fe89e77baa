"""`pairloom explain`: why a word is cut like this, where a token comes from, why a merge was learned, a word's life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from pairloom.cli import options
from pairloom.cli.explained import merges, write_choice, write_life, write_token, write_word
from pairloom.cli.inputs import STANDARD_INPUT, reads_keyboard
from pairloom.cli.listing import uses_color
from pairloom.cli.messages import InputError
from pairloom.cli.models import model_of
from pairloom.cli.outputs import json_line, output_to
from pairloom.cli.progress import progress
from pairloom.cli.train import counted
from pairloom.history import History
from pairloom.model import Model
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.views.display import plain
from pairloom.views.explanation import explain_text
from pairloom.views.pairs import PairOrder
from pairloom.views.ties import Choice
from pairloom.views.token_tree import TokenTree, pieces_of
from pairloom.views.word_life import WordLife
from pairloom.word_counts import WordCounts


@options.command(
    "explain",
    examples=[
        "pairloom explain -m model.json --word lower",
        "pairloom explain -m model.json --token ▁low",
        "pairloom train book.txt -o book.json && pairloom explain -m book.json --merge 0 book.txt",
        "pairloom explain -m model.json --life lower",
    ],
)
@options.model
@options.files
@click.option("--word", metavar="TEXT", help="How these words are encoded: each step, with the ranks of all pairs.")
@click.option("--token", metavar="TOKEN", help="How this token was built: the tree of its merges.")
@click.option(
    "--merge",
    "rank",
    type=options.WholeNumber(0),
    metavar="RANK",
    help="Why this merge was learned: what was tied, what decided, what other tools would take. FILES are the "
    "texts that the model was trained on.",
)
@click.option(
    "--life",
    metavar="WORD",
    help="How this word was cut at every prefix. With FILES: what became of the pieces that it left behind.",
)
@options.prefix("Encode --word with the first N merges.")
@options.lines("a text")
@options.json("one object, or for --word one a line for each word")
@options.color
@options.output
def command(
    *,
    model_path: str,
    files: tuple[str, ...],
    word: str | None,
    token: str | None,
    rank: int | None,
    life: str | None,
    prefix: int | None,
    lines: bool,
    as_json: bool,
    color: str,
    output: str | None,
) -> None:
    """Explain a word, a token, a merge or a word's life.

    How a word is encoded, how a token was made, why a merge was chosen, how a word was cut at every prefix. Every
    statement is computed from the model, and where it is about training, from the texts that it was trained on.
    """
    if sum(each is not None for each in (word, token, rank, life)) != 1:
        raise click.UsageError("one of --word, --token, --merge and --life says what to explain")
    if model_path == STANDARD_INPUT and STANDARD_INPUT in files:
        raise click.UsageError("standard input cannot be both the model and what it was trained on")
    model = model_of(model_path)
    if word is not None:
        explained = explain_text(model, word, model.check_prefix(prefix))
        if not explained:
            raise InputError(reason="--word takes a text with at least one word; this has none")
        with output_to(output) as out:
            for each in explained:
                if as_json:
                    out.write(json_line(asdict(each)))
                else:
                    write_word(out, each, model, color=uses_color(color, out))
        return
    if token is not None:
        tree = _tree(model, token)
        with output_to(output) as out:
            write_token(out, tree, pieces_of(model, token), as_json=as_json, color=uses_color(color, out))
        return
    table = _corpus(files, model, lines=lines)
    if rank is not None:
        choice = _choice(model, table, rank)
        with output_to(output) as out:
            if as_json:
                out.write(json_line(asdict(choice)))
            else:
                write_choice(out, choice, rank)
        return
    assert life is not None
    lived = _life(model, table, life)
    with output_to(output) as out:
        write_life(out, lived, model, in_corpus=table is not None, as_json=as_json, color=uses_color(color, out))


def _tree(model: Model, token: str) -> TokenTree:
    token_id = model.token_id(token)
    if token_id is None:
        raise InputError(reason=f"the model has no token {plain(token)}; pairloom vocab lists all that it has")
    return TokenTree.of(model, token_id)


def _corpus(files: Sequence[str], model: Model, *, lines: bool) -> WordCounts | None:
    if not files:
        return None
    with progress("counting words", quiet=reads_keyboard(files)) as line:
        return counted(files, line, lines=lines, lowercase=model.lowercase, pre_tokenizer=model.pre_tokenizer)


def _choice(model: Model, table: WordCounts | None, rank: int) -> Choice:
    if rank >= len(model.merges):
        raise InputError(reason=f"there is no merge {rank}: the model has {merges(len(model.merges))}, from 0")
    if not model.is_trained:
        raise InputError(reason="the model is an imported list: nobody here saw why its merges were chosen")
    if table is None:
        raise click.UsageError("--merge needs the texts that the model was trained on: give them as FILES")
    history = History.of(table, model)
    merge = model.merges[rank]
    before = model.merges[rank - 1].corpus_tokens if rank else model.initial_tokens
    choice = Choice.of(history, rank, PairOrder.of(history, rank))
    chosen = None if choice is None else (choice.chosen.left, choice.chosen.right, choice.chosen.frequency)
    if choice is None or history.token_counts[rank] != before or chosen != (merge.left, merge.right, merge.frequency):
        raise InputError(reason="the model was not trained on these texts: their counts differ; give the very same")
    return choice


def _life(model: Model, table: WordCounts | None, text: str) -> WordLife:
    words = pre_tokenize(normalize(text, model.lowercase), model.pre_tokenizer, marker=model.marker)
    if len(words) != 1:
        what = "no word" if not words else f"{len(words)} pre-tokens: {' '.join(map(plain, words))}"
        raise InputError(reason=f"--life takes one word; this is {what}")
    if table is None or words[0] not in table.counts:
        if table is not None:
            raise InputError(
                reason=f"the texts do not have the word {plain(words[0])}; leave FILES away to see its life"
            )
        table = WordCounts(
            {words[0]: 1}, lowercase=model.lowercase, pre_tokenizer=model.pre_tokenizer, marker=model.marker
        )
    return WordLife.of(History.of(table, model), words[0])
