"""Text + model → encoding: normalize, split, merge each word, look up IDs, and say where each token came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pairloom.errors import UnknownTokens
from pairloom.normalizer import NormalizedText, normalize_with_places
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.unicode_data import MARKER

if TYPE_CHECKING:
    from pairloom.model import Model


@dataclass(frozen=True, slots=True)
class Encoding:
    """The tokens of a text.

    Attributes:
        tokens: token strings, markers included.
        ids: a token ID each, None for an unknown one (E3).
        offsets: per token the half-open range of code points of the raw text that it covers (E8).
        normalized: the text that was encoded.
    """

    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]
    offsets: tuple[tuple[int, int], ...]
    normalized: str

    @property
    def code_points(self) -> int:
        """Code points of the normalized text, single spaces counted, added markers not. Rule: E6."""
        return len(self.normalized)

    @property
    def unknown_count(self) -> int:
        """How many tokens have no ID. Rule: E3."""
        return self.ids.count(None)

    @property
    def code_points_per_token(self) -> float | None:
        """`code_points` over the number of tokens; None if there is no token. Rules: E5, E6."""
        return len(self.normalized) / len(self.tokens) if self.tokens else None

    def known_ids(self) -> tuple[int, ...]:
        """Return the IDs, or raise UnknownTokens if any token has none. Rule: E4."""
        unknown = tuple(place for place, token_id in enumerate(self.ids) if token_id is None)
        if unknown:
            raise UnknownTokens(positions=unknown, tokens=tuple(self.tokens[place] for place in unknown))
        return tuple(token_id for token_id in self.ids if token_id is not None)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002  # the protocol's
        from pairloom.notebook.displays import encoding_bundle  # loaded when a notebook asks

        return encoding_bundle(self)


def encode_text(model: Model, text: str, *, prefix: int, text_index: int | None = None) -> Encoding:
    """Return the encoding of `text` with a checked prefix; errors name the text by `text_index`. Rules: E1, E2."""
    placed = normalize_with_places(text, lowercase=model.lowercase, text_index=text_index)
    words = pre_tokenize(placed.text, model.pre_tokenizer, marker=model.marker)
    merge = model.merge_table.merge
    split: dict[str, tuple[str, ...]] = {}
    for word in words:
        if word not in split:
            split[word] = cut(word, merge(word, prefix=prefix).starts[1:])
    return join_words(model, placed, [split[word] for word in words])


def cut(word: str, places: Sequence[int]) -> tuple[str, ...]:
    """Return the pieces of `word` cut at `places`: ascending, each with something before and behind it."""
    if not places:
        return (word,)
    return tuple([word[start:end] for start, end in zip([0, *places], [*places, len(word)])])  # noqa: B905  # equal by construction, and hot


def join_words(model: Model, placed: NormalizedText, words: Sequence[Sequence[str]]) -> Encoding:
    """Return the encoding that the tokens of each word make together. Rules: E3, E6, E8.

    A token's string is its ID's, so IDs are looked up by string (V2); a code point outside the alphabet is in no merge
    and so stands alone, without ID.
    """
    tokens = [token for word in words for token in word]
    id_of = model.token_id
    known = {token: id_of(token) for token in set(tokens)}
    return Encoding(
        tokens=tuple(tokens),
        ids=tuple([known[token] for token in tokens]),
        offsets=_places(model, placed, words),
        normalized=placed.text,
    )


def _places(model: Model, placed: NormalizedText, words: Sequence[Sequence[str]]) -> tuple[tuple[int, int], ...]:
    starts, ends = placed.starts, placed.ends
    places: list[tuple[int, int]] = []
    cursor = 0  # in code points of the normalized text
    for word in words:
        # Where a pre-token follows a space, the space is in no token.
        if cursor and placed.text[cursor : cursor + 1] == " ":
            cursor += 1
        for token in word:
            # The marker is in no text: it takes no room, and alone it stands at the start of its word.
            length = len(token) - (model.marker and token[0] == MARKER)
            place = (starts[cursor], ends[cursor + length - 1]) if length else (starts[cursor], starts[cursor])
            places.append(place)
            cursor += length
    return tuple(places)
