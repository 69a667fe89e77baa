"""Files → shards, the pieces that are read on their own → units, the groups of shards that one worker counts at a time.

How a corpus is cut never changes a result. A shard of plain text ends at whitespace, one of JSON lines at the end of a
line, one of Parquet with a row group; a compressed file is one shard.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pairloom.corpus.errors import ShardError
from pairloom.corpus.inputs import InputFile
from pairloom.corpus.libraries import library
from pairloom.corpus.records import digest_of

SHARD_BYTES = 64 * 1024 * 1024
"""How much of a plain file is one shard, about; part of what resuming goes by, so it never depends on the machine."""

# Compressed text takes about a quarter of its room.
_COMPRESSED_WEIGHT = 4
_LARGEST_UNIT = 512 * 1024 * 1024
_SMALLEST_UNIT = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of a file: bytes `start` to `stop` as far as the cuts go, or row groups; the whole file if it is one."""

    file: InputFile
    start: int
    stop: int

    @property
    def weight(self) -> int:
        """About how many bytes of text it holds, and what progress counts."""
        if self.file.format == "parquet":
            return self.file.size
        return (self.stop - self.start) * (_COMPRESSED_WEIGHT if self.file.compression else 1)

    @property
    def name(self) -> str:
        """The name that errors and tasks give it."""
        return self.file.address

    @property
    def identity(self) -> dict[str, object]:
        """What says that it is still the same piece of the same file."""
        return self.file.identity | {"start": self.start, "stop": self.stop}


@dataclass(frozen=True, slots=True)
class Unit:
    """Shards that one worker takes at a time."""

    shards: tuple[Shard, ...]

    @property
    def weight(self) -> int:
        """About how many bytes of text it holds."""
        return sum(shard.weight for shard in self.shards)

    @property
    def name(self) -> str:
        """The name that errors and tasks give it."""
        more = len(self.shards) - 1
        return self.shards[0].name + (f" and {more} more" if more else "")

    @property
    def key(self) -> str:
        """A name for files that has everything in it which resuming goes by."""
        return digest_of([shard.identity for shard in self.shards])


def cut_into_shards(files: Iterable[InputFile], *, shard_bytes: int = SHARD_BYTES) -> list[Shard]:
    """Return the shards of files, in order. Raises: ShardError (no Parquet), OSError."""
    shards: list[Shard] = []
    for file in files:
        if file.compression is not None or file.size <= shard_bytes or file.format == "parquet":
            shards.append(Shard(file, 0, file.size))
            continue
        pieces = -(-file.size // shard_bytes)
        edges = [file.size * number // pieces for number in range(pieces + 1)]
        shards.extend(Shard(file, start, stop) for start, stop in itertools.pairwise(edges))
    return [piece for shard in shards for piece in _row_groups(shard, shard_bytes)]


def _row_groups(shard: Shard, shard_bytes: int) -> list[Shard]:
    """Return a large Parquet file in pieces of whole row groups, `start` and `stop` counting row groups."""
    file = shard.file
    if file.format != "parquet" or file.compression is not None:
        return [shard]
    pyarrow, parquet = library("pyarrow"), library("pyarrow.parquet")
    try:
        with file.open() as opened:
            groups = parquet.ParquetFile(opened).num_row_groups
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ShardError(shard=file.address, reason=f"no Parquet that pyarrow reads: {error}") from None
    pieces = max(1, min(groups, -(-file.size // shard_bytes)))
    edges = [groups * number // pieces for number in range(pieces + 1)]
    return [Shard(file, start, stop) for start, stop in itertools.pairwise(edges)]


def group_into_units(shards: Sequence[Shard], *, workers: int) -> list[Unit]:
    """Return shards in groups: few, large ones combine better; some for each worker keep all busy to the end."""
    total = sum(shard.weight for shard in shards)
    wanted = min(max(total // (4 * workers), _SMALLEST_UNIT), _LARGEST_UNIT)
    units: list[Unit] = []
    group: list[Shard] = []
    weight = 0
    for shard in shards:
        if group and weight + shard.weight > wanted:
            units.append(Unit(tuple(group)))
            group, weight = [], 0
        group.append(shard)
        weight += shard.weight
    if group:
        units.append(Unit(tuple(group)))
    return units
