"""The conventions once more, literal, with a joint at each place where programs go wrong; `mistakes` bends them there.

Never used for right answers: those are the library's. A program whose wrong answer equals that of one bent joint has,
as far as can be seen, made that mistake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pairloom import educational
from pairloom.checking.protocol import Answer, Request
from pairloom.unicode_data import MARKER

Pair = tuple[str, str]


def _normalized(text: str, lowercase: bool) -> str:  # noqa: FBT001  # a joint
    return "".join(char for char, _, _ in educational.normalize(text, lowercase=lowercase))


def _pre_tokens(normalized: str, pre_tokenizer: str, marker: bool) -> list[str]:  # noqa: FBT001  # a joint
    return educational.pre_tokenize(normalized, pre_tokenizer, marker=marker)


def _count_pairs(words: Sequence[tuple[list[str], int]]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for symbols, count in words:
        for pair in pairwise(symbols):
            counts[pair] += count
    return counts


def _merge_word(word: str, merges: Sequence[Pair]) -> list[str]:
    ranks: dict[Pair, int] = {}
    for rank, pair in enumerate(merges):
        ranks.setdefault(pair, rank)
    return educational.encode_word(word, ranks)


def _number(alphabet: Sequence[str], merges: Sequence[Pair]) -> list[str]:
    return list(dict.fromkeys([*sorted(alphabet), *map("".join, merges)]))


def _look_up(tokens: list[str], vocabulary: Sequence[str]) -> Answer:
    ids = {token: number for number, token in reversed(list(enumerate(vocabulary)))}
    return {"tokens": tokens, "ids": [ids.get(token) for token in tokens]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A literal program; each attribute is a joint, and right as it is."""

    normalize: Callable[[str, bool], str] = _normalized
    pre_tokenize: Callable[[str, str, bool], list[str]] = _pre_tokens
    count_pairs: Callable[[Sequence[tuple[list[str], int]]], Counter[Pair]] = _count_pairs
    # Of pairs with the highest frequency, as they were met, the one to merge; `ids` are those of our numbering.
    choose: Callable[[list[Pair], dict[str, int]], Pair] = field(default=lambda tied, _: min(tied))
    replace: Callable[[list[str], str, str], list[str]] = educational.merge
    order_alphabet: Callable[[set[str]], list[str]] = sorted
    least: Callable[[int], int] = field(default=lambda min_frequency: min_frequency)
    merge_word: Callable[[str, Sequence[Pair]], list[str]] = _merge_word
    number: Callable[[Sequence[str], Sequence[Pair]], list[str]] = _number
    look_up: Callable[[list[str], Sequence[str]], Answer] = _look_up

    def answer(self, request: Request) -> Answer:
        """Return what this program would answer."""
        try:
            match request["op"]:
                case "normalize":
                    return {"normalized": self.normalize(request["text"], request["lowercase"])}
                case "train":
                    return self._train(request)
                case _:
                    return self._encode(request)
        except ValueError as error:
            kind = error.args[0] if error.args else ""
            if kind == "marker":
                return {"error": {"kind": "marker", "position": error.args[1]}}
            return {"error": {"kind": "empty_corpus"}}

    def _train(self, request: Request) -> Answer:
        counted: Counter[str] = Counter()
        if "word_counts" in request:
            front = MARKER * request["marker"]
            counted.update({front + word: count for word, count in request["word_counts"].items()})
        else:
            normalized = self.normalize(request["text"], request["lowercase"])
            counted.update(self.pre_tokenize(normalized, request["pre_tokenizer"], True))  # noqa: FBT003  # a joint
        if not counted:
            raise ValueError("empty_corpus")
        words = [(list(word), count) for word, count in counted.items()]
        alphabet = self.order_alphabet({symbol for symbols, _ in words for symbol in symbols})
        ids = {symbol: number for number, symbol in enumerate(sorted(alphabet))}
        merges: list[list[object]] = []
        while len(merges) < request["merge_limit"]:
            counts = self.count_pairs(words)
            highest = max(counts.values(), default=0)
            if highest < max(self.least(request["min_frequency"]), 1):
                break
            left, right = self.choose([pair for pair, count in counts.items() if count == highest], ids)
            ids.setdefault(left + right, len(ids))
            before = sum(len(symbols) * count for symbols, count in words)
            words = [(self.replace(symbols, left, right), count) for symbols, count in words]
            after = sum(len(symbols) * count for symbols, count in words)
            if before == after:  # a bent joint chose what it then does not replace
                break
            merges.append([left, right, highest, before - after, after])
        return {"alphabet": alphabet, "merges": merges}

    def _encode(self, request: Request) -> Answer:
        model = request["model"]
        merges = [(left, right) for left, right in model["merges"]]
        normalized = self.normalize(request["text"], model["lowercase"])
        words = self.pre_tokenize(normalized, model["pre_tokenizer"], model["marker"])
        prefix = request.get("prefix")
        active = merges if prefix is None else merges[:prefix]
        tokens = [token for word in words for token in self.merge_word(word, active)]
        return self.look_up(tokens, self.number(model["alphabet"], merges))
