"""From what a training has learned to its model, in portions."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from pairloom import kernel
from pairloom.kernel import LearnedPair, MergeTable
from pairloom.left_out import LeftOut
from pairloom.merges import Merge, learned_merges
from pairloom.model import Model

# Merges between two yields: some milliseconds.
_STRIDE = 4_000


def trained_model_in_portions(
    alphabet: tuple[str, ...],
    learned: Iterable[LearnedPair],
    *,
    lowercase: bool,
    pre_tokenizer: str,
    marker: bool,
    min_frequency: int,
    initial_tokens: int,
    stop_reason: str | None,
    left_out: LeftOut | None,
) -> Generator[None, None, Model]:
    """Yield now and then; return the model of what a training of our own has learned, nothing of it checked again.

    Training never makes a string twice (T8): every result is new, and IDs continue behind the alphabet.
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
    return Model(
        alphabet=alphabet,
        vocabulary=vocabulary,
        merges=tuple(merges),
        lowercase=lowercase,
        pre_tokenizer=pre_tokenizer,
        marker=marker,
        min_frequency=min_frequency,
        initial_tokens=initial_tokens,
        stop_reason=stop_reason,
        _left_out=left_out,
        _ids=ids,
        _encoder=kernel.TextEncoder(
            MergeTable(rows),
            alphabet=alphabet,
            vocabulary=vocabulary,
            ids=ids,
            lowercase=lowercase,
            punctuation=pre_tokenizer == "punctuation",
            marker=marker,
        ),
    )
