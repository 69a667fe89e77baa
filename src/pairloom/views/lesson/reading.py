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
from pairloom.unicode_data import MARKER

MAX_ANSWER: Final = 1000
"""Code points of an answer that are read at the most; a longer one is no answer."""

NEVER: Final = frozenset({"never", "nie", "niemals", "∞", "inf", "infinity", "unendlich", "—", "–", "-"})
"""What is taken for "never", in the languages of the pages."""

_ARROW = re.compile(r"\s*(?:→|->|=>|⇒|=).*\Z", re.DOTALL)
_COUNT = re.compile(r"\s*(?:[:(]\s*)?\d+\s*(?:x|×|times|mal)?\s*\)?\Z")
_NUMBERED = re.compile(r"\A\s*\d+\s*[.):]\s+")
_BRACKETED = re.compile(r"\(([^()]+)\)")
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "‚": "‘", "‘": "’", "«": "»", "»": "«", "(": ")", "[": "]"}
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+|\d+", re.ASCII)
_SEPARATORS = (r"\s+", r"\s*\|\s*", r"\s*\+\s*", r"\s*,\s*", r"\s*/\s*", r"\s*·\s*", r"\s*-\s*", r"[\s|+,/·-]+")


def read_number(text: str) -> int | None:
    """Return the one whole number that a text holds, None if there is none or several.

    >>> read_number("16"), read_number("1,600 times"), read_number("1.5"), read_number("-3"), read_number("1 2")
    (16, 1600, None, None, None)
    """
    text = text.strip()
    found = list(_GROUPED.finditer(text))
    if len(found) != 1:
        return None
    before, digits = text[: found[0].start()], found[0].group()
    if before.rstrip().endswith(("-", "−")) or len(digits) > 30:
        return None
    return int(re.sub(r"\D", "", digits))


def means_never(text: str) -> bool:
    """Return whether a text says that something does not happen."""
    return text.strip().strip(".!").lower() in NEVER


def read_rounds(text: str, rounds: int) -> list[str]:
    r"""Return the parts of an answer that names several pairs; as many as it has, which need not be `rounds`.

    >>> read_rounds("u+g, u+n, h+ug", 3), read_rounds("1. u g\n2. u n", 2), read_rounds("(u, g), (u, n)", 2)
    (['u+g', 'u+n', 'h+ug'], ['u g', 'u n'], ['u, g', 'u, n'])
    """
    if rounds == 1:
        return [text]
    lines = [_NUMBERED.sub("", line) for line in text.splitlines() if line.strip()]
    ways = [
        lines,
        _parts(";", text),
        _BRACKETED.findall(text),
        _parts(",", text),
        text.split(),
    ]
    for way in ways:
        if len(way) == rounds:
            return way
    return next((way for way in ways if len(way) > 1), [text])


def _parts(separator: str, text: str) -> list[str]:
    # One space belongs to the separator; any other may stand for the marker.
    parts = text.split(separator)
    return [part for part in (parts[0], *(part.removeprefix(" ") for part in parts[1:])) if part.strip()]


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
    for pattern in (_ARROW, _COUNT):
        if (bare := pattern.sub("", text)).strip():
            yield bare


def _unquoted(text: str) -> str:
    stripped = text.strip()
    if len(stripped) > 2 and _QUOTES.get(stripped[0]) == stripped[-1]:
        return stripped[1:-1]
    return text


def _cut_in_two(text: str) -> Iterator[tuple[str, str]]:
    for separator in "+,":
        for place, code_point in enumerate(text):
            if code_point == separator and place and place + 1 < len(text):
                yield text[:place], text[place + 1 :]
    fields = text.split()
    if len(fields) == 2:
        yield fields[0], fields[1]
    elif len(fields) == 1 and text[:1].isspace():
        yield " ", fields[0]


def _spellings(text: str, *, marker: bool) -> list[str]:
    """Return what a symbol may mean: itself; with a marker in place of an underscore or a space in front."""
    bare = _unquoted(text)
    stripped = bare.strip()
    ways = [stripped] if stripped else []
    if marker:
        if stripped.startswith("_"):
            ways.append(MARKER + stripped[1:])
        if bare[:1].isspace():
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
        pieces = tuple(piece for piece in re.split(separator, text.strip()) if piece)
        if not pieces:
            continue
        for way in _with_marker(pieces, word):
            first = first or way
            if "".join(way) == word:
                return way
    return first


def _with_marker(pieces: tuple[str, ...], word: str) -> Iterator[tuple[str, ...]]:
    yield pieces
    if word.startswith(MARKER):
        if pieces[0].startswith("_"):
            yield (MARKER + pieces[0][1:], *pieces[1:])
        elif not pieces[0].startswith(MARKER):
            yield (MARKER + pieces[0], *pieces[1:])
