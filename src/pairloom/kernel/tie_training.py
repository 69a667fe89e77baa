"""Training under another tool's tie rule, on the same incremental counts; only what decides among equals is replaced.

A heap entry is (−frequency, key, left, right). The lazy heap stays right as long as a pair's key never falls, just as
its frequency never rises: then an entry can be too early in the queue but never too late. The keys of four rules are
fixed with the pair. That of "first seen" is where the pair stands first, which only moves to the right: a round adds no
place to a pair that was there before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush, heapreplace
from typing import Any, Final, Literal, NamedTuple

from pairloom.errors import SettingError
from pairloom.kernel.pure_training import TrainingRun

TieRule = Literal["ours", "first_seen", "smallest_ids", "largest_pair", "sentencepiece"]

TIE_RULES: Final[tuple[TieRule, ...]] = ("ours", "first_seen", "smallest_ids", "largest_pair", "sentencepiece")
"""The rules, named as `pairloom.educational.tie_rule` names them."""


class _Largest(NamedTuple):
    """A pair that comes before the smaller ones."""

    left: str
    right: str

    def __lt__(self, other: tuple[object, ...]) -> bool:
        return tuple.__gt__(self, other)


class TieRuleRun(TrainingRun):
    """The state of one training under a tie rule; `advance` as in `TrainingRun`.

    Args:
        counts: words with their counts, in the order in which "first seen" reads them.
        min_frequency: as in `TrainingRun`.
        rule: one of `TIE_RULES`.

    Raises:
        SettingError: no such rule.

    Cost: that of a training in pure Python; "first seen" looks at each place of a pair at most once more.
    """

    def __init__(self, counts: Mapping[str, int], *, min_frequency: int, rule: TieRule) -> None:
        if rule not in TIE_RULES:
            raise SettingError(setting="rule", value=rule, allowed=f"one of {', '.join(TIE_RULES)}")
        super().__init__(counts, min_frequency=min_frequency)
        self._rule = rule
        # IDs as ours (V1): the base alphabet by code point, then the merges in their order.
        self._ids = {symbol: token_id for token_id, symbol in enumerate(sorted(set("".join(counts))))}
        # Of a pair's postings, how many from the front are known to be gone.
        self._passed: dict[tuple[str, str], int] = {}

    def _rounds_by_frequency(self) -> Iterator[None]:
        """Merge the most frequent pair, among equals the one with the smallest key, until none qualifies."""
        self._ruled: list[tuple[int, Any, str, str]] = [
            (-frequency, self._key(pair), *pair) for pair, frequency in self._frequency.items()
        ]
        heapify(self._ruled)
        self.operations += len(self._ruled)
        queue = self._ruled
        while queue:
            self.operations += 1
            if self.operations >= self._pause_at:
                yield
            negated, key, left, right = queue[0]
            frequency = self._frequency.get((left, right))
            if frequency is None:
                heappop(queue)
                continue
            now = self._key((left, right)) if self._rule == "first_seen" else key
            if (-frequency, now) != (negated, key):
                heapreplace(queue, (-frequency, now, left, right))
            else:
                heappop(queue)
                self._ids.setdefault(left + right, len(self._ids))
                yield from self._merge(left, right, frequency)

    def _add(self, pair: tuple[str, str], frequency: int, positions: list[int]) -> None:
        """Enter a pair that this round made, if it can ever qualify."""
        if frequency >= self._min_frequency:
            self._frequency[pair] = frequency
            self._postings[pair] = positions
            heappush(self._ruled, (-frequency, self._key(pair), *pair))

    def _key(self, pair: tuple[str, str]) -> Any:
        """Return what decides among pairs of one frequency: the smallest wins."""
        left, right = pair
        match self._rule:
            case "first_seen":
                return self._first_place(pair)
            case "smallest_ids":
                return self._ids[left], self._ids[right]
            case "largest_pair":
                return _Largest(left, right)
            case "sentencepiece":
                return len(left) + len(right), left + right
            case _:
                return pair

    def _first_place(self, pair: tuple[str, str]) -> int:
        """Return where a pair that stands somewhere stands first."""
        symbols, following, postings = self._symbols, self._following, self._postings[pair]
        passed = self._passed.get(pair, 0)
        # A posting is stale where either symbol has become part of another since.
        while symbols[postings[passed]] != pair[0] or symbols[following[postings[passed]]] != pair[1]:
            passed += 1
            self.operations += 1
        self._passed[pair] = passed
        return postings[passed]
