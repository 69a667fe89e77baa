"""Why this pair and no other: what was tied, what decided, and what other tools would have taken. Rules: T3, T4, S3."""

from __future__ import annotations

from dataclasses import dataclass
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
        tied: all pairs of that frequency in T4's order, the chosen one first.
        decided_by: "frequency" if nothing was tied, else the symbol in which the first two of `tied` differ.
        difference: where these two symbols part; None without a tie.
        runner_up: who would be next in T4's order: the second of `tied`, or the first of the next lower frequency.
        others: what other tools' rules would take at this very point, with our merges so far.
    """

    chosen: CountedPair
    tied: tuple[CountedPair, ...]
    decided_by: Decider
    difference: Difference | None
    runner_up: CountedPair | None
    others: tuple[Taken, ...]

    @classmethod
    def of(cls, history: History, prefix: int, order: PairOrder) -> Choice | None:
        """Return the choice after a prefix of a trained model, None where training is over. Raises: PrefixError.

        Args:
            history: of a training, on its own corpus, words in the order of their first appearance.
            prefix: merges made so far.
            order: the pairs at this prefix.

        Cost: the words up to the first that has a tied pair.
        """
        tied = order.most_frequent()
        if not tied or tied[0].frequency < (history.model.min_frequency or 1):
            return None
        chosen = tied[0]
        decided_by: Decider = "frequency"
        difference = None
        if len(tied) > 1:
            decided_by = "left" if chosen.left != tied[1].left else "right"
            difference = (
                _difference(chosen.left, tied[1].left)
                if decided_by == "left"
                else _difference(chosen.right, tied[1].right)
            )
        return cls(
            chosen=chosen,
            tied=tied,
            decided_by=decided_by,
            difference=difference,
            runner_up=tied[1] if len(tied) > 1 else order.next_lower(),
            others=tuple(_taken(rule, history, prefix, tied) for rule in OTHER_RULES),
        )


def _taken(rule: OtherRule, history: History, prefix: int, tied: tuple[CountedPair, ...]) -> Taken:
    if len(tied) == 1:
        pair = tied[0]
    elif rule == "first_seen":
        pair = _first_seen(history, prefix, tied)
    elif rule == "smallest_ids":
        # IDs as ours (V1): the base alphabet by code point, then the merges in their order.
        id_of = history.model.token_id
        pair = min(tied, key=lambda each: (id_of(each.left) or 0, id_of(each.right) or 0))
    elif rule == "largest_pair":
        pair = tied[-1]
    else:
        pair = min(tied, key=lambda each: (len(each.result), each.result))
    return Taken(rule, pair, pair == tied[0])


def _first_seen(history: History, prefix: int, tied: tuple[CountedPair, ...]) -> CountedPair:
    """Return the tied pair that is met first when the words are read in the order of their first appearance."""
    wanted: dict[Pair, CountedPair] = {(each.left, each.right): each for each in tied}
    results = [each.result for each in tied] if len(tied) <= _FEW else None
    for word in history.counts:
        if results is not None and not any(result in word for result in results):
            continue
        for pair in pairwise(history.segment(word, prefix)):
            if pair in wanted:
                return wanted[pair]
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
