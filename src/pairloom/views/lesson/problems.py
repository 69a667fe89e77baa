"""A question about a training, with its answer from the trace. Rules: S7, T2–T5, E2, E3.

Any history can be asked about, at any prefix: a practice problem is one about a small corpus of its own, a prediction
is one about the corpus on the page. Nothing here is typed in: the engine answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from pairloom.history import History, Pair
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.views.corpus import pair_places
from pairloom.views.pairs import PairOrder
from pairloom.views.ties import Choice
from pairloom.views.word_life import WordLife

Kind = Literal["next_merges", "tie", "split", "unknown", "replacements", "until_whole"]

KINDS: Final[tuple[Kind, ...]] = ("next_merges", "tie", "split", "unknown", "replacements", "until_whole")
"""What can be asked: the next merges, which of tied pairs wins, how a word splits, how one with an unknown character
splits, how many replacements a merge makes, how many merges it takes until a word is one token."""

LONGEST_ASKED: Final = 40
"""Code points of the longest word that `words_to_ask` offers."""


@dataclass(frozen=True, slots=True)
class Round:
    """One merge that is asked for.

    Attributes:
        prefix: merges made before it.
        merge: the right answer.
        order: all pairs at this prefix with their frequencies: the intermediate counts.
        choice: why this pair, what was tied, what other tools take.
    """

    prefix: int
    merge: Merge
    order: PairOrder
    choice: Choice


@dataclass(frozen=True, slots=True)
class MergesAnswer:
    """The next merges, in order."""

    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class SplitStep:
    """One merge inside a word, and the word's tokens after it. Rule: E2."""

    merge: Merge
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SplitAnswer:
    """How a word splits.

    Attributes:
        tokens: the answer.
        ids: their IDs, None for an unknown character (E3).
        steps: how it came to that, one occurrence at a time.
        unknown: the distinct unknown characters, in order of appearance.
    """

    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]
    steps: tuple[SplitStep, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairInWord:
    """A word that has the pair.

    Attributes:
        word: with its marker.
        tokens: at the prefix.
        count: how often the word occurs.
        positions: at how many places of the word the pair stands, overlapping ones counted (T2).
        replaced: how many of them can be merged, left to right without overlap (T5).
    """

    word: str
    tokens: tuple[str, ...]
    count: int
    positions: int
    replaced: int


@dataclass(frozen=True, slots=True)
class ReplacementsAnswer:
    """How many replacements merging a pair makes: `replacements` is the answer, `frequency` the other number (T6)."""

    pair: Pair
    frequency: int
    replacements: int
    words: tuple[PairInWord, ...]


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """How many merges it takes until a word is one token; None if all of them do not suffice."""

    merges: int | None
    life: WordLife


Answer = MergesAnswer | SplitAnswer | ReplacementsAnswer | WholeAnswer


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A question with its answer.

    Attributes:
        kind: what is asked.
        history: of the training that it is about; `history.word_counts` is the corpus.
        prefix: merges made before the question; for `until_whole` 0.
        word: the pre-token that is asked about, with its marker, where one is.
        answer: the right answer, with what explains it.
    """

    kind: Kind
    history: History
    prefix: int
    word: str | None
    answer: Answer

    @property
    def model(self) -> Model:
        """The model that the question is about."""
        return self.history.model


def next_merges(history: History, prefix: int, *, rounds: int = 1) -> Problem | None:
    """Return the question for the merges after a prefix; None if fewer are left or the model is imported. Rule: T4.

    Raises: PrefixError.

    >>> from pairloom.trainer import train_from_word_counts
    >>> from pairloom.word_counts import WordCounts
    >>> table = WordCounts({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, marker=False)
    >>> problem = next_merges(History.of(table, train_from_word_counts(table, marker=False)), 0, rounds=3)
    >>> [
    ...     (each.merge.result, [pair.frequency for pair in each.order.page(0, size=3).rows])
    ...     for each in problem.answer.rounds
    ... ]
    [('ug', [20, 17, 16]), ('un', [16, 15, 12]), ('hug', [15, 12, 5])]
    """
    asked = _rounds(history, prefix, rounds)
    return None if asked is None else Problem("next_merges", history, prefix, None, MergesAnswer(asked))


def tie(history: History, prefix: int) -> Problem | None:
    """Return the question which of tied pairs is merged next, None where nothing is tied. Raises: PrefixError."""
    asked = _rounds(history, prefix, 1)
    if asked is None or asked[0].choice.tied_count < 2:
        return None
    return Problem("tie", history, prefix, None, MergesAnswer(asked))


def _rounds(history: History, prefix: int, rounds: int) -> tuple[Round, ...] | None:
    merges = history.model.merges
    prefix = history.model.check_prefix(prefix)
    if not history.model.is_trained:  # an imported list says nothing of why it has this order
        return None
    asked: list[Round] = []
    for merge in merges[prefix : prefix + rounds]:
        order = PairOrder.of(history, merge.rank)
        choice = Choice.of(history, merge.rank, order)
        assert choice is not None  # the model has this merge
        asked.append(Round(merge.rank, merge, order, choice))
    return tuple(asked) if asked and len(asked) == rounds else None


def split(history: History, prefix: int, word: str) -> Problem:
    """Return the question how a word splits with the first `prefix` merges. Rules: E2, E3.

    The word need not be one of the corpus; if it has a character that the model lacks, the kind is `unknown`.

    Args:
        history: of any model.
        prefix: active merges.
        word: a pre-token, with its marker if it has one.

    Raises: PrefixError.

    Cost: the word's length for each merge in it; meant for short words.
    """
    model = history.model
    prefix = model.check_prefix(prefix)
    cuts = list(range(len(word) + 1))
    steps: list[SplitStep] = []
    for place, rank in model.merge_table.merge(word, prefix=prefix).steps:
        cuts.remove(place)
        steps.append(SplitStep(model.merges[rank], _pieces(word, cuts)))
    tokens = _pieces(word, cuts)
    ids = tuple(map(model.token_id, tokens))
    unknown = tuple(dict.fromkeys(token for token, token_id in zip(tokens, ids, strict=True) if token_id is None))
    kind: Kind = "unknown" if unknown else "split"
    return Problem(kind, history, prefix, word, SplitAnswer(tokens, ids, tuple(steps), unknown))


def _pieces(word: str, cuts: Sequence[int]) -> tuple[str, ...]:
    return tuple(word[start:end] for start, end in pairwise(cuts))


def replacements(history: History, prefix: int, pair: Pair | None = None) -> Problem | None:
    """Return the question how many replacements merging a pair makes at a prefix. Rules: T2, T5.

    Args:
        history: of a training.
        prefix: merges made so far.
        pair: None is the pair that is merged next.

    Returns:
        None if the pair stands nowhere, or no merge is left.

    Raises: PrefixError.

    Cost: the words that spell the pair, each cut once.
    """
    model = history.model
    prefix = model.check_prefix(prefix)
    if pair is None:
        if prefix == len(model.merges):
            return None
        pair = model.merges[prefix].left, model.merges[prefix].right
    words: list[PairInWord] = []
    for word, count in history.word_counts.counts.items():
        if pair[0] + pair[1] not in word:
            continue
        tokens = history.segment(word, prefix)
        if positions := list(pairwise(tokens)).count(pair):
            words.append(PairInWord(word, tokens, count, positions, len(pair_places(pair, tokens))))
    if not words:
        return None
    frequency = sum(each.count * each.positions for each in words)
    replaced = sum(each.count * each.replaced for each in words)
    return Problem("replacements", history, prefix, None, ReplacementsAnswer(pair, frequency, replaced, tuple(words)))


def until_whole(history: History, word: str) -> Problem:
    """Return the question how many merges it takes until a word of the corpus is one token. Raises: KeyError."""
    life = WordLife.of(history, word)
    return Problem("until_whole", history, 0, word, WholeAnswer(life.whole_at, life))


def words_to_ask(history: History, prefix: int) -> tuple[str, ...]:
    """Return the words that the merge after a prefix changes, most frequent first; long ones are left out.

    Of each can be asked how it splits next: `split(history, prefix + 1, word)`. Raises: PrefixError.
    """
    model = history.model
    prefix = model.check_prefix(prefix)
    if prefix == len(model.merges):
        return ()
    result = model.merges[prefix].result
    counts = history.word_counts.counts
    found = [
        word for word in counts if result in word and len(word) <= LONGEST_ASKED and prefix in history.boundaries(word)
    ]
    return tuple(sorted(found, key=lambda word: (-counts[word], word)))
