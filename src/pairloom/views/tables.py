"""The rows of the two long tables, merges and vocabulary, and where in them something stands. Rules: V3, W5, W8."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Literal

from pairloom.errors import UnknownTokenId
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.views.paging import Page


@dataclass(frozen=True, slots=True)
class VocabularyRow:
    """One token of the vocabulary.

    Attributes:
        id, token: the token ID and its string (V1).
        kind: "base" for a code point of the base alphabet, "merge" for what a merge made.
        rank: of the merge that made it first (V2); None for the base alphabet.
        active: whether the token can occur at the prefix asked for: the base alphabet always can.
    """

    id: int
    token: str
    kind: Literal["base", "merge"]
    rank: int | None
    active: bool


def merge_rows(model: Model, start: int = 0, count: int | None = None) -> tuple[Merge, ...]:
    """Return the merges from rank `start` on, at most `count`; past the end none. Rule: T6."""
    return model.merges[start : None if count is None else start + count]


def vocabulary_rows(
    model: Model, start: int = 0, count: int | None = None, *, prefix: int | None = None
) -> tuple[VocabularyRow, ...]:
    """Return the vocabulary from ID `start` on, at most `count` rows; past the end none.

    Rules: V3 (the full one, whatever the prefix), V4.

    Raises:
        PrefixError.

    Cost: in proportion to the rows; for an imported model that makes a string twice, to all merges.

    >>> from pairloom.trainer import train
    >>> for row in vocabulary_rows(train("aaaa aaaa"), start=1, count=3, prefix=1):
    ...     print(row.id, row.token, row.kind, row.rank, row.active)
    1 ▁ base None True
    2 aa merge 0 True
    3 aaaa merge 1 False
    """
    active_merges = model.check_prefix(prefix)
    end = len(model.vocabulary) if count is None else min(start + count, len(model.vocabulary))
    if start >= end:
        return ()
    base = len(model.alphabet)
    rows = [
        VocabularyRow(token_id, model.vocabulary[token_id], "base", None, active=True)
        for token_id in range(start, min(end, base))
    ]
    first = max(start, base)
    for token_id, rank in zip(range(first, end), _first_ranks(model, first - base), strict=False):
        rows.append(VocabularyRow(token_id, model.vocabulary[token_id], "merge", rank, active=rank < active_merges))
    return tuple(rows)


def merge_page(model: Model, index: int, *, size: int) -> Page[Merge]:
    """Return a page of the merges; an index past the end gives the last one. Rule: W5."""
    return Page.of(model.merges, index, size=size)


def vocabulary_page(model: Model, index: int, *, size: int, prefix: int | None = None) -> Page[VocabularyRow]:
    """Return a page of the vocabulary, the full one (V3); an index past the end gives the last one. Rule: W8.

    Raises:
        PrefixError.
    """
    page = Page.of(model.vocabulary, index, size=size)
    rows = vocabulary_rows(model, page.first, size, prefix=prefix)
    return Page(page.index, page.count, page.first, page.total, rows)


def rank_of_token_id(model: Model, token_id: int) -> int | None:
    """Return the rank of the merge that first made the token with this ID; None for the base alphabet. Rule: V2.

    Raises:
        UnknownTokenId.
    """
    if not 0 <= token_id < len(model.vocabulary):
        raise UnknownTokenId(token_id=token_id, position=0, vocabulary_size=len(model.vocabulary))
    return vocabulary_rows(model, token_id, 1)[0].rank


def ranks_of_result(model: Model, token: str) -> tuple[int, ...]:
    """Return the ranks of all merges that make this token: one in a trained model, any number in an imported one."""
    return tuple(merge.rank for merge in model.merges if merge.result == token)


def _first_ranks(model: Model, skipped: int) -> range | islice[int]:
    """Return the ranks of the merges that added to the vocabulary, without the first `skipped`."""
    if len(model.vocabulary) == len(model.alphabet) + len(model.merges):
        # No string is made twice, as in every trained model (T8): the IDs go on with the ranks.
        return range(skipped, len(model.merges))
    return islice((merge.rank for merge in model.merges if merge.is_new), skipped, None)
