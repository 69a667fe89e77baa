"""Encoding and decoding in plain Python: texts are normalized and pre-tokenized whole, and each word is merged once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pairloom.checks import whole_number
from pairloom.errors import InvalidUtf8, UnknownTokenId
from pairloom.normalizer import NormalizedText, normalize_with_places
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.unicode_data import MARKER, WHITESPACE
from pairloom.values import NamedTuple

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any

    from pairloom.kernel.pure_merging import MergeTable

    Buffer = bytes | bytearray | memoryview

UNKNOWN = 1 << 31
# Of arrays that were put together by hand.
WRONG_ENDS = "these ends fall, or pass the number of tokens: give those that came with the tokens"
FOREIGN_ID = "some of these IDs are not the model's: give the model that made them"
"""In an array of codes: added to a code point that has no ID. Below it codes are IDs."""

# Behind what a text can be parted: whitespace but U+FEFF, across which a final sigma looks (N3).
_PARTING = [code_point.encode() for code_point in WHITESPACE if code_point != "\ufeff"]


class Parts(NamedTuple):
    """What an `Encoding` is made of."""

    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]
    offsets: tuple[tuple[int, int], ...]
    normalized: str


class Arrays(NamedTuple):
    """The tokens of one or several texts.

    Attributes:
        codes: 32 bits for each token: its ID, or UNKNOWN and the code point that has none.
        ends: 64 bits for each text: how many codes there are up to its end.
        offsets: twice 64 bits for each token, its start and its end, where they were asked for.
    """

    codes: memoryview
    ends: memoryview
    offsets: memoryview | None


class TextEncoder:
    """Encodes and decodes with the merges of a model; it never changes.

    `threads`, and `block`, about how much of a text one of them takes at a time, are the compiled one's: here one does
    all.
    """

    __slots__ = ("_alphabet", "_ids", "_lowercase", "_marker", "_pre_tokenizer", "_vocabulary", "table")

    def __init__(
        self,
        table: MergeTable,
        *,
        alphabet: tuple[str, ...],
        vocabulary: tuple[str, ...],
        ids: dict[str, int],
        lowercase: bool,
        punctuation: bool,
        marker: bool,
    ) -> None:
        self.table = table
        self._alphabet = alphabet
        self._vocabulary = vocabulary
        self._ids = ids
        self._lowercase = lowercase
        self._pre_tokenizer = "punctuation" if punctuation else "whitespace"
        self._marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        # Who restores it may have another kernel.
        settings = {
            "alphabet": self._alphabet,
            "vocabulary": self._vocabulary,
            "ids": self._ids,
            "lowercase": self._lowercase,
            "punctuation": self._pre_tokenizer == "punctuation",
            "marker": self._marker,
        }
        return restored_encoder, (self.table, settings)

    def encode(self, text: str, *, prefix: int, text_index: int | None = None) -> Parts:
        """Return the parts of the encoding of one text. Raises: ForbiddenCodePoint."""
        placed, words = self._merged(text, prefix, text_index)
        return joined(placed, words, id_of=self._ids.get, marker=self._marker)

    def encode_texts(
        self,
        texts: Sequence[str],
        *,
        prefix: int,
        threads: int = 1,  # noqa: ARG002  # the compiled one's
        offsets: bool = False,
        block: int = 0,  # noqa: ARG002  # likewise
    ) -> Arrays:
        """Return the arrays of several texts. Raises: ForbiddenCodePoint, with `text_index`."""
        codes, ends, places = _empty(offsets=offsets)
        for text_index, text in enumerate(texts):
            self._add(codes, places, self._merged(text, prefix, text_index))
            ends.append(len(codes))
        return _arrays(codes, ends, places)

    def encode_utf8(
        self,
        data: Buffer,
        *,
        prefix: int,
        threads: int = 1,  # noqa: ARG002  # the compiled one's
        offsets: bool = False,
        source: str = "<bytes>",
        block: int = 0,  # noqa: ARG002  # likewise
    ) -> Arrays:
        """Return the arrays of a text in a buffer. Raises: InvalidUtf8, ForbiddenCodePoint."""
        try:
            text = memoryview(data).tobytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidUtf8(source=source, byte_offset=error.start) from None
        codes, ends, places = _empty(offsets=offsets)
        self._add(codes, places, self._merged(text, prefix, None))
        ends.append(len(codes))
        return _arrays(codes, ends, places)

    def unknown_count(self, codes: memoryview) -> int:
        """Return how many tokens have no ID. Rule: E3."""
        return sum([code >= UNKNOWN for code in codes])

    def with_unknown(self, codes: memoryview, number: int) -> memoryview:
        """Return the codes with a number in place of each that is no ID."""
        given, _, _ = _empty(offsets=False)
        given.extend([code if code < UNKNOWN else number for code in codes])
        return memoryview(given).toreadonly()

    def lists(self, codes: memoryview, ends: memoryview) -> list[list[int | None]]:
        """Return the IDs of each text as a list, None for an unknown token. Raises: ValueError, if they do not fit."""
        lists: list[list[int | None]] = []
        begin = 0
        for end in ends:
            if not begin <= end <= len(codes):
                raise ValueError(WRONG_ENDS)
            if any(len(self._vocabulary) <= code < UNKNOWN for code in codes[begin:end]):
                raise ValueError(FOREIGN_ID)
            lists.append([code if code < UNKNOWN else None for code in codes[begin:end]])
            begin = end
        return lists

    def decode(self, ids: Iterable[object], *, is_start: bool = True) -> str:
        """Return the normalized text of IDs, in an array or one by one; the leading space stays unless `is_start`.

        Raises:
            UnknownTokenId.
        """
        vocabulary = self._vocabulary
        text = "".join([vocabulary[self._checked(token_id, place)] for place, token_id in enumerate(ids)])
        if not self._marker:
            return text
        spaced = text.replace(MARKER, " ")
        return spaced.removeprefix(" ") if is_start else spaced

    def _checked(self, token_id: object, place: int) -> int:
        number = whole_number(token_id)
        if number is None or not 0 <= number < len(self._vocabulary):
            odd = token_id if number is None else number
            raise UnknownTokenId(token_id=odd, position=place, vocabulary_size=len(self._vocabulary))
        return number

    def _merged(self, text: str, prefix: int, text_index: int | None) -> tuple[NormalizedText, list[tuple[str, ...]]]:
        """Return a text normalized, and the tokens of each of its words."""
        placed = normalize_with_places(text, lowercase=self._lowercase, text_index=text_index)
        words = pre_tokenize(placed.text, self._pre_tokenizer, marker=self._marker)
        merge = self.table.merge
        split: dict[str, tuple[str, ...]] = {}
        for word in words:
            if word not in split:
                split[word] = cut(word, merge(word, prefix=prefix).starts[1:])
        return placed, [split[word] for word in words]

    def _add(
        self, codes: array[int], places: array[int] | None, merged: tuple[NormalizedText, list[tuple[str, ...]]]
    ) -> None:
        placed, words = merged
        if places is not None:
            for place in offsets_of(placed, words, marker=self._marker):
                places.extend(place)
        known: dict[str, int] = {}
        for word in words:
            for token in word:
                code = known.get(token)
                if code is None:
                    token_id = self._ids.get(token)
                    code = known[token] = UNKNOWN + ord(token) if token_id is None else token_id
                codes.append(code)


def cut(word: str, places: Sequence[int]) -> tuple[str, ...]:
    """Return the pieces of `word` cut at `places`: ascending, each with something before and behind it."""
    if not places:
        return (word,)
    return tuple([word[start:end] for start, end in zip([0, *places], [*places, len(word)])])  # noqa: B905  # equal by construction, and hot


def joined(
    placed: NormalizedText,
    words: Sequence[Sequence[str]],
    *,
    id_of: Callable[[str], int | None],
    marker: bool,
) -> Parts:
    """Return what the tokens of each word make together. Rules: E3, E6, E8.

    A token's string is its ID's, so IDs are looked up by string (V2); a code point outside the alphabet is in no merge
    and so stands alone, without ID.
    """
    tokens = [token for word in words for token in word]
    known: Mapping[str, int | None] = {token: id_of(token) for token in set(tokens)}
    return Parts(
        tuple(tokens),
        tuple([known[token] for token in tokens]),
        tuple(offsets_of(placed, words, marker=marker)),
        placed.text,
    )


def offsets_of(placed: NormalizedText, words: Sequence[Sequence[str]], *, marker: bool) -> list[tuple[int, int]]:
    """Return where each token stands in the raw text. Rule: E8."""
    starts, ends = placed.starts, placed.ends
    places: list[tuple[int, int]] = []
    cursor = 0  # in code points of the normalized text
    for word in words:
        # Where a pre-token follows a space, the space is in no token.
        if cursor and placed.text[cursor : cursor + 1] == " ":
            cursor += 1
        for token in word:
            # The marker is in no text: it takes no room, and alone it stands at the start of its word.
            length = len(token) - (marker and token[0] == MARKER)
            place = (starts[cursor], ends[cursor + length - 1]) if length else (starts[cursor], starts[cursor])
            places.append(place)
            cursor += length
    return places


def restored_encoder(table: MergeTable, settings: dict[str, Any]) -> TextEncoder:
    """Return the encoder of the kernel that runs here; for `pickle` and `copy`."""
    from pairloom import kernel

    return kernel.TextEncoder(table, **settings)


def last_cut(data: Buffer) -> int:
    """Return where a text in UTF-8 can be parted without parting a word: behind its last whitespace, or 0 (N3)."""
    whole = bytes(data)
    return max(whole.rfind(space) + len(space) if space in whole else 0 for space in _PARTING)


def code_points_of(data: Buffer) -> int:
    """Return how many code points UTF-8 in a buffer holds."""
    return sum(byte & 0xC0 != 0x80 for byte in bytes(data))


def little_endian(codes: memoryview, item: int) -> bytes:
    """Return 32-bit numbers as bytes, the low byte first: 4 bytes each, or 2, where all of them fit."""
    import sys
    from array import array

    numbers = array("I" if item == 4 else "H", codes.tolist())
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _empty(*, offsets: bool) -> tuple[array[int], array[int], array[int] | None]:
    from array import array  # loaded when it is needed: importing the library stays light

    return array("I"), array("Q"), array("Q") if offsets else None


def _arrays(codes: array[int], ends: array[int], places: array[int] | None) -> Arrays:
    offsets = None if places is None else memoryview(places).toreadonly()
    return Arrays(memoryview(codes).toreadonly(), memoryview(ends).toreadonly(), offsets)
