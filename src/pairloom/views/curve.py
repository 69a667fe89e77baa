"""The graph: corpus tokens at every prefix, thinned to a line that can be drawn, and its axes. Rule: W6."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from operator import neg
from typing import Final

from pairloom.history import History

MAX_POINTS: Final = 600
"""Of the line that is drawn; every prefix can be chosen all the same."""

# One point a column, two a level: 201 + 2 × 199 are not more than `MAX_POINTS`.
_COLUMNS = 200
_LEVELS = 200
# An axis shows its values at so many steps, at most.
_STEPS = 5
# A tick nearer to the end of its axis than this share of it would touch the last one.
_CROWDED = 0.2


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in the graph, in percent of its width from the left and of its height from above."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The line and its axes; both begin at 0, so that heights can be compared.

    Attributes:
        maximum: all merges, the right end.
        top: corpus tokens at prefix 0, the upper end.
        points: (prefix, corpus tokens) of the line, exact values; the first and the last prefix are among them.
        prefix_ticks: 0, round numbers and `maximum`.
        token_ticks: 0 and round numbers.
    """

    maximum: int
    top: int
    points: tuple[tuple[int, int], ...]
    prefix_ticks: tuple[int, ...]
    token_ticks: tuple[int, ...]

    @classmethod
    def of(cls, history: History) -> Curve:
        """Return the graph of a history. Cost: that of `thinned`."""
        counts = history.token_counts
        last = len(counts) - 1
        ticks = [tick for tick in round_numbers(last) if last - tick > _CROWDED * last]
        return cls(
            maximum=last,
            top=counts[0],
            points=tuple((prefix, counts[prefix]) for prefix in thinned(counts)),
            prefix_ticks=(*ticks, last),
            token_ticks=round_numbers(counts[0]),
        )

    def place(self, prefix: int, tokens: int) -> Place:
        """Return where a value stands in the graph."""
        return place(prefix, tokens, maximum=self.maximum, top=self.top)


def place(prefix: int, tokens: int, *, maximum: int, top: int) -> Place:
    """Return where a value stands in a graph with these ends; a graph of one point has it at the left.

    >>> place(5, 30, maximum=20, top=40)
    Place(x=25.0, y=25.0)
    """
    return Place(100 * prefix / max(maximum, 1), 100 - 100 * tokens / max(top, 1))


def thinned(token_counts: Sequence[int]) -> list[int]:
    """Return the prefixes that the line goes through: all of them, or at most `MAX_POINTS`.

    Counts never rise. A prefix is kept at every 200th of the width, and on both sides of the fall through every 200th
    of the height. So between two neighbours on the line that are none in the data, neither the prefix nor the count
    differs by more than that: less than a pixel of height, whatever the shape, and a cliff stays a cliff.

    Cost: two searches a level; not in proportion to the prefixes.

    >>> len(thinned(range(10_000, 0, -1))), thinned([9, 7, 4])
    (400, [0, 1, 2])
    """
    last = len(token_counts) - 1
    if last < MAX_POINTS:
        return list(range(last + 1))
    kept = {last * column // _COLUMNS for column in range(_COLUMNS + 1)}
    first, fall = token_counts[0], token_counts[0] - token_counts[last]
    for level in range(1, _LEVELS):
        fallen = bisect_left(token_counts, -(first - fall * level / _LEVELS), key=neg)
        kept.update((max(fallen - 1, 0), fallen))
    return sorted(kept)


def round_numbers(maximum: int) -> tuple[int, ...]:
    """Return 0 and the multiples of a round number up to `maximum`: of 1, 2 or 5 times a power of ten.

    >>> round_numbers(2_056), round_numbers(3), round_numbers(0)
    ((0, 500, 1000, 1500, 2000), (0, 1, 2, 3), (0,))
    """
    step = 1
    while maximum > _STEPS * step:
        # 1, 2, 5, 10, 20, 50, …
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return tuple(range(0, maximum + 1, step))
