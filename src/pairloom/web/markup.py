"""Tokens → markup. Plain string building: these are the hot paths, some hundred small boxes per slider step.

What a token holds never disturbs its neighbours: everything is escaped, controls and characters that change direction
are shown as escapes (N9), and each unit of text is isolated (`bdi`), so that right-to-left text stands in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

from markupsafe import Markup, escape

from pairloom.merges import Merge
from pairloom.views.colors import color_index
from pairloom.views.corpus import CorpusPage, Piece, Token
from pairloom.views.display import plain, visible
from pairloom.views.encoding import EncodedToken
from pairloom.views.granularity import Word
from pairloom.web.catalogue import Catalogue

# How much of a long token is shown at either end of what is left out.
_HEAD, _TAIL = 3, 1
# Code points of a token that stands on one line whatever the room.
_UNBROKEN = 16
# Code points of a token that are shown in narrow tables, and wherever many stand in a sentence.
_NARROW = 24
# Code points of a token that are shown at the least.
_FEWEST = _HEAD + _TAIL


class TokenMarkup:
    """The markup of tokens in one language."""

    def __init__(self, catalogue: Catalogue, *, shown_code_points: int, page_bytes: int) -> None:
        self.catalogue = catalogue
        self.shown_code_points = shown_code_points
        self.page_bytes = page_bytes

    def shown(self, token: str, limit: int | None = None) -> Markup:
        """Return a token for any place that isolates it itself; a very long one by its ends, with its length."""
        limit = limit or self.shown_code_points
        if len(token) <= limit:
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

    def limit_of(self, tokens: Sequence[str]) -> int:
        """Return how many code points of a token are shown on a page that holds these: fewer where many are long."""
        limit = self.shown_code_points
        while limit > _FEWEST and sum([len(_shown(token[:limit]).encode()) for token in tokens]) > self.page_bytes:
            limit = max(limit // 2, _FEWEST)
        return limit

    def cells(self, merges: Iterable[Merge]) -> Callable[[str], Markup]:
        """Return the function that shows the tokens of these merges in a table."""
        return partial(
            self.token, limit=self.limit_of([text for each in merges for text in (each.left, each.right, each.result)])
        )

    def narrow(self, results: Sequence[str]) -> int:
        """Return how many code points of a token are shown in a narrow table of merges or pairs that give these."""
        limit = _NARROW
        # Each stands there twice: whole, and in its parts.
        while (
            limit > _FEWEST and sum([2 * len(_shown(each[:limit]).encode()) for each in results]) > self.page_bytes // 2
        ):
            limit = max(limit // 2, _FEWEST)
        return limit

    def text(self, text: str) -> Markup:
        """Return a whole text, isolated and never shortened."""
        return Markup('<bdi class="long">{}</bdi>').format(_spans(text))

    def corpus(self, page: CorpusPage) -> Markup:
        """Return a page of the coloured corpus. Rules: W13, S5 (colour by token ID)."""
        limit = self.limit_of([token.text for piece in page.pieces for token in piece.tokens])
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
        limit = self.limit_of([token.text for token in tokens])
        return Markup("".join([self._box(token, limit) for token in tokens]))  # noqa: S704  # made of escaped parts

    def _box(self, token: EncodedToken, limit: int) -> str:
        shown = self.shown(token.text, limit)
        # The end tag of a list item may be left out; there are a hundred.
        if token.id is None:
            return f"<li class=unk><bdi>{shown}</bdi><b>UNK</b>"
        return f"<li class=c{color_index(token.id)}><bdi>{shown}</bdi><b>{self.catalogue.number(token.id)}</b>"


def _ends(token: str, limit: int) -> tuple[str, str]:
    part = limit // (_HEAD + _TAIL)
    return token[: _HEAD * part], token[-_TAIL * part :]


def _spans(text: str) -> Markup:
    return Markup("").join([_SPAN_MARKUP[span.kind].format(span.text) for span in visible(text)])


_SPAN_MARKUP = {"text": Markup("{}"), "escape": Markup("<samp>{}</samp>"), "mark": Markup("<span class=on>{}</span>")}

# Tokens come again on every step of the slider; whole texts do not.
_shown = lru_cache(maxsize=8192)(_spans)
