"""One task, short slices, shared jobs, nobody left waiting."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from pairloom.web.scheduler import Busy, Job, Scheduler, Work
from pairloom.web.settings import Settings
from pairloom.web.training import Progress, Trained
from tests.web.asgi import until
from tests.web.test_model_cache import ONE

SETTINGS = replace(Settings(), slice_target_ms=0.0)
# With no time to spare, a slice is one portion.


class Log:
    """Work that writes down what happens to it."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def work(self, name: str, slices: int, *, fails: bool = False) -> Work:
        def run() -> Generator[Progress, None, Trained]:
            try:
                for number in range(slices):
                    self.lines.append(f"{name}{number}")
                    yield Progress("merging", number, slices)
                if fails:
                    raise RuntimeError(name)
                return ONE
            except GeneratorExit:
                self.lines.append(f"{name} closed")
                raise

        return run()


def ignore(_key: str, _trained: Trained) -> None:
    pass


def run(main: Callable[[], object]) -> None:
    async def wrapped() -> None:
        async with asyncio.timeout(20):
            await main()  # type: ignore[misc]  # an async function

    asyncio.run(wrapped())


def test_trainings_take_turns() -> None:
    """Rule: W2."""

    async def main() -> None:
        log = Log()
        scheduler = Scheduler(SETTINGS, ignore)
        with scheduler.listen("a", lambda: log.work("a", 3)) as a, scheduler.listen("b", lambda: log.work("b", 2)) as b:
            await a.over.wait()
            await b.over.wait()
        assert log.lines == ["a0", "b0", "a1", "b1", "a2"]
        assert len(scheduler) == 0

    run(main)


def test_others_run_between_two_slices() -> None:
    async def main() -> None:
        log = Log()
        scheduler = Scheduler(SETTINGS, ignore)

        async def bystander() -> None:
            for _ in range(3):
                log.lines.append("-")
                await asyncio.sleep(0)

        with scheduler.listen("a", lambda: log.work("a", 3)) as job:
            await asyncio.gather(job.over.wait(), bystander())
        assert "".join(log.lines) in {"-a0-a1-a2", "a0-a1-a2-"}

    run(main)


def test_equal_inputs_share_a_training() -> None:
    async def main() -> None:
        log = Log()
        kept: list[str] = []
        scheduler = Scheduler(SETTINGS, lambda key, _: kept.append(key))

        async def wait() -> Trained:
            with scheduler.listen("same", lambda: log.work("a", 5)) as job:
                await job.over.wait()
                return job.result()

        assert await asyncio.gather(*(wait() for _ in range(10))) == [ONE] * 10
        assert log.lines == [f"a{number}" for number in range(5)]
        assert kept == ["same"]

    run(main)


def test_w3_a_training_that_nobody_waits_for_is_dropped() -> None:
    async def main() -> None:
        log = Log()
        kept: list[str] = []
        scheduler = Scheduler(SETTINGS, lambda key, _: kept.append(key))
        with scheduler.listen("a", lambda: log.work("a", 1000)):
            await asyncio.sleep(0)
        await until(lambda: not len(scheduler))
        assert log.lines == ["a0", "a closed"]
        assert kept == []

    run(main)


def test_one_listener_is_enough() -> None:
    async def main() -> None:
        log = Log()
        scheduler = Scheduler(SETTINGS, ignore)
        with scheduler.listen("a", lambda: log.work("a", 20)) as job:
            with scheduler.listen("a", lambda: log.work("a", 20)):
                await asyncio.sleep(0)
            await job.over.wait()
            assert job.result() is ONE

    run(main)


def test_a_dropped_training_can_begin_anew_at_once() -> None:
    async def main() -> None:
        log = Log()
        scheduler = Scheduler(SETTINGS, ignore)
        with scheduler.listen("a", lambda: log.work("a", 1000)):
            await asyncio.sleep(0)
        with scheduler.listen("a", lambda: log.work("b", 2)) as job:
            await job.over.wait()
            assert job.result() is ONE
        await until(lambda: not len(scheduler))
        assert log.lines[-2:] != []
        assert "a closed" in log.lines

    run(main)


def test_so_many_are_worked_on_at_a_time_and_small_ones_need_not_wait() -> None:
    async def main() -> None:
        log = Log()
        settings = replace(SETTINGS, trainings_active_max=3, trainings_small_places=1)
        scheduler = Scheduler(settings, ignore)
        with ExitStack() as stack:
            jobs = [
                stack.enter_context(scheduler.listen(name, lambda name=name: log.work(name, 3), is_small=name < "c"))  # type: ignore[misc]  # bound early
                for name in "xyzab"
            ]
            for job in jobs:
                await job.over.wait()
        # Two large ones and a small one; then the next of each kind, where one of its kind has ended.
        assert log.lines[:3] == ["x0", "y0", "a0"]
        assert set(log.lines[9:]) == {"z0", "z1", "z2", "b0", "b1", "b2"}

    run(main)


def test_one_that_waits_can_be_left() -> None:
    async def main() -> None:
        log = Log()
        scheduler = Scheduler(replace(SETTINGS, trainings_active_max=1, trainings_small_places=0), ignore)
        with scheduler.listen("x", lambda: log.work("x", 1_000)):
            with scheduler.listen("y", lambda: log.work("y", 1_000)):
                await asyncio.sleep(0)
            await until(lambda: len(scheduler) == 1)
        await until(lambda: not len(scheduler))
        assert "y0" not in log.lines

    run(main)


def test_too_many_are_refused() -> None:
    async def main() -> None:
        scheduler = Scheduler(replace(SETTINGS, trainings_max=1), ignore)
        log = Log()
        with scheduler.listen("a", lambda: log.work("a", 1000)):
            with pytest.raises(Busy), scheduler.listen("b", lambda: log.work("b", 1)):
                raise AssertionError
            # The one under way takes any number of listeners.
            with scheduler.listen("a", lambda: log.work("a", 1)):
                pass

    run(main)


def test_a_failure_reaches_those_who_wait_and_nobody_else() -> None:
    async def main() -> None:
        log = Log()
        scheduler = Scheduler(SETTINGS, ignore)
        with (
            scheduler.listen("a", lambda: log.work("a", 2, fails=True)) as a,
            scheduler.listen("b", lambda: log.work("b", 5)) as b,
        ):
            await a.over.wait()
            await b.over.wait()
            with pytest.raises(RuntimeError, match="a"):
                a.result()
            assert b.result() is ONE

    run(main)


def test_what_cannot_be_kept_fails_alone() -> None:
    async def main() -> None:
        def refuse(key: str, _trained: Trained) -> None:
            if key == "a":
                raise MemoryError

        log = Log()
        scheduler = Scheduler(SETTINGS, refuse)
        with scheduler.listen("a", lambda: log.work("a", 1)) as a, scheduler.listen("b", lambda: log.work("b", 3)) as b:
            await a.over.wait()
            await b.over.wait()
            with pytest.raises(MemoryError):
                a.result()
            assert b.result() is ONE

    run(main)


class Clock:
    """Passes so much at each portion."""

    def __init__(self, *portions_ms: float) -> None:
        self.left = [0.0, *portions_ms]
        self.now = 0.0

    def __call__(self) -> float:
        # Looked at when a slice begins, and after each portion.
        self.now += self.left.pop(0) / 1000 if self.left else 0.0
        return self.now


def test_a_slice_holds_as_many_portions_as_fit() -> None:
    async def main() -> None:
        log = Log()
        slices: list[int] = []

        async def gate(_: Progress) -> None:
            slices.append(len(log.lines))

        # Three of 1 ms and one of 2 ms: one more of 2 ms would not fit into 6 ms. Then one long one alone.
        clock = Clock(1, 1, 1, 2, 0, 9, 0, 1, 5)
        scheduler = Scheduler(replace(SETTINGS, slice_target_ms=6.0), ignore, gate=gate, clock=clock)
        with scheduler.listen("a", lambda: log.work("a", 7)) as job:
            await job.over.wait()
        assert slices == [0, 4, 5, 7]

    run(main)


def test_the_gate_holds_a_training_and_lets_it_go_when_nobody_waits() -> None:
    async def main() -> None:
        log = Log()
        opened = asyncio.Event()
        reached = asyncio.Event()

        async def gate(progress: Progress) -> None:
            if progress.merges >= 2:
                reached.set()
                await opened.wait()

        scheduler = Scheduler(SETTINGS, ignore, gate=gate)
        with scheduler.listen("a", lambda: log.work("a", 10)) as job:
            await reached.wait()
            assert job.latest.merges == 2
        await until(lambda: not len(scheduler))
        assert log.lines == ["a0", "a1", "a2", "a closed"]
        opened.set()
        with scheduler.listen("b", lambda: log.work("b", 10)) as job:
            await job.over.wait()
            assert job.result() is ONE

    run(main)


def test_waiting_for_the_end_has_a_bound() -> None:
    async def main() -> None:
        job = Job(Log().work("a", 1))
        assert not await job.is_over_within(0.001)
        job.finish(result=ONE)
        assert await job.is_over_within(0)

    run(main)
