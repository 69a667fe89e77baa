"""One word's life: what it was cut into at every prefix, when it became whole, which pieces it left behind. Rule: W13.

All of it is read off the history's numbers, one per inner boundary (`History.boundaries`); no merge is replayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pairloom.history import History
from pairloom.merges import Merge
from pairloom.views.paging import Page


@dataclass(frozen=True, slots=True)
class WordChange:
    """The word from one prefix on, until the next change.

    Attributes:
        prefix: the first prefix at which it is cut like this.
        merge: the merge that made it so, None for the word at prefix 0.
        tokens: its tokens.
    """

    prefix: int
    merge: Merge | None
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A merged token that stood in the word for a while and is gone with all merges.

    Attributes:
        token, id: the piece.
        first, last: the prefixes between which it stood there, both included.
        corpus_count: how often it stands in the corpus with all merges, weighted; 0 means that it was a step on the
            way and nothing else.
    """

    token: str
    id: int | None
    first: int
    last: int
    corpus_count: int


@dataclass(frozen=True, slots=True)
class WordLife:
    """The life of a word of the corpus; make it with `of`.

    Attributes:
        word: with its marker, if it has one.
        count: how often it occurs.
        whole_at: how many merges it takes until it is one token; None if all of them do not suffice.
        prefixes: 0, and every prefix at which the word changes.
    """

    word: str
    count: int
    whole_at: int | None
    prefixes: tuple[int, ...]
    _history: History

    @classmethod
    def of(cls, history: History, word: str) -> WordLife:
        """Return the life of a word. Raises: KeyError, the corpus does not have it.

        Cost: linear in the word.

        >>> from pairloom.trainer import train
        >>> from pairloom.word_counts import count_words
        >>> life = WordLife.of(History.of(count_words("low low lower"), train("low low lower")), "▁lower")
        >>> life.whole_at, [(change.prefix, change.tokens) for change in life.changes(1, size=2).rows]
        (None, [(2, ('▁', 'low', 'e', 'r')), (3, ('▁low', 'e', 'r'))])
        """
        numbers = history.boundaries(word)
        never = len(history.model.merges)
        last = max(numbers, default=-1)
        return cls(
            word=word,
            count=history.word_counts.counts[word],
            whole_at=last + 1 if last < never else None,
            prefixes=(0, *sorted({number + 1 for number in numbers if number < never})),
            _history=history,
        )

    def changes(self, index: int, *, size: int) -> Page[WordChange]:
        """Return a page of the changes; an index past the end gives the last one.

        Cost: the word's length for each row.
        """
        page = Page.of(self.prefixes, index, size=size)
        rows = tuple(self._change(prefix) for prefix in page.rows)
        return Page(page.index, page.count, page.first, page.total, rows)

    def all_changes(self) -> tuple[WordChange, ...]:
        """Return all changes; for short words. Cost: the word's length for each."""
        return tuple(self._change(prefix) for prefix in self.prefixes)

    def _change(self, prefix: int) -> WordChange:
        merge = self._history.model.merges[prefix - 1] if prefix else None
        return WordChange(prefix, merge, self._history.segment(self.word, prefix))

    def left_behind(self) -> tuple[Piece, ...]:
        """Return the merged pieces that stood in the word and are gone with all merges, in the order of their making.

        A piece that stood at several places of the word is one piece: `first` and `last` are those of the whole time.

        Cost: O(n log n) in the word's code points, and all words of the corpus that hold one of the pieces.
        """
        numbers = self._history.boundaries(self.word)
        never = len(self._history.model.merges)
        stood: dict[str, tuple[int, int]] = {}
        for token, first, last in _stages(self.word, numbers):
            before = stood.get(token, (first, last))
            stood[token] = min(first, before[0]), max(last, before[1])
        gone = {token: span for token, span in stood.items() if span[1] < never}
        counts = self._counts_in_corpus(gone)
        id_of = self._history.model.token_id
        pieces = [Piece(token, id_of(token), first, last, counts[token]) for token, (first, last) in gone.items()]
        return tuple(sorted(pieces, key=lambda piece: (piece.first, piece.token)))

    def _counts_in_corpus(self, tokens: dict[str, tuple[int, int]]) -> Counter[str]:
        counts: Counter[str] = Counter()
        if not tokens:
            return counts
        for _, segment, count in self._history.segments():
            for token in segment:
                if token in tokens:
                    counts[token] += count
        return counts


def _stages(word: str, numbers: Sequence[int]) -> Iterator[tuple[str, int, int]]:
    """Yield every token of two code points or more that the word ever has, with its first and last prefix.

    Boundaries vanish in the order of their numbers; where one does, the two tokens beside it end and a longer one
    begins. What still stands at the end has the number `never` of the boundaries beside it, or of nothing, as its last
    prefix.
    """
    # Of the token that begins (or ends) at a place: where it ends (or begins), and since which prefix it stands.
    end_of = list(range(1, len(word) + 1))
    start_of = list(range(len(word)))
    since = [0] * len(word)
    places = sorted(range(len(numbers)), key=numbers.__getitem__)
    at = 0
    while at < len(places):
        number = numbers[places[at]]
        grown: set[int] = set()
        while at < len(places) and numbers[places[at]] == number:
            place = places[at] + 1
            at += 1
            start, end = start_of[place - 1], end_of[place]
            for begin, stop in ((start, place), (place, end)):
                # One that this very round has made was never seen.
                if stop - begin > 1 and begin not in grown:
                    yield word[begin:stop], since[begin], number
                grown.discard(begin)
            end_of[start], start_of[end - 1] = end, start
            grown.add(start)
        for start in grown:
            since[start] = number + 1
