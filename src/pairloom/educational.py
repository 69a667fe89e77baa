"""The whole algorithm on one page: plain, slow, and read from top to bottom.

Every round counts everything anew, because that is the definition. The other modules compute the
same much faster, and the tests hold them equal to this one. Of the package it needs `unicode_data`.

>>> train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, merge_limit=2)
[('u', 'g', 20, 20, 93), ('u', 'n', 16, 16, 77)]
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pairloom import unicode_data as unicode

Pair = tuple[str, str]
Choose = Callable[[list[Pair]], Pair]
Token = tuple[str, int | None, tuple[int, int]]


def count_pairs(corpus: list[tuple[list[str], int]]) -> Counter[Pair]:
    """How often each pair of neighbours occurs. Rule: T2.

    Every position counts, overlapping or not: the word aaaa has the pair (a, a) at 3 positions.
    A word that occurs 10 times counts 10 times.
    """
    frequencies: Counter[Pair] = Counter()
    for symbols, count in corpus:
        for i in range(len(symbols) - 1):
            frequencies[symbols[i], symbols[i + 1]] += count
    return frequencies


def merge(symbols: list[str], left: str, right: str) -> list[str]:
    """The symbols with each `left` and `right` side by side made one. Rule: T5.

    Left to right, and what was merged is used up: the symbols a a a become aa a. The pair stands
    there twice, but both positions want the a in the middle, and the left one is served first.
    """
    merged = []
    i = 0
    while i < len(symbols):
        if symbols[i : i + 2] == [left, right]:
            merged.append(left + right)
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def train(
    word_counts: dict[str, int], merge_limit: int, *, min_frequency: int = 2, choose: Choose = min
) -> list[tuple[str, str, int, int, int]]:
    """The merges: left, right, frequency, replacements, corpus tokens afterwards. Rules: T2-T7.

    `choose` takes one of the pairs that share the highest frequency. Our rule is `min`: the smaller
    left symbol, then the smaller right one, code point by code point as Python compares. Rule: T4.
    """
    corpus = [(list(word), count) for word, count in word_counts.items()]
    tokens = sum(len(symbols) * count for symbols, count in corpus)
    merges: list[tuple[str, str, int, int, int]] = []
    while len(merges) < merge_limit:
        frequencies = count_pairs(corpus)
        highest = max(frequencies.values(), default=0)
        if highest < min_frequency:
            break
        left, right = choose([pair for pair in frequencies if frequencies[pair] == highest])
        corpus = [(merge(symbols, left, right), count) for symbols, count in corpus]
        tokens_before, tokens = tokens, sum(len(symbols) * count for symbols, count in corpus)
        # Each replacement makes one token out of two. aaaa: frequency 3, but 2 replacements.
        merges.append((left, right, highest, tokens_before - tokens, tokens))
    return merges


def tie_rule(name: str, word_counts: dict[str, int]) -> Choose:
    """The `choose` of one training: our tie rule, or another tool's.

    Tied pairs come as `count_pairs` met them this round: words in table order, left to right.
    """
    ids = {symbol: token_id for token_id, symbol in enumerate(base_alphabet(word_counts))}

    def smallest_ids(tied: list[Pair]) -> Pair:
        left, right = min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
        ids[left + right] = len(ids)
        return left, right

    rules: dict[str, Choose] = {
        "ours": min,
        "first_seen": lambda tied: tied[0],  # minbpe, tiktoken's educational module
        "smallest_ids": smallest_ids,  # Hugging Face tokenizers, rustbpe
        "largest_pair": max,  # subword-nmt
        "sentencepiece": lambda tied: min(tied, key=lambda p: (len(p[0] + p[1]), p[0] + p[1])),
    }
    return rules[name]


def lower(text: str, i: int) -> str:
    """The lower case of the code point at `i`; a sigma looks around. Rules: N1-N3."""
    if text[i] != "Σ":
        return unicode.LOWERCASE.get(ord(text[i]), text[i])
    sides = [[ord(char) for char in side] for side in (text[:i][::-1], text[i + 1 :])]
    nearest = [next((cp for cp in side if not unicode.is_case_ignorable(cp)), 0) for side in sides]
    return "ς" if [unicode.is_cased(cp) for cp in nearest] == [True, False] else "σ"


def normalize(text: str, *, lowercase: bool = False) -> list[tuple[str, int, int]]:
    """Each normalized code point with its half-open range in the raw text. Rules: N1-N8, E8."""
    normalized: list[tuple[str, int, int]] = []
    for i, raw in enumerate(text):
        if raw == unicode.MARKER or "\ud800" <= raw <= "\udfff":
            raise ValueError("marker" if raw == unicode.MARKER else "surrogate", i)
        for char in lower(text, i) if lowercase else raw:
            if char not in unicode.WHITESPACE:
                normalized.append((char, i, i + 1))
            elif normalized and normalized[-1][0] == " ":  # a run of whitespace goes on
                normalized[-1] = (" ", normalized[-1][1], i + 1)
            elif normalized:
                normalized.append((" ", i, i + 1))
    return normalized[:-1] if normalized and normalized[-1][0] == " " else normalized


def pre_tokenize(normalized: str, pre_tokenizer: str, *, marker: bool = True) -> list[str]:
    """The pre-tokens; the first of each word begins with the marker. Rules: P1, P2."""
    pre_tokens: list[str] = []
    for word in normalized.split(" ") if normalized else []:
        pieces, in_word_class = [""], True
        for char in word:
            inherits = unicode.is_mark(ord(char)) or char in "\u200c\u200d"
            is_word_class = in_word_class if inherits else unicode.is_word(ord(char))
            if pre_tokenizer == "punctuation" and is_word_class != in_word_class and pieces[-1]:
                pieces.append("")
            pieces[-1] += char
            in_word_class = is_word_class
        pre_tokens += [unicode.MARKER * marker + pieces[0], *pieces[1:]]
    return pre_tokens


def count_words(texts: Iterable[str], *, lowercase: bool, pre_tokenizer: str) -> Counter[str]:
    """How often each pre-token occurs, by first appearance; each text on its own. Rule: T10."""
    counts: Counter[str] = Counter()
    for text in [texts] if isinstance(texts, str) else texts:
        normalized = "".join(char for char, _, _ in normalize(text, lowercase=lowercase))
        counts.update(pre_tokenize(normalized, pre_tokenizer))
    if not counts:
        raise ValueError("no word to train on")
    return counts


def base_alphabet(words: Iterable[str]) -> list[str]:
    """Every distinct code point, in code-point order. Rule: T1."""
    return sorted(set("".join(words)))


class Model(NamedTuple):
    """What was learned or written by hand: merges in rank order, and how text is split."""

    alphabet: list[str]
    merges: list[Pair]
    lowercase: bool = False
    pre_tokenizer: str = "whitespace"
    marker: bool = True

    def vocabulary(self) -> list[str]:
        """Each token string once; its place is its ID. Rules: V1, V2."""
        return list(dict.fromkeys([*self.alphabet, *map("".join, self.merges)]))


def encode_word(word: str, ranks: dict[Pair, int]) -> list[str]:
    """The tokens of a pre-token: lowest rank, then leftmost, one merge at a time. Rule: E2."""
    symbols = list(word)
    while places := [i for i in range(len(symbols) - 1) if (symbols[i], symbols[i + 1]) in ranks]:
        i = min(places, key=lambda place: ranks[symbols[place], symbols[place + 1]])
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
    return symbols


def encode(text: str, model: Model, prefix: int | None = None) -> list[Token]:
    """Each token with its ID (None: unknown) and range in the raw text. Rules: E1-E3, E8."""
    places = normalize(text, lowercase=model.lowercase)
    normalized = "".join(char for char, _, _ in places)
    ids = {token: token_id for token_id, token in enumerate(model.vocabulary())}
    ranks = {pair: model.merges.index(pair) for pair in model.merges[:prefix]}  # the lower of two
    encoding: list[Token] = []
    i = 0  # the normalized code point that comes next
    for word in pre_tokenize(normalized, model.pre_tokenizer, marker=model.marker):
        i += normalized[i] == " "
        for token in encode_word(word, ranks):
            length = len(token.removeprefix(unicode.MARKER))  # a marker takes no place in the text
            end = places[i + length - 1][2] if length else places[i][1]
            encoding.append((token, ids.get(token), (places[i][1], end)))
            i += length
    return encoding


def decode(ids: Iterable[int], model: Model) -> str:
    """The normalized text that the IDs spell. Rule: D1."""
    tokens = model.vocabulary()
    text = "".join(tokens[token_id] for token_id in ids)
    return text.replace(unicode.MARKER, " ").removeprefix(" ") if model.marker else text
