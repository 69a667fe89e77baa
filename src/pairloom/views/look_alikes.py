"""Tokens that look like another one, or that a reader takes for the same: composed, decomposed, of another script.

What is compared is said with each find. Canonical and compatible forms, case and marks come from the Unicode data of
the Python that runs; letters of other scripts from a table of those that most fonts draw alike. All of it is for
reading only: no token is ever changed by it (N6).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pairloom.history import History
from pairloom.unicode_data import is_default_ignorable, is_mark, is_whitespace

Likeness = Literal["canonical", "invisible", "script", "compatible", "case", "marks"]

MAX_CODE_POINTS: Final = 32
"""Longer tokens are not looked for: nobody compares them by eye."""

# Letters that most fonts draw like a Latin one, after the table of confusable characters of Unicode Technical Standard
# 39; Greek and Cyrillic letters, the ones that are met in texts.
_DRAWN_ALIKE: Final = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХҮԚԜаеѕіјорсухһԁԛԝҽΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυγιօոսհ",
        "ABESIJKMHOPCTYXYQWaesijopcyxhdqweABEZHIKMNOPTYXavopuyionuh",
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Another string that a reader may take for a token.

    Attributes:
        token: the other one.
        id: its ID; None if it is no entry of the vocabulary.
        likeness: "canonical" (the same text to Unicode: composed or decomposed), "invisible" (they differ in what
            cannot be seen), "script" (letters of other scripts, drawn alike), "compatible" (a form, width or ligature),
            "case", "marks" (the same letters with other marks). The closest one that holds.
        places: of the corpus at which it stands, whatever the prefix, if it is no entry; None for an entry.
    """

    token: str
    id: int | None
    likeness: Likeness
    places: int | None


def look_alikes(token: str, history: History) -> tuple[LookAlike, ...] | None:
    r"""Return what looks like a token, closest first; None if the token is too long to be looked for.

    The whole vocabulary is looked through; in the corpus, the composed and decomposed form, the other case, and the
    letters of other scripts are looked for as they would be spelled.

    Cost: linear in the vocabulary, and in the distinct words for each of a few spellings.

    >>> from pairloom.trainer import train
    >>> from pairloom.word_counts import count_words
    >>> text = "caf\u00e9 cafe\u0301 cafe"
    >>> for each in look_alikes("\u00e9", History.of(count_words(text), train(text))):
    ...     print(ascii(each.token), each.id, each.likeness, each.places)
    'e\u0301' None canonical 1
    'e' 2 marks None
    """
    if len(token) > MAX_CODE_POINTS:
        return None
    model = history.model
    found: dict[str, LookAlike] = {}
    loosest = _without_marks(token)
    for token_id, other in enumerate(model.vocabulary):
        if other != token and len(other) <= 2 * MAX_CODE_POINTS and _without_marks(other) == loosest:
            likeness = _likeness(token, other)
            if likeness is not None:
                found[other] = LookAlike(other, token_id, likeness, None)
    for spelling in _spellings(token) - found.keys():
        likeness = _likeness(token, spelling)
        places = _places(spelling, history) if likeness is not None and model.token_id(spelling) is None else 0
        if likeness is not None and places:
            found[spelling] = LookAlike(spelling, None, likeness, places)
    closeness = list(_COMPARED)
    return tuple(sorted(found.values(), key=lambda each: (closeness.index(each.likeness), each.token)))


def _likeness(one: str, other: str) -> Likeness | None:
    return next((name for name, key in _COMPARED.items() if key(one) == key(other)), None)


def _canonical(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _visible(text: str) -> str:
    return _canonical("".join(each for each in text if not (is_default_ignorable(ord(each)) or _is_blank(each))))


def _is_blank(code_point: str) -> bool:
    return is_whitespace(ord(code_point)) or unicodedata.category(code_point) == "Cc"


def _in_one_script(text: str) -> str:
    return "".join(_DRAWN_ALIKE.get(each, each) for each in _visible(text))


def _compatible(text: str) -> str:
    return unicodedata.normalize("NFKC", _visible(text))


def _in_one_case(text: str) -> str:
    return unicodedata.normalize("NFKC", _compatible(text).casefold())


@lru_cache(maxsize=8192)
def _without_marks(text: str) -> str:
    """Return what all that is compared has in common."""
    if text.isascii():
        # By far the most tokens of most corpora; controls are left out below, too.
        return "".join(filter(str.isprintable, text)).replace(" ", "").lower() or text
    decomposed = unicodedata.normalize("NFD", _in_one_case(_in_one_script(text)))
    bare = "".join(each for each in decomposed if not is_mark(ord(each)))
    # A mark alone would be like any other one, and like nothing.
    return bare or text


# From the closest on; each is looser than, or apart from, those before it.
_COMPARED: Final[Mapping[Likeness, Callable[[str], str]]] = {
    "canonical": _canonical,
    "invisible": _visible,
    "script": _in_one_script,
    "compatible": _compatible,
    "case": _in_one_case,
    "marks": _without_marks,
}


def _spellings(token: str) -> set[str]:
    """Return the ways of spelling a token that are looked for in the corpus."""
    forms = {unicodedata.normalize(form, token) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    forms |= {token.lower(), token.upper(), _in_one_script(token)}
    forms |= {unicodedata.normalize(form, each) for each in list(forms) for form in ("NFC", "NFD")}
    if len(token) == 1:
        forms |= {other for other, latin in _DRAWN_ALIKE.items() if _DRAWN_ALIKE.get(token, token) == latin}
    return {each for each in forms if each and each != token}


def _places(text: str, history: History) -> int:
    return sum(count * word.count(text) for word, count in history.word_counts.counts.items() if text in word)
