"""How a word is encoded, step by step: the pairs that stood there, their ranks, what came of them. Rule: E2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pairloom.model import Model
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two neighbouring symbols that an active merge joins.

    Attributes:
        left, right: the symbols.
        rank: the lowest rank at which the pair is listed.
        place: of the left symbol, from 0.
    """

    left: str
    right: str
    rank: int
    place: int


@dataclass(frozen=True, slots=True)
class EncodingStep:
    """One merge of one occurrence.

    Attributes:
        symbols: what stood there before.
        candidates: every pair among them that an active merge joins, from left to right.
        chosen: the one of lowest rank, the leftmost of its like.
    """

    symbols: tuple[str, ...]
    candidates: tuple[RankedPair, ...]
    chosen: RankedPair

    @property
    def is_tied(self) -> bool:
        """Whether the chosen pair stood at several places, so that the leftmost decided."""
        return sum(pair.rank == self.chosen.rank for pair in self.candidates) > 1


@dataclass(frozen=True, slots=True)
class WordExplanation:
    """A pre-token on its way from code points to tokens.

    Attributes:
        word: the pre-token, with its marker if it has one.
        prefix: active merges.
        steps: in their order; none if no pair of the word is merged.
        tokens, ids: what it ends as; an unknown code point has the ID None (E3).
    """

    word: str
    prefix: int
    steps: tuple[EncodingStep, ...]
    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]

    @classmethod
    def of(cls, model: Model, word: str, prefix: int | None = None) -> WordExplanation:
        """Return how a pre-token is encoded. Raises: PrefixError.

        Cost: quadratic in the word, as the answer is: every step shows all symbols.

        >>> from pairloom.trainer import train
        >>> explained = WordExplanation.of(train("low low lower"), "▁lower")
        >>> [(step.symbols, step.chosen.rank) for step in explained.steps][:2], explained.tokens
        ([(('▁', 'l', 'o', 'w', 'e', 'r'), 0), (('▁', 'lo', 'w', 'e', 'r'), 1)], ('▁low', 'e', 'r'))
        """
        active = model.check_prefix(prefix)
        ranks = _ranks(model, active)
        symbols = list(word)
        steps: list[EncodingStep] = []
        # Where each symbol starts, to find the place of the merge that the kernel made.
        starts = list(range(len(word)))
        for start, rank in model.merge_table.merge(word, prefix=active).steps:
            place = starts.index(start) - 1
            left, right = symbols[place], symbols[place + 1]
            steps.append(
                EncodingStep(tuple(symbols), tuple(_candidates(symbols, ranks)), RankedPair(left, right, rank, place))
            )
            symbols[place : place + 2] = [left + right]
            del starts[place + 1]
        return cls(word, active, tuple(steps), tuple(symbols), tuple(map(model.token_id, symbols)))


def explain_text(model: Model, text: str, prefix: int | None = None) -> tuple[WordExplanation, ...]:
    """Return how each pre-token of a text is encoded, in order. Raises: ForbiddenCodePoint, PrefixError."""
    words = pre_tokenize(normalize(text, model.lowercase), model.pre_tokenizer, marker=model.marker)
    return tuple(WordExplanation.of(model, word, prefix) for word in words)


def _ranks(model: Model, prefix: int) -> dict[tuple[str, str], int]:
    ranks: dict[tuple[str, str], int] = {}
    for merge in model.merges[:prefix]:
        ranks.setdefault((merge.left, merge.right), merge.rank)
    return ranks


def _candidates(symbols: Sequence[str], ranks: dict[tuple[str, str], int]) -> Iterator[RankedPair]:
    for place, pair in enumerate(pairwise(symbols)):
        rank = ranks.get(pair)
        if rank is not None:
            yield RankedPair(*pair, rank, place)
