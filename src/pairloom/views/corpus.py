"""The corpus at a prefix, in pages that begin at the same place whatever the prefix. Rule: W13.

A page is cut where about so many initial tokens (code points of pre-tokens, markers included) are full. Since the cut
looks at prefix 0 only, the text stays put while the prefix moves. A pre-token longer than a page is cut into windows;
a token belongs to the window in which it begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pairloom.history import History, Pair
from pairloom.views.direction import is_right_to_left


@dataclass(frozen=True, slots=True)
class Token:
    """One token of the corpus. `id` is None only for a text that the model was not trained on."""

    text: str
    id: int | None


@dataclass(frozen=True, slots=True)
class Piece:
    """A pre-token, or the part of a long one that begins on this page.

    `is_cut_before` and `is_cut_after` say that tokens of the same pre-token stand on the page before or after.
    `upcoming` has the places in `tokens` at which a pair asked for begins; its right symbol may stand on the next page.
    """

    tokens: tuple[Token, ...]
    is_cut_before: bool = False
    is_cut_after: bool = False
    upcoming: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """One page: `index` of `count`, from 0; `first` and `last` number the pre-tokens that it shows, from 0.

    `made` is the token that the last active merge made, None at prefix 0; all its boxes at this prefix are its work
    (T8), and `made_here` is how many of them stand on this page. `upcoming_here` is how many times the pair asked for
    begins on it.
    """

    index: int
    count: int
    first: int
    last: int
    pieces: tuple[Piece, ...]
    is_right_to_left: bool
    made: str | None
    made_here: int
    upcoming_here: int = 0


@dataclass(frozen=True, slots=True)
class CorpusPages:
    """A corpus cut into pages; make it with `cut`.

    Attributes:
        pre_tokens: in the order of the text.
        starts: per page the pre-token that it begins with and the code point in it.
        is_right_to_left: which way the words of all pages follow one another.
    """

    pre_tokens: tuple[str, ...]
    starts: tuple[tuple[int, int], ...]
    is_right_to_left: bool

    @classmethod
    def cut(cls, pre_tokens: Sequence[str], *, page_tokens: int) -> CorpusPages:
        """Return the pages of a corpus; each holds at most `page_tokens` initial tokens.

        >>> CorpusPages.cut(["▁ab", "▁cd", "▁efghij"], page_tokens=5).starts
        ((0, 0), (1, 0), (2, 0), (2, 5))
        """
        starts: list[tuple[int, int]] = []
        room = 0
        for index, word in enumerate(pre_tokens):
            length = len(word)
            if length <= room:
                room -= length
                continue
            starts.extend((index, offset) for offset in range(0, length, page_tokens))
            room = (page_tokens - length) % page_tokens
        return cls(tuple(pre_tokens), tuple(starts), is_right_to_left("".join(pre_tokens)))

    def page_of(self, pre_token: int) -> int:
        """Return the index of the page on which a pre-token begins."""
        return bisect_right(self.starts, (pre_token, 0)) - 1

    def page(self, index: int, history: History, prefix: int, *, upcoming: Pair | None = None) -> CorpusPage:
        """Return a page at a prefix; an index past the end gives the last page.

        Args:
            index: of the page, from 0.
            history: of this corpus.
            prefix: active merges.
            upcoming: a pair whose places are marked: those that would be merged, left to right without overlap (T5).

        Cost: the pre-tokens of the page, each cut once.
        """
        index = max(0, min(index, len(self.starts) - 1))
        made = history.model.merges[prefix - 1].result if prefix else None
        first, first_offset = self.starts[index]
        end, end_offset = self.starts[index + 1] if index + 1 < len(self.starts) else (len(self.pre_tokens), 0)
        last = end if end_offset else end - 1
        id_of = history.model.token_id
        pieces: list[Piece] = []
        for place in range(first, last + 1):
            word = self.pre_tokens[place]
            begins = first_offset if place == first else 0
            stops = end_offset if place == end else len(word)
            within = _beginning_within(word, history.boundaries(word), prefix, begins, stops)
            places: list[int] = []
            if upcoming and upcoming[0] + upcoming[1] in word:
                places = _places_within(upcoming, word, history.boundaries(word), prefix, within)
            tokens = tuple([Token(text, id_of(text)) for _, text in within])
            pieces.append(Piece(tokens, begins > 0, stops < len(word), tuple(places)))
        shown = tuple(pieces)
        return CorpusPage(
            index=index,
            count=len(self.starts),
            first=first,
            last=last,
            pieces=shown,
            is_right_to_left=self.is_right_to_left,
            made=made,
            made_here=sum(token.text == made for piece in shown for token in piece.tokens),
            upcoming_here=sum(len(piece.upcoming) for piece in shown),
        )

    def next_page_with(self, token: str | Pair, history: History, prefix: int, *, after: int) -> int | None:
        """Return the next page on which a token or a pair begins at a prefix, going round; None if it stands nowhere.

        Args:
            token: a token of the vocabulary, or a pair of them: then the places that would be merged (T5).
            history: of this corpus.
            prefix: active merges.
            after: the page to look behind; it is looked at last.

        Cost: linear in the pre-tokens, and the segmentation of the words that contain the token.
        """
        places: dict[str, list[int]] = {}
        spelled = token if isinstance(token, str) else "".join(token)
        for word in history.word_counts.counts:
            if spelled in word and (offsets := _offsets(token, history.segment(word, prefix))):
                places[word] = offsets
        first: int | None = None
        for index, word in enumerate(self.pre_tokens):
            for offset in places.get(word, ()):
                page = bisect_right(self.starts, (index, offset)) - 1
                if page > after:
                    return page
                first = page if first is None else first
        return first


Placed = tuple[int, str]


def _beginning_within(word: str, boundaries: Sequence[int], prefix: int, begins: int, stops: int) -> list[Placed]:
    """Return the tokens of a word that begin in a window, each with its offset; the rest of the word costs nothing."""
    length = len(word)
    start = begins
    while 0 < start < length and boundaries[start - 1] < prefix:
        start += 1
    tokens: list[Placed] = []
    while start < stops:
        end = start + 1
        while end < length and boundaries[end - 1] < prefix:
            end += 1
        tokens.append((start, word[start:end]))
        start = end
    return tokens


def _places_within(
    pair: Pair, word: str, boundaries: Sequence[int], prefix: int, within: Sequence[Placed]
) -> list[int]:
    """Return which of the tokens that begin in a window begin a place of a pair."""
    if not within:
        return []
    begins = within[0][0]
    after = within[-1][0] + len(within[-1][1])
    # In a run, what stands before the window decides which two of three are taken.
    before = _beginning_within(word, boundaries, prefix, 0, begins) if pair[0] == pair[1] else []
    following = _beginning_within(word, boundaries, prefix, after, min(after + 1, len(word)))
    row = [text for _, text in (*before, *within, *following)]
    return [place - len(before) for place in pair_places(pair, row) if len(before) <= place < len(row) - len(following)]


def pair_places(pair: Pair, tokens: Sequence[str]) -> list[int]:
    """Return where in a row of tokens a pair would be merged: left to right, without overlap. Rule: T5.

    >>> pair_places(("a", "a"), ["a", "a", "a", "a", "b"])
    [0, 2]
    """
    places: list[int] = []
    free = 0
    for place, neighbours in enumerate(pairwise(tokens)):
        if place >= free and neighbours == pair:
            places.append(place)
            free = place + 2
    return places


def _offsets(what: str | Pair, tokens: Sequence[str]) -> list[int]:
    """Return where in a word its tokens are this one, or begin this pair, in code points from its beginning."""
    begins = [0, *accumulate(map(len, tokens))]
    if isinstance(what, str):
        return [begins[place] for place, token in enumerate(tokens) if token == what]
    return [begins[place] for place in pair_places(what, tokens)]
