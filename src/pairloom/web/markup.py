"""Tokens → markup. Plain string building: these are the hot paths, some hundred small boxes per slider step.

What a token holds never disturbs its neighbours: everything is escaped, controls and characters that change direction
are shown as escapes (N9), and each unit of text is isolated (`bdi`), so that right-to-left text stands in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from pairloom.views.colors import color_index
from pairloom.views.corpus import CorpusPage, Piece
from pairloom.views.display import visible
from pairloom.views.encoding import EncodedToken
from pairloom.web.catalogue import Catalogue

# How much of a long token is shown at either end of what is left out.
_HEAD, _TAIL = 3, 1
# Code points of a token that stands on one line whatever the room.
_UNBROKEN = 16


class TokenMarkup:
    """The markup of tokens in one language."""

    def __init__(self, catalogue: Catalogue, *, shown_code_points: int) -> None:
        self.catalogue = catalogue
        self.shown_code_points = shown_code_points

    def shown(self, token: str) -> Markup:
        """Return a token for any place that isolates it itself; a very long one by its ends, with its length."""
        if len(token) <= self.shown_code_points:
            return _shown(token)
        part = self.shown_code_points // (_HEAD + _TAIL)
        note = self.catalogue.gettext("… {count} code points in all …").format(count=self.catalogue.number(len(token)))
        return Markup("{}<small>{}</small>{}").format(
            _shown(token[: _HEAD * part]), note, _shown(token[-_TAIL * part :])
        )

    def token(self, token: str) -> Markup:
        """Return a token isolated from its neighbours, for tables and sentences."""
        # Only a long one may be broken: else a table would break all to give its numbers room.
        kind = Markup(' class="long"') if len(token) > _UNBROKEN else ""
        return Markup("<bdi{}>{}</bdi>").format(kind, self.shown(token))

    def text(self, text: str) -> Markup:
        """Return a whole text, isolated and never shortened."""
        return Markup('<bdi class="long">{}</bdi>').format(_spans(text))

    def corpus(self, page: CorpusPage) -> Markup:
        """Return a page of the coloured corpus. Rules: W13, S5 (colour by token ID)."""
        return Markup(" ".join(map(self._piece, page.pieces)))  # noqa: S704  # made of escaped parts

    def _piece(self, piece: Piece) -> str:
        shown = self.shown
        boxes = "".join([f'<i class="c{color_index(token.id or 0)}">{shown(token.text)}</i>' for token in piece.tokens])
        before = "<u>…</u>" if piece.is_cut_before else ""
        after = "<u>…</u>" if piece.is_cut_after else ""
        return f"{before}<bdi>{boxes}</bdi>{after}"

    def encoding(self, tokens: Iterable[EncodedToken]) -> Markup:
        """Return the boxes of an encoding, each with its ID or UNK in it. Rules: W9, E3."""
        return Markup("".join(map(self._box, tokens)))  # noqa: S704  # made of escaped parts

    def _box(self, token: EncodedToken) -> str:
        if token.id is None:
            return f'<li class="unk"><bdi>{self.shown(token.text)}</bdi><b>UNK</b></li>'
        return f'<li class="c{color_index(token.id)}"><bdi>{self.shown(token.text)}</bdi><b>{token.id}</b></li>'


def _spans(text: str) -> Markup:
    return Markup("").join(
        Markup("<samp>{}</samp>").format(span.text) if span.kind == "escape" else escape(span.text)
        for span in visible(text)
    )


# Tokens come again on every step of the slider; whole texts do not.
_shown = lru_cache(maxsize=8192)(_spans)
