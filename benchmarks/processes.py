"""One fresh process a measurement, and what it cost: CPU time, wall time, peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class ProgramError(Exception):
    """A measured process ended with an error; the message is its standard error."""


def run_python(arguments: Sequence[str]) -> dict[str, float]:
    """Run this Python with the arguments; return the process's cost and the figures that it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    output, errors = _read(process)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # wait4 has reaped it: tell Popen
    wall = time.perf_counter() - start
    if process.returncode != 0:
        raise ProgramError(f"python {' '.join(arguments)} ended with {process.returncode}:\n{errors.decode()}")
    cost = {
        "process_ms": (usage.ru_utime + usage.ru_stime) * 1e3,
        "wall_ms": wall * 1e3,
        # An upper bound: it holds what the parent held at the start. The programs that can tell print their own.
        "peak_mb": usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2),
    }
    return cost | (json.loads(output) if output.strip() else {})


def _read(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Read both pipes to their end without waiting for the process: the programs print a line, errors come last."""
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        return process.stdout.read(), process.stderr.read()
