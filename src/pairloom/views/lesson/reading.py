"""What somebody has typed as an answer → what it may mean. Generous in form, never in substance.

A pair may be typed as `a+b`, `a b`, `(a, b)`, `ab` or `a + b -> ab`; the marker as `▁`, `_` or a space. Where a form
has several readings, all are returned: an answer is right if one of them is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from pairloom.history import Pair
from pairloom.unicode_data import MARKER, WHITESPACE

MAX_ANSWER: Final = 1000
"""Code points of an answer that are read at the most; a longer one is no answer."""

NEVER: Final = frozenset({"never", "nie", "niemals", "∞", "inf", "infinity", "unendlich", "—", "–", "-"})
"""What is taken for "never", in the languages of the pages."""

# Whitespace is that of N4: what Python takes for it beyond that may be part of a word.
_SPACE = f"[{re.escape(WHITESPACE)}]"
_SPACES = re.compile(f"{_SPACE}+")
_LINE_ENDS = re.compile(r"[\r\n]+")
_ARROW = re.compile(f"{_SPACE}*(?:→|->|=>|⇒|=)")
_COUNT = re.compile(rf"{_SPACE}*(?:[:(]{_SPACE}*)?[0-9]+{_SPACE}*(?:x|×|times|mal)?{_SPACE}*\)?\Z")
_NUMBERED = re.compile(rf"\A{_SPACE}*[0-9]+{_SPACE}*[.):]{_SPACE}+")
_BRACKETED = re.compile(r"\(([^()]+)\)")
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "‚": "‘", "‘": "’", "«": "»", "»": "«", "(": ")", "[": "]"}
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+|\d+", re.ASCII)
_SIGNS = "|+,/·-"


def _separated_by(sign: str) -> tuple[str, str, str]:
    return f"{_SPACE}{sign}{_SPACE}", f"{sign}{_SPACE}", f"{_SPACE}*{sign}{_SPACE}*"


_SEPARATORS = (
    _SPACES,
    # With spaces around it first: then the sign may stand in the word as well.
    *(re.compile(pattern) for sign in _SIGNS for pattern in _separated_by(re.escape(sign))),
    re.compile(rf"(?:{_SPACE}|[|+,/·-])+"),
)


def read_number(text: str) -> int | None:
    """Return the one whole number that a text holds, None if there is none or several.

    >>> read_number("16"), read_number("1,600 times"), read_number("1.5"), read_number("-3"), read_number("1 2")
    (16, 1600, None, None, None)
    """
    text = text.strip(WHITESPACE)
    found = list(_GROUPED.finditer(text))
    if len(found) != 1:
        return None
    before, digits = text[: found[0].start()], found[0].group()
    if before.rstrip().endswith(("-", "−")) or len(digits) > 30:
        return None
    return int(re.sub(r"\D", "", digits))


def means_never(text: str) -> bool:
    """Return whether a text says that something does not happen."""
    return text.strip(WHITESPACE).strip(".!").lower() in NEVER


def read_rounds(text: str, rounds: int) -> list[str]:
    r"""Return the parts of an answer that names several pairs; as many as it has, which need not be `rounds`.

    >>> read_rounds("u+g, u+n, h+ug", 3), read_rounds("1. u g\n2. u n", 2), read_rounds("(u, g), (u, n)", 2)
    (['u+g', 'u+n', 'h+ug'], ['u g', 'u n'], ['u, g', 'u, n'])
    """
    if rounds == 1:
        return [text]
    ways = _ways_apart(text)
    fitting = next((way for way in ways if len(way) == rounds), None)
    return fitting or next((way for way in ways if len(way) > 1), [text])


def several_pairs(text: str) -> list[str]:
    """Return the parts of a text that are written as pairs, with a + each, if it is several.

    >>> several_pairs("u+g, u+n"), several_pairs("u+g")
    (['u+g', 'u+n'], [])
    """
    way = next((way for way in _ways_apart(text) if len(way) > 1), [])
    return way if all("+" in part for part in way) else []


def _ways_apart(text: str) -> list[list[str]]:
    lines = [_NUMBERED.sub("", line) for line in _LINE_ENDS.split(text) if line.strip(WHITESPACE)]
    fields = _fields(text)
    # A sign alone stands between the two of a pair, and not between pairs.
    apart = [] if "+" in fields else fields
    return [lines, _parts(";", text), _BRACKETED.findall(text), _parts(",", text), apart]


def _fields(text: str) -> list[str]:
    return [field for field in _SPACES.split(text) if field]


def _parts(separator: str, text: str) -> list[str]:
    # One space belongs to the separator; any other may stand for the marker.
    parts = text.split(separator)
    return [part for part in (parts[0], *(part.removeprefix(" ") for part in parts[1:])) if part.strip(WHITESPACE)]


def read_pair(text: str, standing: Iterable[Pair], *, marker: bool) -> list[Pair]:
    """Return the pairs that a text may mean, the likeliest first.

    Args:
        text: as typed.
        standing: the pairs of the corpus: one may be meant by its result alone.
        marker: whether `_` and a space may mean the marker.

    >>> read_pair("_ + l", [], marker=True), read_pair("ug", [("u", "g")], marker=False)
    ([('_', 'l'), ('▁', 'l')], [('u', 'g')])
    """
    found: dict[Pair, None] = {}
    by_result: dict[str, list[Pair]] = {}
    for pair in standing:
        by_result.setdefault("".join(pair), []).append(pair)
    forms = dict.fromkeys(form for bare in _bare_forms(text) for form in (bare, _unquoted(bare)))
    for form in forms:
        for left, right in _cut_in_two(form):
            # A marker stands at the front of a word, and so never in a right symbol.
            for pair in product(_spellings(left, marker=marker), _spellings(right, marker=False)):
                found[pair] = None
    for form in forms:
        for spelled in _spellings(form, marker=marker):
            found |= dict.fromkeys(by_result.get(spelled, ()))
    return list(found)


def _bare_forms(text: str) -> Iterator[str]:
    """Yield the text, and without what may stand behind the pair: its result, its count."""
    yield text
    # What looks like an arrow may be a symbol itself: each may be where the pair ends.
    bares = [text[: arrow.start()] for arrow in _ARROW.finditer(text)] + [_COUNT.sub("", text)]
    yield from (bare for bare in bares if bare.strip(WHITESPACE))


def _unquoted(text: str) -> str:
    stripped = text.strip(WHITESPACE)
    if len(stripped) > 2 and _QUOTES.get(stripped[0]) == stripped[-1]:
        return stripped[1:-1]
    return text


def _cut_in_two(text: str) -> Iterator[tuple[str, str]]:
    for separator in "+,":
        for place, code_point in enumerate(text):
            if code_point == separator and place and place + 1 < len(text):
                yield text[:place], text[place + 1 :]
    fields = _fields(text)
    if len(fields) == 2:
        yield fields[0], fields[1]
    elif len(fields) == 1 and text[:1] and text[0] in WHITESPACE:
        yield " ", fields[0]


def _spellings(text: str, *, marker: bool) -> list[str]:
    """Return what a symbol may mean: itself; with a marker in place of an underscore or a space in front."""
    ways: list[str] = []
    # Quotes around it may be the answer's or the symbol's own.
    for bare in dict.fromkeys((text, _unquoted(text))):
        stripped = bare.strip(WHITESPACE)
        if stripped:
            ways.append(stripped)
        if marker and stripped.startswith("_"):
            ways.append(MARKER + stripped[1:])
        if marker and bare[:1] and bare[0] in WHITESPACE:
            ways.append(MARKER + stripped)
    return ways


def read_split(text: str, word: str) -> tuple[str, ...]:
    """Return the pieces that a text names: those that spell the word, if some way of reading it does.

    Args:
        text: as typed: pieces with spaces, `|`, `+`, commas, slashes, dots or hyphens between them.
        word: what they should spell, with its marker; a marker that was left out is added to the first piece.

    >>> read_split("h ug s", "hugs"), read_split("_low|er", "▁lower"), read_split("low er", "▁lower")
    (('h', 'ug', 's'), ('▁low', 'er'), ('▁low', 'er'))
    """
    first: tuple[str, ...] = ()
    for separator in _SEPARATORS:
        pieces = tuple(piece for piece in separator.split(text.strip(WHITESPACE)) if piece)
        if not pieces:
            continue
        for way in _with_marker(pieces, word):
            first = first or way
            if "".join(way) == word:
                return way
    return first


def is_written_as(text: str, pieces: tuple[str, ...]) -> bool:
    """Return whether a text is these pieces with one sign between them, even if the sign stands in a piece as well.

    >>> is_written_as("a|||b", ("a", "|", "b")), is_written_as("a||b", ("a", "|", "b"))
    (True, False)
    """
    bare = _SPACES.sub("", text)
    first = pieces[0]
    firsts = {first, "_" + first[1:], first[1:]} if first.startswith(MARKER) else {first}
    return any(bare == sign.join(((each,) if each else ()) + pieces[1:]) for sign in _SIGNS for each in firsts)


def _with_marker(pieces: tuple[str, ...], word: str) -> Iterator[tuple[str, ...]]:
    yield pieces
    if word.startswith(MARKER):
        if pieces[0].startswith("_"):
            yield (MARKER + pieces[0][1:], *pieces[1:])
        # Of a word that begins with `_` itself, that one may be all that was typed.
        if not pieces[0].startswith(MARKER):
            yield (MARKER + pieces[0], *pieces[1:])
