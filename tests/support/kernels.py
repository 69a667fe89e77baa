"""The kernels that this installation has, and running one of them whichever was chosen when the core was imported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest

from pairloom import kernel
from pairloom.kernel import pure_columns, pure_counting, pure_encoding, pure_training

_PURE: dict[str, Any] = {
    "WordCounter": pure_counting.WordCounter,
    "TrainingRun": pure_training.TrainingRun,
    "TextEncoder": pure_encoding.TextEncoder,
    "last_cut": pure_encoding.last_cut,
    "code_points_of": pure_encoding.code_points_of,
    "merged_columns": pure_columns.merged_columns,
    "sorted_columns": pure_columns.sorted_columns,
    "table_of_columns": pure_columns.table_of_columns,
    "word_hash": pure_columns.word_hash,
    "little_endian": pure_encoding.little_endian,
}


def _kernels() -> dict[str, dict[str, Any]]:
    found = {"pure": _PURE}
    try:
        compiled = import_module("pairloom.kernel._compiled")
    except ImportError:
        # Without a C compiler everything works; on CI there is one, and whatever keeps the kernel from being built or
        # from loading is a fault.
        if os.environ.get("CI") == "true" and os.environ.get("PAIRLOOM_KERNEL") != "pure":
            raise
    else:
        found["compiled"] = {name: getattr(compiled, name) for name in _PURE}
    return found


KERNELS = _kernels()

on_every_kernel = pytest.mark.parametrize("kernel_name", KERNELS)
needs_compiled = pytest.mark.skipif("compiled" not in KERNELS, reason="the compiled kernel was not built here")

limits_the_address_space = pytest.mark.skipif(
    "PAIRLOOM_SANITIZED" in os.environ, reason="the address sanitizer reserves terabytes of the address space"
)


def program(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own that uses the compiled kernel, and return how it ended."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, "PAIRLOOM_KERNEL": "compiled", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def running(kernel_name: str) -> Iterator[None]:
    """Let the core use this kernel inside the block."""
    before = {name: getattr(kernel, name) for name in _PURE}
    for name, part in KERNELS[kernel_name].items():
        setattr(kernel, name, part)
    try:
        yield
    finally:
        for name, part in before.items():
            setattr(kernel, name, part)
