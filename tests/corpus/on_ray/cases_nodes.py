"""A cluster that loses a node, and a driver that is killed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pairloom import corpus
from pairloom.corpus.job import Progress
from pairloom.corpus.libraries import library
from pairloom.corpus.ray_engine import RayTasks
from tests.corpus.corpora import expected, write
from tests.corpus.faults import NODES, Changed, Slow
from tests.corpus.resuming import kill_a_driver, make, spoil_finished
from tests.corpus.test_lost_work import TEXTS

ray = library("ray")


@pytest.fixture
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield made
    ray.shutdown()
    made.shutdown()  # type: ignore[no-untyped-call]  # Ray's own


@pytest.mark.parametrize("finished", range(NODES))
def test_a_node_is_removed(cluster: Any, finished: int, tmp_path: Path) -> None:
    lost = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
    cluster.wait_for_nodes()
    paths = [write(tmp_path / f"{number}.txt", TEXTS * 150_000) for number in range(6)]
    removed: list[Progress] = []
    counted: list[Progress] = []

    def remove(progress: Progress) -> None:
        counted.append(progress)
        if len(counted) > finished + 1 and not removed:
            removed.append(progress)
            cluster.remove_node(lost)

    engine = Changed(RayTasks(), lambda work: Slow(work, 1))
    result = corpus.count_words(paths, engine=engine, on_progress=remove)
    assert removed
    assert sum(node["Alive"] for node in ray.nodes()) == 1
    assert result == expected(TEXTS * 900_000)


def test_a_killed_driver_is_resumed(tmp_path: Path) -> None:
    paths = make(tmp_path)
    whole = corpus.count_words(paths)
    finished = kill_a_driver(tmp_path, "ray")
    assert 2 <= finished < len(paths)
    spoil_finished(tmp_path)
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        resumed = corpus.count_words(paths, work_dir=tmp_path / "work", resume=True, engine="ray")
    finally:
        ray.shutdown()
    assert resumed == whole
