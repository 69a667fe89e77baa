"""Merging one word in plain Python: the lowest rank first, the leftmost on a tie, one occurrence at a time (E2).

Two ways with the same answers: short words look at all ranks before each merge; long ones keep a heap of
(rank, position), so that a word of any length costs O(n log n).

The heap holds each (rank, position) as one number, rank · size + position: the order is the same, and numbers compare
and travel at a third of the cost of pairs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from heapq import heapify, heappop, heappush
from itertools import islice, pairwise, repeat

from pairloom.kernel.pure_training import LearnedPair
from pairloom.portions import in_one_go
from pairloom.values import NamedTuple

# Up to this many code points looking at all ranks is faster than the heap.
SHORT_WORD = 64

# Positions or merges between two looks at the budget of who wants a word in portions: a fraction of a millisecond.
_STRIDE = 500


# A merge as the table takes it: left, right, result, and whatever else is known of it.
Row = tuple[str, str, str] | LearnedPair


class MergedWord(NamedTuple):
    """A word after merging: where its tokens start, and the merges in the order in which they were made.

    A step is (start of the right half, rank), counted in code points of the word from 0.
    """

    starts: list[int]
    steps: list[tuple[int, int]]


class MergeTable:
    """The ranks of the pairs of a merge list, ready for merging words; it never changes.

    `rows` are the merges. Of a pair that is listed twice the lower rank counts. `never` is the rank of a pair that is
    not listed.
    """

    __slots__ = ("_ranks", "_results", "never", "rows")

    def __init__(self, merges: Iterable[Row]) -> None:
        self.rows: tuple[Row, ...] = tuple(merges)
        self._ranks: dict[tuple[str, str], int] | None = None
        # The very objects of the list: a merged symbol is never built anew, so long symbols cost no copying.
        self._results = [row[2] for row in self.rows]
        self.never = len(self._results)

    def __reduce__(self) -> tuple[object, ...]:
        return MergeTable, (self.rows,)

    @property
    def ranks(self) -> dict[tuple[str, str], int]:
        """The rank of each pair, made when a word is first merged: a model may be trained to be saved alone."""
        if self._ranks is None:
            ranks: dict[tuple[str, str], int] = {}
            for rank, (left, right, *_) in enumerate(self.rows):
                ranks.setdefault((left, right), rank)
            # Two threads may both get here: they make the same, and each assignment is whole.
            self._ranks = ranks
        return self._ranks

    def merge(self, word: str, *, prefix: int) -> MergedWord:
        """Return the word merged with the first `prefix` merges.

        Cost: O(n log n) in code points for long words.
        """
        if len(word) <= SHORT_WORD:
            return self._merge_short(word, prefix)
        return in_one_go(self._merge_long(word, prefix))

    def merge_in_portions(self, word: str, *, prefix: int) -> Generator[int, None, MergedWord]:
        """Yield the operations done since the last time, again and again; return what `merge` returns.

        For those who must not be away for long: a word of 40,000 code points takes some 50 ms in one go.
        """
        if len(word) <= SHORT_WORD:
            return self._merge_short(word, prefix)
        return (yield from self._merge_long(word, prefix))

    def _merge_short(self, word: str, prefix: int) -> MergedWord:
        rank_of, never = self.ranks.get, self.never
        symbols = list(word)
        starts = list(range(len(symbols)))
        steps: list[tuple[int, int]] = []
        ranks = [rank_of(pair, never) for pair in pairwise(symbols)]
        while ranks and (rank := min(ranks)) < prefix:
            at = ranks.index(rank)
            steps.append((starts.pop(at + 1), rank))
            symbols[at] = merged = self._results[rank]
            del symbols[at + 1], ranks[at]
            if at > 0:
                ranks[at - 1] = rank_of((symbols[at - 1], merged), never)
            if at < len(ranks):
                ranks[at] = rank_of((merged, symbols[at + 1]), never)
        return MergedWord(starts, steps)

    def _merge_long(self, word: str, prefix: int) -> Generator[int, None, MergedWord]:
        rank_of, never = self.ranks.get, self.never
        # An empty string stands behind the last symbol, and where a symbol was swallowed: no pair is listed with it.
        # So the last symbol has a follower, and every `following` that is read below points into the list.
        symbols = [*word, ""]
        size = len(symbols)
        following = list(range(1, size + 1))
        preceding = list(range(-1, size - 1))
        yield _STRIDE
        steps: list[tuple[int, int]] = []
        queue: list[int] = []
        numbered = enumerate(pairwise(symbols))
        while stride := list(islice(numbered, _STRIDE)):
            queue += [rank * size + position for position, pair in stride if (rank := rank_of(pair, never)) < prefix]
            yield len(stride)
        heapify(queue)
        while queue:
            for _ in repeat(None, _STRIDE):
                if not queue:
                    break
                rank, position = divmod(heappop(queue), size)
                gone = following[position]
                # Stale unless the pair that stands there now still has this rank.
                if rank_of((symbols[position], symbols[gone]), never) != rank:
                    continue
                steps.append((gone, rank))
                symbols[position] = merged = self._results[rank]
                symbols[gone] = ""
                after = following[position] = following[gone]
                preceding[after] = position
                if (rank := rank_of((merged, symbols[after]), never)) < prefix:
                    heappush(queue, rank * size + position)
                previous = preceding[position]
                if previous >= 0 and (rank := rank_of((symbols[previous], merged), never)) < prefix:
                    heappush(queue, rank * size + previous)
            yield _STRIDE
        starts = [position for position, symbol in enumerate(symbols) if symbol]
        return MergedWord(starts, steps)
