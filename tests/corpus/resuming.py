"""A driver that is killed while it counts, as a program of its own: `python -m tests.corpus.resuming FOLDER ENGINE`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from pairloom import corpus
from pairloom.corpus.engines import Engine
from pairloom.corpus.processes import Processes
from tests.corpus import local_ray
from tests.corpus.corpora import write
from tests.corpus.faults import Changed, Slow

SHARDS = 6


def engine_of(name: str) -> Engine:
    """The engine of a driver; a local Ray is started for it."""
    if name == "processes":
        return Processes(2)
    from pairloom.corpus.ray_engine import RayTasks

    local_ray.start()
    return RayTasks()


def make(folder: Path) -> list[str]:
    """Write shards that make a unit each: Parquet, which weighs what its file does, so they are large enough."""
    words = [f"w{number}" for number in range(900_000)]
    return [
        str(write(folder / f"{number}.txt", [" ".join(words[number::SHARDS]) * 8], column="text"))
        for number in range(SHARDS)
    ]


def kill_a_driver(folder: Path, engine: str, *, finished: int = 2) -> int:
    """Start a driver, kill it when so many units are finished, and return how many were."""
    command = [sys.executable, "-m", "tests.corpus.resuming", str(folder), engine]
    driver = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[2])
    done = folder / "work" / "done"
    # Ten minutes at most: Ray's processes take more than one to start where each memory access is looked at.
    for _ in range(12_000):
        if done.is_dir() and len(list(done.glob("*.json"))) >= finished:
            break
        assert driver.poll() is None, "the driver ended by itself"
        time.sleep(0.05)
    driver.kill()
    driver.wait()
    return len(list(done.glob("*.json")))


def spoil_finished(folder: Path) -> int:
    """Put nonsense into the files that were finished, with their old size and time: whoever reads them counts wrong."""
    import json

    spoiled = 0
    for record in (folder / "work" / "done").glob("*.json"):
        for shard in json.loads(record.read_text())["shards"]:
            path = Path(shard["address"])
            before = path.stat()
            path.write_bytes(b"!" * before.st_size)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
            spoiled += 1
    return spoiled


def main() -> None:
    """Count the shards of a folder, slowly."""
    folder, name = Path(sys.argv[1]), sys.argv[2]
    engine = Changed(engine_of(name), lambda work: Slow(work, 0.5))
    corpus.count_words(str(folder / "*.txt"), work_dir=folder / "work", engine=engine)


if __name__ == "__main__":
    main()
