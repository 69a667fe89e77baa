"""What must hold between the numbers of a trained model, whichever corpus it was trained on.

A file can say anything; these laws tell numbers that a training can have measured from others. Each follows from the
rules alone, so a file that breaks one was not written by a training.
"""

from __future__ import annotations

from itertools import pairwise

from pairloom.errors import InvalidMerge, ModelError
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.unicode_data import MARKER


def check_trained_numbers(model: Model) -> None:
    """Raise unless the merges and their numbers can come from training.

    Rules: T2–T8.

    Raises:
        ModelError, InvalidMerge: `where` is the number that does not fit, or the merge.
    """
    tokens = model.initial_tokens
    assert tokens is not None, "called for trained models only"
    if tokens < len(model.alphabet):
        raise ModelError(reason="must be at least the size of the alphabet: each entry occurs", where="initial_tokens")
    for merge in model.merges:
        tokens = _check_merge(merge, tokens_before=tokens)
    for earlier, later in pairwise(model.merges):
        _check_order(earlier, later)


def _check_merge(merge: Merge, *, tokens_before: int) -> int:
    """Return the corpus tokens after the merge."""
    frequency, replacements, tokens = merge.frequency, merge.replacements, merge.corpus_tokens
    assert frequency is not None
    assert replacements is not None
    assert tokens is not None
    if merge.left != merge.right:
        # Only a pair of equal symbols can overlap with itself.
        if replacements != frequency:
            _object(
                merge,
                "replacements",
                f"must be the frequency, {frequency}: a pair of two different symbols is replaced wherever it stands",
            )
    elif not replacements <= frequency <= 2 * replacements:
        # A run of n equal symbols has n - 1 positions and half of n replacements, rounded down.
        _object(merge, "replacements", f"must be from half of the frequency, {frequency}, to all of it")
    if tokens != tokens_before - replacements:
        _object(
            merge,
            "corpus_tokens",
            f"must be {tokens_before - replacements}: {tokens_before} before this merge, minus the replacements",
        )
    if not merge.is_new:
        raise InvalidMerge(rank=merge.rank, reason="training makes no symbol twice")
    if MARKER in merge.right:
        raise InvalidMerge(rank=merge.rank, reason="the marker ▁ stands only at the start of a word")
    return tokens


def _check_order(earlier: Merge, later: Merge) -> None:
    assert earlier.frequency is not None
    assert later.frequency is not None
    if later.frequency > earlier.frequency:
        # An older pair would have been chosen before; one with the new symbol has no more than its replacements.
        _object(
            later,
            "frequency",
            f"must be at most {earlier.frequency}: no pair is more frequent than the one merged before it",
        )
    is_older = earlier.result not in (later.left, later.right)
    if is_older and later.frequency == earlier.frequency and (later.left, later.right) < (earlier.left, earlier.right):
        raise InvalidMerge(rank=later.rank, reason="of two pairs as frequent the smaller one is merged first")


def _object(merge: Merge, key: str, reason: str) -> None:
    raise ModelError(reason=reason, where=f"merges[{merge.rank}].{key}")
