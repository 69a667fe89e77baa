"""One task advances trainings, some at a time, round robin, one short slice per turn of the event loop.

Whoever waits for a training listens to its job; when nobody listens any more, the job is dropped before its next
slice. Equal inputs share a job. Between two slices the loop runs everything else that is ready, so a request of a
bystander waits for a few slices, however many trainings there are.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager, suppress

from pairloom.web.settings import Settings
from pairloom.web.training import Progress, Trained

Work = Generator[Progress, None, Trained]
Gate = Callable[[Progress], Awaitable[None]]


class Busy(Exception):
    """As many trainings are under way as may be: 503."""


class Job:
    """One training under way, as those who wait for it see it."""

    def __init__(self, work: Work, *, is_small: bool = False) -> None:
        self.work = work
        self.is_small = is_small
        self.is_active = False
        self.latest = Progress("counting", 0, 0)
        self.listeners = 0
        self.over = asyncio.Event()
        self.deserted = asyncio.Event()
        self._result: Trained | None = None
        self._error: Exception | None = None

    def finish(self, *, result: Trained | None = None, error: Exception | None = None) -> None:
        """Say that it is over, one way or the other."""
        self._result, self._error = result, error
        self.over.set()

    def result(self) -> Trained:
        """Return what was trained, or raise what went wrong; only once it is over."""
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    async def is_over_within(self, seconds: float) -> bool:
        """Wait until it is over, at most so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.over.wait()
        return self.over.is_set()


class Scheduler:
    """Advance trainings; keep finished ones by handing them to `keep`.

    `gate` is awaited before each slice, with the progress so far: tests hold a training with it where they need it.
    """

    def __init__(
        self,
        settings: Settings,
        keep: Callable[[str, Trained], None],
        *,
        gate: Gate | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.settings = settings
        self.keep = keep
        self.gate = gate
        self.clock = clock
        self._jobs: dict[str, Job] = {}
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Return the number of trainings under way."""
        return len(self._jobs)

    def check_room(self, key: str) -> None:
        """Raise Busy if the training of `key` is not under way and would be one too many."""
        if self._running(key) is None and len(self._jobs) >= self.settings.trainings_max:
            raise Busy

    def _running(self, key: str) -> Job | None:
        job = self._jobs.get(key)
        return None if job is None or job.deserted.is_set() else job

    @contextmanager
    def listen(self, key: str, make_work: Callable[[], Work], *, is_small: bool = False) -> Iterator[Job]:
        """Wait for the training of `key` inside this block; it begins when there is room, unless it is under way.

        Raises:
            Busy: it would be one training too many.
        """
        self.check_room(key)
        job = self._running(key)
        if job is None:
            job = Job(make_work(), is_small=is_small)
            self._jobs[key] = job
            if self._task is None or self._task.done():
                self._task = asyncio.get_running_loop().create_task(self._advance_all())
        job.listeners += 1
        try:
            yield job
        finally:
            job.listeners -= 1
            if job.listeners == 0 and not job.over.is_set():
                job.deserted.set()

    async def _advance_all(self) -> None:
        while self._jobs:
            for key, job in self._at_work():
                if self.gate is not None:
                    await self._pass(self.gate, job)
                if job.deserted.is_set():
                    job.work.close()
                else:
                    self._advance(key, job)
                # A deserted job may have been followed by a new one under the same key.
                if (job.over.is_set() or job.deserted.is_set()) and self._jobs.get(key) is job:
                    del self._jobs[key]
                await asyncio.sleep(0)

    def _at_work(self) -> list[tuple[str, Job]]:
        """Return the trainings that are advanced in this round: so many at a time, in the order in which they came.

        One that waits has its text and nothing else, so memory is bounded by those that are at work. Some places are
        kept for small ones: who trains on a paragraph does not wait for a roomful of long texts.
        """
        settings = self.settings
        active = [job for job in self._jobs.values() if job.is_active]
        large = sum(not job.is_small for job in active)
        free = settings.trainings_active_max - len(active)
        free_for_large = settings.trainings_active_max - settings.trainings_small_places - large
        for job in self._jobs.values():
            if free <= 0:
                break
            if not job.is_active and (job.is_small or free_for_large > 0):
                job.is_active = True
                free -= 1
                free_for_large -= not job.is_small
        # Who has left need not wait for a place to be let go.
        return [(key, job) for key, job in self._jobs.items() if job.is_active or job.deserted.is_set()]

    def _advance(self, key: str, job: Job) -> None:
        try:
            self._do_slice(key, job)
        except Exception as error:  # noqa: BLE001  # it belongs to whoever waits, and must not stop the others
            job.finish(error=error)

    def _do_slice(self, key: str, job: Job) -> None:
        """Do portions of a training as long as one more like the longest so far fits into the slice."""
        begin = before = self.clock()
        longest_ms = 0.0
        while (before - begin) * 1000 + longest_ms <= self.settings.slice_target_ms:
            try:
                job.latest = next(job.work)
            except StopIteration as stop:
                self.keep(key, stop.value)
                job.finish(result=stop.value)
                return
            after = self.clock()
            longest_ms = max(longest_ms, (after - before) * 1000)
            before = after

    async def _pass(self, gate: Gate, job: Job) -> None:
        """Wait at the gate, unless everybody has left."""
        waits = {asyncio.ensure_future(gate(job.latest)), asyncio.ensure_future(job.deserted.wait())}
        _, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in pending:
            wait.cancel()
