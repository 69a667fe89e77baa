"""A text that is read block by block → its IDs, block by block: of any length, in the memory of a few blocks."""

from __future__ import annotations

from collections.abc import Iterator

from pairloom import kernel
from pairloom.errors import ForbiddenCodePoint, InvalidUtf8
from pairloom.token_ids import TokenIds, token_ids

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from pairloom.model import Model

BLOCK_BYTES = 4 << 20
"""How much is read at a time for each thread: enough that starting the threads costs nothing."""


def encode_blocks(model: Model, file: BinaryIO, *, prefix: int, name: str, threads: int) -> Iterator[TokenIds]:
    """Yield the IDs of each block of a file; see `Model.encode_file`.

    A block ends behind a whitespace: no word, no multi-byte sequence and no final sigma's context is parted, so a block
    is encoded like a text of its own.
    """
    bytes_before = code_points_before = 0
    blocks = _blocks(file, block_bytes=BLOCK_BYTES * threads)
    for block in blocks:
        try:
            arrays = model.text_encoder.encode_utf8(block, prefix=prefix, threads=threads, source=name)
        except InvalidUtf8 as error:
            raise InvalidUtf8(source=name, byte_offset=bytes_before + error.byte_offset) from None
        except ForbiddenCodePoint as error:
            # This block is UTF-8, or that would have been its error. What is none is no text, so the others decide.
            _check_utf8(blocks, name=name, bytes_before=bytes_before + len(block))
            position = code_points_before + error.position
            raise ForbiddenCodePoint(kind=error.kind, position=position, code_point=error.code_point) from None
        bytes_before += len(block)
        code_points_before += kernel.code_points_of(block)
        yield token_ids(model, arrays)


def _blocks(file: BinaryIO, *, block_bytes: int) -> Iterator[bytes]:
    """Yield all that a file gives, cut behind whitespace; a word that is longer than a block makes it longer."""
    carried: list[bytes] = []
    data = _read(file, block_bytes)
    while data:
        # Read ahead: where this is the last block it is not cut, and a short text is one block.
        following = _read(file, block_bytes)
        # A whitespace that is in two reads is no cut: the next one is.
        cut = kernel.last_cut(data) if following else len(data)
        if cut:
            yield b"".join([*carried, data[:cut]])
            carried.clear()
        carried.append(data[cut:])
        data = following


def _read(file: BinaryIO, size: int) -> bytes:
    data: bytes | None = file.read(size)
    if data is None:
        raise BlockingIOError("the file gives nothing now: open it for blocking reads")
    return data


def _check_utf8(blocks: Iterator[bytes], *, name: str, bytes_before: int) -> None:
    for block in blocks:
        try:
            block.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidUtf8(source=name, byte_offset=bytes_before + error.start) from None
        bytes_before += len(block)
