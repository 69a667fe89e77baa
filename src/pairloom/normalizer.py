"""Raw text → normalized text: refuse what may not occur, lower-case, fold whitespace.

    raw text ── check_forbidden ──▸ lower case (if the model says so) ──▸ whitespace folded ──▸ normalized text

The order matters: final sigma looks at the text before whitespace is touched (N3). Nothing else is ever changed (N6).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pairloom.checks import check_flag, check_is_text
from pairloom.errors import EmptyCorpus, ForbiddenCodePoint, TextTooLong
from pairloom.unicode_data import LOWERCASE, MARKER, WHITESPACE, is_case_ignorable, is_cased
from pairloom.values import dataclass

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
    return _lower_with_sigmas(text) if _SIGMA in text else text.translate(LOWERCASE)


def _lower_with_sigmas(text: str) -> str:
    """Return the lower case of a text with ς for each Σ that ends a word. Rules: N1, N3.

    The context is read from the text before lower-casing. A Σ follows a cased letter and precedes none, case-ignorable
    code points skipped first. Σ itself is cased and not ignorable, so what decides stands in the stretches between: the
    outermost code points of each that are not ignorable, or, if it has none, the next Σ.

    Cost: linear: a stretch is looked at from either end, and one that comes again is remembered.
    """
    first, *others = text.split(_SIGMA)
    known: dict[str, tuple[bool | None, bool | None]] = {}
    small = LOWERCASE[ord(_SIGMA)]
    # The table maps one code point at a time, hence the stretches can be lower-cased apart; `İ` grows among them.
    pieces = [first.translate(LOWERCASE)]
    cased_before = _ends(first, known)[1]
    for number, stretch in enumerate(others, 1):
        cased_after, cased_at_end = _ends(stretch, known)
        if cased_after is None:
            cased_after = number < len(others)
        pieces += [_FINAL_SIGMA if cased_before and not cased_after else small, stretch.translate(LOWERCASE)]
        cased_before = True if cased_at_end is None else cased_at_end
    return "".join(pieces)


def _ends(stretch: str, known: dict[str, tuple[bool | None, bool | None]]) -> tuple[bool | None, bool | None]:
    """Return whether the first and the last code point that are not ignorable are cased; None if there are none."""
    if not stretch:
        return None, None
    found = known.get(stretch)
    if found is None:
        first = _first_is_cased(stretch)
        found = known[stretch] = first, None if first is None else _first_is_cased(reversed(stretch))
    return found


def _first_is_cased(text: Iterable[str]) -> bool | None:
    for each in text:
        code_point = ord(each)
        # Ignorable decides before Cased does: `ʰ` is both, and is skipped.
        if not is_case_ignorable(code_point):
            return is_cased(code_point)
    return None
