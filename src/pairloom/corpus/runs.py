"""Runs: sorted tables of words in files that hold as much as one worker could keep in memory, and no more.

A run is an Arrow IPC file, in batches, in the order of the words' fixed hash. So any range of hashes can be read from
it without the rest, and many runs can be merged range by range.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pairloom import kernel
from pairloom.corpus.libraries import library
from pairloom.corpus.storage import Folder, is_local
from pairloom.formats.word_columns import columns_of
from pairloom.kernel.pure_columns import Columns

BATCH_WORDS = 32_768


@dataclass(frozen=True, slots=True)
class Run:
    """A run in a folder.

    Attributes:
        file: its name in the folder.
        words: distinct words in it.
        text_bytes: of these words.
        total: the sum of their counts.
        first_hashes: the hash of the first word of each batch.
    """

    file: str
    words: int
    text_bytes: int
    total: int
    first_hashes: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        """Return it as JSON can hold it; hashes as strings, since many readers of JSON have no such integers."""
        return asdict(self) | {"first_hashes": [f"{first:016x}" for first in self.first_hashes]}

    @classmethod
    def of_json(cls, value: dict[str, Any]) -> Run:
        """Return what `as_json` wrote."""
        return cls(**(value | {"first_hashes": tuple(int(first, 16) for first in value["first_hashes"])}))


def schema() -> Any:
    """Return the columns of every table of words."""
    pyarrow = library("pyarrow")
    return pyarrow.schema(
        [
            pyarrow.field("word", pyarrow.large_string(), nullable=False),
            pyarrow.field("count", pyarrow.int64(), nullable=False),
        ]
    )


def batch_of(columns: Columns) -> Any:
    """Return columns of the kernel as an Arrow batch, without copying them."""
    pyarrow = library("pyarrow")
    text, ends, counts = (pyarrow.py_buffer(column) for column in columns)
    words = counts.size // 8
    arrays = [
        pyarrow.Array.from_buffers(pyarrow.large_string(), words, [None, ends, text]),
        pyarrow.Array.from_buffers(pyarrow.int64(), words, [None, counts]),
    ]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema())


def write_run(columns: Columns, folder: Folder) -> Run:
    """Write sorted columns as a run under a name that nothing else has."""
    pyarrow, ipc = library("pyarrow"), library("pyarrow.ipc")
    whole = batch_of(columns)
    name = f"runs/{os.urandom(12).hex()}.arrow"
    options = ipc.IpcWriteOptions(compression="lz4")
    written = pyarrow.BufferOutputStream()
    with ipc.new_file(written, whole.schema, options=options) as writer:
        for begin in range(0, whole.num_rows, BATCH_WORDS):
            writer.write_batch(whole.slice(begin, BATCH_WORDS))
    with folder.writing(name) as file:
        file.write(written.getvalue())
    firsts = whole.column(0).take(pyarrow.array(range(0, whole.num_rows, BATCH_WORDS), pyarrow.int64()))
    return Run(
        file=name,
        words=whole.num_rows,
        text_bytes=len(columns[0]),
        total=library("pyarrow.compute").sum(whole.column(1)).as_py() or 0,
        first_hashes=tuple(kernel.word_hash(word.encode()) for word in firsts.to_pylist()),
    )


def read_range(runs: Sequence[Run], folder: Folder, *, low: int, high: int) -> Iterator[Columns]:
    """Yield the batches of runs in which words with a hash from `low` to `high` may stand."""
    ipc = library("pyarrow.ipc")
    for run in runs:
        # The last batch that begins at or before `low` may reach into the range; equal hashes may straddle batches.
        first = max(bisect_right(run.first_hashes, low) - 1, 0)
        while first and run.first_hashes[first] == low:
            first -= 1
        last = bisect_right(run.first_hashes, high)
        if first >= last:
            continue
        with folder.reading_arrow(run.file), _opened(run, folder) as source, ipc.open_file(source) as reader:
            if not reader.schema.equals(schema()) or reader.num_record_batches != len(run.first_hashes):
                raise folder.damaged(run.file, "it is no run, or another one")
            for number in range(first, last):
                yield columns_of(reader.get_batch(number))


def _opened(run: Run, folder: Folder) -> Any:
    pyarrow = library("pyarrow")
    system, path = folder.path(run.file)
    if is_local(system):
        return pyarrow.memory_map(path, "r")
    return pyarrow.PythonFile(system.open(path, "rb"), "r")
