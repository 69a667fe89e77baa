"""One learned or imported merge, with every number that stands behind it."""

from __future__ import annotations

from collections.abc import Iterable

from pairloom.errors import InvalidMerge
from pairloom.kernel import LearnedPair
from pairloom.shortening import short_repr
from pairloom.values import dataclass


@dataclass(frozen=True, slots=True)
class Merge:
    """A pair and the symbol that it becomes. Rule: T6.

    Attributes:
        rank: its place in the list, from 0.
        left, right, result: symbols; `result` is `left + right`.
        frequency: positions of the pair when it was chosen, overlaps counted, weighted by word count (T2);
            None if the model was not trained here.
        replacements: positions really merged, left to right without overlap, weighted (T5); None as above.
        corpus_tokens: tokens of the corpus after this merge (T7); None as above.
        id: token ID of `result`.
        is_new: whether the merge added `result` to the vocabulary; False if it was there before (V2).
    """

    rank: int
    left: str
    right: str
    result: str
    frequency: int | None
    replacements: int | None
    corpus_tokens: int | None
    id: int
    is_new: bool

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002  # the protocol's
        from pairloom.notebook.displays import merge_bundle  # loaded when a notebook asks

        return merge_bundle(self)


# What the frozen class keeps its own constructor from: it sets each attribute through `object.__setattr__`, which takes
# four times as long. For the models of 32,000 merges that is felt.
_SET = [vars(Merge)[name].__set__ for name in Merge.__match_args__]


def learned_merges(learned: Iterable[LearnedPair], *, first_rank: int, first_id: int) -> list[Merge]:
    """Return merges of a training, ranks and IDs from those given, every result new (T8)."""
    new, is_new = object.__new__, True
    set_rank, set_left, set_right, set_result, set_frequency, set_replacements, set_tokens, set_id, set_is_new = _SET
    merges: list[Merge] = []
    for rank, (left, right, result, frequency, replacements, corpus_tokens) in enumerate(learned, first_rank):
        merge = new(Merge)
        set_rank(merge, rank)
        set_left(merge, left)
        set_right(merge, right)
        set_result(merge, result)
        set_frequency(merge, frequency)
        set_replacements(merge, replacements)
        set_tokens(merge, corpus_tokens)
        set_id(merge, first_id + rank - first_rank)
        set_is_new(merge, is_new)
        merges.append(merge)
    return merges


def as_pair(merge: object, rank: int) -> tuple[str, str]:
    """Return two strings, or raise InvalidMerge: for lists made elsewhere."""
    if isinstance(merge, (tuple, list)) and len(merge) == 2:
        left, right = merge
        if isinstance(left, str) and isinstance(right, str):
            return left, right
    raise InvalidMerge(rank=rank, reason=f"{short_repr(merge)} is not a pair of strings")
