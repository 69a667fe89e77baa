"""A dataset → Parquet with a list of IDs a row: all columns and the order of the rows are kept.

    files ─cut─▸ shards ─encode_shard─▸ part-00000-of-00040.parquet …

One shard gives one part, whoever works on it: so the parts are the same to the byte for any number of workers. What
resuming goes by stands in `_pairloom/` in the same folder; readers of datasets pass over such names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from typing import Any

from pairloom.checks import check_flag
from pairloom.corpus.encoded_tables import EncodeSettings, with_ids, with_ids_schema
from pairloom.corpus.errors import ShardError, WorkFolderError
from pairloom.corpus.inputs import Paths, check_apart, find_files
from pairloom.corpus.job import OnProgress, Progress, begin_job, chosen_engine, expected_of
from pairloom.corpus.libraries import library
from pairloom.corpus.readers import text_column_type
from pairloom.corpus.records import digest_of
from pairloom.corpus.rows import schema_of, tables_of, unified
from pairloom.corpus.shards import Shard, cut_into_shards
from pairloom.corpus.storage import Folder, Options
from pairloom.corpus.streams import MAX_EXPANSION
from pairloom.corpus.versions import check_node, check_worker, versions
from pairloom.errors import SettingError
from pairloom.formats.model_file import dumps, loads
from pairloom.model import Model

NOTES = "_pairloom"
_GROUP_ROWS = 65_536
_GROUP_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Encoded:
    """What came of encoding a dataset, or a shard of it.

    Attributes:
        parts: the files, in the order of the rows.
        rows: how many there are.
        tokens: in all of them.
        unknown: tokens without ID, which are nulls in their lists (E3).
        null_rows: rows whose list is null: they hold no text, or one that is refused (on_bad_text="null").
        fingerprint: of the model.
    """

    parts: tuple[str, ...]
    rows: int
    tokens: int
    unknown: int
    null_rows: int
    fingerprint: str


def encode(
    source: Paths | Any,
    model: Model,
    *,
    column: str = "text",
    ids_column: str = "ids",
    output: str | os.PathLike[str] | None = None,
    prefix: int | None = None,
    format: str | None = None,  # noqa: A002  # what it is called everywhere
    engine: str | Any | None = None,
    workers: int = 1,
    resume: bool = False,
    on_bad_text: str = "raise",
    max_expansion: int = MAX_EXPANSION,
    storage_options: Options | None = None,
    on_progress: OnProgress | None = None,
) -> Encoded | Any:
    """Write a dataset as Parquet with the column `ids_column`, lists of token IDs; or add it to a dataset of Ray.

    Rules: E1–E5, T9. Each line of plain text is a row here, without its line feed, in one column called `column`.

    Args:
        source: paths, patterns or addresses, as for `count_words`; or a `ray.data.Dataset`, which is returned with the
            new column, rows in their order, nothing done before it is asked for (then no other argument but `prefix`,
            `column`, `ids_column` and `on_bad_text` counts).
        model: encodes.
        column, ids_column: where the texts are, and where the IDs go: uint16, or uint32 for more than 65,536 tokens.
        output: the folder for the files, at any address that all workers reach.
        prefix: as for `Model.encode`.
        on_bad_text: "raise", or "null": a row whose text is refused gets a null in place of a list. So does a null.
        format, engine, workers, resume, max_expansion, storage_options, on_progress: as for `count_words`.

    Raises:
        NoInput, ShardError, BadText, WorkFolderError, WorkLost, VersionsDiffer, SettingError, PrefixError, MissingPeer,
        OSError.
    """
    settings = EncodeSettings(
        column=column,
        ids_column=ids_column,
        prefix=model.check_prefix(prefix),
        on_bad_text=on_bad_text,
        max_expansion=max_expansion,
    )
    if hasattr(source, "iter_internal_ref_bundles"):
        return _encoded_dataset(source, model, settings)
    if output is None:
        raise SettingError(setting="output", value=None, allowed="a folder for the files")
    check_flag("resume", resume)
    folder = Folder(os.fspath(output), dict(storage_options or {}))
    files = find_files(source, form=format, options=storage_options)
    check_apart(
        files, folder, lambda name: _is_part(name) or name.startswith(f"{NOTES}/"), what="the folder of the result"
    )
    return encode_files(
        cut_into_shards(files),
        model,
        settings,
        folder=folder,
        engine=chosen_engine(engine, workers),
        resume=resume,
        on_progress=on_progress or (lambda _: None),
    )


@dataclass(frozen=True, slots=True)
class EncodeWork:
    """The work on one shard, as it travels to a worker."""

    number: int
    shards: int
    shard: Shard
    settings: EncodeSettings
    fingerprint: str
    schema: bytes
    folder: Folder
    expected: dict[str, str]

    @property
    def notes(self) -> Folder:
        """The folder with what resuming goes by."""
        return Folder(f"{self.folder.address.rstrip('/')}/{NOTES}", self.folder.options)

    @property
    def key(self) -> str:
        """What resuming goes by."""
        return digest_of([self.shard.identity, self.number, self.shards, self.schema.hex()])

    @property
    def part(self) -> str:
        """The name of the file that the shard gives."""
        return f"part-{self.number:05d}-of-{self.shards:05d}.parquet"

    def known(self, value: dict[str, Any]) -> tuple[Encoded, int]:
        """Return what a record says came of it, and the size of the file. Raises: ValueError, for anything else."""
        size = value.pop("bytes")
        encoded = Encoded(**(value | {"parts": tuple(value["parts"])}))
        if (encoded.parts, encoded.fingerprint) != ((self.part,), self.fingerprint):
            raise ValueError("it is the record of another shard")
        return encoded, size


def encode_files(
    shards: list[Shard],
    model: Model,
    settings: EncodeSettings,
    *,
    folder: Folder,
    engine: Any,
    resume: bool,
    on_progress: OnProgress,
) -> Encoded:
    """Encode shards, or what is left of them; see `encode`."""
    notes = Folder(f"{folder.address.rstrip('/')}/{NOTES}", folder.options)
    identity = {"work": "encode", "settings": asdict(settings), "model": model.fingerprint, "versions": versions()}
    _check_empty(folder, notes)
    begin_job(notes, identity, resume=resume)
    with notes.writing("model.json") as file:
        file.write(dumps(model))
    expected = expected_of(notes)
    engine.on_every_node(check_node, (expected, notes))
    schema = _common_schema(shards, settings, engine)
    works = [
        EncodeWork(number, len(shards), shard, settings, model.fingerprint, schema, folder, expected)
        for number, shard in enumerate(shards)
    ]
    # A record outlives its file where the inputs change to and fro: other rows get the same name meanwhile.
    keys = {f"{work.key}.json" for work in works}
    for name in notes.names("done"):
        if name not in keys:
            notes.remove(f"done/{name}")
    there = folder.sizes()
    done: dict[int, Encoded] = {}
    for work in works:
        known = notes.read_record(f"done/{work.key}.json", work.known)
        if known is not None and there.get(known[0].parts[0]) == known[1]:
            done[work.number] = known[0]
    left = [work for work in works if work.number not in done]
    total = sum(work.shard.weight for work in works)
    finished = total - sum(work.shard.weight for work in left)
    on_progress(Progress("encoding", finished, total))
    for number, encoded in engine.run(encode_shard, left, [f"encoding {work.shard.name}" for work in left]):
        done[left[number].number] = encoded
        finished += left[number].shard.weight
        on_progress(Progress("encoding", finished, total))
    parts = [done[number] for number in range(len(works))]
    whole = Encoded(
        parts=tuple(name for part in parts for name in part.parts),
        rows=sum(part.rows for part in parts),
        tokens=sum(part.tokens for part in parts),
        unknown=sum(part.unknown for part in parts),
        null_rows=sum(part.null_rows for part in parts),
        fingerprint=model.fingerprint,
    )
    notes.write_json("manifest.json", asdict(whole) | {"inputs": [shard.identity for shard in shards]} | identity)
    for name in there.keys() - set(whole.parts):
        if _is_part(name):
            folder.remove(name)  # of inputs that have changed since
    return whole


def _is_part(name: str) -> bool:
    return name.startswith("part-") and name.endswith(".parquet")


def _check_empty(folder: Folder, notes: Folder) -> None:
    """Raise WorkFolderError where a job would begin among files named like its own: they are another's, or inputs."""
    if notes.exists("job.json"):
        return
    others = [name for name in folder.names() if _is_part(name)]
    if others:
        reason = (
            f"{others[0]} is there already, and no job of this folder wrote it: name another folder, or empty this one"
        )
        raise WorkFolderError(folder=folder.address, reason=reason)


def encode_shard(work: EncodeWork) -> Encoded:
    """Encode one shard into one file, and note that it is done.

    Raises:
        ShardError, BadText, VersionsDiffer, WorkFolderError, OSError.

    Cost: linear; memory for a group of rows, and for the words of the shard.
    """
    check_worker(work.expected, work.notes)
    pyarrow, parquet = library("pyarrow"), library("pyarrow.parquet")
    schema = pyarrow.ipc.read_schema(pyarrow.py_buffer(work.schema))
    model = _model(work.notes, work.fingerprint)
    rows = tokens = unknown = null_rows = 0
    tables = tables_of(work.shard, schema, column=work.settings.column, max_expansion=work.settings.max_expansion)
    written = with_ids_schema(schema, work.settings, model)
    with work.folder.writing(work.part) as file, parquet.ParquetWriter(file, written, compression="zstd") as writer:
        for group in _groups(tables):
            table, more = with_ids(group, model, work.settings, shard=work.shard, first=rows)
            writer.write_table(table.cast(written), row_group_size=_GROUP_ROWS)
            ids = table.column(work.settings.ids_column)
            rows += table.num_rows
            unknown += more
            null_rows += ids.null_count
            tokens += library("pyarrow.compute").sum(library("pyarrow.compute").list_value_length(ids)).as_py() or 0
        writer.close()
        size = file.tell()
    encoded = Encoded((work.part,), rows, tokens, unknown, null_rows, work.fingerprint)
    work.notes.write_record(f"done/{work.key}.json", asdict(encoded) | {"bytes": size})
    return encoded


@dataclass(frozen=True, slots=True)
class _EncodeBatch:
    """Encodes a batch of a dataset of Ray; the model travels as its file."""

    model: bytes
    fingerprint: str
    settings: EncodeSettings
    expected: tuple[tuple[str, str], ...]

    def __call__(self, table: Any) -> Any:
        return with_ids(table, _loaded(self.model), self.settings, shard=None, first=0)[0]


def _encoded_dataset(dataset: Any, model: Model, settings: EncodeSettings) -> Any:
    names = dataset.schema().names
    if settings.column not in names:
        reason = f"there is no column {settings.column!r} (column=); there are: {', '.join(names)}"
        raise ShardError(shard="the dataset", reason=reason)
    _check_free(settings, names, "the dataset")
    work = _EncodeBatch(dumps(model), model.fingerprint, settings, tuple(versions().items()))
    encoded = dataset.map_batches(work, batch_format="pyarrow", batch_size=_GROUP_ROWS // 8)
    # Ray Data may hand blocks on in any order, unless it is asked not to.
    encoded.context.execution_options.preserve_order = True
    return encoded


def _common_schema(shards: list[Shard], settings: EncodeSettings, engine: Any) -> bytes:
    """Return the columns that all shards have together. JSON lines are read for that, other files only opened."""
    work = partial(schema_of, column=settings.column, max_expansion=settings.max_expansion)
    found = dict(engine.run(work, shards, [f"looking at {shard.name}" for shard in shards]))
    schema = unified([found[number] for number in range(len(shards))], shards[0])
    if settings.column not in schema.names:
        if not schema.names:  # nothing but empty files of JSON lines
            schema = library("pyarrow").schema([(settings.column, library("pyarrow").large_string())])
        else:
            reason = f"there is no column {settings.column!r} (column=, --column); there are: {', '.join(schema.names)}"
            raise ShardError(shard=shards[0].name, reason=reason)
    _check_free(settings, schema.names, shards[0].name)
    text_column_type(schema, settings.column, shards[0])
    return bytes(schema.serialize())


def _check_free(settings: EncodeSettings, names: list[str], shard: str) -> None:
    if settings.ids_column in names:
        reason = f"there is a column {settings.ids_column!r} already: name another one (ids_column=, --ids-column)"
        raise ShardError(shard=shard, reason=reason)


def _groups(tables: Iterator[Any]) -> Iterator[Any]:
    """Yield tables put together into groups of rows that are worth a place of their own in a file."""
    pyarrow = library("pyarrow")
    held: list[Any] = []
    rows = size = 0
    for table in tables:
        held.append(table)
        rows += table.num_rows
        size += table.nbytes
        if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
            yield pyarrow.concat_tables(held)
            held, rows, size = [], 0, 0
    if held:
        yield pyarrow.concat_tables(held)


def _model(notes: Folder, fingerprint: str) -> Model:
    with notes.open("model.json") as file:
        model = _loaded(file.read())
    assert model.fingerprint == fingerprint, "the job is begun for one model"
    return model


@lru_cache(maxsize=2)
def _loaded(data: bytes) -> Model:
    return loads(data)
