"""Counting on a local Ray of two workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pairloom
from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.libraries import library
from pairloom.corpus.ray_engine import RayTasks
from pairloom.errors import SettingError
from tests.corpus.corpora import KINDS, expected, write
from tests.corpus.faults import Changed, killed, killing, seeds
from tests.corpus.nasty import NASTY, Nasty, check, check_long_word
from tests.corpus.test_lost_work import NAMES, TEXTS, Elsewhere, Older, always_killed

pytestmark = pytest.mark.usefixtures("two_workers")


def test_the_result_is_that_of_one_process(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"corpus{kind}", TEXTS * 100) for kind in KINDS]
    alone = corpus.count_words(paths)
    on_ray = corpus.count_words(paths, engine="ray")
    assert on_ray == alone == expected(TEXTS * 100 * len(KINDS))
    assert on_ray.manifest.checksum == alone.manifest.checksum
    fingerprints = {pairloom.train_from_word_counts(counts, merge_limit=50).fingerprint for counts in (alone, on_ray)}
    assert len(fingerprints) == 1


@pytest.mark.parametrize("nasty", NASTY, ids=str)
def test_nasty_shards(nasty: Nasty, tmp_path: Path) -> None:
    check(nasty, tmp_path, engine="ray")


def test_a_word_of_200_megabytes(tmp_path: Path) -> None:
    check_long_word(tmp_path, engine="ray")


@pytest.mark.parametrize("seed", seeds(NAMES))
def test_killed_workers_change_nothing(seed: int, tmp_path: Path) -> None:
    paths = [write(tmp_path / name, TEXTS * 150_000) for name in NAMES]
    counted = corpus.count_words(paths, engine=killing(RayTasks(), tmp_path / "attempts", seed))
    assert counted == expected(TEXTS * 600_000)
    assert killed(tmp_path / "attempts") > 0


def test_a_shard_that_ends_its_worker_each_time_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "poison.txt", TEXTS)
    with pytest.raises(errors.WorkLost) as lost:
        corpus.count_words(path, engine=Changed(RayTasks(), lambda _: always_killed))
    assert (lost.value.work, lost.value.attempts) == (f"counting {path}", 4)


def test_other_versions_and_unseen_folders_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    with pytest.raises(errors.VersionsDiffer):
        corpus.count_words(path, engine=Changed(RayTasks(), Older))
    with pytest.raises(errors.WorkFolderError):
        corpus.count_words(path, engine=Changed(RayTasks(), Elsewhere))


def test_a_node_without_pairloom_is_told_from_one_that_fails() -> None:
    from pairloom.corpus.ray_engine import _answer, _by_value

    missing = _by_value()(b"cpairloom_is_not_here\nwork\n.".replace(b"pairloom_is_not_here", b"pairloom.not_here"))
    with pytest.raises(errors.VersionsDiffer, match="not installed"):
        _answer(missing)


def test_tasks_have_readable_names(tmp_path: Path) -> None:
    path = write(tmp_path / "named.txt", TEXTS)
    corpus.count_words(path, engine=Changed(RayTasks(), lambda work: Named(work, str(tmp_path))))
    names = {name.read_text() for name in tmp_path.glob("task-*")}
    assert names == {f"pairloom: counting {path}", "pairloom: merging part 1 of 1"}


class Named:
    """Work that notes under which name Ray runs it."""

    def __init__(self, work: Any, folder: str) -> None:
        self.work, self.folder = work, folder

    def __call__(self, value: Any) -> Any:
        name = library("ray").get_runtime_context().get_task_name()
        (Path(self.folder) / f"task-{len(name or '')}").write_text(name or "")
        return self.work(value)


@pytest.mark.parametrize("column", ["text", "body"])
def test_a_dataset(column: str) -> None:
    ray_data = library("ray.data")
    ray_data.DataContext.get_current().enable_progress_bars = False
    dataset = ray_data.from_items([{"n": n, column: text} for n, text in enumerate(TEXTS * 50)], override_num_blocks=4)
    assert corpus.count_words(dataset, engine="ray", column=column) == expected(TEXTS * 50)
    with pytest.raises(errors.ShardError, match="there is no column"):
        corpus.count_words(dataset, engine="ray", column="other")
    with pytest.raises(SettingError):
        corpus.count_words(dataset, engine=None, column=column)


def test_what_is_wrong_in_a_dataset(tmp_path: Path) -> None:
    ray_data = library("ray.data")
    rows: list[dict[str, Any]] = [{"text": "low"}, {"text": "a▁b"}]
    dataset = ray_data.from_items(rows, override_num_blocks=1)
    with pytest.raises(errors.BadText, match="row 1"):
        corpus.count_words(dataset, engine="ray")
    counted = corpus.count_words(dataset, engine="ray", on_bad_text="skip")
    assert (dict(counted.counts), counted.manifest.skipped_texts) == ({"▁low": 1}, 1)
    with pytest.raises(SettingError, match="no versions"):
        corpus.count_words(dataset, engine="ray", resume=True, work_dir=tmp_path)
