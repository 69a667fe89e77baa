"""Stored bytes → what they expand to, by block, cut where words or lines end."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

from pairloom.corpus.errors import ShardError
from pairloom.corpus.inputs import InputFile
from pairloom.corpus.libraries import library

BLOCK_BYTES: Final = 4 * 1024 * 1024
FREE_EXPANSION_BYTES: Final = 64 * 1024 * 1024
MAX_EXPANSION: Final = 200
"""How many times its size a compressed file may expand to, beyond the first 64 MiB. Text seldom passes 20."""

WORD_CUTS: Final = (b" ", b"\n", b"\t", b"\r", b"\v", b"\f")
"""Whitespace of one byte: it is never a part of another code point, and U+FEFF is none of it (N3)."""
LINE_CUTS: Final = (b"\n",)


class _Capped(io.RawIOBase):
    """Reads what is expanded, and refuses to go on where it is far more than the stored file can honestly hold."""

    def __init__(self, file: InputFile, expanded: BinaryIO, max_expansion: int) -> None:
        self._file, self._expanded, self._max = file, expanded, max_expansion
        self._room = FREE_EXPANSION_BYTES + max_expansion * file.size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._expanded.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile, OSError) as error:
            reason = f"the {self._file.compression} data is damaged or ends too early ({error}): fetch the file again"
            raise ShardError(shard=self._file.address, reason=reason) from None
        self._room -= len(data)
        if self._room < 0:
            raise over_expanded(self._file, self._max)
        buffer[: len(data)] = data
        return len(data)


def over_expanded(file: InputFile, max_expansion: int) -> ShardError:
    """Return the error of a file that expands to too much."""
    reason = (
        f"it expands to more than {max_expansion} times its {file.size:,} bytes: if that is right, raise max_expansion "
        "(--max-expansion)"
    )
    return ShardError(shard=file.address, reason=reason)


@contextmanager
def expanded(file: InputFile, *, max_expansion: int = MAX_EXPANSION) -> Iterator[Any]:
    """Give the bytes of a file, expanded; one that is not compressed can be sought in.

    Raises:
        ShardError: damaged, cut off, or expanding to more than it may; OSError.
    """
    with file.open() as stored:
        if file.compression is None:
            yield stored
        elif not file.size:
            # Nothing at all, compressed, takes some bytes: a download that never began would count as no text.
            reason = f"the file is empty, which no {file.compression} file is: fetch the file again"
            raise ShardError(shard=file.address, reason=reason)
        elif file.compression == "gzip":
            with gzip.GzipFile(fileobj=stored) as inside:
                yield _Capped(file, inside, max_expansion)  # type: ignore[arg-type]  # it has `read`
        else:
            with library("pyarrow").CompressedInputStream(stored, "zstd") as inside:
                yield _Capped(file, inside, max_expansion)


def cut_blocks(
    stream: Any, cuts: tuple[bytes, ...], *, start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of a range in blocks that end where `cuts` match, each with its offset.

    The range is moved to cuts: it begins behind the first one from the byte before `start` on, and ends behind the
    first one from the byte before `stop` on. So every byte is in one range, and nothing is cut inside.
    """
    at = 0
    if start:
        stream.seek(start - 1)
        at = _behind_first_cut(stream, cuts, start - 1)
        if stop is not None and at >= stop:
            return
        stream.seek(at)
    buffer = bytearray()
    while data := stream.read(BLOCK_BYTES):
        searched = len(buffer)
        buffer += data
        if stop is not None and at + len(buffer) >= stop:
            cut = _first_cut(buffer, cuts, max(stop - 1 - at, searched if searched + at >= stop else 0))
            if cut:
                yield at, bytes(buffer[:cut])
                return
            continue
        cut = _last_cut(buffer, cuts, searched)
        if cut:
            yield at, bytes(buffer[:cut])
            del buffer[:cut]
            at += cut
    if buffer:
        yield at, bytes(buffer)


def _behind_first_cut(stream: Any, cuts: tuple[bytes, ...], at: int) -> int:
    while data := stream.read(BLOCK_BYTES):
        cut = _first_cut(data, cuts, 0)
        if cut:
            return at + cut
        at += len(data)
    return at


def _first_cut(data: bytes | bytearray, cuts: tuple[bytes, ...], begin: int) -> int:
    """Return where the first cut from `begin` on ends, 0 if there is none."""
    return min((place + 1 for sign in cuts if (place := data.find(sign, begin)) >= 0), default=0)


def _last_cut(buffer: bytearray, cuts: tuple[bytes, ...], searched: int) -> int:
    """Return where the last cut from `searched` on ends, 0 if there is none."""
    # Mostly there is one near the end.
    for begin in (max(len(buffer) - 4096, searched), searched):
        last = max(buffer.rfind(sign, begin) for sign in cuts)
        if last >= 0:
            return last + 1
    return 0
