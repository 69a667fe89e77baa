"""A Ray cluster: the user's own, joined with `ray.init` before. This module starts and stops none.

Ray's own retries are turned off: work that is lost is handed out again here, so that the number of attempts is bounded
for every reason alike (Ray repeats work that ran out of memory for ever) and the shard is named at the end.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from pairloom.corpus.engines import ATTEMPTS, FirstFailure
from pairloom.corpus.errors import VersionsDiffer, WorkLost
from pairloom.corpus.libraries import library
from pairloom.errors import SettingError

T = TypeVar("T")
R = TypeVar("R")


class RayTasks:
    """Does the work as core tasks, each on one CPU, under names that the dashboard shows."""

    def __init__(self, *, at_most: int | None = None) -> None:
        self._ray = library("ray")
        if not self._ray.is_initialized():
            allowed = "it after ray.init(…) has joined a cluster (on the command line: --ray ADDRESS)"
            raise SettingError(setting="engine", value="ray", allowed=allowed)
        self._at_most = at_most
        self._remote = self._ray.remote(_by_value())

    @property
    def workers(self) -> int:
        """How many tasks run at a time: as many as the cluster has CPUs, or as were asked for."""
        cpus = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return cpus if self._at_most is None else min(cpus, self._at_most)

    def on_every_node(self, work: Callable[[T], object], value: T) -> None:
        """Do some work once on each node that has a CPU, before all others. Raises what it raises."""
        strategy = library("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
        tasks = [
            self._submitted(work, value, "looking at versions", scheduling_strategy=strategy(node["NodeID"], soft=True))
            for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU")
        ]
        for task in tasks:
            _answer(self._ray.get(task))

    def run(self, work: Callable[[T], R], values: Sequence[T], names: Sequence[str]) -> Iterator[tuple[int, R]]:
        """Yield each result; see `Engine`."""
        pieces = zip(values, names, strict=True)
        return self._results(lambda piece: self._submitted(work, *piece), pieces, lambda piece: piece[1])

    def run_on_blocks(
        self, work: Callable[[T, Any], R], value: T, blocks: Iterator[Any], name: str
    ) -> Iterator[tuple[int, R]]:
        """Yield the number of each block with what `work` gives for it; blocks are references to objects of Ray."""
        return self._results(lambda block: self._submitted(work, value, name, block), blocks, lambda _: name)

    def _results(
        self, submit: Callable[[Any], Any], pieces: Iterator[Any], name_of: Callable[[Any], str]
    ) -> Iterator[tuple[int, Any]]:
        """Keep the cluster busy until there are no more pieces, or one of them has failed."""
        again: list[tuple[int, Any, int]] = []
        running: dict[Any, tuple[int, Any, int]] = {}
        numbered = ((number, piece, 0) for number, piece in enumerate(pieces))
        failure = FirstFailure()
        try:
            while True:
                # A few more than run keep each node busy while results travel; not all: each holds its value.
                while len(running) < self._most_at_once() and not failure.is_there:
                    following = again.pop() if again else next(numbered, None)
                    if following is None:
                        break
                    number, piece, attempts = following
                    running[submit(piece)] = (number, piece, attempts + 1)
                if not running:
                    break
                done, _ = self._ray.wait(list(running), num_returns=1, timeout=5)
                for task in done:
                    number, piece, attempts = running.pop(task)
                    try:
                        result = _answer(self._ray.get(task))
                    except self._lost as error:
                        if attempts < ATTEMPTS:
                            again.append((number, piece, attempts))
                        else:
                            reason = f"{type(error).__name__}: {error}".partition("\n")[0]
                            failure.note(number, WorkLost(work=name_of(piece), attempts=ATTEMPTS, reason=reason))
                    except Exception as error:  # noqa: BLE001  # raised below, when no earlier one can fail any more
                        failure.note(number, error)
                    else:
                        yield number, result
            failure.raise_it()
        finally:
            for task in running:
                self._ray.cancel(task, force=True)

    def _most_at_once(self) -> int:
        return self.workers if self._at_most is not None else 2 * self.workers

    @property
    def _lost(self) -> tuple[type[Exception], ...]:
        errors = self._ray.exceptions
        return (
            errors.WorkerCrashedError,
            errors.NodeDiedError,
            errors.OutOfMemoryError,
            errors.ObjectLostError,
            errors.LocalRayletDiedError,
        )

    def _submitted(self, work: Callable[..., object], value: object, name: str, *blocks: Any, **options: Any) -> Any:
        packed = library("ray.cloudpickle").dumps((work, value))
        task = self._remote.options(name=f"pairloom: {name}", max_retries=0, num_cpus=1, **options)
        return task.remote(packed, *blocks)


def _answer(packed: bytes | str) -> Any:
    """Return what the work gave, or raise what it raised."""
    if isinstance(packed, str):
        raise VersionsDiffer(worker=packed, differing="Pairloom is not installed there")
    is_fine, result = pickle.loads(packed)  # noqa: S301  # from our own cluster
    if not is_fine:
        raise result
    return result


def _by_value() -> Callable[..., bytes | str]:
    """Return the function that a task runs; it travels as code, so that it runs where no Pairloom is, and says so."""

    def run_work(packed: bytes, *blocks: Any) -> bytes | str:
        import pickle  # the task has no other module than what it imports
        import platform

        try:
            work, value = pickle.loads(packed)  # noqa: S301  # from our own driver
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "pairloom":
                raise
            return platform.node()
        try:
            answer = (True, work(value, *blocks))
        except Exception as error:  # noqa: BLE001  # the driver raises it
            answer = (False, error)
        return pickle.dumps(answer)

    return run_work
