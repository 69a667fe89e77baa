"""Everything that is said of one token, an entry of the vocabulary or an unknown one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pairloom.encoder import Encoding
from pairloom.history import History
from pairloom.views.look_alikes import LookAlike, look_alikes
from pairloom.views.paging import Page
from pairloom.views.tables import rank_of_token_id
from pairloom.views.token_tree import TokenTree, code_points


@dataclass(frozen=True, slots=True)
class PointOfToken:
    """One code point of a token.

    Attributes:
        text: the code point.
        notation: as it is written about: U+0061.
        name: of the running Python's Unicode data; None if it has none.
        category: general category, two letters: "Ll".
        id: of the base alphabet; None if it is not in it.
    """

    text: str
    notation: str
    name: str | None
    category: str
    id: int | None


@dataclass(frozen=True, slots=True)
class WordWithToken:
    """A distinct word in which a token stands: its count, and places in the word."""

    word: str
    count: int
    places: int


@dataclass(frozen=True, slots=True)
class PlaceInText:
    """A token of an encoding: its number from 0, and the half-open range of the raw text that it covers (E8)."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TokenReport:
    """One token at a prefix; make it with `of`.

    Attributes:
        token, id: the token; `id` is None for one that is no entry of the vocabulary.
        rank: of the merge that made it first; None for a code point.
        is_active: whether it can occur at this prefix.
        prefix: active merges.
        tree: the merges that made it; None without ID.
        code_points: what it is made of.
        look_alikes: see there; None if the token is too long.
        places: of the corpus at which it stands, weighted (T7).
        words: the words in which it stands, where it stands most often first.
        in_text: where it stands in a text; None if no text was given.
    """

    token: str
    id: int | None
    rank: int | None
    is_active: bool
    prefix: int
    tree: TokenTree | None
    code_points: Page[PointOfToken]
    look_alikes: tuple[LookAlike, ...] | None
    places: int
    words: Page[WordWithToken]
    in_text: Page[PlaceInText] | None

    @classmethod
    def of(
        cls,
        history: History,
        prefix: int,
        token: str,
        *,
        encoding: Encoding | None = None,
        max_nodes: int,
        max_code_points: int,
        max_places: int,
    ) -> TokenReport:
        """Return what is said of a token on the corpus of a history and in an encoding. Raises: PrefixError.

        Args:
            history: of the corpus.
            prefix: active merges.
            token: an entry of the vocabulary, or any other string.
            encoding: of a text at this prefix.
            max_nodes: tokens of the tree; the rest is folded.
            max_code_points: that are named.
            max_places: words, and places in the text, that are listed; totals are exact.

        Cost: the vocabulary and the distinct words once, and the words that spell the token, each cut.
        """
        model = history.model
        checked = model.check_prefix(prefix)
        token_id = model.token_id(token)
        tree = None if token_id is None else TokenTree.of(model, token_id, max_nodes=max_nodes)
        rank = None if token_id is None else rank_of_token_id(model, token_id)
        words = _words(history, checked, token)
        return cls(
            token=token,
            id=token_id,
            rank=rank,
            is_active=token_id is not None and (rank is None or rank < checked),
            prefix=checked,
            tree=tree,
            code_points=_code_points(history, token, max_code_points),
            look_alikes=look_alikes(token, history),
            places=sum(each.count * each.places for each in words),
            words=Page.of(words, 0, size=max_places),
            in_text=None if encoding is None else Page.of(_in_text(encoding, token), 0, size=max_places),
        )


def _code_points(history: History, token: str, size: int) -> Page[PointOfToken]:
    page = code_points(token, 0, size=size)
    rows = tuple(
        PointOfToken(
            each.text, each.notation, each.name, unicodedata.category(each.text), history.model.token_id(each.text)
        )
        for each in page.rows
    )
    return Page(page.index, page.count, page.first, page.total, rows)


def _words(history: History, prefix: int, token: str) -> Sequence[WordWithToken]:
    found = [
        WordWithToken(word, count, places)
        for word, count in history.word_counts.counts.items()
        if token in word and (places := history.segment(word, prefix).count(token))
    ]
    return sorted(found, key=lambda each: (-each.count * each.places, each.word))


def _in_text(encoding: Encoding, token: str) -> list[PlaceInText]:
    pairs = enumerate(zip(encoding.tokens, encoding.offsets, strict=True))
    return [PlaceInText(number, start, end) for number, (each, (start, end)) in pairs if each == token]
