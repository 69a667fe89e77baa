"""Word counts as columns, for tables that leave this process: words one behind the other, where each ends, its count.

Rows are in the order of a hash that is the same on every machine, so that any two tables of words can be merged range
by range, whoever made them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from pairloom.checks import MAX_COUNT
from pairloom.errors import CountOverflow
from pairloom.unicode_data import MARKER

Buffer = bytes | bytearray | memoryview
Columns = tuple[Buffer, Buffer, Buffer]
"""Text in UTF-8; ends, one more than words, and counts, both as 64-bit integers, the smallest byte first."""

MAX_HASH = 2**64 - 1

_UNFIT = "the columns of a table of words do not fit together"


def word_hash(word: Buffer) -> int:
    """Return the fixed hash of a word in UTF-8: 64 bits, the same on every machine.

    FNV-1a, with the finalizer of MurmurHash3 behind it: FNV alone leaves the high bits of short words alike.

    >>> hex(word_hash(b"low"))
    '0xbdb93670f224ab82'
    """
    mixed = 0xCBF29CE484222325
    for byte in bytes(word):
        mixed = ((mixed ^ byte) * 0x100000001B3) & MAX_HASH
    mixed = ((mixed ^ (mixed >> 33)) * 0xFF51AFD7ED558CCD) & MAX_HASH
    mixed = ((mixed ^ (mixed >> 33)) * 0xC4CEB9FE1A85EC53) & MAX_HASH
    return mixed ^ (mixed >> 33)


def sorted_columns(counts: Mapping[str, int], *, bare: bool) -> Columns:
    """Return a mapping of words to counts as columns: text, ends (from 0 on, one more than words) and counts.

    With `bare`, the marker in front of each word is left out.
    """
    rows = ((word.removeprefix(MARKER) if bare else word, count) for word, count in counts.items())
    return _packed({word.encode("utf-8"): count for word, count in rows})


def merged_columns(parts: Iterable[Columns], low: int = 0, high: int = MAX_HASH) -> Columns:
    """Return the sum of tables given as columns, in any order: of the words whose hash is from `low` to `high`.

    Raises:
        ValueError: columns that do not fit together.
        CountOverflow.
    """
    counts: Counter[bytes] = Counter()
    for columns in parts:
        for word, count in _rows(columns):
            if low <= word_hash(word) <= high:
                counts[word] += count
                if counts[word] > MAX_COUNT:
                    raise CountOverflow(word=word.decode("utf-8", "replace"), count=counts[word])
    return _packed(counts)


def table_of_columns(
    parts: Iterable[Columns],
    words: int,
    text_bytes: int,  # noqa: ARG001  # the compiled one makes room for it
    *,
    mark: bool,
) -> Mapping[str, int]:
    """Return the table of columns that come one after the other, each word in one of them only.

    With `mark`, the marker is put in front of each word. `words` and `text_bytes` are those of all columns, without
    the markers, so that room is made once.
    """
    front = MARKER if mark else ""
    counts = {front + word.decode("utf-8"): count for columns in parts for word, count in _rows(columns)}
    if len(counts) > words or front in counts:
        raise ValueError(_UNFIT)
    return MappingProxyType(counts)


def _rows(columns: Columns) -> Iterator[tuple[bytes, int]]:
    text = memoryview(columns[0]).cast("B")
    ends, counts = (memoryview(bytes(column)).cast("q") for column in columns[1:])
    if len(ends) != len(counts) + 1:
        raise ValueError(_UNFIT)
    begin = ends[0]
    for end, count in zip(ends[1:], counts, strict=True):
        if not 0 <= begin <= end <= len(text) or count < 1:
            raise ValueError(_UNFIT)
        yield bytes(text[begin:end]), count
        begin = end


def _packed(counts: Mapping[bytes, int]) -> Columns:
    rows = sorted(counts.items(), key=lambda row: (word_hash(row[0]), row[0]))
    ends, end = [0], 0
    for word, _ in rows:
        end += len(word)
        ends.append(end)
    numbers = b"".join([count.to_bytes(8, "little") for _, count in rows])
    return b"".join([word for word, _ in rows]), b"".join([at.to_bytes(8, "little") for at in ends]), numbers
