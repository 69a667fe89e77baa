"""Workers and drivers that are killed: what is lost is done again, exactly, and what is finished is not."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.processes import Processes
from tests.corpus.corpora import expected, write
from tests.corpus.faults import Changed, Faulty, killed, killing, seeds
from tests.corpus.resuming import kill_a_driver, make, spoil_finished

TEXTS = ["low low lower", "newest widest low"]
NAMES = [f"{number}.txt" for number in range(4)]


def always_killed(value: object) -> object:
    os.kill(os.getpid(), 9)
    return value


@pytest.mark.parametrize("seed", seeds(NAMES))
def test_killed_workers_change_nothing(seed: int, tmp_path: Path) -> None:
    paths = [write(tmp_path / name, TEXTS * 150_000) for name in NAMES]
    counted = corpus.count_words(paths, engine=killing(Processes(2), tmp_path / "attempts", seed))
    assert counted == expected(TEXTS * 600_000)
    assert killed(tmp_path / "attempts") > 0


def test_a_shard_that_ends_its_worker_each_time_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "poison.txt", TEXTS)
    with pytest.raises(errors.WorkLost) as lost:
        corpus.count_words(path, engine=Changed(Processes(2), lambda _: always_killed))
    assert (lost.value.work, lost.value.attempts) == (f"counting {path}", 4)
    assert "SIGKILL" in lost.value.reason


def test_a_killed_driver_is_resumed_and_finished_shards_are_not_read_again(tmp_path: Path) -> None:
    paths = make(tmp_path)
    whole = corpus.count_words(paths)
    finished = kill_a_driver(tmp_path, "processes")
    assert 2 <= finished < len(paths)
    assert spoil_finished(tmp_path) == finished
    resumed = corpus.count_words(paths, work_dir=tmp_path / "work", resume=True, workers=2)
    assert resumed == whole
    assert resumed.manifest.checksum == whole.manifest.checksum
    # Nothing of the killed attempts stays.
    records = [json.loads(path.read_text()) for path in (tmp_path / "work" / "done").iterdir()]
    named = {run["file"].rpartition("/")[2] for record in records for run in record["runs"]}
    assert named == {path.name for path in (tmp_path / "work" / "runs").iterdir()}


def test_a_finished_count_is_resumed_without_reading_anything(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{number}.txt", TEXTS) for number in range(3)]
    first = corpus.count_words(paths, work_dir=tmp_path / "work")
    spoil_finished(tmp_path)
    assert corpus.count_words(paths, work_dir=tmp_path / "work", resume=True) == first


@pytest.mark.parametrize("kind", ["job.json", "done", "merged", "runs", "table"])
def test_a_damaged_work_folder_is_refused_by_name(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    work = tmp_path / "work"
    corpus.count_words(path, work_dir=work)
    if kind == "runs":
        shutil.rmtree(work / "table")
    damaged = work / kind if kind == "job.json" else next((work / kind).iterdir())
    damaged.write_bytes(damaged.read_bytes()[:20])
    with pytest.raises(errors.WorkFolderError, match=f"{damaged.name} in it is damaged"):
        corpus.count_words(path, work_dir=work, resume=True)


@pytest.mark.parametrize("name", ["runs/mine.txt", "table/mine.csv", "manifest.json"])
def test_files_of_others_are_left_alone(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(errors.WorkFolderError, match=f"{name} is there already"):
        corpus.count_words(path, work_dir=tmp_path)
    assert mine.read_text() == "mine"


def test_a_changed_shard_is_read_again_and_a_new_one_is_read(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{number}.txt", TEXTS) for number in range(3)]
    corpus.count_words(paths, work_dir=tmp_path / "work")
    write(paths[1], ["another text"])
    paths.append(write(tmp_path / "new.txt", ["a new one"]))
    resumed = corpus.count_words(paths, work_dir=tmp_path / "work", resume=True)
    assert resumed == expected([*TEXTS, *TEXTS, "another text", "a new one"])


@pytest.mark.parametrize(
    ("again", "says"),
    [
        ({}, "resume=True"),
        ({"resume": True, "lowercase": True}, "other settings"),
        ({"resume": True, "column": "body"}, "other settings"),
    ],
)
def test_a_work_folder_of_another_job_is_refused(again: dict[str, Any], says: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    corpus.count_words(path, work_dir=tmp_path / "work")
    with pytest.raises(errors.WorkFolderError, match=says):
        corpus.count_words(path, work_dir=tmp_path / "work", **again)


def test_another_version_on_a_worker_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    with pytest.raises(errors.VersionsDiffer) as refused:
        corpus.count_words(path, engine=Changed(Processes(2), Older))
    assert refused.value.details["differing"] == "tables 1, the driver 0"


class Older:
    """Work that is handed out by a driver of an older version."""

    def __init__(self, work: Any) -> None:
        self.work = work

    def __call__(self, value: Any) -> Any:
        from dataclasses import replace

        return self.work(replace(value, expected=value.expected | {"tables": "0"}))


def test_a_work_folder_that_a_worker_does_not_see_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    with pytest.raises(errors.WorkFolderError, match="does not see it"):
        corpus.count_words(path, engine=Changed(Processes(2), Elsewhere))


class Elsewhere(Older):
    """Work on a machine on which the folder's name is that of another one."""

    def __call__(self, value: Any) -> Any:
        from dataclasses import replace

        from pairloom.corpus.storage import Folder

        return self.work(replace(value, folder=Folder(value.folder.address + "-elsewhere")))


def test_the_plan_of_a_seed_is_one_plan() -> None:
    assert Faulty(always_killed, "folder", 1) == Faulty(always_killed, "folder", 1)
