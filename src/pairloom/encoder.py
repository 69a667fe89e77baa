"""Text + model → encoding: normalize, split, merge each word, look up IDs, and say where each token came from."""

from __future__ import annotations

from collections.abc import Sequence

from pairloom.checks import check_is_text
from pairloom.errors import UnknownTokens
from pairloom.kernel.pure_encoding import joined
from pairloom.values import dataclass

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pairloom.model import Model
    from pairloom.normalizer import NormalizedText


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
    check_is_text(text, text_index=text_index)
    return Encoding(*model.text_encoder.encode(text, prefix=prefix, text_index=text_index))


def join_words(model: Model, placed: NormalizedText, words: Sequence[Sequence[str]]) -> Encoding:
    """Return the encoding that the tokens of each word make together. Rules: E3, E6, E8."""
    return Encoding(*joined(placed, words, id_of=model.token_id, marker=model.marker))
