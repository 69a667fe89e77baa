"""Normalized text → pre-tokens: the pieces that no merge ever crosses (P4)."""

from __future__ import annotations

import re
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
