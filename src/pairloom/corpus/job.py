"""A corpus → its word counts, on any engine: find, cut, count, merge, check, and keep what a resumed job needs.

    paths ─find─▸ files ─cut─▸ shards ─group─▸ units ─count_unit─▸ runs ─merge_part─▸ parts ─load─▸ word counts

A work folder holds `job.json` (settings and versions), `done/` and `runs/` (a record and tables a unit), `merged/` and
`table/` (a record and a file a part) and, at the end, `manifest.json`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pairloom.checks import check_at_least, check_flag, check_within
from pairloom.corpus.counting import RUN_BYTES, Counted, CountWork, count_unit
from pairloom.corpus.engines import Engine, InThisProcess
from pairloom.corpus.errors import WorkFolderError
from pairloom.corpus.inputs import InputFile, Paths, check_apart, find_files
from pairloom.corpus.manifest import Manifest, check_sum
from pairloom.corpus.merging import MERGE_BYTES, MergeWork, Part, how_many_parts, merge_part
from pairloom.corpus.processes import Processes
from pairloom.corpus.records import digest_of
from pairloom.corpus.settings import CountSettings
from pairloom.corpus.shards import SHARD_BYTES, Shard, cut_into_shards, group_into_units
from pairloom.corpus.storage import Folder, Options
from pairloom.corpus.table import CorpusCounts, checksum_of, loaded
from pairloom.corpus.versions import check_node, versions
from pairloom.errors import SettingError

MAX_WORKERS = 4096
_KINDS = ("runs", "done", "table", "merged")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is. `stage` is "counting", in bytes, or "merging", in parts; `done` of `total` are done."""

    stage: str
    done: int
    total: int


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the pieces of a job are; they change what it costs, never its result."""

    shard_bytes: int = SHARD_BYTES
    run_bytes: int = RUN_BYTES
    merge_bytes: int = MERGE_BYTES


def count_words(
    source: Paths | Any,
    *,
    column: str = "text",
    format: str | None = None,  # noqa: A002  # what it is called everywhere
    lowercase: bool = False,
    pre_tokenizer: str = "whitespace",
    engine: str | Engine | None = None,
    workers: int = 1,
    work_dir: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_bad_text: str = "raise",
    min_word_count: int = 1,
    sample: float = 1.0,
    max_expansion: int = 200,
    storage_options: Options | None = None,
    on_progress: OnProgress | None = None,
) -> CorpusCounts:
    """Return the word counts of a corpus in files, the same however it was counted.

    Rules: N1–N8, P1, P2, T9, T10. Each file of plain text is a text, and so is each line of JSON lines and each row of
    Parquet.

    Args:
        source: paths, patterns or addresses of fsspec, one or several; with `engine="ray"` also a `ray.data.Dataset`.
        column: the field of JSON lines or the column of Parquet that holds the texts.
        format: "text", "jsonl" or "parquet" for all files; None goes by their names, as does the compression.
        lowercase, pre_tokenizer: the settings of the model.
        engine: None works here; "ray" on the cluster that the program has joined with `ray.init`.
        workers: how many processes of this machine work, 1 to 4,096; 1 is this one. With Ray, how many tasks run at a
            time at most; 1 leaves it to the cluster.
        work_dir: a folder for what is in between, at any address that all workers reach, and for the table and the
            manifest at the end; None takes a temporary one of this machine.
        resume: go on with what `work_dir` holds: units whose files are unchanged are not read again.
        on_bad_text: "raise", or "skip": a row that is refused, or a line of plain text, is left out and counted in
            `manifest.skipped_texts`. A file that cannot be read as what it is stops the count in either case.
        min_word_count: leave words out that are rarer; not exact, see the guide.
        sample: count this part of the texts, drawn by their content: rows, or lines of plain text. Not exact.
        max_expansion: how many times its size a compressed file may expand to, beyond the first 64 MiB.
        storage_options: for fsspec; they are written nowhere.
        on_progress: called with a `Progress` now and then.

    Raises:
        NoInput, ShardError, BadText, InvalidUtf8, WorkFolderError, WorkLost, VersionsDiffer, SettingError,
        CountOverflow, MissingPeer, OSError.

    Cost: linear in the text; a worker takes a few hundred MB however many distinct words there are, this process the
    table and a little more.
    """
    with counted_corpus(
        source,
        column=column,
        format=format,
        lowercase=lowercase,
        pre_tokenizer=pre_tokenizer,
        engine=engine,
        workers=workers,
        work_dir=work_dir,
        resume=resume,
        on_bad_text=on_bad_text,
        min_word_count=min_word_count,
        sample=sample,
        max_expansion=max_expansion,
        storage_options=storage_options,
        on_progress=on_progress,
    ) as (manifest, folder):
        return loaded(manifest, folder)


@contextmanager
def counted_corpus(
    source: Paths | Any,
    *,
    format: str | None = None,  # noqa: A002  # what it is called everywhere
    engine: str | Engine | None = None,
    workers: int = 1,
    work_dir: str | os.PathLike[str] | None = None,
    resume: bool = False,
    min_word_count: int = 1,
    storage_options: Options | None = None,
    on_progress: OnProgress | None = None,
    **settings: Any,
) -> Iterator[tuple[Manifest, Folder]]:
    """Count as `count_words` does; give the manifest and the folder that holds the table, which is not loaded."""
    job = Job(
        settings=CountSettings(**settings),
        min_word_count=check_at_least("min_word_count", min_word_count, minimum=1),
        engine=chosen_engine(engine, workers),
        on_progress=on_progress or (lambda _: None),
    )
    check_flag("resume", resume)
    if resume and work_dir is None:
        raise SettingError(setting="resume", value=True, allowed="it together with work_dir")
    with work_folder(work_dir, storage_options) as folder:
        _check_empty(folder)
        begin_job(folder, job.identity, resume=resume)
        job.engine.on_every_node(check_node, (job.expected(folder), folder))
        if hasattr(source, "iter_internal_ref_bundles"):
            manifest = job.run_dataset(source, folder, resume=resume)
        else:
            files = find_files(source, form=format, options=storage_options)
            check_apart(files, folder, lambda name: name.partition("/")[0] in _KINDS, what="the work folder")
            manifest = job.run(files, folder)
        yield manifest, folder


@dataclass(frozen=True, slots=True)
class Job:
    """A count that is about to run."""

    settings: CountSettings
    min_word_count: int
    engine: Engine
    on_progress: OnProgress
    sizes: Sizes = Sizes()

    @property
    def identity(self) -> dict[str, Any]:
        """What has to be the same for a job that goes on with this one."""
        return {"work": "count", "settings": self.settings.as_json(), "versions": versions()}

    def expected(self, folder: Folder) -> dict[str, str]:
        """Return what every worker is asked for."""
        return expected_of(folder)

    def run(self, files: list[InputFile], folder: Folder) -> Manifest:
        """Count files, or what is left of them; leave the table and its manifest in the folder."""
        shards = cut_into_shards(files, shard_bytes=self.sizes.shard_bytes)
        finished, left = _finished(shards, folder)
        expected = self.expected(folder)
        units = group_into_units(left, workers=self.engine.workers)
        total = sum(shard.weight for shard in shards)
        done = total - sum(unit.weight for unit in units)
        self.on_progress(Progress("counting", done, total))
        works = [CountWork(unit, self.settings, folder, expected, self.sizes.run_bytes) for unit in units]
        for number, counted in self.engine.run(count_unit, works, [f"counting {unit.name}" for unit in units]):
            finished.append(counted)
            done += units[number].weight
            self.on_progress(Progress("counting", done, total))
        return self.finish(finished, [file.identity for file in files], folder)

    def run_dataset(self, dataset: Any, folder: Folder, *, resume: bool) -> Manifest:
        """Count a `ray.data.Dataset`; otherwise like `run`."""
        from pairloom.corpus.ray_data import BlockWork, count_dataset
        from pairloom.corpus.ray_engine import RayTasks

        if not isinstance(self.engine, RayTasks):
            raise SettingError(setting="engine", value=None, allowed="'ray' for a dataset of Ray")
        if resume:
            raise SettingError(setting="resume", value=True, allowed="files: a dataset has no versions to go by")
        work = BlockWork(self.settings, folder, self.expected(folder))
        return self.finish(count_dataset(dataset, self.engine, work), [], folder)

    def finish(self, counted: list[Counted], inputs: list[dict[str, object]], folder: Folder) -> Manifest:
        """Merge runs into the table, check that nothing is missing, and write the manifest."""
        parts = self._merged(counted, folder)
        names = [part.file for part in parts]
        in_table = sum(part.total for part in parts)
        dropped = sum(part.dropped_total for part in parts)
        check_sum(read=sum(unit.words for unit in counted), in_table=in_table, dropped=dropped)
        manifest = Manifest(
            settings=self.settings.as_json() | {"min_word_count": self.min_word_count},
            versions=versions(),
            inputs=inputs,
            distinct_words=sum(part.words for part in parts),
            words=in_table,
            text_bytes=sum(part.text_bytes for part in parts),
            dropped_distinct_words=sum(part.dropped_words for part in parts),
            dropped_words=dropped,
            texts=sum(unit.texts for unit in counted),
            skipped_texts=sum(unit.skipped for unit in counted),
            read_bytes=sum(unit.read_bytes for unit in counted),
            checksum=checksum_of(parts, folder),
            parts=names,
        )
        folder.write_json("manifest.json", manifest.as_json())
        _tidy(folder, counted, parts)
        return manifest

    def _merged(self, counted: list[Counted], folder: Folder) -> list[Part]:
        # In one order whatever finished first, so that a resumed job finds the parts that are there.
        runs = tuple(sorted((run for unit in counted for run in unit.runs), key=lambda run: run.file))
        count = how_many_parts(runs, merge_bytes=self.sizes.merge_bytes)
        expected = self.expected(folder)
        works = [MergeWork(number, count, runs, self.min_word_count, folder, expected) for number in range(count)]
        parts: dict[int, Part] = {}
        there = set(folder.names("table"))
        for work in works:
            known = folder.read_record(f"merged/{work.key}.json", work.known)
            if known is not None and known.file.rpartition("/")[2] in there:
                parts[work.number] = known
        left = [work for work in works if work.number not in parts]
        self.on_progress(Progress("merging", len(parts), count))
        names = [f"merging part {work.number + 1} of {work.parts}" for work in left]
        for number, part in self.engine.run(merge_part, left, names):
            parts[left[number].number] = part
            self.on_progress(Progress("merging", len(parts), count))
        return [parts[number] for number in range(count)]


def chosen_engine(engine: str | Engine | None, workers: int) -> Engine:
    """Return the engine of a name. Raises: SettingError, MissingPeer."""
    workers = check_within("workers", workers, minimum=1, maximum=MAX_WORKERS)
    if engine is None:
        return InThisProcess() if workers == 1 else Processes(workers)
    if engine == "ray":
        from pairloom.corpus.ray_engine import RayTasks

        return RayTasks(at_most=None if workers == 1 else workers)
    if isinstance(engine, str):
        raise SettingError(setting="engine", value=engine, allowed="None or 'ray'")
    return engine


@contextmanager
def work_folder(work_dir: str | os.PathLike[str] | None, options: Options | None) -> Iterator[Folder]:
    """Give the work folder; a temporary one is gone afterwards."""
    if work_dir is not None:
        yield Folder(os.fspath(work_dir), dict(options or {}))
        return
    path = tempfile.mkdtemp(prefix="pairloom-")
    try:
        yield Folder(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)


def begin_job(folder: Folder, identity: Mapping[str, Any], *, resume: bool) -> None:
    """Note in the work folder which job it is for. Raises: WorkFolderError, if it holds another."""
    there = folder.read_record("job.json", dict)
    if there is None:
        folder.write_record("job.json", dict(identity) | {"job": os.urandom(12).hex()})
        return
    differing = [name for name, value in identity.items() if there.get(name) != value]
    if differing:
        reason = f"it holds a job with other {' and '.join(differing)}: name another folder, or empty this one"
        raise WorkFolderError(folder=folder.address, reason=reason)
    if not resume:
        reason = "it holds a job already: resume=True (--resume) goes on with it, or name another folder"
        raise WorkFolderError(folder=folder.address, reason=reason)


def expected_of(folder: Folder) -> dict[str, str]:
    """Return what every worker is asked for: the versions of this program, and the job. Raises: WorkFolderError."""
    job = folder.read_record("job.json", dict)
    if job is None:
        reason = "job.json in it is gone: leave the folder alone as long as something works in it"
        raise WorkFolderError(folder=folder.address, reason=reason)
    return versions() | {"job": job["job"]}


def _check_empty(folder: Folder) -> None:
    """Raise WorkFolderError where a job would begin among files that it would take for leftovers of its own."""
    if folder.exists("job.json"):
        return
    others = [f"{kind}/{name}" for kind in _KINDS for name in folder.names(kind)]
    others += ["manifest.json"] if folder.exists("manifest.json") else []
    if others:
        reason = (
            f"{others[0]} is there already, and no job of this folder wrote it: name another folder, or empty this one"
        )
        raise WorkFolderError(folder=folder.address, reason=reason)


def _finished(shards: list[Shard], folder: Folder) -> tuple[list[Counted], list[Shard]]:
    """Return the finished units whose shards are all there unchanged, and the shards that are left."""
    left = {digest_of(shard.identity): shard for shard in shards}
    runs = set(folder.names("runs"))
    finished = []
    for name in folder.names("done"):
        counted = folder.read_record(f"done/{name}", Counted.of_json)
        if counted is None:
            continue  # removed a moment ago
        if name != f"{counted.key}.json":
            raise folder.damaged(f"done/{name}", "it is the record of other work")
        keys = [digest_of(shard) for shard in counted.shards]
        # A shard may stand in two records, if it was grouped with others before: it counts once.
        is_whole = all(run.file.rpartition("/")[2] in runs for run in counted.runs)
        if is_whole and all(key in left for key in keys):
            finished.append(counted)
            for key in keys:
                left.pop(key)
    return finished, list(left.values())


def _tidy(folder: Folder, counted: list[Counted], parts: list[Part]) -> None:
    """Remove what attempts that were lost have left, and what changed inputs have made useless."""
    used = {run.file for unit in counted for run in unit.runs} | {f"done/{unit.key}.json" for unit in counted}
    used |= {part.file for part in parts} | {f"merged/{part.key}.json" for part in parts}
    for kind in _KINDS:
        for name in folder.names(kind):
            if f"{kind}/{name}" not in used:
                folder.remove(f"{kind}/{name}")
