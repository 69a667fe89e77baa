"""Why this pair and no other: what was tied, what decided, and what other tools would have taken. Rules: T3, T4, S3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import pairwise
from typing import Final, Literal

from pairloom.history import History, Pair
from pairloom.views.pairs import CountedPair, PairOrder

Decider = Literal["frequency", "left", "right"]
OtherRule = Literal["first_seen", "smallest_ids", "largest_pair", "sentencepiece"]

OTHER_RULES: Final[tuple[OtherRule, ...]] = ("first_seen", "smallest_ids", "largest_pair", "sentencepiece")
"""The tie rules of other tools, named as `pairloom.educational.tie_rule` names them."""

# Up to so many tied pairs, words that spell none of them are not looked at.
_FEW = 8


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two symbols part: the first code point that differs, None for the end of the shorter one.

    Attributes:
        place: how many code points they have in common.
        smaller, larger: what stands there in the smaller and in the larger symbol.
    """

    place: int
    smaller: str | None
    larger: str


@dataclass(frozen=True, slots=True)
class Taken:
    """What another tie rule would take among the same pairs; `is_ours` if that is what ours takes."""

    rule: OtherRule
    pair: CountedPair
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of the merge after a prefix.

    Attributes:
        chosen: the pair that is merged next.
        tied: the pairs of that frequency in T4's order, the chosen one first; at most as many as were asked for.
        tied_count: how many there are.
        decided_by: "frequency" if nothing was tied, else the symbol in which the first two of `tied` differ.
        difference: where these two symbols part; None without a tie.
        runner_up: who would be next in T4's order: the second of `tied`, or the first of the next lower frequency.
        others: what other tools' rules would take at this very point, with our merges so far.
    """

    chosen: CountedPair
    tied: tuple[CountedPair, ...]
    tied_count: int
    decided_by: Decider
    difference: Difference | None
    runner_up: CountedPair | None
    others: tuple[Taken, ...]

    @classmethod
    def of(cls, history: History, prefix: int, order: PairOrder, *, most_tied: int = 12) -> Choice | None:
        """Return the choice after a prefix of a trained model, None where training is over. Raises: PrefixError.

        Args:
            history: of a training, on its own corpus, words in the order of their first appearance.
            prefix: merges made so far.
            order: the pairs at this prefix.
            most_tied: how many of the tied pairs are wanted, at least 2.

        Cost: linear in the tied pairs, and the words up to the first that has one of them.
        """
        frequency = order.highest
        if frequency < max(history.model.min_frequency or 1, 1):
            return None
        tied = order.most_frequent()
        first = [CountedPair(*pair, frequency) for pair in nsmallest(max(most_tied, 2), tied)]
        chosen = first[0]
        decided_by: Decider = "frequency"
        difference = None
        if len(tied) > 1 and chosen.left != first[1].left:
            decided_by, difference = "left", _difference(chosen.left, first[1].left)
        elif len(tied) > 1:
            decided_by, difference = "right", _difference(chosen.right, first[1].right)
        ours = chosen.left, chosen.right
        taken = ((rule, _taken(rule, history, prefix, tied)) for rule in OTHER_RULES)
        return cls(
            chosen=chosen,
            tied=tuple(first[:most_tied]),
            tied_count=len(tied),
            decided_by=decided_by,
            difference=difference,
            runner_up=first[1] if len(tied) > 1 else order.next_lower(),
            others=tuple(Taken(rule, CountedPair(*pair, frequency), pair == ours) for rule, pair in taken),
        )


def _taken(rule: OtherRule, history: History, prefix: int, tied: Sequence[Pair]) -> Pair:
    if len(tied) == 1:
        return tied[0]
    if rule == "first_seen":
        return _first_seen(history, prefix, tied)
    if rule == "smallest_ids":
        # IDs as ours (V1): the base alphabet by code point, then the merges in their order.
        id_of = history.model.token_id
        return min(tied, key=lambda pair: (id_of(pair[0]) or 0, id_of(pair[1]) or 0))
    if rule == "largest_pair":
        return max(tied)
    return min(tied, key=lambda pair: (len(pair[0]) + len(pair[1]), pair[0] + pair[1]))


def _first_seen(history: History, prefix: int, tied: Sequence[Pair]) -> Pair:
    """Return the tied pair that is met first when the words are read in the order of their first appearance."""
    wanted = set(tied)
    results = [left + right for left, right in tied] if len(tied) <= _FEW else None
    for word in history.word_counts.counts:
        if results is not None and not any(result in word for result in results):
            continue
        for pair in pairwise(history.segment(word, prefix)):
            if pair in wanted:
                return pair
    raise AssertionError("a pair that is counted stands somewhere")


def _difference(smaller: str, larger: str) -> Difference:
    """Return where two different symbols part, the smaller one first.

    >>> _difference("lo", "low"), _difference("la", "lo")
    (Difference(place=2, smaller=None, larger='w'), Difference(place=1, smaller='a', larger='o'))
    """
    for place, (ours, theirs) in enumerate(zip(smaller, larger, strict=False)):
        if ours != theirs:
            return Difference(place, ours, theirs)
    return Difference(len(smaller), None, larger[len(smaller)])
