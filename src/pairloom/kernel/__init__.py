"""The inner loops, counting, training and encoding, and the only place that may have two implementations.

`pure` is plain Python; `compiled` is the extension module `pairloom.kernel._compiled`, built where there is a C
compiler. Their answers are equal, errors included. The environment variable `PAIRLOOM_KERNEL` forces one: `pure` or
`compiled`; without it the fastest one there is runs. The choice is made once, when the core is imported.
"""

from __future__ import annotations

import os
from importlib import import_module

from pairloom.errors import KernelUnavailable
from pairloom.kernel.pure_columns import merged_columns, sorted_columns, table_of_columns, word_hash
from pairloom.kernel.pure_counting import WordCounter
from pairloom.kernel.pure_encoding import TextEncoder, code_points_of, last_cut, little_endian
from pairloom.kernel.pure_merging import MergedWord, MergeTable
from pairloom.kernel.pure_training import LearnedPair, TrainingRun

__all__ = [
    "KERNEL",
    "LearnedPair",
    "MergeTable",
    "MergedWord",
    "TextEncoder",
    "TrainingRun",
    "WordCounter",
    "choose_kernel",
    "code_points_of",
    "last_cut",
    "little_endian",
    "merged_columns",
    "sorted_columns",
    "table_of_columns",
    "word_hash",
]

_COMPILED = "pairloom.kernel._compiled"


def choose_kernel(requested: str) -> str:
    """Return the name of the implementation to run.

    Raises:
        KernelUnavailable: an unknown name, or one that is not installed.
    """
    if requested not in ("", "pure", "compiled"):
        raise KernelUnavailable(requested=requested, reason="the choices are pure and compiled")
    if requested == "pure":
        return "pure"
    try:
        import_module(_COMPILED)
    except ImportError as error:
        if requested:
            reason = f"it was not built, or does not load here ({error}); install again with a C compiler, or unset it"
            raise KernelUnavailable(requested=requested, reason=reason) from error
        return "pure"
    return "compiled"


KERNEL = choose_kernel(os.environ.get("PAIRLOOM_KERNEL", ""))
if KERNEL == "compiled":
    # Type checkers go by the plain ones, whose signatures these have.
    WordCounter = import_module(_COMPILED).WordCounter  # type: ignore[misc]
    TrainingRun = import_module(_COMPILED).TrainingRun  # type: ignore[misc]
    merged_columns = import_module(_COMPILED).merged_columns
    sorted_columns = import_module(_COMPILED).sorted_columns
    table_of_columns = import_module(_COMPILED).table_of_columns
    word_hash = import_module(_COMPILED).word_hash
    TextEncoder = import_module(_COMPILED).TextEncoder  # type: ignore[misc]
    code_points_of = import_module(_COMPILED).code_points_of
    last_cut = import_module(_COMPILED).last_cut
    little_endian = import_module(_COMPILED).little_endian
