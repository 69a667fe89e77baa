"""Single joints of `reference` bent: each function does one thing as some program does it, and not as the rules say."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from pairloom import educational
from pairloom.checking.protocol import Answer
from pairloom.checking.reference import Pair, Reference
from pairloom.unicode_data import MARKER, WHITESPACE

# -- normalization


def plain_lower(text: str) -> str:
    """Return capitals made small one by one, a final sigma too."""
    return "".join(each.lower() for each in text)


def folded(text: str) -> str:
    """Return a text with its whitespace folded, as N5 has it."""
    return " ".join(text.split(" ")) if not text else re.sub(f"[{WHITESPACE}]+", " ", text).strip(" ")


def refusing(text: str) -> str:
    """Return the text, or raise as a program does that refuses a literal marker."""
    if MARKER in text:
        raise ValueError("marker", text.index(MARKER))
    return text


def with_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> Reference:
    """Return a program that normalizes to a Unicode form."""

    def normalize(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
        changed = unicodedata.normalize(form, refusing(text))
        return "".join(char for char, _, _ in educational.normalize(changed, lowercase=lowercase))

    return Reference(normalize=normalize)


def str_split(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    """Normalize with Python's own whitespace."""
    changed = lowered(refusing(text)) if lowercase else refusing(text)
    return " ".join(changed.split())


def lowered(text: str) -> str:
    """Return the right lower case."""
    return "".join(educational.lower(text, place) for place in range(len(text)))


def by_character(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    """Normalize without final sigma."""
    return folded(plain_lower(refusing(text)) if lowercase else refusing(text))


def folded_first(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    """Normalize, whitespace first."""
    changed = folded(refusing(text))
    return lowered(changed) if lowercase else changed


def never_lower(text: str, lowercase: bool) -> str:  # noqa: FBT001, ARG001  # a joint
    """Normalize, capitals kept."""
    return folded(refusing(text))


def always_lower(text: str, lowercase: bool) -> str:  # noqa: FBT001, ARG001  # a joint
    """Normalize, capitals always made small."""
    return folded(lowered(refusing(text)))


def not_refusing(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    """Normalize, a literal marker taken."""
    return folded(lowered(text) if lowercase else text)


# -- pre-tokens


def bare_first(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001  # a joint
    """Cut, the first word left without marker."""
    pre_tokens = educational.pre_tokenize(normalized, pre_tokenizer, marker=marker)
    return [pre_tokens[0].removeprefix(MARKER), *pre_tokens[1:]] if pre_tokens else []


def never_marked(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001, ARG001  # a joint
    """Cut, no word with a marker."""
    return educational.pre_tokenize(normalized, pre_tokenizer, marker=False)


def one_piece(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001, ARG001  # a joint
    """Cut nothing: one piece, markers inside."""
    words = normalized.split(" ") if normalized else []
    return ["".join(MARKER * marker + word for word in words)] if words else []


def always_whitespace(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001, ARG001  # a joint
    """Cut at whitespace alone."""
    return educational.pre_tokenize(normalized, "whitespace", marker=marker)


def by_backslash_w(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001  # a joint
    r"""Cut where `\w` of the running Python ends."""
    pre_tokens: list[str] = []
    for word in normalized.split(" ") if normalized else []:
        pieces = re.findall(r"\w+|\W+", word) if pre_tokenizer == "punctuation" else [word]
        pre_tokens += [MARKER * marker + pieces[0], *pieces[1:]]
    return pre_tokens


# -- training


def without_overlap(words: Sequence[tuple[list[str], int]]) -> Counter[Pair]:
    """Count pairs, overlapping places once."""
    counts: Counter[Pair] = Counter()
    for symbols, count in words:
        last: dict[Pair, int] = {}
        for place, pair in enumerate(pairwise(symbols)):
            if pair[0] == pair[1] and last.get(pair) == place - 1:
                continue
            last[pair] = place
            counts[pair] += count
    return counts


def once_a_word(words: Sequence[tuple[list[str], int]]) -> Counter[Pair]:
    """Count pairs once a word."""
    counts: Counter[Pair] = Counter()
    for symbols, count in words:
        for pair in dict.fromkeys(pairwise(symbols)):
            counts[pair] += count
    return counts


def unweighted(words: Sequence[tuple[list[str], int]]) -> Counter[Pair]:
    """Count pairs once for each distinct word."""
    return Counter(pair for symbols, _ in words for pair in pairwise(symbols))


def utf16(text: str) -> bytes:
    """Return what a text is compared by in UTF-16."""
    return text.encode("utf-16-be")


def from_the_right(symbols: list[str], left: str, right: str) -> list[str]:
    """Replace from right to left."""
    replaced: list[str] = []
    place = len(symbols) - 1
    while place >= 0:
        if place and (symbols[place - 1], symbols[place]) == (left, right):
            replaced.insert(0, left + right)
            place -= 1
        else:
            replaced.insert(0, symbols[place])
        place -= 1
    return replaced


# -- encoding


def replayed(word: str, merges: Sequence[Pair]) -> list[str]:
    """Merge by replaying the list in order."""
    symbols = list(word)
    for left, right in merges:
        symbols = educational.merge(symbols, left, right)
    return symbols


def all_at_once(word: str, merges: Sequence[Pair]) -> list[str]:
    """Merge all places of the lowest rank at once."""
    symbols = list(word)
    while present := [pair for pair in pairwise(symbols) if pair in merges]:
        symbols = educational.merge(symbols, *min(present, key=merges.index))
    return symbols


def rightmost(word: str, merges: Sequence[Pair]) -> list[str]:
    """Merge the rightmost of equal ranks."""
    symbols = list(word)
    while places := [place for place, pair in enumerate(pairwise(symbols)) if pair in merges]:
        place = min(places, key=lambda at: (merges.index((symbols[at], symbols[at + 1])), -at))
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
    return symbols


def last_listed(word: str, merges: Sequence[Pair]) -> list[str]:
    """Merge with the higher rank of a pair listed twice."""
    return educational.encode_word(word, {pair: rank for rank, pair in enumerate(merges)})


def longest_first(word: str, merges: Sequence[Pair]) -> list[str]:
    """Take the longest known token."""
    known = {*word, *map("".join, merges)}
    tokens: list[str] = []
    place = 0
    while place < len(word):
        end = next(end for end in range(len(word), place, -1) if word[place:end] in known)
        tokens.append(word[place:end])
        place = end
    return tokens


def by_result(word: str, merges: Sequence[Pair]) -> list[str]:
    """Merge by the rank of the joined string."""
    first: dict[str, int] = {}
    for rank, pair in enumerate(merges):
        first.setdefault("".join(pair), rank)
    symbols = list(word)
    while places := [place for place, pair in enumerate(pairwise(symbols)) if "".join(pair) in first]:
        place = min(places, key=lambda at: first[symbols[at] + symbols[at + 1]])
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
    return symbols


def dropping(tokens: list[str], vocabulary: Sequence[str]) -> Answer:
    """Look up IDs, unknown tokens dropped."""
    known = [token for token in tokens if token in vocabulary]
    return {"tokens": known, "ids": [vocabulary.index(token) for token in known]}


def numbering(unknown: object) -> Reference:
    """Return a program that gives unknown tokens an ID."""

    def look_up(tokens: list[str], vocabulary: Sequence[str]) -> Answer:
        value = len(vocabulary) if unknown == "size" else unknown
        return {"tokens": tokens, "ids": [vocabulary.index(each) if each in vocabulary else value for each in tokens]}

    return Reference(look_up=look_up)


def new_each_time(alphabet: Sequence[str], merges: Sequence[Pair]) -> list[str]:
    """Number tokens, a new ID for each merge."""
    return [*sorted(alphabet), *map("".join, merges)]
