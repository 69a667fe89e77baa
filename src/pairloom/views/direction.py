"""Which way a text runs, by its first letter that says so; only for showing it, never for its tokens."""

from __future__ import annotations

import unicodedata

_SAYS = {"L": False, "R": True, "AL": True}


def is_right_to_left(text: str) -> bool:
    """Return whether the first strong letter of a text belongs to a right-to-left script.

    That is how a browser guesses, too; it cannot do so for a text whose words are isolated from one another.

    >>> is_right_to_left("12 שלום abc"), is_right_to_left("abc שלום"), is_right_to_left("…")
    (True, False, False)
    """
    kinds = (unicodedata.bidirectional(letter) for letter in text)
    return next((_SAYS[kind] for kind in kinds if kind in _SAYS), False)
