"""What runs in the fresh processes: each module does one thing, times its parts and prints the figures as JSON.

A figure's name ends in its unit: `_ms` is CPU time of the part alone (imports and reading the text left out), a
name without unit is a count that must come out the same each time.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Figures:
    """Collects the figures of one process and prints them."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}

    @contextmanager
    def time(self, name: str) -> Iterator[None]:
        """Add the CPU time of the block under `name`, in milliseconds."""
        start = time.process_time_ns()
        yield
        self.values[name] = (time.process_time_ns() - start) / 1e6

    def print(self) -> None:
        """Write the figures to standard output, one JSON object on one line."""
        print(json.dumps(self.values | peak()))


def peak() -> dict[str, float]:
    """Return this process's peak memory where the system tells it apart from the parent's (Linux)."""
    if sys.platform != "linux":
        return {}
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123  # pathlib would count, too
        kib = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return {"peak_mb": kib / 1024}
