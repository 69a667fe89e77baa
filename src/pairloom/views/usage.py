"""Which entries of the vocabulary stand in the corpus at a prefix, how often, and which have gone out of use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from pairloom.history import History
from pairloom.views.paging import Page
from pairloom.views.tables import vocabulary_rows

Filter = Literal["used", "unused", "active"]
Order = Literal["most", "least", "id"]

FILTERS: Final[tuple[Filter, ...]] = ("used", "unused", "active")
"""Entries that stand in the corpus, active ones that do not, and both together."""

ORDERS: Final[tuple[Order, ...]] = ("most", "least", "id")
"""Most frequent first, least frequent first, by ID; of equals the smaller ID comes first."""


@dataclass(frozen=True, slots=True)
class Used:
    """An active entry of the vocabulary.

    Attributes:
        id, token: the entry.
        rank: of the merge that made it first; None for the base alphabet.
        count: places of the corpus at which it stands, weighted (T7); 0 if later merges have used it up.
        words: distinct words in which it stands.
    """

    id: int
    token: str
    rank: int | None
    count: int
    words: int


@dataclass(frozen=True, slots=True)
class Usage:
    """The active entries at a prefix, each with its count; make it with `of`.

    Attributes:
        prefix: active merges.
        entries: in the order of their IDs.
        corpus_tokens: the sum of all counts.
        used: how many entries stand in the corpus.
        once: how many stand there exactly once.
    """

    prefix: int
    entries: tuple[Used, ...]
    corpus_tokens: int
    used: int
    once: int

    @property
    def unused(self) -> int:
        """How many entries are active and stand nowhere."""
        return len(self.entries) - self.used

    @classmethod
    def of(cls, history: History, prefix: int | None = None) -> Usage:
        """Return the usage of the vocabulary on the corpus of a history. Raises: PrefixError.

        Cost: every distinct word is cut once.

        >>> from pairloom.trainer import train
        >>> from pairloom.word_counts import count_words
        >>> usage = Usage.of(History.of(count_words("aab aab"), train("aab aab")), 1)
        >>> [(each.token, each.count) for each in usage.entries]
        [('a', 0), ('b', 2), ('▁', 2), ('aa', 2)]
        """
        model = history.model
        checked = model.check_prefix(prefix)
        counts: Counter[str] = Counter()
        words: Counter[str] = Counter()
        for _, tokens, count in history.segments(checked):
            for token in tokens:
                counts[token] += count
            words.update(set(tokens))
        entries = tuple(
            Used(row.id, row.token, row.rank, counts[row.token], words[row.token])
            for row in vocabulary_rows(model, prefix=checked)
            if row.active
        )
        return cls(
            prefix=checked,
            entries=entries,
            corpus_tokens=history.token_counts[checked],
            used=sum(each.count > 0 for each in entries),
            once=sum(each.count == 1 for each in entries),
        )

    def page(self, index: int, *, size: int, only: Filter = "used", order: Order = "most") -> Page[Used]:
        """Return a page of the entries; an index past the end gives the last one."""
        wanted = {"used": (True,), "unused": (False,), "active": (True, False)}[only]
        rows = [each for each in self.entries if (each.count > 0) in wanted]
        if order != "id":
            sign = -1 if order == "most" else 1
            rows.sort(key=lambda each: (sign * each.count, each.id))
        return Page.of(rows, index, size=size)
