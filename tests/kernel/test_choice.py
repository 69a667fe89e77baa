"""Which kernel runs is chosen once, by one variable, and never guessed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pairloom import kernel
from pairloom.errors import KernelUnavailable

USE = "import pairloom; from pairloom import kernel; pairloom.train('aaaa'); print(kernel.KERNEL)"


def run(value: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: text for name, text in os.environ.items() if name != "PAIRLOOM_KERNEL"}
    if value is not None:
        environment["PAIRLOOM_KERNEL"] = value
    return subprocess.run([sys.executable, "-c", USE], env=environment, capture_output=True, text=True, check=False)


def test_one_of_them_runs() -> None:
    assert kernel.KERNEL in ("pure", "compiled")
    assert run(None).stdout.strip() in ("pure", "compiled")
    assert run("").stdout == run(None).stdout
    assert run("pure").stdout.strip() == "pure"


@pytest.mark.parametrize("requested", ["fast", "PURE", "pure ", "0", "none"])
def test_a_kernel_that_there_is_not(requested: str) -> None:
    with pytest.raises(KernelUnavailable) as caught:
        kernel.choose_kernel(requested)
    assert caught.value.requested == requested
    failed = run(requested)
    assert failed.returncode != 0
    assert "KernelUnavailable" in failed.stderr


def test_the_compiled_one_is_there_or_refused() -> None:
    """Whoever forces it gets it or an error, never the other one in silence."""
    done = run("compiled")
    assert done.stdout.strip() == "compiled" or "KernelUnavailable" in done.stderr
