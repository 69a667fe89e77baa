"""Where the figures were measured: enough to judge them, nothing that names the machine or its owner."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from benchmarks.processes import ROOT


def describe(peers: Iterable[str]) -> dict[str, str]:
    """Return processor, cores, system, Python, the commit, and the versions of ours and of the peers measured."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release().split('-')[0]} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "pairloom": f"{_version('pairloom')}, {_kernel()}, {_commit()}",
    } | {peer: _version(peer) for peer in peers}


def load() -> str:
    """Return the load average of the last minute: above the number of cores, figures are to be doubted."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _kernel() -> str:
    from pairloom import kernel  # the report can be made without the package

    return f"{kernel.KERNEL} kernel"


def _commit() -> str:
    if shutil.which("git") is None:
        return "unknown commit"
    command = ["git", "describe", "--always", "--dirty=+", "--abbrev=10"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout.strip() or "unknown commit"
