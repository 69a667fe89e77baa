"""Mistakes that programs make, each as a bent joint of `reference`, with the rule that it breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pairloom.checking import bends
from pairloom.checking.protocol import Answer, Request, objection_to
from pairloom.checking.reference import Reference


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


MISTAKES: Final = (
    Mistake(
        "overlaps-once",
        "T2",
        "overlapping places of a pair are counted once; each place counts: aaaa has three of a+a",
        Reference(count_pairs=bends.without_overlap),
    ),
    Mistake(
        "once-a-word",
        "T2",
        "a pair is counted once a word; every place of it counts",
        Reference(count_pairs=bends.once_a_word),
    ),
    Mistake(
        "unweighted",
        "T2",
        "each distinct word counts once; it counts as often as it occurs",
        Reference(count_pairs=bends.unweighted),
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
        Reference(choose=lambda tied, _: min(tied, key=lambda pair: (bends.utf16(pair[0]), bends.utf16(pair[1])))),
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
        Reference(replace=bends.from_the_right),
    ),
    Mistake(
        "alphabet-order",
        "T1",
        "the alphabet is ordered by UTF-16 units; it is in code-point order",
        Reference(order_alphabet=lambda symbols: sorted(symbols, key=bends.utf16)),
    ),
    Mistake(
        "nfkc",
        "N6",
        "the text is normalized to NFKC; nothing but whitespace, and capitals on request, is ever changed",
        bends.with_form("NFKC"),
    ),
    Mistake("nfc", "N6", "the text is normalized to NFC; é and e with an accent stay two", bends.with_form("NFC")),
    Mistake("nfd", "N6", "the text is normalized to NFD; é and e with an accent stay two", bends.with_form("NFD")),
    Mistake("nfkd", "N6", "the text is normalized to NFKD; é and e with an accent stay two", bends.with_form("NFKD")),
    Mistake(
        "str-split",
        "N4",
        "whitespace is what Python's str.split() takes for it: U+001C–001F and U+0085 are none, U+FEFF is",
        Reference(normalize=bends.str_split),
    ),
    Mistake(
        "lower-by-character",
        "N1",
        "capitals are made small one by one; a Σ at the end of a word becomes ς",
        Reference(normalize=bends.by_character),
    ),
    Mistake(
        "whitespace-first",
        "N3",
        "whitespace is folded before capitals are made small; final sigma sees the text before it is touched",
        Reference(normalize=bends.folded_first),
    ),
    Mistake("never-lower", "N1", "lowercase is ignored", Reference(normalize=bends.never_lower)),
    Mistake(
        "always-lower",
        "N7",
        "text is always made small; the model's setting decides",
        Reference(normalize=bends.always_lower),
    ),
    Mistake(
        "not-refusing",
        "N8",
        "a literal ▁ is taken; it is refused with its position",
        Reference(normalize=bends.not_refusing),
    ),
    Mistake(
        "bare-first-word",
        "P1",
        "the first word has no marker; every word has one, the first included",
        Reference(pre_tokenize=bends.bare_first),
    ),
    Mistake(
        "no-marker",
        "P1",
        "no word has a marker; every word has one",
        Reference(pre_tokenize=bends.never_marked),
    ),
    Mistake(
        "across-words",
        "P4",
        "merges cross from one word to the next; no merge crosses a pre-token's boundary",
        Reference(pre_tokenize=bends.one_piece),
    ),
    Mistake(
        "no-punctuation",
        "P2",
        "the pre-tokenizer punctuation is ignored; it cuts where letters and anything else meet",
        Reference(pre_tokenize=bends.always_whitespace),
    ),
    Mistake(
        "backslash-w",
        "P2",
        r"words are cut by \w; marks and joiners take the class of the code point before them",
        Reference(pre_tokenize=bends.by_backslash_w),
    ),
    Mistake(
        "replayed",
        "E2",
        "the merges are replayed in order; the lowest rank that stands there is merged, then all is looked at anew",
        Reference(merge_word=bends.replayed),
    ),
    Mistake(
        "all-at-once",
        "E2",
        "all places of the lowest rank are merged at once; one at a time, the leftmost",
        Reference(merge_word=bends.all_at_once),
    ),
    Mistake(
        "rightmost", "E2", "of equal ranks the rightmost is merged; the leftmost", Reference(merge_word=bends.rightmost)
    ),
    Mistake(
        "last-listed",
        "E2",
        "a pair listed twice has its higher rank; it has the lower",
        Reference(merge_word=bends.last_listed),
    ),
    Mistake(
        "rank-of-result",
        "E2",
        "pairs are ranked by the string that they make, as in tiktoken; the pair itself has to be listed",
        Reference(merge_word=bends.by_result),
    ),
    Mistake(
        "longest-token",
        "E2",
        "the longest token of the vocabulary is taken; merges alone make tokens",
        Reference(merge_word=bends.longest_first),
    ),
    Mistake(
        "dropping-unknown",
        "E3",
        "a code point outside the alphabet is dropped; it stays a token of its own without an ID",
        Reference(look_up=bends.dropping),
    ),
    Mistake("minus-one", "E3", "an unknown token has the ID -1; it has none: null", bends.numbering(-1)),
    Mistake("unknown-zero", "E3", "an unknown token has the ID 0; it has none: null", bends.numbering(0)),
    Mistake(
        "unknown-size", "E3", "an unknown token has an ID behind all others; it has none: null", bends.numbering("size")
    ),
    Mistake(
        "new-each-time",
        "V2",
        "a merge whose string exists already gets an ID of its own; it keeps the string's",
        Reference(number=bends.new_each_time),
    ),
)
"""The mistakes that are looked for, the likelier ones first."""
