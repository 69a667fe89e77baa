r"""Looking for a token that somebody types: in the vocabulary, in the merges, in any list of tokens. Rules: W5, W8."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pairloom.unicode_data import MARKER, is_mark
from pairloom.views.display import DOTTED_CIRCLE

# A code point written out, with the backslashes in front of it: a doubled backslash stands for a single one there.
_ESCAPE = re.compile(r"(\\+)u(?:([0-9A-Fa-f]{4})|\{([0-9A-Fa-f]{1,6})\})")
_CIRCLE = re.compile(f"{DOTTED_CIRCLE}(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """One of the places that a search came to.

    Attributes:
        token: what was looked for.
        place: a rank, or a token ID; whatever numbers the list.
        number, total: which match of how many, from 0.
        is_exact: whether it is that very token, or only contains it.
    """

    token: str
    place: int
    number: int
    total: int
    is_exact: bool


def find(tokens: Iterable[str], token: str, number: int = 0) -> Found | None:
    """Return a match of `token` among `tokens`: first where it is the very token, then where it is contained.

    Args:
        tokens: the list to look through.
        token: one or more code points.
        number: which match, from 0; past the last the first again, so that a search can go round.

    Returns:
        None if nothing matches.

    Cost: linear in the list.

    >>> [find(["slow", "low", "lower"], "low", number) for number in (0, 1)]  # doctest: +NORMALIZE_WHITESPACE
    [Found(token='low', place=1, number=0, total=3, is_exact=True),
     Found(token='low', place=0, number=1, total=3, is_exact=False)]
    """
    exact: list[int] = []
    within: list[int] = []
    for place, each in enumerate(tokens):
        if token in each:
            (exact if each == token else within).append(place)
    places = exact + within
    if not places:
        return None
    number %= len(places)
    return Found(token, places[number], number, len(places), is_exact=number < len(exact))


def typed_token(text: str) -> str:
    r"""Return the token that somebody means who types `text`. The inverse of `views.display.plain`, and more forgiving.

    - A space stands for the marker: no token holds a space, and hardly a keyboard has the marker.
    - An escape as it is shown (`\u200b`, `\u{e0001}`) stands for its code point; with its backslash doubled, for the
      six letters.
    - A dotted circle in front of a combining mark belongs to the mark, as where it is shown.

    What is no code point of a text (a surrogate, a number too large) stays as it was typed.

    >>> typed_token(" low"), typed_token(r"a\u200bb") == "a\u200bb", typed_token(r"\\u200b")
    ('▁low', True, '\\u200b')
    """
    pieces: list[str] = []
    end = 0
    for found in _ESCAPE.finditer(text):
        pieces += [_without_circles(text[end : found.start()]), _code_point(found)]
        end = found.end()
    return "".join([*pieces, _without_circles(text[end:])]).replace(" ", MARKER)


def _code_point(found: re.Match[str]) -> str:
    backslashes = len(found[1])
    value = int(found[2] or found[3], 16)
    is_scalar = value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF
    if not is_scalar:
        return found[0]
    if backslashes % 2 == 0:
        return "\\" * (backslashes // 2) + found[0][backslashes:]
    return "\\" * (backslashes // 2) + chr(value)


def _without_circles(text: str) -> str:
    return _CIRCLE.sub(lambda found: found[1] if is_mark(ord(found[1])) else found[0], text)
