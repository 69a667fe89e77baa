"""An encoding as a page shows it: its numbers, a page of its tokens, the decoded text. Rules: W9, E3–E6, D1."""

from __future__ import annotations

from dataclasses import dataclass

from pairloom.encoder import Encoding
from pairloom.model import Model
from pairloom.views.direction import is_right_to_left


@dataclass(frozen=True, slots=True)
class EncodedToken:
    """One token; `id` is None for an unknown one, which is shown as UNK (E3)."""

    text: str
    id: int | None
    offset: tuple[int, int]


@dataclass(frozen=True, slots=True)
class EncodingView:
    """An encoding at a prefix.

    Attributes:
        prefix: active merges.
        token_count, code_points, unknown_count, code_points_per_token: of the whole encoding.
        unknown_texts: the distinct unknown code points, in order of appearance.
        decoded: the normalized text that the known IDs give back; with unknowns the normalized text, None stands in
            its place.
        page, page_count: of the tokens, from 0; no token, one empty page.
        first: number of the page's first token, from 0.
        tokens: those of this page.
        is_right_to_left: which way they follow one another.
    """

    prefix: int
    token_count: int
    code_points: int
    unknown_count: int
    code_points_per_token: float | None
    unknown_texts: tuple[str, ...]
    decoded: str | None
    page: int
    page_count: int
    first: int
    tokens: tuple[EncodedToken, ...]
    is_right_to_left: bool

    @classmethod
    def of(cls, model: Model, encoding: Encoding, *, prefix: int, page: int, page_tokens: int) -> EncodingView:
        """Return the view of one page; an index past the end gives the last page."""
        count = len(encoding.tokens)
        page_count = max(1, -(-count // page_tokens))
        page = max(0, min(page, page_count - 1))
        first = page * page_tokens
        shown = slice(first, first + page_tokens)
        pairs = zip(encoding.tokens, encoding.ids, strict=True)
        unknown = dict.fromkeys(token for token, token_id in pairs if token_id is None)
        return cls(
            prefix=prefix,
            token_count=count,
            code_points=encoding.code_points,
            unknown_count=encoding.unknown_count,
            code_points_per_token=encoding.code_points_per_token,
            unknown_texts=tuple(unknown),
            decoded=None if unknown else model.decode(encoding.known_ids()),
            page=page,
            page_count=page_count,
            first=first,
            is_right_to_left=is_right_to_left(encoding.normalized),
            tokens=tuple(map(EncodedToken, encoding.tokens[shown], encoding.ids[shown], encoding.offsets[shown])),
        )
