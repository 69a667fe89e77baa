r"""What Pairloom knows of Unicode 17, whichever Python runs.

`str.lower()`, `str.split()`, `unicodedata` and `\w` follow the Unicode version of the interpreter: CPython 3.11 carries
Unicode 14 and lacks 55 lower-case mappings, so a model trained there would differ from one trained on 3.14. Nothing
here asks the interpreter. The tables are those of `pairloom.unicode_tables`, which is generated.

Rules: N1, N2, N4, N8, P2; the predicates for display serve N9.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from pairloom import unicode_tables as tables

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = [
    "LOWERCASE",
    "MARKER",
    "MARK_CLASS",
    "UNICODE_VERSION",
    "WHITESPACE",
    "WORD_CLASS",
    "code_point_ranges",
    "is_bidi_control",
    "is_case_ignorable",
    "is_cased",
    "is_default_ignorable",
    "is_format",
    "is_mark",
    "is_noncharacter",
    "is_variation_selector",
    "is_whitespace",
    "is_word",
]


def code_point_ranges(table: str) -> list[tuple[int, int]]:
    """Return the half-open ranges of a set written as a character class: `0-9_` is (0x30, 0x3a), (0x5f, 0x60)."""
    ranges: list[tuple[int, int]] = []
    for item in table.split("-"):
        # What stands between two hyphens ends one range and begins the next; the code points within stand alone.
        ranges[-1:] = [(ranges[-1][0], ord(item[0]) + 1)] if ranges else [(ord(item[0]), ord(item[0]) + 1)]
        ranges.extend((ord(symbol), ord(symbol) + 1) for symbol in item[1:])
    return ranges


def _mappings(table: str) -> dict[int, str]:
    """Return a table of case mappings as `str.translate` takes them: `41-5a+20`, `100-12e/2+1`, `130=69,307`."""
    mappings: dict[int, str] = {}
    for item in table.split():
        source, equals, parts = item.partition("=")
        if equals:
            mappings[int(source, 16)] = "".join([chr(int(part, 16)) for part in parts.split(",")])
            continue
        source, plus, difference = item.partition("+")
        if not plus:
            source, _, difference = item.rpartition("-")
        source, every_second, _ = source.partition("/")
        first, _, last = source.partition("-")
        sources = range(int(first, 16), int(last or first, 16) + 1, 2 if every_second else 1)
        shift = int(difference, 16) if plus else -int(difference, 16)
        mappings.update({code_point: chr(code_point + shift) for code_point in sources})
    return mappings


UNICODE_VERSION: Final = tables.UNICODE_VERSION
"""The version of Unicode that every rule here refers to. Rule: N2."""

MARKER: Final = "\u2581"
"""The word-start marker `▁`; never part of an input text. Rules: N8, P1."""

WHITESPACE: Final = "".join(
    [chr(cp) for first, end in code_point_ranges(tables.WHITE_SPACE) for cp in range(first, end)]
)
"""The 25 code points of ECMAScript's WhiteSpace and LineTerminator, for `str.strip` and `re`. Rule: N4."""

LOWERCASE: Final[dict[int, str]] = _mappings(tables.LOWERCASE)
"""Code point to its full lower-case mapping, for `str.translate`; only code points that change. Rules: N1, N2.

`İ` is the one that grows. `Σ` is mapped to `σ`: the final form depends on the context and is the normalizer's to decide.
"""

WORD_CLASS: Final = tables.WORD
"""Letters, numbers and connector punctuation (L*, N*, Pc) as the inside of a character class of `re`. Rule: P2.

>>> import re
>>> re.findall(f"[{WORD_CLASS}]+", "don't_stop №5")
['don', 't_stop', '5']
"""

MARK_CLASS: Final = tables.MARK
"""Marks (M*) as the inside of a character class of `re`. Rule: P2."""


@cache
def _boundaries(table: str) -> list[int]:
    """Return where membership of a set begins and ends, alternately."""
    return [boundary for ends in code_point_ranges(table) for boundary in ends]


def _contains(table: str, code_point: int) -> bool:
    """Return whether an odd number of boundaries lies at or below the code point. Cost: O(log n) after the first."""
    return bisect_right(_boundaries(table), code_point) % 2 == 1


def is_cased(code_point: int) -> bool:
    """Return whether the code point has the property Cased; it decides a final sigma. Rule: N1.

    >>> is_cased(ord("a")), is_cased(ord("ʰ")), is_cased(ord("1"))
    (True, True, False)
    """
    return _contains(tables.CASED, code_point)


def is_case_ignorable(code_point: int) -> bool:
    """Return whether the code point has the property Case_Ignorable: a final sigma looks past it. Rules: N1, N3.

    >>> is_case_ignorable(ord("'")), is_case_ignorable(ord("ʰ")), is_case_ignorable(0xFEFF)
    (True, True, True)
    """
    return _contains(tables.CASE_IGNORABLE, code_point)


def is_whitespace(code_point: int) -> bool:
    """Return whether the code point is whitespace in ECMAScript's sense. Rule: N4.

    >>> is_whitespace(0xFEFF), is_whitespace(0x85), is_whitespace(0x200B)
    (True, False, False)
    """
    return _contains(tables.WHITE_SPACE, code_point)


def is_word(code_point: int) -> bool:
    """Return whether the code point is of the word class: general category L*, N* or Pc. Rule: P2.

    >>> is_word(ord("ß")), is_word(ord("_")), is_word(ord("-"))
    (True, True, False)
    """
    return _contains(tables.WORD, code_point)


def is_mark(code_point: int) -> bool:
    """Return whether the code point is a mark: general category Mn, Mc or Me. Rules: P2, N9.

    >>> is_mark(0x0301), is_mark(ord("a"))
    (True, False)
    """
    return _contains(tables.MARK, code_point)


def is_format(code_point: int) -> bool:
    """Return whether the code point is of general category Cf. Rule: N9.

    >>> is_format(0x200D), is_format(0x0600), is_format(0xFE0F)
    (True, True, False)
    """
    return _contains(tables.FORMAT, code_point)


def is_default_ignorable(code_point: int) -> bool:
    """Return whether a renderer that does not know the code point shows nothing for it. Rule: N9.

    >>> is_default_ignorable(0x200D), is_default_ignorable(0x0600), is_default_ignorable(0xFE0F)
    (True, False, True)
    """
    return _contains(tables.DEFAULT_IGNORABLE, code_point)


def is_bidi_control(code_point: int) -> bool:
    """Return whether the code point changes the direction of the text around it. Rule: N9.

    >>> is_bidi_control(0x202E), is_bidi_control(ord("א"))
    (True, False)
    """
    return _contains(tables.BIDI_CONTROL, code_point)


def is_variation_selector(code_point: int) -> bool:
    """Return whether the code point chooses the form of the one before it. Rule: N9.

    >>> is_variation_selector(0xFE0F), is_variation_selector(0x180B)
    (True, True)
    """
    return _contains(tables.VARIATION_SELECTOR, code_point)


def is_noncharacter(code_point: int) -> bool:
    """Return whether the code point is one of the 66 that never stand for a character. Rule: N9.

    >>> is_noncharacter(0xFFFE), is_noncharacter(0xFFFD)
    (True, False)
    """
    return _contains(tables.NONCHARACTER, code_point)
