"""Choices read from bytes: what a `random.Random` draws from its state, the fuzzer decides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Self


class Choices(random.Random):
    """Draws as `random.Random` does, a byte or a few for each; zeros when they are used up."""

    def __new__(cls, data: bytes) -> Self:  # noqa: ARG004  # random.Random would seed itself with them
        """Return an instance that `__init__` fills."""
        return super().__new__(cls)

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        super().__init__(0)

    def _number(self, below: int) -> int:
        size = 1 if below <= 1 << 8 else (below.bit_length() + 7) // 8
        piece = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(piece, "big") % below

    def rest(self) -> bytes:
        """Return what was not used, and use it up."""
        left, self._data = self._data[self._at :], b""
        return left

    def random(self) -> float:
        """Return a fraction below one, in steps of 1/256."""
        return self._number(256) / 256

    def randint(self, a: int, b: int) -> int:
        """Return a number from a to b."""
        return a + self._number(b - a + 1)

    def choice(self, seq: Any) -> Any:
        """Return an element."""
        return seq[self._number(len(seq))]

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> list[Any]:
        """Return so many elements, each as likely as any."""
        assert weights is None
        assert cum_weights is None
        elements: Sequence[Any] = population
        return [elements[self._number(len(elements))] for _ in range(k)]
