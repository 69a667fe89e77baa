"""Who does the work: this process, several on this machine, or a Ray cluster. All of them do the same work.

An engine runs a function on each of many values and gives the results as they come. What the function raises goes to
the caller as it is, always that of the first value that failed. Work that is lost with its worker is done again, in all
`ATTEMPTS` times; then `WorkLost` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")

ATTEMPTS: Final = 4
"""One, and three more."""


class Engine(Protocol):
    """What runs work."""

    @property
    def workers(self) -> int:
        """How many work at a time."""

    def on_every_node(self, work: Callable[[T], object], value: T) -> None:
        """Do some work once on each machine, before all others."""

    def run(self, work: Callable[[T], R], values: Sequence[T], names: Sequence[str]) -> Iterator[tuple[int, R]]:
        """Yield the number of each value with its result, as they come.

        Args:
            work: a function at the top level of a module; it may be called again for a value whose worker was lost.
            values: each with what `work` needs; they travel to workers.
            names: of the values, for errors and dashboards.
        """


class InThisProcess:
    """Does the work one after the other, here."""

    workers = 1

    def on_every_node(self, work: Callable[[T], object], value: T) -> None:
        """Do it here."""
        work(value)

    def run(self, work: Callable[[T], R], values: Sequence[T], names: Sequence[str]) -> Iterator[tuple[int, R]]:  # noqa: ARG002  # nobody is told
        """Yield each result; see `Engine`."""
        for number, value in enumerate(values):
            yield number, work(value)


class FirstFailure:
    """Keeps the failure of the lowest number, while those before it may still come to fail."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._error: BaseException | None = None

    def note(self, number: int, error: BaseException) -> None:
        """Keep the failure, if none of a lower number is known."""
        if self._number is None or number < self._number:
            self._number, self._error = number, error

    @property
    def is_there(self) -> bool:
        """Whether anything failed: then no new work is begun."""
        return self._error is not None

    def raise_it(self) -> None:
        """Raise the failure, if there is one."""
        if self._error is not None:
            raise self._error
