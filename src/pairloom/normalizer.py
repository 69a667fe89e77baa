"""Raw text → normalized text: refuse what may not occur, lower-case, fold whitespace.

    raw text ── check_forbidden ──▸ lower case (if the model says so) ──▸ whitespace folded ──▸ normalized text

The order matters: final sigma looks at the text before whitespace is touched (N3). Nothing else is ever changed (N6).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pairloom.checks import check_flag, check_is_text
from pairloom.errors import EmptyCorpus, ForbiddenCodePoint, TextTooLong
from pairloom.unicode_data import LOWERCASE, MARKER, WHITESPACE, is_case_ignorable, is_cased

_FORBIDDEN = re.compile(f"[{MARKER}\ud800-\udfff]")
_WHITESPACE_RUN = re.compile(f"[{WHITESPACE}]+")
_SIGMA = "Σ"
_FINAL_SIGMA = "ς"
# The one mapping that grows: İ becomes i + U+0307.
_GROWING = {chr(code_point): lowered for code_point, lowered in LOWERCASE.items() if len(lowered) > 1}


def normalize(text: str, lowercase: bool = False) -> str:  # noqa: FBT001, FBT002  # a promised signature
    r"""Return the normalized text.

    Rules: N1–N8. Lower-casing is Unicode 17's, whichever Python runs; whitespace is ECMAScript's; nothing else changes.

    Args:
        text: any text without a literal `▁` and without surrogate code points; any length.
        lowercase: whether to lower-case first.

    Raises:
        NotText: `text` is no `str`.
        ForbiddenCodePoint: the first `▁` or surrogate, with its position in code points from 0.

    Cost: linear in time and memory.

    >>> normalize("  ΑΣ\n\tΑΣ. ", lowercase=True)
    'ας ας.'
    """
    check_forbidden(text)
    check_flag("lowercase", lowercase)
    return fold_whitespace(lower(text) if lowercase else text)


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """A normalized text and, for each of its code points, the half-open range of the raw text that it comes from.

    `starts` and `ends` have the length of `text` and count code points of the raw text. Both halves of a grown `İ` have
    the range of the one `İ`; a space has the range of its whole whitespace run.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def normalize_with_places(text: str, *, lowercase: bool = False, text_index: int | None = None) -> NormalizedText:
    """Return the normalized text with the place of each of its code points in the raw text.

    Rules: N1–N8, E8. Arguments, errors and cost are those of `normalize`; `text_index` says in errors which of several
    texts it is.
    """
    check_forbidden(text, text_index=text_index)
    check_flag("lowercase", lowercase)
    lowered = lower(text) if lowercase else text
    folded = fold_whitespace(lowered)
    if len(text) == len(lowered) == len(folded):
        # Only `İ` grows and only whitespace shrinks: neither did, so every code point has kept its place.
        return NormalizedText(folded, range(len(text)), range(1, len(text) + 1))
    # Where the raw code point of each lower-cased one stands: the identity, unless something grew.
    origin: Sequence[int] = range(len(text))
    if len(lowered) != len(text):
        origin = [place for place, code_point in enumerate(text) for _ in _GROWING.get(code_point, code_point)]
    starts: list[int] = []
    ends: list[int] = []
    cursor = 0
    for run in _WHITESPACE_RUN.finditer(lowered):
        begin, end = run.span()
        starts += origin[cursor:begin]
        ends += [place + 1 for place in origin[cursor:begin]]
        # At either end of the text the whole run is dropped (N5).
        if begin > 0 and end < len(lowered):
            starts.append(origin[begin])
            ends.append(origin[end - 1] + 1)
        cursor = end
    starts += origin[cursor:]
    ends += [place + 1 for place in origin[cursor:]]
    return NormalizedText(folded, starts, ends)


def normalize_within(text: str, *, lowercase: bool, max_code_points: int, allow_empty: bool) -> str:
    """Return the normalized text, or the first objection of a page that sets limits.

    Rules: N8 (order of the checks: raw length, first forbidden code point, normalized length, empty), L1, L2, T10.

    Raises:
        NotText, TextTooLong, ForbiddenCodePoint, EmptyCorpus.
    """
    check_is_text(text)
    if len(text) > max_code_points:
        raise TextTooLong(stage="raw", length=len(text), limit=max_code_points)
    normalized = normalize(text, lowercase)
    if len(normalized) > max_code_points:
        raise TextTooLong(stage="normalized", length=len(normalized), limit=max_code_points)
    if not normalized and not allow_empty:
        raise EmptyCorpus
    return normalized


def check_forbidden(text: str, *, text_index: int | None = None) -> None:
    """Raise ForbiddenCodePoint at the first literal marker or surrogate. Rule: N8."""
    check_is_text(text, text_index=text_index)
    found = _FORBIDDEN.search(text)
    if found is not None:
        kind = "marker" if found.group() == MARKER else "surrogate"
        raise ForbiddenCodePoint(
            kind=kind, position=found.start(), code_point=ord(found.group()), text_index=text_index
        )


def fold_whitespace(text: str) -> str:
    """Return `text` with whitespace removed at both ends and every other run of it as one space. Rules: N4, N5."""
    return _WHITESPACE_RUN.sub(" ", text).strip(" ")


def lower(text: str) -> str:
    """Return the language-independent Unicode 17 lower case. Rules: N1, N2.

    ASCII is the same in every Unicode version; everything else goes through this project's own table.
    """
    if text.isascii():
        return text.lower()
    lowered = text.translate(LOWERCASE)
    return _place_final_sigmas(text, lowered) if _SIGMA in text else lowered


def _place_final_sigmas(text: str, lowered: str) -> str:
    """Return `lowered` with ς for each Σ of `text` that ends a word. Rules: N1, N3.

    The context is read from the text before lower-casing. `İ` grows, so places are counted in pieces between sigmas:
    the table maps one code point at a time, hence the pieces can be lower-cased apart.
    """
    if all(not _is_final(text, place) for place, code_point in enumerate(text) if code_point == _SIGMA):
        return lowered
    pieces: list[str] = []
    cursor = 0
    place = text.find(_SIGMA)
    while place >= 0:
        pieces.append(text[cursor:place].translate(LOWERCASE))
        pieces.append(_FINAL_SIGMA if _is_final(text, place) else LOWERCASE[ord(_SIGMA)])
        cursor = place + 1
        place = text.find(_SIGMA, cursor)
    pieces.append(text[cursor:].translate(LOWERCASE))
    return "".join(pieces)


def _is_final(text: str, place: int) -> bool:
    """Whether the Σ at `place` follows a cased letter and precedes none, case-ignorable code points skipped first.

    Linear over a whole text: Σ itself is cased and not ignorable, so no run of ignorables is walked more than twice.
    """
    return _next_is_cased(text, place, -1) and not _next_is_cased(text, place, 1)


def _next_is_cased(text: str, place: int, step: int) -> bool:
    place += step
    while 0 <= place < len(text):
        code_point = ord(text[place])
        # Ignorable decides before Cased does: `ʰ` is both, and is skipped.
        if not is_case_ignorable(code_point):
            return is_cased(code_point)
        place += step
    return False
