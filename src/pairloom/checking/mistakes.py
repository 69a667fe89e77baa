"""Mistakes that programs make, each as a bent joint of `reference`, with the rule that it breaks."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from pairloom import educational
from pairloom.checking.protocol import Answer, Request, objection_to
from pairloom.checking.reference import Pair, Reference
from pairloom.unicode_data import MARKER, WHITESPACE


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake.

    Attributes:
        name: for programs.
        rules: those that it breaks.
        message: in English, what the program seems to do and what the rule says.
        program: a program that makes this mistake and no other.
    """

    name: str
    rules: str
    message: str
    program: Reference


def diagnosed(request: Request, got: object) -> tuple[Mistake, ...]:
    """Return the mistakes that explain a wrong answer to a request, the likelier ones first."""
    found: list[Mistake] = []
    for mistake in MISTAKES:
        bent = mistake.program.answer(request)
        if objection_to(got, bent) is None and _says_as_much(got, bent):
            found.append(mistake)
    return tuple(found)


def _says_as_much(got: object, bent: Answer) -> bool:
    """Whether an answer has every field: one that has less could equal many."""
    return isinstance(got, dict) and got.keys() >= bent.keys()


# -- normalization


def _plain_lower(text: str) -> str:
    return "".join(each.lower() for each in text)


def _folded(text: str) -> str:
    return " ".join(text.split(" ")) if not text else re.sub(f"[{WHITESPACE}]+", " ", text).strip(" ")


def _refusing(text: str) -> str:
    if MARKER in text:
        raise ValueError("marker", text.index(MARKER))
    return text


def _with_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> Reference:
    def normalize(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
        changed = unicodedata.normalize(form, _refusing(text))
        return "".join(char for char, _, _ in educational.normalize(changed, lowercase=lowercase))

    return Reference(normalize=normalize)


def _str_split(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    lowered = _lowered(_refusing(text)) if lowercase else _refusing(text)
    return " ".join(lowered.split())


def _lowered(text: str) -> str:
    return "".join(educational.lower(text, place) for place in range(len(text)))


def _by_character(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    return _folded(_plain_lower(_refusing(text)) if lowercase else _refusing(text))


def _folded_first(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    folded = _folded(_refusing(text))
    return _lowered(folded) if lowercase else folded


def _never_lower(text: str, lowercase: bool) -> str:  # noqa: FBT001, ARG001  # a joint
    return _folded(_refusing(text))


def _always_lower(text: str, lowercase: bool) -> str:  # noqa: FBT001, ARG001  # a joint
    return _folded(_lowered(_refusing(text)))


def _not_refusing(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    return _folded(_lowered(text) if lowercase else text)


# -- pre-tokens


def _bare_first(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001  # a joint
    pre_tokens = educational.pre_tokenize(normalized, pre_tokenizer, marker=marker)
    return [pre_tokens[0].removeprefix(MARKER), *pre_tokens[1:]] if pre_tokens else []


def _never_marked(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001, ARG001  # a joint
    return educational.pre_tokenize(normalized, pre_tokenizer, marker=False)


def _one_piece(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001, ARG001  # a joint
    words = normalized.split(" ") if normalized else []
    return ["".join(MARKER * marker + word for word in words)] if words else []


def _always_whitespace(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001, ARG001  # a joint
    return educational.pre_tokenize(normalized, "whitespace", marker=marker)


def _by_backslash_w(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001  # a joint
    pre_tokens: list[str] = []
    for word in normalized.split(" ") if normalized else []:
        pieces = re.findall(r"\w+|\W+", word) if pre_tokenizer == "punctuation" else [word]
        pre_tokens += [MARKER * marker + pieces[0], *pieces[1:]]
    return pre_tokens


# -- training


def _without_overlap(words: Sequence[tuple[list[str], int]]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for symbols, count in words:
        last: dict[Pair, int] = {}
        for place, pair in enumerate(pairwise(symbols)):
            if pair[0] == pair[1] and last.get(pair) == place - 1:
                continue
            last[pair] = place
            counts[pair] += count
    return counts


def _once_a_word(words: Sequence[tuple[list[str], int]]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for symbols, count in words:
        for pair in dict.fromkeys(pairwise(symbols)):
            counts[pair] += count
    return counts


def _unweighted(words: Sequence[tuple[list[str], int]]) -> Counter[Pair]:
    return Counter(pair for symbols, _ in words for pair in pairwise(symbols))


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be")


def _from_the_right(symbols: list[str], left: str, right: str) -> list[str]:
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


def _replayed(word: str, merges: Sequence[Pair]) -> list[str]:
    symbols = list(word)
    for left, right in merges:
        symbols = educational.merge(symbols, left, right)
    return symbols


def _all_at_once(word: str, merges: Sequence[Pair]) -> list[str]:
    symbols = list(word)
    while present := [pair for pair in pairwise(symbols) if pair in merges]:
        symbols = educational.merge(symbols, *min(present, key=merges.index))
    return symbols


def _rightmost(word: str, merges: Sequence[Pair]) -> list[str]:
    symbols = list(word)
    while places := [place for place, pair in enumerate(pairwise(symbols)) if pair in merges]:
        place = min(places, key=lambda at: (merges.index((symbols[at], symbols[at + 1])), -at))
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
    return symbols


def _last_listed(word: str, merges: Sequence[Pair]) -> list[str]:
    return educational.encode_word(word, {pair: rank for rank, pair in enumerate(merges)})


def _longest_first(word: str, merges: Sequence[Pair]) -> list[str]:
    known = {*word, *map("".join, merges)}
    tokens: list[str] = []
    place = 0
    while place < len(word):
        end = next(end for end in range(len(word), place, -1) if word[place:end] in known)
        tokens.append(word[place:end])
        place = end
    return tokens


def _by_result(word: str, merges: Sequence[Pair]) -> list[str]:
    first: dict[str, int] = {}
    for rank, pair in enumerate(merges):
        first.setdefault("".join(pair), rank)
    symbols = list(word)
    while places := [place for place, pair in enumerate(pairwise(symbols)) if "".join(pair) in first]:
        place = min(places, key=lambda at: first[symbols[at] + symbols[at + 1]])
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
    return symbols


def _dropping(tokens: list[str], vocabulary: Sequence[str]) -> Answer:
    known = [token for token in tokens if token in vocabulary]
    return {"tokens": known, "ids": [vocabulary.index(token) for token in known]}


def _numbering(unknown: object) -> Reference:
    def look_up(tokens: list[str], vocabulary: Sequence[str]) -> Answer:
        value = len(vocabulary) if unknown == "size" else unknown
        return {"tokens": tokens, "ids": [vocabulary.index(each) if each in vocabulary else value for each in tokens]}

    return Reference(look_up=look_up)


def _new_each_time(alphabet: Sequence[str], merges: Sequence[Pair]) -> list[str]:
    return [*sorted(alphabet), *map("".join, merges)]


MISTAKES: Final = (
    Mistake(
        "overlaps-once",
        "T2",
        "overlapping places of a pair are counted once; each place counts: aaaa has three of a+a",
        Reference(count_pairs=_without_overlap),
    ),
    Mistake(
        "once-a-word",
        "T2",
        "a pair is counted once a word; every place of it counts",
        Reference(count_pairs=_once_a_word),
    ),
    Mistake(
        "unweighted",
        "T2",
        "each distinct word counts once; it counts as often as it occurs",
        Reference(count_pairs=_unweighted),
    ),
    Mistake(
        "first-seen",
        "T4",
        "of tied pairs the one counted first is merged, as in minbpe; the smaller left symbol wins, then the right",
        Reference(choose=lambda tied, _: tied[0]),
    ),
    Mistake(
        "utf16-order",
        "T4",
        "ties are compared by UTF-16 units; code point by code point, U+FFFF comes before U+10000",
        Reference(choose=lambda tied, _: min(tied, key=lambda pair: (_utf16(pair[0]), _utf16(pair[1])))),
    ),
    Mistake(
        "largest-pair",
        "T4",
        "of tied pairs the largest is merged, as in subword-nmt; the smallest wins",
        Reference(choose=lambda tied, _: max(tied)),
    ),
    Mistake(
        "smallest-ids",
        "T4",
        "ties are compared by token IDs, as in Hugging Face tokenizers; symbols are compared as strings",
        Reference(choose=lambda tied, ids: min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))),
    ),
    Mistake(
        "shorter-piece",
        "T4",
        "of tied pairs the shorter result wins, as in SentencePiece; the smaller left symbol wins, then the right",
        Reference(choose=lambda tied, _: min(tied, key=lambda pair: (len("".join(pair)), "".join(pair)))),
    ),
    Mistake(
        "by-result",
        "T4",
        "ties are compared by the joined strings; the left symbols are compared, then the right ones",
        Reference(choose=lambda tied, _: min(tied, key="".join)),
    ),
    Mistake(
        "last-seen",
        "T4",
        "of tied pairs the one counted last is merged; the smaller left symbol wins, then the right",
        Reference(choose=lambda tied, _: tied[-1]),
    ),
    Mistake("no-minimum", "T3", "pairs below the minimum frequency are merged", Reference(least=lambda _: 1)),
    Mistake(
        "above-minimum",
        "T3",
        "a pair of exactly the minimum frequency is not merged; it is frequent enough",
        Reference(least=lambda least: least + 1),
    ),
    Mistake(
        "from-the-right",
        "T5",
        "occurrences are replaced from right to left; left to right, without overlap",
        Reference(replace=_from_the_right),
    ),
    Mistake(
        "alphabet-order",
        "T1",
        "the alphabet is ordered by UTF-16 units; it is in code-point order",
        Reference(order_alphabet=lambda symbols: sorted(symbols, key=_utf16)),
    ),
    Mistake(
        "nfkc",
        "N6",
        "the text is normalized to NFKC; nothing but whitespace, and capitals on request, is ever changed",
        _with_form("NFKC"),
    ),
    Mistake("nfc", "N6", "the text is normalized to NFC; composed and decomposed stay different", _with_form("NFC")),
    Mistake("nfd", "N6", "the text is normalized to NFD; composed and decomposed stay different", _with_form("NFD")),
    Mistake("nfkd", "N6", "the text is normalized to NFKD; composed and decomposed stay different", _with_form("NFKD")),
    Mistake(
        "str-split",
        "N4",
        "whitespace is what Python's str.split() takes for it: U+001C–001F and U+0085 are none, U+FEFF is",
        Reference(normalize=_str_split),
    ),
    Mistake(
        "lower-by-character",
        "N1",
        "capitals are made small one by one; a Σ at the end of a word becomes ς",
        Reference(normalize=_by_character),
    ),
    Mistake(
        "whitespace-first",
        "N3",
        "whitespace is folded before capitals are made small; final sigma sees the text before it is touched",
        Reference(normalize=_folded_first),
    ),
    Mistake("never-lower", "N1", "lowercase is ignored", Reference(normalize=_never_lower)),
    Mistake(
        "always-lower",
        "N7",
        "text is always made small; the model's setting decides",
        Reference(normalize=_always_lower),
    ),
    Mistake(
        "not-refusing",
        "N8",
        "a literal ▁ is taken; it is refused with its position",
        Reference(normalize=_not_refusing),
    ),
    Mistake(
        "bare-first-word",
        "P1",
        "the first word has no marker; every word has one, the first included",
        Reference(pre_tokenize=_bare_first),
    ),
    Mistake(
        "no-marker", "P1", "no word has a marker; every word has one in front", Reference(pre_tokenize=_never_marked)
    ),
    Mistake(
        "across-words",
        "P4",
        "merges cross from one word to the next; no merge crosses a pre-token's boundary",
        Reference(pre_tokenize=_one_piece),
    ),
    Mistake(
        "no-punctuation",
        "P2",
        "the pre-tokenizer punctuation is ignored; it cuts where letters and anything else meet",
        Reference(pre_tokenize=_always_whitespace),
    ),
    Mistake(
        "backslash-w",
        "P2",
        r"words are cut by \w; marks and joiners take the class of the code point before them",
        Reference(pre_tokenize=_by_backslash_w),
    ),
    Mistake(
        "replayed",
        "E2",
        "the merges are replayed in order; the lowest rank that stands there is merged, then all is looked at anew",
        Reference(merge_word=_replayed),
    ),
    Mistake(
        "all-at-once",
        "E2",
        "all places of the lowest rank are merged at once; one at a time, the leftmost",
        Reference(merge_word=_all_at_once),
    ),
    Mistake(
        "rightmost", "E2", "of equal ranks the rightmost is merged; the leftmost", Reference(merge_word=_rightmost)
    ),
    Mistake(
        "last-listed",
        "E2",
        "a pair listed twice has its higher rank; it has the lower",
        Reference(merge_word=_last_listed),
    ),
    Mistake(
        "rank-of-result",
        "E2",
        "pairs are ranked by the string that they make, as in tiktoken; the pair itself has to be listed",
        Reference(merge_word=_by_result),
    ),
    Mistake(
        "longest-token",
        "E2",
        "the longest token of the vocabulary is taken; merges alone make tokens",
        Reference(merge_word=_longest_first),
    ),
    Mistake(
        "dropping-unknown",
        "E3",
        "a code point outside the alphabet is dropped; it stays a token of its own without an ID",
        Reference(look_up=_dropping),
    ),
    Mistake("minus-one", "E3", "an unknown token has the ID -1; it has none: null", _numbering(-1)),
    Mistake("unknown-zero", "E3", "an unknown token has the ID 0; it has none: null", _numbering(0)),
    Mistake(
        "unknown-size", "E3", "an unknown token has an ID behind all others; it has none: null", _numbering("size")
    ),
    Mistake(
        "new-each-time",
        "V2",
        "a merge whose string exists already gets an ID of its own; it keeps the string's",
        Reference(number=_new_each_time),
    ),
)
"""The mistakes that are looked for, the likelier ones first."""
