"""Workers that are killed in the middle of their work, by a plan that a seed draws; and work that takes its time."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairloom.corpus.engines import ATTEMPTS, Engine


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Faulty:
    """Does the work, unless the plan has its worker killed: before, during or after it, before anybody is told."""

    work: Callable[..., Any]
    folder: str
    seed: int

    def __call__(self, value: Any, *blocks: Any) -> Any:
        key = _name_of(value)
        attempt = self._attempt(key)
        plan = random.Random(f"{self.seed} {key} {attempt}")
        if attempt < ATTEMPTS - 1 and plan.random() < 0.5:
            when = plan.choice(["before", "during", "after"])
            if when == "before":
                _kill()
            if when == "during":
                timer = threading.Timer(plan.uniform(0, 0.05), _kill)
                timer.start()
            self.work(value, *blocks)
            _kill()
        return self.work(value, *blocks)

    def _attempt(self, key: str) -> int:
        for attempt in range(100):
            try:
                (Path(self.folder) / f"{key}-{attempt}").touch(exist_ok=False)
            except FileExistsError:
                continue
            return attempt
        raise AssertionError("a hundred attempts")


def _name_of(value: Any) -> str:
    """A name of a piece of work that is the same in every run, wherever its files are."""
    if hasattr(value, "unit"):
        return "-".join(Path(shard.name).name for shard in value.unit.shards)
    shard = getattr(value, "shard", value)
    return f"{type(value).__name__}-{Path(shard.name).name}" if hasattr(shard, "name") else f"part-{value.number}"


@dataclass(frozen=True)
class Slow:
    """Does the work, and then takes a while."""

    work: Callable[..., Any]
    seconds: float

    def __call__(self, value: Any, *blocks: Any) -> Any:
        result = self.work(value, *blocks)
        time.sleep(self.seconds)
        return result


@dataclass(frozen=True)
class Changed:
    """An engine whose work is wrapped, and which keeps the names of what it ran."""

    engine: Engine
    wrap: Callable[[Callable[..., Any]], Callable[..., Any]]

    @property
    def workers(self) -> int:
        return self.engine.workers

    def on_every_node(self, work: Callable[[Any], object], value: Any) -> None:
        self.engine.on_every_node(work, value)

    def run(self, work: Callable[..., Any], values: Sequence[Any], names: Sequence[str]) -> Iterator[tuple[int, Any]]:
        return self.engine.run(self.wrap(work), values, names)


# How many plans, and how many lost nodes: a few on each run, many in `make soak`.
SCHEDULES = int(os.environ.get("PAIRLOOM_SOAK_SCHEDULES", "3"))
NODES = int(os.environ.get("PAIRLOOM_SOAK_NODES", "1"))


def seeds(files: Sequence[str]) -> list[int]:
    """The first seeds whose plans kill the worker of at least two files."""
    found: list[int] = []
    for seed in range(1000):
        if len(found) < SCHEDULES and sum(_is_killed(seed, name, 0) for name in files) >= 2:
            found.append(seed)
    return found


def _is_killed(seed: int, key: str, attempt: int) -> bool:
    return random.Random(f"{seed} {key} {attempt}").random() < 0.5


def killing(engine: Engine, folder: Path, seed: int) -> Changed:
    """An engine whose workers are killed by the plan of a seed."""
    folder.mkdir(exist_ok=True)
    return Changed(engine, lambda work: Faulty(work, str(folder), seed))


def killed(folder: Path) -> int:
    """How many attempts there were beyond the first ones."""
    names = [path.name for path in folder.iterdir()]
    return len(names) - len({name.rpartition("-")[0] for name in names})
