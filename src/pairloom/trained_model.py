"""From what a training has learned to its model, in portions."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from pairloom.kernel import LearnedPair
from pairloom.merges import Merge, learned_merges
from pairloom.model import Model, assembled

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Merges between two yields: some milliseconds.
_STRIDE = 4_000


def trained_model_in_portions(
    alphabet: tuple[str, ...],
    learned: Iterable[LearnedPair],
    **settings: Any,
) -> Generator[None, None, Model]:
    """Yield now and then; return the model of what a training of our own has learned, nothing of it checked again.

    Training never makes a string twice (T8): every result is new, and IDs continue behind the alphabet. `settings` are
    those of `assembled`.
    """
    rows = tuple(learned)
    yield
    merges: list[Merge] = []
    for first in range(0, len(rows), _STRIDE):
        merges += learned_merges(rows[first : first + _STRIDE], first_rank=first, first_id=len(alphabet) + first)
        yield
    vocabulary = (*alphabet, *[row.result for row in rows])
    ids = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
    yield
    return assembled(alphabet, vocabulary, tuple(merges), rows=rows, ids=ids, **settings)
