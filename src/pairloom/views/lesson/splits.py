"""Why a word does not split as somebody thinks: the first thing in it that the merges do not do. Rules: E2, E3."""

from __future__ import annotations

from itertools import accumulate, pairwise

from pairloom.model import Model
from pairloom.views.lesson.problems import SplitAnswer
from pairloom.views.lesson.sentences import Joined, Row, Sentence, Symbol


def why_not(model: Model, prefix: int, word: str, answer: SplitAnswer, pieces: tuple[str, ...]) -> Sentence:
    """Return why a word does not split into these pieces, which spell it but are not its tokens."""
    return (
        _unknown_inside(answer, pieces)
        or _not_made(model, prefix, pieces)
        or _still_fits(model, prefix, pieces)
        or _earlier(word, answer, pieces)
        # Only an imported list can make a piece elsewhere that it does not make here.
        or Sentence.of("split.not_reached", piece=Symbol(next(p for p in pieces if p not in answer.tokens)))
    )


def _unknown_inside(answer: SplitAnswer, pieces: tuple[str, ...]) -> Sentence | None:
    for piece in pieces:
        for character in answer.unknown:
            if character in piece and len(piece) > 1:
                return Sentence.of("split.unknown_alone", character=Symbol(character), piece=Symbol(piece))
    return None


def _not_made(model: Model, prefix: int, pieces: tuple[str, ...]) -> Sentence | None:
    """Return the first piece that no active merge makes."""
    first_rank: dict[str, int] = {}
    for merge in model.merges:
        first_rank.setdefault(merge.result, merge.rank)
    for piece in pieces:
        if len(piece) == 1:
            continue
        rank = first_rank.get(piece)
        if rank is None:
            return Sentence.of("split.never_made", piece=Symbol(piece))
        if rank >= prefix and prefix == 0:
            return Sentence.of("split.no_merge_active", piece=Symbol(piece), number=rank + 1)
        if rank >= prefix:
            return Sentence.of("split.not_active", piece=Symbol(piece), number=rank + 1, prefix=prefix)
    return None


def _still_fits(model: Model, prefix: int, pieces: tuple[str, ...]) -> Sentence | None:
    """Return the merge of lowest rank that still fits between two of the pieces."""
    neighbours = set(pairwise(pieces))
    for merge in model.merges[:prefix]:
        if (merge.left, merge.right) in neighbours:
            return Sentence.of("split.still_fits", pair=Joined(merge.left, merge.right), number=merge.rank + 1)
    return None


def _earlier(word: str, answer: SplitAnswer, pieces: tuple[str, ...]) -> Sentence | None:
    """Return the first merge that joins what the pieces keep apart."""
    cuts = set(accumulate(map(len, pieces)))
    standing = set(range(1, len(word)))
    for step in answer.steps:
        left = set(accumulate(map(len, step.tokens)))
        gone = standing - left
        if gone & cuts:
            merge = step.merge
            return Sentence.of(
                "split.earlier",
                pair=Joined(merge.left, merge.right),
                number=merge.rank + 1,
                tokens=Row(step.tokens),
            )
        standing &= left
    return None
