"""Raw → normalized, change by change: which mappings were made how often, and what each place became. Rules: N1–N6."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pairloom.normalizer import NormalizedText, normalize_with_places
from pairloom.unicode_data import is_whitespace
from pairloom.views.paging import Page

Kind = Literal["lowercase", "final_sigma", "grown", "whitespace", "trimmed"]

CONTEXT: Final = 12
"""Code points of the raw text that are shown on either side of a change."""

# Where a change stands: in the raw text from, to; in the normalized text from, to.
_Place = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Mapped:
    """What became what, and how often.

    Attributes:
        kind: "lowercase" (N1), "final_sigma" (Σ at a word's end, N1), "grown" (`İ`, N1), "whitespace" (a run, or
            another one than U+0020, became one space, N5), "trimmed" (at either end of the text, N5).
        raw, normalized: before and after; a trimmed run became nothing.
        count: places of the text.
    """

    kind: Kind
    raw: str
    normalized: str
    count: int


@dataclass(frozen=True, slots=True)
class Change:
    """One place at which normalizing changed a text.

    Attributes:
        kind, raw, normalized: as in `Mapped`.
        start, end: the half-open range of the raw text, in code points.
        place: of what it became in the normalized text; where it would stand if it became nothing.
        before, after: up to `CONTEXT` code points of the raw text on either side.
    """

    kind: Kind
    raw: str
    normalized: str
    start: int
    end: int
    place: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RawChanges:
    """All changes of a text; make it with `of`.

    Attributes:
        raw_code_points, code_points: lengths before and after.
        total: changed places.
        mapped: each distinct change with its count, most frequent first, then by what it was.
    """

    raw_code_points: int
    code_points: int
    total: int
    mapped: tuple[Mapped, ...]
    _raw: str
    _normalized: str
    _places: Sequence[_Place]

    @classmethod
    def of(cls, text: str, *, lowercase: bool) -> RawChanges:
        r"""Return the changes that normalizing makes in a text, in order. Raises: NotText, ForbiddenCodePoint.

        Cost: linear.

        >>> changes = RawChanges.of(" ΑΣ \n x", lowercase=True)
        >>> [(each.kind, each.normalized, each.count) for each in changes.mapped]
        [('trimmed', '', 1), ('whitespace', ' ', 1), ('lowercase', 'α', 1), ('final_sigma', 'ς', 1)]
        """
        placed = normalize_with_places(text, lowercase=lowercase)
        places = _changed(text, placed)
        counts = Counter((text[start:end], placed.text[begin:stop]) for start, end, begin, stop in places)
        # Of equals the smaller raw text comes first; stable sorting makes that cheap.
        ordered = sorted(sorted(counts.items()), key=lambda counted: -counted[1])
        mapped = tuple(Mapped(_kind(raw, made), raw, made, count) for (raw, made), count in ordered)
        return cls(len(text), len(placed.text), len(places), mapped, text, placed.text, places)

    def mapped_page(self, index: int, *, size: int) -> Page[Mapped]:
        """Return a page of the distinct changes."""
        return Page.of(self.mapped, index, size=size)

    def page(self, index: int, *, size: int, only: Mapped | None = None) -> Page[Change]:
        """Return a page of the changed places in order, all of them or those of one mapping."""
        places = self._places
        if only is not None:
            wanted = (only.raw, only.normalized)
            places = [
                each for each in places if (self._raw[each[0] : each[1]], self._normalized[each[2] : each[3]]) == wanted
            ]
        page = Page.of(places, index, size=size)
        return Page(page.index, page.count, page.first, page.total, tuple(map(self._change, page.rows)))

    def _change(self, found: _Place) -> Change:
        start, end, begin, stop = found
        raw, normalized = self._raw[start:end], self._normalized[begin:stop]
        before = self._raw[max(0, start - CONTEXT) : start]
        return Change(
            _kind(raw, normalized), raw, normalized, start, end, begin, before, self._raw[end : end + CONTEXT]
        )


def _changed(text: str, placed: NormalizedText) -> list[_Place]:
    made, starts, ends = placed.text, placed.starts, placed.ends
    if isinstance(starts, range):
        # Every code point has kept its place.
        return [(at, at + 1, at, at + 1) for at, (old, new) in enumerate(zip(text, made, strict=True)) if old != new]
    found: list[_Place] = []
    raw_end = begin = 0
    while begin < len(made):
        start, end = starts[begin], ends[begin]
        if start > raw_end:
            found.append((raw_end, start, begin, begin))
        stop = begin + 1
        # Both halves of a grown code point come from the same place.
        while stop < len(made) and starts[stop] == start:
            stop += 1
        if text[start:end] != made[begin:stop]:
            found.append((start, end, begin, stop))
        raw_end, begin = end, stop
    if raw_end < len(text):
        found.append((raw_end, len(text), len(made), len(made)))
    return found


def _kind(raw: str, normalized: str) -> Kind:
    if normalized == "":
        return "trimmed"
    if is_whitespace(ord(raw[0])):
        return "whitespace"
    if len(normalized) > len(raw):
        return "grown"
    return "final_sigma" if normalized == "ς" else "lowercase"
