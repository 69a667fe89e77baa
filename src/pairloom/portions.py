"""Work that can be done in portions: a generator that yields where somebody else may have a turn, and returns a value.

Whoever has time takes it in one go. Whoever must not be away for long (a server with one thread, a page) goes on from
yield to yield.
"""

from __future__ import annotations

from collections.abc import Generator

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Value = TypeVar("Value")


def in_one_go(work: Generator[object, None, Value]) -> Value:
    """Return what the work comes to, with no turn for anybody else.

    >>> def half_and_half():
    ...     yield
    ...     return 42
    >>> in_one_go(half_and_half())
    42
    """
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: Value = end.value
            return value
