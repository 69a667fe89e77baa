"""Signs of life on standard error: only in a terminal, only for work over a second, and gone when it is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_QUIET_S = 1.0
_PAUSE_S = 0.1


class Progress:
    """Shows one line and overwrites it."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the clock."""
        self._clock = clock
        self._next = clock() + _QUIET_S
        self._shown = 0
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def is_due(self) -> bool:
        """Whether it is time to show something; cheap enough for every turn of a loop."""
        return self._is_terminal and self._clock() >= self._next

    def show(self, line: str) -> None:
        """Show `line` in place of the one before."""
        padding = " " * (self._shown - len(line))
        # Known before it is written: Ctrl-C may come right after, and what is shown has to be taken away then.
        self._shown = len(line)
        self._write(f"\r{line}{padding}")
        self._next = self._clock() + _PAUSE_S

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write(f"\r{' ' * self._shown}\r")
            self._shown = 0

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def progress() -> Iterator[Progress]:
    """Give a progress line for the block; it is gone after it, whatever ended it."""
    line = Progress()
    try:
        yield line
    finally:
        line.clear()
