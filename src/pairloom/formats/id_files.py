"""Token IDs as binary files: numbers one behind the other, or numpy's format; written and read block by block.

    u16, u32   unsigned numbers of two or four bytes, the low byte first, and nothing else
    npy        a header that says how many and which, then such numbers: of two bytes where all IDs fit, else of four

Texts are written one behind the other; where one ends is not in the file.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from pairloom import kernel
from pairloom.checks import check_within
from pairloom.errors import PairloomError, SettingError
from pairloom.formats.whole_writes import write_all
from pairloom.token_ids import TokenIds

if TYPE_CHECKING:
    from array import array

U16 = "u16"
U32 = "u32"
NPY = "npy"
FORMS = (U16, U32, NPY)

_BLOCK_BYTES = 1 << 22
_MAGIC = b"\x93NUMPY"
_HEADER_BYTES = 128
_HEADER = "{{'descr': '<u{item}', 'fortran_order': False, 'shape': ({count},), }}"
_KINDS = re.compile(r"[<|=](u1|u2|u4|u8|i1|i2|i4|i8)\Z")
_LETTERS = {"u1": "B", "u2": "H", "u4": "I", "u8": "Q", "i1": "b", "i2": "h", "i4": "i", "i8": "q"}


class IdFileError(PairloomError, ValueError):
    """A file of IDs that does not hold together."""

    code = "ids.file"
    template = "no file of token IDs of this kind: {reason}"
    attributes = ("reason",)

    def __init__(self, *, reason: str) -> None:
        super().__init__()
        self.reason = reason


class IdWriter:
    """Writes the IDs of a model to a binary file, block by block; `close` ends it.

    Args:
        file: takes bytes; for npy it must be able to go back to its start, where the number of IDs stands.
        form: one of `FORMS`.
        vocabulary_size: of the model.
        unknown: the number to write for a token without ID; None refuses such tokens (E4).

    Raises:
        SettingError: two bytes are not enough for the IDs, or `unknown` is the ID of a token or has no room.
    """

    def __init__(self, file: BinaryIO, form: str, *, vocabulary_size: int, unknown: int | None = None) -> None:
        largest = max(vocabulary_size - 1, 0 if unknown is None else unknown)
        if form == U16 and vocabulary_size > 1 << 16:
            raise SettingError(setting="format", value=form, allowed=f"u32: the model has {vocabulary_size:,} tokens")
        if form == U16 and unknown is not None and vocabulary_size == 1 << 16:
            raise SettingError(
                setting="format", value=form, allowed="u32: all numbers of two bytes are IDs of the model"
            )
        if unknown is not None:
            top = (1 << 16 if form == U16 else 1 << 32) - 1
            check_within("unknown_id", unknown, minimum=vocabulary_size, maximum=top)
        self._file = file
        self._form = form
        self._unknown = unknown
        self._item = 4 if form == U32 or largest >= 1 << 16 else 2
        self._count = 0
        if form == NPY:
            write_all(self._file, _npy_header(self._item, 0))

    def write(self, ids: TokenIds) -> None:
        """Write the IDs of a block. Raises: UnknownTokens, OSError."""
        numbers = ids.ids if self._unknown is None else ids.with_unknown(self._unknown)
        write_all(self._file, kernel.little_endian(numbers, self._item))
        self._count += len(numbers)

    def close(self) -> None:
        """Write what stands before the IDs, where it says how many they are; the file itself stays open."""
        if self._form == NPY:
            self._file.seek(0)
            write_all(self._file, _npy_header(self._item, self._count))


def read_ids(file: BinaryIO, form: str) -> Iterator[array[int]]:
    """Yield the numbers of a file, a block at a time, as arrays of the numbers' own size.

    Raises:
        IdFileError: no such file, or one that ends in the middle of a number.
        OSError.
    """
    from array import array

    letter, count = ("H", None) if form == U16 else ("I", None) if form == U32 else _npy_kind(file)
    item = array(letter).itemsize
    rest = b""
    seen = 0
    while data := file.read(_BLOCK_BYTES):
        data = rest + data
        whole = len(data) - len(data) % item
        numbers = array(letter, data[:whole])
        rest = data[whole:]
        if sys.byteorder == "big":
            numbers.byteswap()
        seen += len(numbers)
        yield numbers
    if rest:
        raise IdFileError(reason=f"it ends in the middle of a number of {item} bytes")
    if count is not None and seen != count:
        raise IdFileError(reason=f"its header speaks of {count:,} numbers, it holds {seen:,}")


def _npy_header(item: int, count: int) -> bytes:
    text = _HEADER.format(item=item, count=count).ljust(_HEADER_BYTES - 11) + "\n"
    return _MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text.encode("ascii")


def _npy_kind(file: BinaryIO) -> tuple[str, int]:
    """Read the header of a npy file; return the letter of its numbers and how many there are."""
    start = _read_exactly(file, 8)
    if start[:6] != _MAGIC or start[6] not in (1, 2, 3):
        raise IdFileError(reason="it does not begin as numpy's files do")
    wide = start[6] > 1
    (length,) = struct.unpack("<I" if wide else "<H", _read_exactly(file, 4 if wide else 2))
    if length > 1 << 16:
        raise IdFileError(reason="its header is too long")
    try:
        header = ast.literal_eval(_read_exactly(file, length).decode("latin-1"))
        kind, (count,), is_fortran = header["descr"], header["shape"], header["fortran_order"]
        found = _KINDS.match(kind)
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError):
        raise IdFileError(reason="its header cannot be read, or is not that of one row of numbers") from None
    if found is None or not isinstance(count, int) or not isinstance(is_fortran, bool):
        raise IdFileError(reason=f"it holds {kind!r}, not whole numbers with the low byte first")
    return _LETTERS[found[1]], count


def _read_exactly(file: BinaryIO, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = file.read(size - len(data))
        if not more:
            raise IdFileError(reason="it ends in its header")
        data += more
    return data
