"""Datasets of Ray Data, whose blocks come from wherever Ray reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pairloom.corpus.counting import Counted, Tally
from pairloom.corpus.errors import NoText, ShardError
from pairloom.corpus.libraries import library
from pairloom.corpus.ray_engine import RayTasks
from pairloom.corpus.readers import Rows
from pairloom.corpus.runs import Run, write_run
from pairloom.corpus.settings import CountSettings
from pairloom.corpus.storage import Folder
from pairloom.corpus.versions import check_worker

_NAME = "the dataset"
_BATCH_ROWS = 1024


@dataclass(frozen=True, slots=True)
class BlockWork:
    """What counting a block needs beside the block."""

    settings: CountSettings
    folder: Folder
    expected: dict[str, str]


def count_dataset(dataset: Any, engine: RayTasks, work: BlockWork) -> list[Counted]:
    """Return what came of counting each block of a dataset; blocks are counted while Ray still reads others.

    Raises:
        ShardError (no such column), BadText (rows are numbered within their block), VersionsDiffer, WorkFolderError.
    """
    column = work.settings.column
    names = dataset.schema().names
    if column not in names:
        reason = f"there is no column {column!r} (column=); there are: {', '.join(names)}"
        raise ShardError(shard=_NAME, reason=reason)
    blocks = blocks_of(dataset.select_columns([column]))
    return [counted for _, counted in engine.run_on_blocks(count_block, work, blocks, "counting a block")]


def blocks_of(dataset: Any) -> Iterator[Any]:
    """Yield references to the blocks of a dataset, in order, as they get ready."""
    for bundle in dataset.iter_internal_ref_bundles():
        yield from bundle.block_refs


def count_block(work: BlockWork, block: Any) -> Counted:
    """Count one block. Raises: ShardError, BadText, VersionsDiffer, WorkFolderError, OSError."""
    check_worker(work.expected, work.folder)
    tally = Tally(work.settings)
    runs: list[Run] = []
    table = library("ray.data.block").BlockAccessor.for_block(block).to_arrow()
    for rows in rows_of(table.column(work.settings.column)):
        runs.extend(write_run(columns, work.folder) for columns in tally.add(rows))
    runs.extend(write_run(columns, work.folder) for columns in tally.rest())
    # Nobody resumes from it, so any name will do that nothing else has.
    key = runs[0].file.rpartition("/")[2] if runs else ""
    return Counted(key, tuple(runs), sum(run.total for run in runs), tally.texts, tally.skipped, table.nbytes)


def rows_of(column: Any) -> list[Rows]:
    """Return an Arrow array of strings as blocks of rows. Raises: ShardError, if it holds none."""
    pyarrow = library("pyarrow")
    kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
    types = pyarrow.types
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)):
        raise ShardError(shard=_NAME, reason=f"the column holds {column.type}, no strings")
    if types.is_dictionary(column.type):
        column = column.cast(kind)
    blocks = []
    for first in range(0, len(column), _BATCH_ROWS):
        values = column.slice(first, _BATCH_ROWS)
        texts = values.cast(pyarrow.large_binary()).to_pylist()
        rows = [NoText(reason="null is no text") if text is None else text for text in texts]
        blocks.append(Rows(first, rows, "row", values.nbytes))
    return blocks
