"""The two inner loops, training and merging one word, and the only place that may have two implementations.

`pure` is plain Python. The environment variable `PAIRLOOM_KERNEL` forces one: `pure` or `compiled`; without it the
fastest one there is runs. The choice is made once, when the core is imported.
"""

from __future__ import annotations

import os

from pairloom.errors import KernelUnavailable
from pairloom.kernel.pure_merging import MergedWord, MergeTable
from pairloom.kernel.pure_training import LearnedPair, TrainingRun

__all__ = ["KERNEL", "LearnedPair", "MergeTable", "MergedWord", "TrainingRun", "choose_kernel"]


def choose_kernel(requested: str) -> str:
    """Return the name of the implementation to run.

    Raises:
        KernelUnavailable: an unknown name, or one that is not installed.
    """
    if requested in ("", "pure"):
        return "pure"
    if requested == "compiled":
        raise KernelUnavailable(requested=requested, reason="this Pairloom has no compiled kernel; unset the variable")
    raise KernelUnavailable(requested=requested, reason="the choices are pure and compiled")


KERNEL = choose_kernel(os.environ.get("PAIRLOOM_KERNEL", ""))
