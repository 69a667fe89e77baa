"""Several processes on this machine."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from pairloom.corpus.engines import ATTEMPTS, FirstFailure
from pairloom.corpus.errors import WorkLost
from pairloom.corpus.worker import receive, send

T = TypeVar("T")
R = TypeVar("R")


class Processes:
    """Does the work in so many processes, each with one piece of it at a time."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def on_every_node(self, work: Callable[[T], object], value: T) -> None:
        """Do it in this process: the others are of the same program."""
        work(value)

    def run(self, work: Callable[[T], R], values: Sequence[T], names: Sequence[str]) -> Iterator[tuple[int, R]]:
        """Yield each result; see `Engine`."""
        run = _Run(work, values, names)
        threads = [Thread(target=run.take_part, daemon=True) for _ in range(min(self.workers, len(values)))]
        for thread in threads:
            thread.start()
        try:
            yield from run.results(len(threads))
        finally:
            run.stop()
            for thread in threads:
                thread.join()


class _Run:
    """The work that is left, and the processes that are at it; a thread of this process waits for each."""

    def __init__(self, work: Callable[[Any], Any], values: Sequence[Any], names: Sequence[str]) -> None:
        self._work, self._values, self._names = work, values, names
        self._next = 0
        self._lock = Lock()
        self._failure = FirstFailure()
        self._results: SimpleQueue[tuple[int, Any] | None] = SimpleQueue()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._is_stopped = False

    def results(self, threads: int) -> Iterator[tuple[int, Any]]:
        while threads:
            result = self._results.get()
            if result is None:
                threads -= 1
            else:
                yield result
        self._failure.raise_it()

    def stop(self) -> None:
        """Let nothing new begin, and end the processes."""
        with self._lock:
            self._is_stopped = True
            for process in self._processes:
                process.kill()

    def take_part(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        try:
            while (number := self._take()) is not None:
                try:
                    process, result = self._done(number, process)
                except BaseException as error:  # noqa: BLE001  # the thread that asked for the results raises it
                    self._failure.note(number, error)
                else:
                    self._results.put((number, result))
        finally:
            if process is not None:
                self._close(process)
            self._results.put(None)

    def _take(self) -> int | None:
        with self._lock:
            if self._is_stopped or self._failure.is_there or self._next == len(self._values):
                return None
            self._next += 1
            return self._next - 1

    def _done(self, number: int, process: subprocess.Popen[bytes] | None) -> tuple[subprocess.Popen[bytes], Any]:
        reason = ""
        for _ in range(ATTEMPTS):
            process = process or self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                send((self._work, self._values[number]), process.stdin)
                is_fine, result = receive(process.stdout)
            except (EOFError, OSError):
                reason = _how_it_ended(self._close(process))
                process = None
                if self._is_stopped:
                    break
                continue
            if not is_fine:
                self._close(process)
                raise result
            return process, result
        raise WorkLost(work=self._names[number], attempts=ATTEMPTS, reason=reason)

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "pairloom.corpus.worker"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # this program
        with self._lock:
            self._processes.add(process)
            if self._is_stopped:
                process.kill()
        assert process.stdin is not None
        send(list(sys.path), process.stdin)
        return process

    def _close(self, process: subprocess.Popen[bytes]) -> int:
        with self._lock:
            self._processes.discard(process)
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:  # what was not written yet has nobody to read it
                continue
        return process.wait()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"
