"""What must hold between the numbers of a trained model, whichever corpus it was trained on.

A file can say anything; these laws tell numbers that a training can have measured from others. Each follows from the
rules alone, so a file that breaks one was not written by a training.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pairloom.errors import InvalidMerge, ModelError
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.shortening import short_repr
from pairloom.unicode_data import MARKER


def check_trained_numbers(model: Model) -> None:
    """Raise unless the numbers of the merges can come from training.

    Rules: T2–T7.

    Args:
        model: trained, with merges that `check_trained_merges` has passed.

    Raises:
        ModelError, InvalidMerge: `where` is the number that does not fit, or the merge.

    Cost: O(n log n) in the merges.
    """
    supply = _Supply()
    for merge in model.merges:
        _check_replacements(merge)
        supply.take(merge)
    for earlier, later in pairwise(model.merges):
        _check_fall(earlier, later)
    _check_ties(model.merges)
    _check_initial_tokens(model, supply)
    _check_corpus_tokens(model)


def _check_replacements(merge: Merge) -> None:
    frequency, replacements, _ = _numbers(merge)
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


@dataclass(slots=True)
class _Supply:
    """How often each symbol stands in the corpus, as far as the merges tell.

    A merge makes its result as often as it replaces, and uses up its parts as often; nothing else changes how often a
    symbol stands there. So of a symbol that was made it is known exactly; of a code point, how often at least.

    Attributes:
        left_over: of each symbol that a merge made, how many there are now.
        used: of each code point, how many merges have used up.
        needed: of each code point, how many there were at the start, at least.
    """

    left_over: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    needed: dict[str, int] = field(default_factory=dict)

    def take(self, merge: Merge) -> None:
        """Use up the parts of the merge, and make its result. Raises: ModelError, if there are too few."""
        frequency, replacements, _ = _numbers(merge)
        if merge.left == merge.right:
            # Each replacement takes two. Twice as many positions as replacements are in runs of odd length only: each
            # keeps one symbol over.
            self._use(merge, merge.left, replacements * 2, over=int(frequency == 2 * replacements))
        else:
            self._use(merge, merge.left, replacements)
            self._use(merge, merge.right, replacements)
        self.left_over[merge.result] = replacements

    def _use(self, merge: Merge, symbol: str, count: int, *, over: int = 0) -> None:
        there = self.left_over.get(symbol)
        if there is None:
            used = self.used.get(symbol, 0)
            self.used[symbol] = used + count
            self.needed[symbol] = max(self.needed.get(symbol, 0), used + count + over)
        elif there < count + over:
            _object(merge, "frequency", f"asks for {count + over} of the symbol {short_repr(symbol)}; {there} are left")
        else:
            self.left_over[symbol] = there - count


def _check_initial_tokens(model: Model, supply: _Supply) -> None:
    """Raise if the code points that the merges ask for, and at least one of each, are more than the corpus had."""
    needed = {entry: max(1, supply.needed.get(entry, 0)) for entry in model.alphabet}
    # A word is more than its marker.
    words = needed.pop(MARKER, 0)
    least = words + max(words, sum(needed.values()))
    assert model.initial_tokens is not None
    if model.initial_tokens < least:
        reason = f"must be at least {least}: so many code points are in the alphabet and the merges"
        raise ModelError(reason=reason, where="initial_tokens")


def _check_corpus_tokens(model: Model) -> None:
    before = model.initial_tokens
    assert before is not None
    for merge in model.merges:
        _, replacements, after = _numbers(merge)
        if after != before - replacements:
            reason = f"must be {before - replacements}: {before} before this merge, minus the replacements"
            _object(merge, "corpus_tokens", reason)
        before = after


def _check_fall(earlier: Merge, later: Merge) -> None:
    if _numbers(later)[0] > _numbers(earlier)[0]:
        # An older pair would have been chosen before; one with the new symbol has no more than its replacements.
        _object(
            later,
            "frequency",
            f"must be at most {earlier.frequency}: no pair is more frequent than the one merged before it",
        )


def _check_ties(merges: Sequence[Merge]) -> None:
    """Raise if a pair was merged before a smaller one that was as frequent. Rule: T4.

    How frequent a pair is never rises once both of its symbols are there. Frequencies of the merges never rise either,
    so equal ones stand in a run, and in it a pair must be larger than all those that were merged since its symbols are
    there. Only the largest is compared: of the pairs of the run so far, `peaks` holds those larger than all after them.
    """
    ranks = {merge.result: merge.rank for merge in merges}
    peaks: list[Merge] = []
    for merge in merges:
        if peaks and peaks[-1].frequency != merge.frequency:
            peaks.clear()
        pair = (merge.left, merge.right)
        there_since = max(ranks.get(merge.left, -1), ranks.get(merge.right, -1))
        place = bisect_right(peaks, there_since, key=lambda peak: peak.rank)
        if place < len(peaks) and (peaks[place].left, peaks[place].right) > pair:
            reason = (
                f"of two pairs as frequent the smaller is merged first, so not after that of rank {peaks[place].rank}"
            )
            raise InvalidMerge(rank=merge.rank, reason=reason)
        while peaks and (peaks[-1].left, peaks[-1].right) < pair:
            peaks.pop()
        peaks.append(merge)


def _numbers(merge: Merge) -> tuple[int, int, int]:
    assert merge.frequency is not None
    assert merge.replacements is not None
    assert merge.corpus_tokens is not None
    return merge.frequency, merge.replacements, merge.corpus_tokens


def _object(merge: Merge, key: str, reason: str) -> None:
    raise ModelError(reason=reason, where=f"merges[{merge.rank}].{key}")
