"""The pairs of the corpus at a prefix, most frequent first, sorted only as far as somebody looks. Rules: S3, T4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from pairloom.history import History, Pair
from pairloom.views.paging import Page

# Up to so many, the smallest are found faster than all are sorted.
_FEW = 300


@dataclass(frozen=True, slots=True)
class CountedPair:
    """A pair with its frequency (T2)."""

    left: str
    right: str
    frequency: int

    @property
    def result(self) -> str:
        """The string that merging it would make."""
        return self.left + self.right


@dataclass(frozen=True, slots=True)
class PairOrder:
    """Every pair at a prefix; make it with `of`.

    A large corpus has ten thousand pairs, and sorting them all takes longer than a step may. But their frequencies are
    few, so pairs are kept by frequency, and only those that are looked at are sorted.

    Attributes:
        total: how many pairs there are.
    """

    total: int
    _by_frequency: Mapping[int, Sequence[Pair]]

    @classmethod
    def of(cls, history: History, prefix: int) -> PairOrder:
        """Return the pairs of a history at a prefix. Raises: PrefixError.

        >>> from pairloom.trainer import train
        >>> from pairloom.word_counts import count_words
        >>> order = PairOrder.of(History.of(count_words("ab ab ac"), train("ab ab ac")), 0)
        >>> order.total, [(pair.result, pair.frequency) for pair in order.page(0, size=2).rows]
        (3, [('▁a', 3), ('ab', 2)])
        """
        counts = history.pair_counts(prefix)
        by_frequency: dict[int, list[Pair]] = {}
        for pair, frequency in counts.items():
            by_frequency.setdefault(frequency, []).append(pair)
        return cls(len(counts), dict(sorted(by_frequency.items(), reverse=True)))

    def page(self, index: int, *, size: int) -> Page[CountedPair]:
        """Return a page of the pairs in T4's order; an index past the end gives the last one."""
        count = max(1, -(-self.total // size))
        index = max(0, min(index, count - 1))
        first = index * size
        rows: list[CountedPair] = []
        passed = 0
        for frequency, pairs in self._by_frequency.items():
            start = max(first - passed, 0)
            if start < len(pairs) and len(rows) < size:
                wanted = _smallest(start + size - len(rows), pairs)[start:]
                rows += [CountedPair(left, right, frequency) for left, right in wanted]
            passed += len(pairs)
        return Page(index, count, first, self.total, tuple(rows))

    @property
    def highest(self) -> int:
        """The highest frequency; 0 if there is no pair."""
        return next(iter(self._by_frequency), 0)

    def at_least(self, frequency: int) -> int:
        """Return how many pairs have at least this frequency."""
        return sum(len(pairs) for each, pairs in self._by_frequency.items() if each >= frequency)

    def most_frequent(self) -> Sequence[Pair]:
        """Return the pairs that share the highest frequency, in any order; none if there is no pair."""
        return self._by_frequency.get(self.highest, ())

    def next_lower(self) -> CountedPair | None:
        """Return the first pair, in T4's order, below the highest frequency."""
        for frequency, pairs in list(self._by_frequency.items())[1:2]:
            return CountedPair(*min(pairs), frequency)
        return None


def _smallest(count: int, pairs: Sequence[Pair]) -> list[Pair]:
    return nsmallest(count, pairs) if count < _FEW else sorted(pairs)[:count]
