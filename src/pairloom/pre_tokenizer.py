"""Normalized text → pre-tokens: the pieces that no merge ever crosses (P4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from pairloom.checks import check_flag, check_is_text
from pairloom.errors import SettingError
from pairloom.unicode_data import MARK_CLASS, MARKER, WORD_CLASS

PRE_TOKENIZERS = ("whitespace", "punctuation")


def pre_tokenize(normalized: str, pre_tokenizer: str = "whitespace", *, marker: bool = True) -> list[str]:
    """Return the pre-tokens of a normalized text, in order.

    Rules: P1 (`whitespace`: one a word, each with the marker in front), P2 (`punctuation`: each word cut further
    where word class and anything else meet; only the first piece of a word carries the marker), P3 (`marker=False`).

    Args:
        normalized: what `normalize` returns; single spaces between words, none at the ends.
        pre_tokenizer: one of `PRE_TOKENIZERS`.
        marker: whether each word gets the marker `▁` in front.

    Raises:
        SettingError: no such pre-tokenizer, no flag, or a text with two spaces in a row or one at an end.
        NotText.

    Cost: linear.

    >>> pre_tokenize("don't stop", "punctuation")
    ['▁don', "'", 't', '▁stop']
    """
    check_is_text(normalized)
    check_pre_tokenizer(pre_tokenizer)
    check_flag("marker", marker)
    if not normalized:
        return []
    words = normalized.split(" ")
    if "" in words:
        raise SettingError(setting="normalized", value=normalized, allowed="what normalize returns")
    front = MARKER if marker else ""
    if pre_tokenizer == "whitespace":
        return [front + word for word in words]
    split = _piece_pattern().findall
    pre_tokens: list[str] = []
    for word in words:
        first, *rest = split(word)
        pre_tokens.append(front + first)
        pre_tokens.extend(rest)
    return pre_tokens


def pre_tokenize_in_portions(normalized: str, pre_tokenizer: str, *, max_code_points: int) -> Iterator[list[str]]:
    """Yield what `pre_tokenize` returns, with markers, in lists one after the other.

    Each takes about `max_code_points` code points of looking, however long the words are: where one is longer, empty
    lists are yielded on the way. A code point beyond the BMP costs the pattern up to a microsecond.

    >>> list(pre_tokenize_in_portions("don't stop", "punctuation", max_code_points=2))
    [[], ['▁don'], ["'", 't'], ['▁stop']]
    """
    check_pre_tokenizer(pre_tokenizer)
    start = 0
    while start < len(normalized):
        end = normalized.find(" ", start + max_code_points)
        end = len(normalized) if end < 0 else end
        # Up to the last space there are whole words; what is longer than a portion is cut piece by piece.
        if pre_tokenizer == "punctuation" and end - start > 2 * max_code_points:
            end = normalized.find(" ", start)
            end = len(normalized) if end < 0 else end
            yield from _long_word(normalized[start:end], max_code_points)
        else:
            yield pre_tokenize(normalized[start:end], pre_tokenizer)
        start = end + 1


def _long_word(word: str, max_code_points: int) -> Iterator[list[str]]:
    """Yield the pieces of one word, looking at so many code points at a time. Rule: P2."""
    joining = f"{MARK_CLASS}\u200c\u200d"
    begins_word_run = re.compile(f"[{WORD_CLASS}{joining}]").match
    goes_on = {True: re.compile(f"[{WORD_CLASS}{joining}]*").match, False: re.compile(f"[^{WORD_CLASS}]*").match}
    front, start, reached = MARKER, 0, 0
    is_word_run = begins_word_run(word) is not None
    pieces: list[str] = []
    budget = max_code_points
    while reached < len(word):
        stop = min(reached + budget, len(word))
        found = goes_on[is_word_run](word, reached, stop)
        assert found is not None, "the pattern matches the empty string"
        budget -= found.end() - reached
        reached = found.end()
        if reached < stop or reached == len(word):
            pieces.append(front + word[start:reached])
            # A joining code point never ends a run, so what comes next is of the other kind.
            front, start, is_word_run = "", reached, not is_word_run
        if budget <= 0:
            yield pieces
            pieces, budget = [], max_code_points
    if pieces:
        yield pieces


def check_pre_tokenizer(pre_tokenizer: object) -> None:
    """Raise SettingError unless `pre_tokenizer` is one of `PRE_TOKENIZERS`."""
    if not isinstance(pre_tokenizer, str) or pre_tokenizer not in PRE_TOKENIZERS:
        raise SettingError(
            setting="pre_tokenizer", value=pre_tokenizer, allowed=" or ".join(repr(name) for name in PRE_TOKENIZERS)
        )


@cache
def _piece_pattern() -> re.Pattern[str]:
    """Return the pattern of one pre-token inside a word. Rule: P2.

    Marks, U+200C and U+200D take the class of the code point before them. The second alternative swallows those that
    follow anything else, so where the first one begins at a mark, the mark begins the word: word class, says the rule.
    """
    joining = f"{MARK_CLASS}\u200c\u200d"
    return re.compile(f"[{WORD_CLASS}{joining}]+|[^{WORD_CLASS}{joining}][^{WORD_CLASS}]*")
