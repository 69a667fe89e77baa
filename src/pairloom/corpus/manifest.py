"""The manifest of a count: what was counted, how, by which versions, and what came out; enough to check it later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pairloom.errors import CountError
from pairloom.left_out import LeftOut


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is known of a count.

    Attributes:
        settings: as in `CountSettings`, and `min_word_count`.
        versions: of Pairloom, conventions, Unicode and tables.
        inputs: a dictionary a file: address, size, version (time of change or etag), format, compression.
        distinct_words: rows of the table.
        words: the sum of their counts.
        text_bytes: of the distinct words, in UTF-8, without markers where the table has none.
        dropped_distinct_words, dropped_words: what was rarer than `min_word_count`.
        texts: rows that were counted; 0 where all is plain text.
        skipped_texts: rows or lines that were left out because they are refused.
        read_bytes: how much text was read, expanded.
        checksum: SHA-256 of the table as lines `word TAB count` in its own order, in hexadecimal.
        parts: the files of the table in the work folder, in order.
    """

    settings: dict[str, Any]
    versions: dict[str, str]
    inputs: list[dict[str, Any]]
    distinct_words: int
    words: int
    text_bytes: int
    dropped_distinct_words: int
    dropped_words: int
    texts: int
    skipped_texts: int
    read_bytes: int
    checksum: str
    parts: list[str]

    @property
    def is_exact(self) -> bool:
        """Whether the table is that of the whole corpus: nothing sampled, dropped or skipped."""
        whole = self.settings["sample"] == 1 and self.settings["min_word_count"] == 1
        return whole and not self.skipped_texts

    @property
    def left_out(self) -> LeftOut | None:
        """What is missing on purpose, as the model records it; None where nothing is."""
        if self.is_exact:
            return None
        return LeftOut(
            sample=self.settings["sample"],
            min_word_count=self.settings["min_word_count"],
            skipped_texts=self.skipped_texts,
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {"format": "pairloom-word-counts"} | {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of_json(cls, value: dict[str, Any]) -> Manifest:
        """Return what `as_json` wrote."""
        return cls(**{name: value[name] for name in cls.__slots__})


def check_sum(*, read: int, in_table: int, dropped: int) -> None:
    """Raise CountError unless each word that was read is in the table, or was dropped on purpose."""
    if read != in_table + dropped:
        reason = f"{read} words were read, and {in_table} + {dropped} came out: the work folder was changed meanwhile"
        raise CountError(word="", count=in_table, reason=reason)
