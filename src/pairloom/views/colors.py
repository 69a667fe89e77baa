"""Which colour a token has: a matter of its ID alone, so that a token looks the same on every view (rule S5).

A palette is a sequence of `PALETTE_SIZE` colours in the order of their hues. Colour is never the only carrier of a
statement (rule W12); it lets the eye find the same token again. A token without an ID has no colour of the palette.
"""

from typing import Final

PALETTE_SIZE: Final = 12
"""How many colours there are: more could not be told apart, fewer would often meet their like."""

# Neighbouring IDs are neighbours in the tables, and often related (a letter and the next, a merge and the one it made
# possible). A step of 5 is coprime to 12: any twelve IDs in a row have twelve different colours, and neighbours stand
# 150 degrees of hue apart. A hash would mix no better and could give neighbours one colour.
_STEP = 5

TERMINAL_COLORS: Final = (210, 215, 228, 155, 120, 85, 123, 75, 147, 177, 213, 205)
"""Backgrounds for terminals of 256 colours, by hue, each with a contrast of 7 or more to `TERMINAL_INK`.

They are of the 6 × 6 × 6 cube, which themes leave alone; text on them must be set in `TERMINAL_INK`, since the
terminal's own foreground may be light.
"""

TERMINAL_INK: Final = 16
"""The colour of text on `TERMINAL_COLORS`: the cube's black."""

PAPER_COLORS: Final = (
    *("#f8c9c4", "#f6cfab", "#f0d98f", "#dbe08f", "#bde3a0", "#a6e4bf"),
    *("#9fe2da", "#a9dcf3", "#bcd3fb", "#d2cbfb", "#e8c5f4", "#f6c3de"),
)
"""The palette on white, for pictures and paper: those of the pages' light theme, by hue. `PAPER_INK` stands on them
with a contrast of 7 or more."""

PAPER_INK: Final = "#15191c"


def color_index(token_id: int) -> int:
    """Return the place of a token's colour in the palette. Rule: S5.

    Args:
        token_id: a token ID; an unknown token has none and gets no colour.

    Returns:
        A number from 0 to `PALETTE_SIZE` - 1; the same in every release, so that screenshots stay true.

    >>> [color_index(token_id) for token_id in range(6)]
    [0, 5, 10, 3, 8, 1]
    """
    return token_id * _STEP % PALETTE_SIZE
