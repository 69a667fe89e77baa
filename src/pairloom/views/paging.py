"""One page of a long list: long things are cut on the server, never sent whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows of a list.

    Attributes:
        index, count: which page of how many, from 0; an empty list has one empty page.
        first: number of the first row, from 0.
        total: rows of the whole list.
        rows: those of this page.
    """

    index: int
    count: int
    first: int
    total: int
    rows: Sequence[Row]

    @classmethod
    def of(cls, items: Sequence[Row], index: int, *, size: int) -> Page[Row]:
        """Return a page; an index past the end gives the last one.

        >>> page = Page.of("abcdefg", 1, size=3)
        >>> page.rows, page.first, page.count, Page.of("abcdefg", 99, size=3).rows
        ('def', 3, 3, 'g')
        """
        count = max(1, -(-len(items) // size))
        index = max(0, min(index, count - 1))
        first = index * size
        return cls(index, count, first, len(items), items[first : first + size])
