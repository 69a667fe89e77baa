"""One learned or imported merge, with every number that stands behind it."""

from __future__ import annotations

from dataclasses import dataclass


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
