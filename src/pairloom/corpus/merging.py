"""One reduce: runs → the words of one range of hashes, each once, as one part of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pairloom import kernel
from pairloom.corpus.libraries import library
from pairloom.corpus.records import digest_of
from pairloom.corpus.runs import BATCH_WORDS, Run, batch_of, read_range
from pairloom.corpus.storage import Folder
from pairloom.corpus.versions import check_worker

MERGE_BYTES = 256 * 1024 * 1024
"""How much memory the merging of one part takes, about."""

_BYTES_A_ROW = 32 + 32 + 24  # sorted and unsorted rows of the kernel; ends, counts and what stands around them


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the table: the words with a hash in its range.

    Attributes:
        key: what resuming goes by: the runs and the range.
        file: its name in the work folder.
        words, text_bytes, total: as of a run, of the words that are in it.
        dropped_words, dropped_total: of those that were rarer than the least count.
    """

    key: str
    file: str
    words: int
    text_bytes: int
    total: int
    dropped_words: int
    dropped_total: int

    def as_json(self) -> dict[str, object]:
        """Return it as JSON can hold it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class MergeWork:
    """The work on one part, as it travels to a worker."""

    number: int
    parts: int
    runs: tuple[Run, ...]
    min_word_count: int
    folder: Folder
    expected: dict[str, str]

    @property
    def low(self) -> int:
        """The first hash of its range."""
        return self.number * 2**64 // self.parts

    @property
    def high(self) -> int:
        """The last hash of its range."""
        return (self.number + 1) * 2**64 // self.parts - 1

    @property
    def key(self) -> str:
        """What resuming goes by."""
        return digest_of([sorted(run.file for run in self.runs), self.number, self.parts, self.min_word_count])

    @property
    def file(self) -> str:
        """The name of the part in the work folder."""
        return f"table/part-{self.number:05d}-of-{self.parts:05d}-{self.key[:8]}.parquet"

    def known(self, value: dict[str, Any]) -> Part:
        """Return the part that a record says was made. Raises: ValueError, if it is that of another one."""
        part = Part(**value)
        if (part.key, part.file) != (self.key, self.file):
            raise ValueError("it is the record of another part")
        return part


def how_many_parts(runs: Sequence[Run], *, merge_bytes: int = MERGE_BYTES) -> int:
    """Return in how many parts runs have to be merged so that each takes about `merge_bytes` of memory."""
    needed = sum(2 * run.text_bytes + _BYTES_A_ROW * run.words for run in runs)
    return max(1, -(-needed // merge_bytes))


def merge_part(work: MergeWork) -> Part:
    """Merge one range of all runs and write it as Parquet; note that it is done.

    Raises:
        CountOverflow, VersionsDiffer, WorkFolderError, OSError.

    Cost: linear but for a sort; memory for the rows of the range in all runs.
    """
    check_worker(work.expected, work.folder)
    ranges = read_range(work.runs, work.folder, low=work.low, high=work.high)
    merged = kernel.merged_columns(ranges, work.low, work.high)
    table = batch_of(merged)
    compute = library("pyarrow.compute")
    whole = compute.sum(table.column(1)).as_py() or 0
    rows = table.num_rows
    if work.min_word_count > 1:
        table = table.filter(compute.greater_equal(table.column(1), work.min_word_count))
    write_parquet(table, work.folder, work.file)
    total = compute.sum(table.column(1)).as_py() or 0
    part = Part(
        key=work.key,
        file=work.file,
        words=table.num_rows,
        text_bytes=compute.sum(compute.binary_length(table.column(0))).as_py() or 0,
        total=total,
        dropped_words=rows - table.num_rows,
        dropped_total=whole - total,
    )
    work.folder.write_record(f"merged/{part.key}.json", part.as_json())
    return part


def write_parquet(table: Any, folder: Folder, name: str) -> None:
    """Write an Arrow batch as a Parquet file of a folder: the same bytes for the same rows."""
    pyarrow, parquet = library("pyarrow"), library("pyarrow.parquet")
    with folder.writing(name) as file:
        # Each word is there once, so a dictionary of them, or the least and the greatest, would say nothing.
        parquet.write_table(
            pyarrow.Table.from_batches([table]),
            file,
            compression="zstd",
            row_group_size=4 * BATCH_WORDS,
            use_dictionary=["count"],
            write_statistics=False,
        )
