"""Signs of life on standard error: only in a terminal, only for work over a second, and gone when it is done."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from pairloom.cli.listing import fitted, width
from pairloom.cli.messages import write_line

_QUIET_S = 1.0
_PAUSE_S = 0.1
_USUAL_COLUMNS = 80


def terminal_columns() -> int:
    """Return how wide the terminal at standard error is, 80 where it does not say."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_COLUMNS
    except (OSError, AttributeError, ValueError):
        return _USUAL_COLUMNS


class Progress:
    """One line that says what is going on; whoever works sets `status`, as often as they like.

    A thread shows it: some of the work is one long call, which could not show anything itself.
    """

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, columns: Callable[[], int] = terminal_columns
    ) -> None:
        """Start the clock, and nothing else."""
        self.status = ""
        self._clock = clock
        self._columns = columns
        self._start = clock()
        self._shown = 0
        self._stopped = Event()
        self._thread = Thread(target=self._show_until_stopped, daemon=True)

    def start(self) -> None:
        """Begin to show, after a second, if standard error is a terminal."""
        if sys.stderr is not None and sys.stderr.isatty():
            self._thread.start()

    def stop(self) -> None:
        """Stop showing, and take the line away."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._shown:
            self._write(f"\r{' ' * self._shown}\r")
            self._shown = 0

    def show(self) -> None:
        """Show the status now, with the seconds that have gone by, in place of what was shown before."""
        seconds = f", {self._clock() - self._start:.0f} s"
        # In the last column some terminals go on to the next line, from which nothing would be taken away.
        room = self._columns() - 1
        line = fitted(fitted(self.status, room - len(seconds)) + seconds, room)
        padding = " " * (self._shown - width(line))
        self._shown = width(line)
        self._write(f"\r{line}{padding}")

    def say(self, text: str) -> None:
        """Write a line that stays; the line of progress goes on below it."""
        if self._shown:
            self._write(f"\r{' ' * self._shown}\r")
            self._shown = 0
        write_line(text)

    def _show_until_stopped(self) -> None:
        pause = _QUIET_S
        while not self._stopped.wait(pause):
            self.show()
            pause = _PAUSE_S

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def progress(status: str, *, quiet: bool) -> Iterator[Progress]:
    """Give a progress line for the block; it is gone after it, whatever ended it.

    With `quiet` it never shows: where results appear in the terminal meanwhile, or somebody is typing.
    """
    line = Progress()
    line.status = status
    if not quiet:
        line.start()
    try:
        yield line
    finally:
        line.stop()
