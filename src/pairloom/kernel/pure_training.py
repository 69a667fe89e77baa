"""Training in plain Python: incremental pair counts, postings, and a lazy heap.

All distinct words lie one behind the other in one list of symbols, a boundary after each. `following` and `preceding`
link the symbols that are still there, so a merge touches its own occurrences and nothing else, however long the word.

Why the heap may be lazy: a pair's frequency only falls after the round in which its younger symbol was made. A merge
(a, b) → ab takes occurrences away from pairs that were there before, and every pair that it adds holds ab. So a heap
entry can be too high but never too low: the top entry whose number is still right is the maximum. For the same reason
a pair that falls under the minimum frequency can be forgotten for good.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush, heapreplace
from itertools import islice, repeat

from pairloom.errors import WorkUnfinished
from pairloom.values import NamedTuple

# Positions handled between two looks at the budget: short enough for portions of about a millisecond.
_STRIDE = 1000


class LearnedPair(NamedTuple):
    """One round: the pair, what it makes, its two numbers (T2, T5), and the corpus tokens after it (T6)."""

    left: str
    right: str
    result: str
    frequency: int
    replacements: int
    corpus_tokens: int


class TrainingRun:
    """The state of one training: `advance` works on it in portions.

    `alphabet` and `initial_tokens` describe the corpus before the first merge (T1, T7). `learned` are the rounds so
    far: complete ones only, whatever breaks into a portion. `is_exhausted` says that no
    further pair qualifies. `operations` counts touched positions, pairs and heap entries: the measure of work that the
    tests bound.
    """

    def __init__(
        self,
        counts: Mapping[str, int],
        *,
        min_frequency: int,
        expected_merges: int = 0,  # noqa: ARG002  # what the compiled one can use
    ) -> None:
        self._counts = counts
        self._min_frequency = min_frequency
        self.alphabet = tuple(sorted(set().union(*counts)))
        self.initial_tokens = sum(count * len(word) for word, count in counts.items())
        self._pause_at: float = 0
        self._work = self._rounds()
        self.learned: list[LearnedPair] = []
        self.operations = 0
        self.is_exhausted = False

    @property
    def learned_count(self) -> int:
        """How many rounds are complete."""
        return len(self.learned)

    def advance(self, *, max_operations: float, max_merges: int = 1) -> None:
        """Work until a merge is learned, about `max_operations` are done, or no pair qualifies any more.

        `max_merges` is how many may be learned in one call: this implementation stops after each.

        Raises:
            WorkUnfinished: an exception (Ctrl-C, no memory) broke into an earlier portion; the counts are half done.
        """
        if max_merges < 1:
            return
        self._pause_at = self.operations + max_operations
        for _ in self._work:
            return
        # A generator that an exception has left ends like one that is through: only the latter says so.
        if not self.is_exhausted:
            raise WorkUnfinished(work="training", reason="interrupted")

    def _rounds(self) -> Iterator[None]:
        """Yield after each round, and where the budget is used up."""
        yield from self._lay_out()
        yield from self._count_pairs()
        self._queue = [(-frequency, left, right) for (left, right), frequency in self._frequency.items()]
        heapify(self._queue)
        self.operations += len(self._queue)
        yield from self._rounds_by_frequency()
        self.is_exhausted = True

    def _rounds_by_frequency(self) -> Iterator[None]:
        """Merge the most frequent pair, the smallest in code-point order among equals (T4), until none qualifies."""
        queue = self._queue
        while queue:
            self.operations += 1
            if self.operations >= self._pause_at:
                yield
            negated, left, right = queue[0]
            frequency = self._frequency.get((left, right))
            if frequency is None:
                heappop(queue)
            elif frequency != -negated:
                heapreplace(queue, (-frequency, left, right))
            else:
                heappop(queue)
                yield from self._merge(left, right, frequency)

    def _lay_out(self) -> Iterator[None]:
        """Put the words one behind the other."""
        self._symbols: list[str | None] = []
        self._weights: list[int] = []
        # One object per code point: comparing symbols then mostly ends at their identity.
        canonical: dict[str, str] = {}
        for word, count in self._counts.items():
            self._symbols += [canonical.setdefault(code_point, code_point) for code_point in word]
            self._symbols.append(None)
            self._weights.extend(repeat(count, len(word) + 1))
            self.operations += 1 + len(word) // 4
            if self.operations >= self._pause_at:
                yield
        self._following = list(range(1, len(self._symbols) + 1))
        # The first symbol's predecessor is -1: the boundary behind the last word.
        self._preceding = list(range(-1, len(self._symbols) - 1))
        self._tokens = self.initial_tokens

    def _count_pairs(self) -> Iterator[None]:
        """Count every adjacent position (T2) and note where each pair stands."""
        symbols = self._symbols
        postings: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        lefts, rights = iter(symbols), islice(symbols, 1, None)
        numbered = enumerate(zip(lefts, rights, strict=False))
        while stride := list(islice(numbered, _STRIDE)):
            for position, (left, right) in stride:
                if left is not None and right is not None:
                    postings[left, right].append(position)
            self.operations += len(stride)
            if self.operations >= self._pause_at:
                yield
        weight_of = self._weights.__getitem__
        self._frequency: dict[tuple[str, str], int] = {}
        self._postings: dict[tuple[str, str], list[int]] = {}
        for pair, positions in postings.items():
            frequency = sum(map(weight_of, positions))
            if frequency >= self._min_frequency:
                self._frequency[pair] = frequency
                self._postings[pair] = positions
            self.operations += 1
            if self.operations >= self._pause_at:
                yield

    def _merge(self, left: str, right: str, frequency: int) -> Iterator[None]:
        """Replace every occurrence of the pair, left to right without overlap (T5), and update the counts."""
        merged = left + right
        del self._frequency[left, right]
        symbols, weights = self._symbols, self._weights
        following, preceding = self._following, self._preceding
        # Where the new symbol now stands behind, and in front of, each neighbour: one look-up an occurrence here,
        # and one update a distinct neighbour below.
        behind: defaultdict[str, list[int]] = defaultdict(list)
        before: defaultdict[str, list[int]] = defaultdict(list)
        replacements = 0
        # Postings are in ascending order: they were noted while walking from left to right, here or at the start.
        positions = iter(self._postings.pop((left, right)))
        while stride := list(islice(positions, _STRIDE)):
            for position in stride:
                gone = following[position]
                # Postings may be stale: either symbol may have become part of another since.
                if symbols[position] != left or symbols[gone] != right:
                    continue
                replacements += weights[position]
                previous, following_one = preceding[position], following[gone]
                neighbour = symbols[previous]
                if neighbour is not None:
                    behind[neighbour].append(previous)
                neighbour = symbols[following_one]
                if neighbour is not None:
                    before[neighbour].append(position)
                symbols[position] = merged
                symbols[gone] = None
                following[position] = following_one
                preceding[following_one] = position
            self.operations += len(stride)
            if self.operations >= self._pause_at:
                yield
        self._tokens -= replacements
        self._recount(left, right, merged, behind, before)
        self.learned.append(LearnedPair(left, right, merged, frequency, replacements, self._tokens))
        yield

    def _recount(
        self, left: str, right: str, merged: str, behind: dict[str, list[int]], before: dict[str, list[int]]
    ) -> None:
        """Take the pairs that the replacements broke off the counts, and add the pairs that they made."""
        self.operations += len(before) + len(behind)
        # Two occurrences in a row, `abab`: the first one saw ab+a behind itself, which the second one made ab+ab.
        twins = behind.pop(merged, None)
        twin_weight = self._weigh(twins) if twins is not None else 0
        for neighbour, positions in before.items():
            weight = self._weigh(positions)
            self._lower((right, neighbour), weight)
            self._add((merged, neighbour), weight - twin_weight if neighbour == left else weight, positions)
        for neighbour, positions in behind.items():
            weight = self._weigh(positions)
            self._lower((neighbour, left), weight)
            self._add((neighbour, merged), weight, positions)
        if twins is not None:
            self._add((merged, merged), twin_weight, twins)

    def _weigh(self, positions: list[int]) -> int:
        """Return the sum of the word counts at these positions; most lists hold one."""
        if len(positions) == 1:
            return self._weights[positions[0]]
        return sum(map(self._weights.__getitem__, positions))

    def _lower(self, pair: tuple[str, str], weight: int) -> None:
        """Lower a pair's frequency; forget the pair when it cannot qualify any more. The one being merged is gone."""
        frequency = self._frequency.get(pair)
        if frequency is None:
            return
        if frequency - weight < self._min_frequency:
            del self._frequency[pair], self._postings[pair]
        else:
            self._frequency[pair] = frequency - weight

    def _add(self, pair: tuple[str, str], frequency: int, positions: list[int]) -> None:
        """Enter a pair that this round made, if it can ever qualify."""
        if frequency >= self._min_frequency:
            self._frequency[pair] = frequency
            self._postings[pair] = positions
            heappush(self._queue, (-frequency, *pair))
