"""The tokens of texts as arrays: IDs by the million without a Python object for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairloom.checks import check_within
from pairloom.errors import UnknownTokens
from pairloom.kernel.pure_encoding import UNKNOWN
from pairloom.values import dataclass

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pairloom.encoder import Encoding
    from pairloom.kernel.pure_encoding import Arrays, Buffer
    from pairloom.model import Model


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TokenIds:
    """The tokens of one or several texts in arrays; from a model's `encode_utf8`, `encode_file` or `encode_batch`.

    The arrays are read-only views, for whoever takes a buffer: `numpy.asarray(token_ids.ids)` copies nothing. `len()`
    is the number of tokens. They can be pickled and copied, as between processes: a pickle holds the arrays and, once,
    the model; a copy shares the arrays.

    Attributes:
        model: the model whose IDs these are.
        ends: for each text how many tokens there are up to its end; 64 bits without sign ("Q").
        offsets: start and end of each token in the raw text in turn (E8), or None if they were not asked for; as above.
        unknown_count: how many tokens have no ID (E3).
    """

    model: Model
    ends: memoryview
    offsets: memoryview | None
    unknown_count: int
    _codes: memoryview

    @property
    def ids(self) -> memoryview:
        """The token IDs, 32 bits without sign each ("I").

        Raises:
            UnknownTokens: some token has none, and an array has no room for None (E4); see `with_unknown`, `lists`.
        """
        if self.unknown_count:
            positions = tuple([place for place, code in enumerate(self._codes) if code >= UNKNOWN])
            tokens = tuple([chr(self._codes[place] - UNKNOWN) for place in positions])
            raise UnknownTokens(positions=positions, tokens=tokens)
        return self._codes

    def with_unknown(self, number: int) -> memoryview:
        """Return the IDs with a number of the caller's choice for each unknown token, 32 bits without sign each.

        It means nothing here: there is no ID of an unknown token (E3). Raises: SettingError, outside 0 to 2**32 - 1.
        """
        checked = check_within("number", number, minimum=0, maximum=2**32 - 1)
        if not self.unknown_count:
            return self._codes
        return self.model.text_encoder.with_unknown(self._codes, checked)

    def lists(self) -> list[list[int | None]]:
        """Return the IDs of each text as a list, None for an unknown token. Rule: E3."""
        return self.model.text_encoder.lists(self._codes, self.ends)

    def tokens(self) -> list[str]:
        """Return the token strings of all texts, markers included; an unknown one is its code point."""
        vocabulary = self.model.vocabulary
        return [vocabulary[code] if code < UNKNOWN else chr(code - UNKNOWN) for code in self._codes]

    def __len__(self) -> int:
        """Return the number of tokens of all texts."""
        return len(self._codes)

    def __iter__(self) -> Iterator[int | None]:
        """Yield each token's ID, None for an unknown one."""
        return iter([code if code < UNKNOWN else None for code in self._codes])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TokenIds):
            return NotImplemented
        return (self._codes, self.ends, self.offsets, self.model) == (
            other._codes,
            other.ends,
            other.offsets,
            other.model,
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def __reduce_ex__(self, protocol: object) -> tuple[object, ...]:
        # A memoryview does not pickle; encodings travel between processes, which may have another kernel.
        from sys import byteorder

        arrays = [None if view is None else _packed(view, protocol) for view in (self._codes, self.ends, self.offsets)]
        return _restored, (self.model, self.unknown_count, byteorder, *arrays)

    def __copy__(self) -> TokenIds:
        return TokenIds(self.model, self.ends, self.offsets, self.unknown_count, self._codes)

    def __deepcopy__(self, memo: dict[int, object]) -> TokenIds:
        from copy import deepcopy

        # The arrays never change.
        return TokenIds(deepcopy(self.model, memo), self.ends, self.offsets, self.unknown_count, self._codes)

    def __repr__(self) -> str:
        return f"<TokenIds: {len(self)} tokens of {len(self.ends)} texts, {self.unknown_count} unknown>"


def token_ids(model: Model, arrays: Arrays) -> TokenIds:
    """Return the arrays of a kernel in public form."""
    unknown_count = model.text_encoder.unknown_count(arrays[0])
    return TokenIds(model, arrays[1], arrays[2], unknown_count, arrays[0])


def _packed(view: memoryview, protocol: object) -> object:
    """Return an array for a pickle: from protocol 5 on without a copy, out of band where the caller wants that."""
    if not isinstance(protocol, int) or protocol < 5:
        return view.tobytes()
    from pickle import PickleBuffer

    return PickleBuffer(view)


def _restored(model: Model, unknown_count: int, byteorder: str, *arrays: Buffer | None) -> TokenIds:
    """Return what was pickled. The arrays are copied: out of band they come in memory that others may write to."""
    codes, ends, offsets = [
        None if packed is None else _unpacked(letter, packed, byteorder)
        for letter, packed in zip("IQQ", arrays, strict=True)
    ]
    assert codes is not None
    assert ends is not None
    return TokenIds(model, ends, offsets, unknown_count, codes)


def _unpacked(letter: str, packed: Buffer, byteorder: str) -> memoryview:
    import sys
    from array import array  # as in the kernel: loaded when it is needed

    numbers = array(letter)
    numbers.frombytes(memoryview(packed).cast("B"))
    if byteorder != sys.byteorder:
        numbers.byteswap()
    return memoryview(numbers).toreadonly()


class EncodedBatch(Sequence["Encoding"]):
    """The encodings of several texts: as a sequence one `Encoding` each, made when it is asked for; and as arrays.

    It can be pickled and copied, as `TokenIds` can; a pickle holds the texts, too.

    Attributes:
        token_ids: the IDs of all texts in one array.
    """

    __slots__ = ("_model", "_prefix", "_texts", "token_ids")

    def __init__(self, model: Model, texts: tuple[str, ...], prefix: int, ids: TokenIds) -> None:
        self._model = model
        self._texts = texts
        self._prefix = prefix
        self.token_ids = ids

    def __reduce__(self) -> tuple[object, ...]:
        return EncodedBatch, (self._model, self._texts, self._prefix, self.token_ids)

    def lists(self) -> list[list[int | None]]:
        """Return the IDs of each text as a list, None for an unknown token. Rule: E3."""
        return self.token_ids.lists()

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self._texts)

    # A number gives an `Encoding`, a slice a list: `typing.overload` would have to be loaded to say so.
    def __getitem__(self, place: Any) -> Any:
        """Return the encoding of one text, or of several as a list."""
        chosen = self._texts[place]
        if isinstance(chosen, str):
            return self._model.encode(chosen, self._prefix)
        return [self._model.encode(text, self._prefix) for text in chosen]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # nor has a list

    def __repr__(self) -> str:
        return f"<EncodedBatch of {len(self)} texts, {len(self.token_ids)} tokens>"
