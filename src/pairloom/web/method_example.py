"""The worked example of the Method page: three words in which a pair overlaps itself and two pairs tie.

Computed by the library itself, so that the page's sentences about it can say nothing untrue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from pairloom import educational
from pairloom.history import History, Pair
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.unicode_data import UNICODE_VERSION, WHITESPACE
from pairloom.views.corpus import Token
from pairloom.views.encoding import EncodedToken, EncodingView
from pairloom.web.example import Step, steps
from pairloom.word_counts import WordCounts, count_words

TEXT = "haha hahaha hoho"
ENCODED = "hahaho hihi"

# Names of `educational.tie_rule`, in the order in which the page lists them.
TIE_RULES = ("ours", "smallest_ids", "largest_pair", "first_seen", "sentencepiece")


@dataclass(frozen=True, slots=True)
class Tie:
    """A round in which two pairs shared the highest frequency. Rule: T4.

    Attributes:
        merge: what was merged.
        loser: the other pair.
        choices: what each tie rule takes in this round, by the rule's name.
    """

    merge: Merge
    loser: Pair
    choices: Mapping[str, Pair]

    @property
    def smaller(self) -> int:
        """The code point of the winner that decided."""
        return self._deciding[0]

    @property
    def larger(self) -> int:
        """The code point of the loser that decided."""
        return self._deciding[1]

    @property
    def _deciding(self) -> tuple[int, int]:
        symbols = zip((self.merge.left, self.merge.right), self.loser, strict=True)
        winning, losing = next((ours, theirs) for ours, theirs in symbols if ours != theirs)
        first = next((ours, theirs) for ours, theirs in zip(winning, losing, strict=False) if ours != theirs)
        return ord(first[0]), ord(first[1])


@dataclass(frozen=True, slots=True)
class MethodExample:
    """A training and an encoding small enough to check by hand.

    Attributes:
        text: what was trained on.
        model: what was learned, all that can be.
        steps: the text at every prefix.
        overlap: the first merge whose frequency is not its replacements (T2, T5).
        tie: the first round that the tie rule decided.
        vocabulary: all tokens with their IDs.
        encoded: the text that is encoded.
        encoding: its encoding with all merges; some tokens are unknown.
        unicode_version: whose lower case is used (N2).
        whitespace_count: how many code points are whitespace (N4).
    """

    text: str
    model: Model
    steps: tuple[Step, ...]
    overlap: Merge
    tie: Tie
    vocabulary: tuple[Token, ...]
    encoded: str
    encoding: tuple[EncodedToken, ...]
    unicode_version: str
    whitespace_count: int


@cache
def method_example() -> MethodExample:
    """Return the example."""
    word_counts = count_words(TEXT)
    model = train(TEXT)
    history = History.of(word_counts, model)
    view = EncodingView.of(model, model.encode(ENCODED), prefix=len(model.merges), page=0, page_tokens=len(TEXT))
    return MethodExample(
        text=TEXT,
        model=model,
        steps=steps(TEXT, history),
        overlap=next(merge for merge in model.merges if merge.frequency != merge.replacements),
        tie=_first_tie(history, word_counts),
        vocabulary=tuple(Token(text, token_id) for token_id, text in enumerate(model.vocabulary)),
        encoded=ENCODED,
        encoding=view.tokens,
        unicode_version=UNICODE_VERSION.partition(".")[0],
        whitespace_count=len(WHITESPACE),
    )


def _first_tie(history: History, word_counts: WordCounts) -> Tie:
    for merge in history.model.merges:
        (best, highest), (second, frequency) = history.top_pairs(merge.rank, limit=2)
        if highest == frequency:
            assert best == (merge.left, merge.right)
            return Tie(merge, second, MappingProxyType(_choices(word_counts, merge.rank)))
    raise AssertionError("the example has a tie")


def _choices(word_counts: WordCounts, rank: int) -> dict[str, Pair]:
    """Return what each rule takes at a rank; up to there nothing was tied, so all of them have the same merges."""
    counts = dict(word_counts.counts)
    choices = {}
    for rule in TIE_RULES:
        left, right, *_ = educational.train(counts, rank + 1, choose=educational.tie_rule(rule, counts))[rank]
        choices[rule] = (left, right)
    return choices
