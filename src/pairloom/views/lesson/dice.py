"""Chance that is the same everywhere: of a text, the same numbers on every machine and Python version. Rule: T9.

`random.Random` promises this for `random()` alone, not for `choice` or `shuffle`. So here is SplitMix64 (Steele, Lea
and Flood, "Fast splittable pseudorandom number generators", 2014), seeded with the FNV-1a hash of the text's UTF-8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_BITS: Final = 0xFFFF_FFFF_FFFF_FFFF


class Dice:
    """Draws numbers and items; equal seeds draw alike.

    >>> dice = Dice("a seed")
    >>> dice.below(6), dice.between(2, 9), dice.choice("abc"), dice.shuffled("abcd")
    (5, 9, 'c', ['a', 'c', 'b', 'd'])
    """

    def __init__(self, seed: str) -> None:
        state = 0xCBF2_9CE4_8422_2325
        # A lone surrogate, which a seed typed in a terminal may have, is a seed too.
        for byte in seed.encode("utf-8", "surrogatepass"):
            state = (state ^ byte) * 0x100_0000_01B3 & _BITS
        self._state = state

    def _next(self) -> int:
        self._state = self._state + 0x9E37_79B9_7F4A_7C15 & _BITS
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58_476D_1CE4_E5B9 & _BITS
        mixed = (mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB & _BITS
        return mixed ^ mixed >> 31

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to `bound` - 1; of 2**64 equally likely ones the last few are not even."""
        return self._next() * bound >> 64

    def between(self, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def some(self, items: Sequence[Item], most: int) -> list[Item]:
        """Return the items in another order; of more than `most`, so many of them, drawn one by one."""
        if len(items) <= most:
            return self.shuffled(items)
        places = dict.fromkeys(self.below(len(items)) for _ in range(most))
        return [items[place] for place in places]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in another order."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
