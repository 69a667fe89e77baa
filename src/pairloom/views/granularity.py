"""The same text in words, beside its tokens: what a list of known words would make of it. Rules: S6, P2."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pairloom.model import Model
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.unicode_data import MARKER
from pairloom.views.direction import is_right_to_left
from pairloom.views.paging import Page


@dataclass(frozen=True, slots=True)
class Word:
    """A word or mark of a text; unknown when the corpus does not have it."""

    text: str
    is_known: bool


@dataclass(frozen=True, slots=True)
class WordLevel:
    """A text at word level.

    Attributes:
        token_count: words and marks, one token each.
        unknown_count: how many of them the corpus does not have.
        page: some of them.
        is_right_to_left: which way they follow one another.
    """

    token_count: int
    unknown_count: int
    page: Page[Word]
    is_right_to_left: bool

    @classmethod
    def of(cls, text: str, model: Model, known: Collection[str], *, page: int, page_tokens: int) -> WordLevel:
        """Return a text's words and marks, P2's pre-tokens whatever the model's own are. Rule: S6.

        A pre-token that begins a word has the marker in front, one after a punctuation mark has none: these are two.

        Args:
            text: any text.
            model: whose settings normalize it and say whether there is a marker.
            known: the words and marks of the corpus, see `words_and_marks`.
            page, page_tokens: which page of how many tokens.

        Raises:
            NotText, ForbiddenCodePoint.
        """
        normalized = normalize(text, lowercase=model.lowercase)
        pre_tokens = pre_tokenize(normalized, "punctuation", marker=model.marker)
        words = [Word(each, each in known) for each in pre_tokens]
        unknown = sum(not word.is_known for word in words)
        return cls(len(words), unknown, Page.of(words, page, size=page_tokens), is_right_to_left(normalized))


def words_and_marks(words: Iterable[str], model: Model) -> Collection[str]:
    """Return the words and marks (P2) of a corpus, given its distinct pre-tokens.

    >>> from pairloom.trainer import train
    >>> sorted(words_and_marks(["▁ab,c", "▁ab"], train("ab,c ab")))
    [',', 'c', '▁ab']
    """
    if model.pre_tokenizer == "punctuation":
        return set(words)
    bare = (word.removeprefix(MARKER) if model.marker else word for word in words)
    return {piece for word in bare for piece in pre_tokenize(word, "punctuation", marker=model.marker)}
