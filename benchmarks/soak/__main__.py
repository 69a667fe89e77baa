"""`make soak`: a crowd trains the costliest texts while one visitor encodes and somebody asks whether all is well.

Two phases: without and with 500 sockets that send a byte a second. Held against the promises: 99 of 100 answers to the
visitor under 300 ms and 99 of 100 of `/healthz` under 100 ms, at least 500 probes of each, no answer to the crowd but
200 and 503 with Retry-After, and memory after the third round within a tenth of the first. The clients run with `nice`,
since they share the machine with the server. The crowd goes on until there were enough rounds and probes.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from benchmarks.soak.http import ask

CLIENTS = 40
ROUNDS = 3
# Where the crowd ends by itself, whatever happens to us.
MOST_ROUNDS = 30
PROBES = 500
SOCKETS = 500
PAUSE_S = 0.05
TEXT = "the quick brown fox jumps over the lazy dog " * 20
INPUTS = {"corpus": "the fox and the dog jump over the lazy quick brown fox " * 30, "merge_limit": "1000"}


@contextmanager
def server() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run the server program; yield it with its port."""
    command = [sys.executable, "-m", "pairloom", "serve", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r":(\d+)/", line)
    assert found, line
    try:
        yield process, int(found[1])
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def niced(module: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run a crowd in the background."""
    command = ["nice", "-n", "10", sys.executable, "-m", f"benchmarks.soak.{module}", *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


def resident_mb(process: subprocess.Popen[str]) -> float:
    """Return the memory that a process holds."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


class Visitor:
    """Somebody who encodes, and somebody who asks whether all is well, at a steady pace."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.key = ""
        self.encode_ms: list[float] = []
        self.health_ms: list[float] = []
        self.failures: list[str] = []

    async def begin(self) -> None:
        """Train the small model that the visitor encodes with."""
        reply = await ask(self.port, "POST", "/workbench/train", INPUTS)
        found = re.search(rb'name="key" value="(\w+)"', reply.body)
        assert found, reply
        self.key = found[1].decode()

    async def probe(self) -> None:
        """Ask once for each."""
        form = {"key": self.key, "prefix": "20", "text": TEXT, **INPUTS}
        self.encode_ms.append(await self._timed("POST", "/workbench/encode", form))
        self.health_ms.append(await self._timed("GET", "/healthz"))
        await asyncio.sleep(PAUSE_S)

    async def _timed(self, method: str, path: str, form: dict[str, str] | None = None) -> float:
        begin = time.perf_counter()
        reply = await ask(self.port, method, path, form)
        if reply.status != 200:
            self.failures.append(f"{path}: {reply.status} {reply.body[:80]!r}")
        return (time.perf_counter() - begin) * 1000


async def phase(process: subprocess.Popen[str], port: int, name: str) -> bool:
    """Run the rounds with a visitor beside them; print the figures and say whether the promises hold."""
    visitor = Visitor(port)
    await visitor.begin()
    loop = asyncio.get_running_loop()
    memory: list[float] = []
    good = True
    with niced("crowd", port, CLIENTS, MOST_ROUNDS) as crowd:
        assert crowd.stdout is not None
        line = loop.run_in_executor(None, crowd.stdout.readline)
        while len(memory) < ROUNDS or len(visitor.encode_ms) < PROBES:
            await visitor.probe()
            if line.done():
                if not line.result():
                    break
                told = json.loads(line.result())
                memory.append(resident_mb(process))
                came = f"{told['answers']} in {told['s']} s"
                print(f"  {name}, round {told['round']}: {came}, {memory[-1]:.0f} MB", flush=True)
                good &= not any(answer.startswith("failed") for answer in told["answers"])
                line = loop.run_in_executor(None, crowd.stdout.readline)
    under_load = len(visitor.encode_ms)
    good &= report(name, visitor, memory)
    print(f"  {under_load} probes of each while the crowd was training; load {os.getloadavg()[0]:.1f}", flush=True)
    return good and len(memory) >= ROUNDS and under_load >= PROBES


def spread(values: list[float]) -> str:
    """Return the percentiles that matter."""
    return (
        f"99th percentile {quantiles(values, n=100)[98]:.0f} ms (median {median(values):.0f}, worst {max(values):.0f})"
    )


def report(name: str, visitor: Visitor, memory: list[float]) -> bool:
    """Print what was measured beside what was promised."""
    failures = f"{len(visitor.failures)} {visitor.failures[:3]}"
    lines = [
        (f"encode: {spread(visitor.encode_ms)}", quantiles(visitor.encode_ms, n=100)[98] < 300),
        (f"healthz: {spread(visitor.health_ms)}", quantiles(visitor.health_ms, n=100)[98] < 100),
        (
            f"memory: {memory[0]:.0f} MB after the first round, {memory[ROUNDS - 1]:.0f} after the third",
            is_steady(memory),
        ),
        (f"visitor's failures: {failures}", not visitor.failures),
    ]
    for line, holds in lines:
        print(f"  {name}, {line}: {'holds' if holds else 'DOES NOT HOLD'}", flush=True)
    return all(holds for _, holds in lines)


def is_steady(memory: list[float]) -> bool:
    """Whether memory after the third round is within a tenth of that after the first."""
    return memory[ROUNDS - 1] <= memory[0] * 1.1


async def main() -> int:
    """Run both phases."""
    with server() as (process, port):
        good = await phase(process, port, "crowd")
        with niced("trickle", port, SOCKETS):
            good &= await phase(process, port, "crowd and trickle")
    print("all promises hold" if good else "a promise does not hold")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
