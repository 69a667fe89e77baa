"""Two encodings of one text beside each other, cut where both agree; boundaries that differ are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairloom.encoder import Encoding
from pairloom.unicode_data import MARKER
from pairloom.views.direction import is_right_to_left
from pairloom.views.paging import Page

# A place between two tokens: in code points of the raw text, in what a grown code point became, and whether it lies
# behind a marker that stands alone.
_Boundary = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class SideToken:
    """A token of one of the two encodings; `id` is None for an unknown one (E3).

    `is_own` says that it begins where the other encoding has no boundary.
    """

    text: str
    id: int | None
    is_own: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text between two boundaries that both encodings have, and none of that kind inside.

    Attributes:
        start, end: half-open range of the raw text, in code points.
        first, second: the tokens of each.
        is_same: whether both have the one same token here; tokens of two models are the same if they are spelled alike.
    """

    start: int
    end: int
    first: tuple[SideToken, ...]
    second: tuple[SideToken, ...]
    is_same: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two encodings of one raw text; make it with `of`.

    Attributes:
        first_tokens, second_tokens: how many there are in each.
        first_unknown, second_unknown: how many of them have no ID.
        shared: boundaries inside the text that both have.
        only_first, only_second: boundaries that one of them has alone.
        is_same_text: whether both models normalize the text to the same.
        pieces: in order; together they are both encodings.
        is_right_to_left: which way they follow one another.
    """

    first_tokens: int
    second_tokens: int
    first_unknown: int
    second_unknown: int
    shared: int
    only_first: int
    only_second: int
    is_same_text: bool
    pieces: tuple[Piece, ...]
    is_right_to_left: bool

    @classmethod
    def of(cls, first: Encoding, second: Encoding) -> Comparison:
        """Return the comparison of two encodings of the same raw text, by one model or by two.

        Boundaries are compared by their places in the raw text (E8), so that models of different settings can be
        compared too. Cost: linear in the tokens.

        >>> from pairloom.trainer import train
        >>> model = train("low low lower lower")
        >>> compared = Comparison.of(model.encode("low", 1), model.encode("low", 2))
        >>> [([each.text for each in piece.first], [each.text for each in piece.second]) for piece in compared.pieces]
        [(['▁'], ['▁']), (['lo', 'w'], ['low'])]
        """
        sides = (_boundaries(first), _boundaries(second))
        sets = (set(sides[0]), set(sides[1]))
        # The first boundary of a text is its beginning: no two encodings differ there.
        outer = {boundaries[0] for boundaries in sides if boundaries}
        shared = sets[0] & sets[1]
        return cls(
            first_tokens=len(first.tokens),
            second_tokens=len(second.tokens),
            first_unknown=first.unknown_count,
            second_unknown=second.unknown_count,
            shared=len(shared - outer),
            only_first=len(sets[0] - sets[1] - outer),
            only_second=len(sets[1] - sets[0] - outer),
            is_same_text=first.normalized == second.normalized,
            pieces=tuple(_pieces(first, second, sides, shared)),
            is_right_to_left=is_right_to_left(first.normalized),
        )

    @property
    def first_difference(self) -> Piece | None:
        """The first piece that the two cut differently; None if there is none."""
        return next((piece for piece in self.pieces if not piece.is_same), None)

    def page(self, index: int, *, page_tokens: int) -> Page[Piece]:
        """Return a page of the pieces: as many as hold about so many tokens of either; at least one."""
        starts = [0]
        held = 0
        for place, piece in enumerate(self.pieces):
            longer = max(len(piece.first), len(piece.second))
            if held and held + longer > page_tokens:
                starts.append(place)
                held = 0
            held += longer
        index = max(0, min(index, len(starts) - 1))
        end = starts[index + 1] if index + 1 < len(starts) else len(self.pieces)
        return Page(index, len(starts), starts[index], len(self.pieces), self.pieces[starts[index] : end])


def _boundaries(encoding: Encoding) -> list[_Boundary]:
    """Return where each token begins."""
    boundaries: list[_Boundary] = []
    place, within, behind_marker = -1, 0, False
    for token, (start, end) in zip(encoding.tokens, encoding.offsets, strict=True):
        if start != place:
            place, within, behind_marker = start, 0, False
        boundaries.append((start, within, behind_marker))
        # A marker alone is zero-width (E8): what follows begins at the same place, behind it.
        behind_marker = start == end
        within += 0 if behind_marker else len(token.removeprefix(MARKER))
    return boundaries


def _pieces(
    first: Encoding, second: Encoding, sides: tuple[Sequence[_Boundary], Sequence[_Boundary]], shared: set[_Boundary]
) -> list[Piece]:
    pieces: list[Piece] = []
    places = [0, 0]
    while places[0] < len(sides[0]) or places[1] < len(sides[1]):
        taken: list[tuple[SideToken, ...]] = []
        starts: list[int] = []
        ends: list[int] = []
        for side, encoding in enumerate((first, second)):
            begin = end = places[side]
            while end < len(sides[side]) and (end == begin or sides[side][end] not in shared):
                end += 1
            places[side] = end
            taken.append(
                tuple(
                    SideToken(encoding.tokens[at], encoding.ids[at], sides[side][at] not in shared)
                    for at in range(begin, end)
                )
            )
            starts += [start for start, _ in encoding.offsets[begin:end]]
            ends += [stop for _, stop in encoding.offsets[begin:end]]
        spelled = [[token.text for token in tokens] for tokens in taken]
        pieces.append(Piece(min(starts), max(ends), taken[0], taken[1], spelled[0] == spelled[1]))
    return pieces
