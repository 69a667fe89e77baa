"""Tokens → markup. Plain string building: these are the hot paths, some hundred small boxes per slider step.

What a token holds never disturbs its neighbours: everything is escaped, controls and characters that change direction
are shown as escapes (N9), and each unit of text is isolated (`bdi`), so that right-to-left text stands in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import groupby
from operator import attrgetter

from markupsafe import Markup, escape

from pairloom.merges import Merge
from pairloom.unicode_data import is_whitespace
from pairloom.views.boundaries import Piece as ComparedPiece
from pairloom.views.boundaries import SideToken
from pairloom.views.colors import color_index
from pairloom.views.corpus import CorpusPage, Piece, Token
from pairloom.views.display import escape as escape_of
from pairloom.views.display import plain, visible
from pairloom.views.encoding import EncodedToken
from pairloom.views.granularity import Word
from pairloom.views.pairs import CountedPair
from pairloom.views.raw_changes import Change
from pairloom.web.catalogue import Catalogue

# How much of a long token is shown at either end of what is left out.
_HEAD, _TAIL = 3, 1
# Code points of a token that stands on one line whatever the room.
_UNBROKEN = 16
# Code points of a token that are shown in narrow tables, and wherever many stand in a sentence.
_NARROW = 24
# Code points of a long token that are shown where room is short: some, the first, or none but how many there are.
_FEWEST = _HEAD + _TAIL
# Stretches of equal whitespace that are shown of a run, and code points of a token that are written about.
_RUNS = 6
_FEW = 6
# What a space is shown by where it is what is talked about.
_OPEN_BOX = "\u2423"
# Bytes of the note in the place of what is left out, about.
_NOTE_BYTES = 26


class TokenMarkup:
    """The markup of tokens in one language."""

    def __init__(self, catalogue: Catalogue, *, shown_code_points: int, page_bytes: int) -> None:
        self.catalogue = catalogue
        self.shown_code_points = shown_code_points
        self.page_bytes = page_bytes

    def shown(self, token: str, limit: int | None = None) -> Markup:
        """Return a token for any place that isolates it itself; a very long one by its ends, with its length."""
        limit = self.shown_code_points if limit is None else limit
        if len(token) <= max(limit, 1):
            return _shown(token)
        head, tail = _ends(token, limit)
        length = self.catalogue.number(len(token))
        # Where room is short, the length alone says that something was left out.
        note = f"<u>…{length}…</u>"
        if limit >= self.shown_code_points:
            wording = self.catalogue.gettext("… {count} code points in all …")
            note = f"<small>{escape(wording.format(count=length))}</small>"
        return Markup(f"{_shown(head)}{note}{_shown(tail)}")  # noqa: S704  # made of escaped parts

    def plain(self, token: str) -> str:
        """Return a token as plain text, for names and sentences that are only spoken; a long one by its ends."""
        if len(token) <= _UNBROKEN:
            return plain(token)
        head, tail = _ends(token, _UNBROKEN)
        return f"{plain(head)} …{self.catalogue.number(len(token))}… {plain(tail)}"

    def token(self, token: str, limit: int | None = None) -> Markup:
        """Return a token isolated from its neighbours, for tables and sentences."""
        # Only a long one may be broken: else a table would break all to give its numbers room.
        kind = " class=long" if min(len(token), limit or len(token)) > _UNBROKEN else ""
        return Markup(f"<bdi{kind}>{self.shown(token, limit)}</bdi>")  # noqa: S704  # made of escaped parts

    def limit_of(self, tokens: Sequence[str], *, part: int = 1) -> int:
        """Return how many code points of a token are shown on a page that holds these: fewer where many are long.

        `part` says which part of the bytes of a page they may take where hardly any of a token is shown.
        """
        return _limit(
            tokens, self.shown_code_points, 2 * self.page_bytes // (part + 1), few_bytes=self.page_bytes // part
        )

    def cells(self, merges: Iterable[Merge]) -> Callable[[str], Markup]:
        """Return the function that shows the tokens of these merges in a table."""
        limit = self.limit_of([text for each in merges for text in (each.left, each.right, each.result)])
        return partial(self._cell, limit=limit)

    def _cell(self, token: str, *, limit: int) -> Markup:
        # What is written out, and a mere number, has a frame or a place of its own, and no direction to keep in.
        is_whole = len(token) <= max(limit, 1)
        if (is_whole and len(token) == 1 and visible(token)[0].kind != "text") or (limit == 0 and not is_whole):
            return self.shown(token, limit)
        return self.token(token, limit)

    def narrow(self, results: Sequence[str]) -> int:
        """Return how many code points of a token are shown in a narrow table of merges or pairs that give these."""
        # Each stands there twice: whole, and in its parts.
        return _limit(results, _NARROW, self.page_bytes // 4, few_bytes=self.page_bytes // 2)

    def pair_cells(self, pairs: Iterable[CountedPair]) -> Callable[[str], Markup]:
        """Return the function that shows the tokens of these pairs in a table."""
        limit = self.limit_of([text for each in pairs for text in (each.left, each.right, each.result)])
        return partial(self._cell, limit=limit)

    def whole(self, token: str) -> str:
        """Return a token as plain text from which it can be read back, never shortened."""
        return plain(token)

    def raw(self, text: str) -> Markup:
        """Return a piece of a raw text in which whitespace is seen: runs by what they hold, long ones by counts."""
        if not text or not all(is_whitespace(ord(each)) for each in text):
            return self.token(text, _NARROW)
        runs = [(each, len(list(run))) for each, run in groupby(text)]
        left_out = sum(count for _, count in runs[_RUNS:])
        shown = [f"{_OPEN_BOX if each == ' ' else escape_of(ord(each))}{_times(count)}" for each, count in runs[:_RUNS]]
        more = f" +{self.catalogue.number(left_out)}" if left_out else ""
        return Markup("<bdi><samp>{}{}</samp></bdi>").format(" ".join(shown), more)

    def in_context(self, change: Change) -> Markup:
        """Return a changed place with what stands around it in the raw text."""
        return Markup("<bdi class=context>{}<mark>{}</mark>{}</bdi>").format(
            _shown(change.before), self.raw(change.raw), _shown(change.after)
        )

    def notation(self, token: str) -> str:
        """Return the code points of a token as they are written about; of a long one the first."""
        more = f" +{self.catalogue.number(len(token) - _FEW)}" if len(token) > _FEW else ""
        return " ".join(f"U+{ord(each):04X}" for each in token[:_FEW]) + more

    def compared(self, pieces: Sequence[ComparedPiece]) -> Markup:
        """Return two encodings, one above the other; a box begins with a bar where the other does not cut."""
        limit = self.limit_of([token.text for piece in pieces for token in (*piece.first, *piece.second)], part=2)
        return Markup(" ".join([self._compared(piece, limit) for piece in pieces]))  # noqa: S704  # made of escaped parts

    def _compared(self, piece: ComparedPiece, limit: int) -> str:
        if piece.is_same:
            return f"<span>{''.join([self._side(token, limit) for token in piece.first])}</span>"
        rows = [
            "".join(
                [
                    f"<span><span class=unseen>{number}: </span>",
                    *[self._side(each, limit) for each in tokens],
                    "</span>",
                ]
            )
            for number, tokens in enumerate((piece.first, piece.second), 1)
        ]
        return f"<span class=differs>{''.join(rows)}</span>"

    def _side(self, token: SideToken, limit: int) -> str:
        kind = "unk" if token.id is None else f"c{color_index(token.id)}"
        bar = "<u>│</u>" if token.is_own else ""
        return f"<i class={kind}>{bar}<bdi>{self.shown(token.text, limit)}</bdi></i>"

    def text(self, text: str) -> Markup:
        """Return a whole text, isolated and never shortened."""
        return Markup('<bdi class="long">{}</bdi>').format(_spans(text))

    def corpus(self, page: CorpusPage) -> Markup:
        """Return a page of the coloured corpus. Rules: W13, S5 (colour by token ID)."""
        limit = self.limit_of([token.text for piece in page.pieces for token in piece.tokens], part=2)
        return Markup(" ".join([self._piece(piece, page.made, limit) for piece in page.pieces]))  # noqa: S704  # made of escaped parts

    def _piece(self, piece: Piece, made: str | None, limit: int) -> str:
        boxes = "".join(
            [self._corpus_box(token, limit, "mark" if token.text == made else "i") for token in piece.tokens]
        )
        before = "<u>…</u>" if piece.is_cut_before else ""
        after = "<u>…</u>" if piece.is_cut_after else ""
        return f"{before}<bdi>{boxes}</bdi>{after}"

    def _corpus_box(self, token: Token, limit: int, tag: str) -> str:
        return f"<{tag} class=c{color_index(token.id or 0)}>{self.shown(token.text, limit)}</{tag}>"

    def stepped(self, page: CorpusPage) -> Markup:
        """Return a page of the walkthrough's corpus: boxes to choose, and the places of the next pair. Rule: S5.

        A place is a `b` around the two boxes; the box of a right symbol may stand on the next page.
        """
        limit = self.limit_of([token.text for piece in page.pieces for token in piece.tokens])
        return Markup(" ".join([self._stepped_piece(piece, page.made, limit) for piece in page.pieces]))  # noqa: S704  # made of escaped parts

    def _stepped_piece(self, piece: Piece, made: str | None, limit: int) -> str:
        boxes = [self._stepped_box(token, limit, "mark" if token.text == made else "i") for token in piece.tokens]
        for place in piece.upcoming:
            boxes[place] = f"<b>{boxes[place]}"
            boxes[min(place + 1, len(boxes) - 1)] += "</b>"
        before = "<u>…</u>" if piece.is_cut_before else ""
        after = "<u>…</u>" if piece.is_cut_after else ""
        return f"{before}<bdi>{''.join(boxes)}</bdi>{after}"

    def _stepped_box(self, token: Token, limit: int, tag: str) -> str:
        shown = self.shown(token.text, limit)
        return f"<{tag} class=c{color_index(token.id or 0)} data-t={token.id}>{shown}</{tag}>"

    def chips(self, tokens: Iterable[EncodedToken]) -> Markup:
        """Return tokens as boxes with their IDs, each a button that chooses the token."""
        return Markup("").join(
            Markup("<li><button type=button class=c{} data-token={}><bdi>{}</bdi><b>{}</b></button></li>").format(
                color_index(token.id or 0), token.id, self.shown(token.text), self.catalogue.number(token.id or 0)
            )
            for token in tokens
        )

    def color(self, token_id: int) -> int:
        """Return the place of a token's colour in the palette."""
        return color_index(token_id)

    def code_point(self, character: str) -> int:
        """Return the number of a code point, for its notation."""
        return ord(character)

    def words(self, words: Iterable[Word]) -> Markup:
        """Return the boxes of a text at word level; an unknown word is said to be one. Rule: S6."""
        return Markup("").join([self._word(word) for word in words])

    def _word(self, word: Word) -> Markup:
        if word.is_known:
            return Markup("<li><bdi>{}</bdi></li>").format(self.shown(word.text))
        return Markup("<li class=unk><bdi>{}</bdi><b>UNK</b></li>").format(self.shown(word.text))

    def encoding(self, tokens: Sequence[EncodedToken]) -> Markup:
        """Return the boxes of an encoding, each with its ID or UNK in it. Rules: W9, E3."""
        limit = self.limit_of([token.text for token in tokens], part=3)
        return Markup("".join([self._box(token, limit) for token in tokens]))  # noqa: S704  # made of escaped parts

    def _box(self, token: EncodedToken, limit: int) -> str:
        shown = self.shown(token.text, limit)
        # The end tag of a list item may be left out; there are a hundred.
        if token.id is None:
            return f"<li class=unk><bdi>{shown}</bdi><b>UNK</b>"
        return f"<li class=c{color_index(token.id)}><bdi>{shown}</bdi><b>{self.catalogue.number(token.id)}</b>"


def _limit(tokens: Sequence[str], most: int, page_bytes: int, *, few_bytes: int) -> int:
    """Return how many code points of these tokens are shown, so that they take so many bytes, if that can be.

    Where nearly all is written out, four code points take four times the bytes that other scripts need. Then
    `few_bytes` decide whether some, one or only the number of a token's code points is shown.
    """
    limit = most
    while limit > _FEWEST and sum([len(_shown(token[:limit]).encode()) for token in tokens]) > page_bytes:
        limit = max(limit // 2, _FEWEST)
    if limit > _FEWEST:
        return limit
    if sum([len(_shown(token[:_FEWEST]).encode()) for token in tokens]) <= few_bytes:
        return _FEWEST
    one = sum([len(_shown(token[:1]).encode()) + (_NOTE_BYTES if len(token) > 1 else 0) for token in tokens])
    return 1 if one <= few_bytes else 0


def _times(count: int) -> str:
    return f"×{count}" if count > 1 else ""


def _ends(token: str, limit: int) -> tuple[str, str]:
    if limit < _FEWEST:
        return token[:limit], ""
    part = limit // (_HEAD + _TAIL)
    return token[: _HEAD * part], token[-_TAIL * part :]


def _spans(text: str) -> Markup:
    # Escapes side by side stand in one frame: each begins with a backslash, and the frames would be most of the bytes.
    spans = groupby(visible(text), key=attrgetter("kind"))
    return Markup("").join([_SPAN_MARKUP[kind].format("".join([span.text for span in run])) for kind, run in spans])


_SPAN_MARKUP = {"text": Markup("{}"), "escape": Markup("<samp>{}</samp>"), "mark": Markup("<var>{}</var>")}

# Tokens come again on every step of the slider; whole texts do not.
_shown = lru_cache(maxsize=8192)(_spans)
