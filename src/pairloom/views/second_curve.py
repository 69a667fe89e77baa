"""A second text's curve beside the corpus's: how many merges are worth having? Rules: W6, E6."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from operator import neg
from typing import Final

from pairloom.history import History, TextHistory
from pairloom.views.curve import Place, round_numbers, thinned

SHARES: Final = (50, 90, 99)
"""Per cent of what all merges save, for which the prefix is named at which it is saved."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The smallest prefix at which so many per cent of what all merges save is saved."""

    percent: int
    prefix: int


@dataclass(frozen=True, slots=True)
class Line:
    """One text at every prefix.

    Attributes:
        code_points: of the normalized text (E6).
        token_counts: tokens at every prefix from 0 to all merges.
        reached: where it flattens, for each of `SHARES`; none if no merge changes the text.
        last_change: the last prefix that changes it; 0 if none does.
    """

    code_points: int
    token_counts: Sequence[int]
    reached: tuple[Reached, ...]
    last_change: int

    @classmethod
    def of(cls, token_counts: Sequence[int], code_points: int) -> Line:
        """Return the line of token counts that never rise. Cost: a few searches."""
        first, last = token_counts[0], token_counts[-1]
        reached = tuple(
            # -(-a // b) rounds up: so many tokens have to be saved.
            Reached(percent, _first_at_most(token_counts, first - -(-(first - last) * percent // 100)))
            for percent in SHARES
            if first > last
        )
        return cls(code_points, token_counts, reached, _first_at_most(token_counts, last))

    def per_code_point(self, prefix: int) -> float:
        """Return tokens per code point at a prefix: a measure in which texts of any length can be compared."""
        return self.token_counts[prefix] / self.code_points


@dataclass(frozen=True, slots=True)
class SampleRow:
    """Both texts at one prefix, in tokens."""

    prefix: int
    corpus_tokens: int
    text_tokens: int


@dataclass(frozen=True, slots=True)
class SecondCurve:
    """The corpus and another text under one model.

    Attributes:
        maximum: all merges.
        corpus, text: their lines.
        unknown: tokens of the text without ID, the same at every prefix (E3).
        prefix: the active one.
        rows: both at prefix 0, at round numbers, at the active prefix and at all merges, in order.
    """

    maximum: int
    corpus: Line
    text: Line
    unknown: int
    prefix: int
    rows: tuple[SampleRow, ...]

    @classmethod
    def of(cls, history: History, corpus_code_points: int, text: TextHistory, prefix: int) -> SecondCurve | None:
        """Return both lines; None if the text is empty: then nothing is per code point (E5). Raises: PrefixError.

        Args:
            history: of the corpus.
            corpus_code_points: of the normalized corpus.
            text: the other text under the same model.
            prefix: the active one.
        """
        checked = history.model.check_prefix(prefix)
        encoding = text.encoding(0)
        if not encoding.code_points:
            return None
        maximum = len(history.model.merges)
        corpus_line = Line.of(history.token_counts, corpus_code_points)
        text_line = Line.of(text.token_counts, encoding.code_points)
        shown = sorted({*round_numbers(maximum), checked, maximum})
        rows = tuple(SampleRow(each, history.token_counts[each], text.token_counts[each]) for each in shown)
        return cls(maximum, corpus_line, text_line, encoding.unknown_count, checked, rows)

    @property
    def top(self) -> float:
        """Tokens per code point at the upper end of the graph."""
        return max(self.corpus.per_code_point(0), self.text.per_code_point(0))

    def points(self, line: Line) -> list[tuple[int, float]]:
        """Return (prefix, tokens per code point) of a line as it is drawn; see `thinned`."""
        return [(prefix, line.per_code_point(prefix)) for prefix in thinned(line.token_counts)]

    def place(self, line: Line, prefix: int) -> Place:
        """Return where a line stands in the graph at a prefix."""
        return Place(100 * prefix / max(self.maximum, 1), 100 - 100 * line.per_code_point(prefix) / self.top)


def _first_at_most(token_counts: Sequence[int], tokens: int) -> int:
    return bisect_left(token_counts, -tokens, key=neg)
