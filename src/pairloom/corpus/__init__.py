"""Corpora at any scale: counted by one process, by several or by a Ray cluster, with one result; and encoded likewise.

Needs the extra `corpus` (pyarrow, fsspec), for Ray the extra `ray`. Nothing is loaded before a name is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairloom.corpus.encoding import Encoded, encode
    from pairloom.corpus.engines import Engine
    from pairloom.corpus.errors import (
        BadText,
        NoInput,
        NotEnoughMemory,
        NoText,
        ShardError,
        VersionsDiffer,
        WorkFolderError,
        WorkLost,
    )
    from pairloom.corpus.job import Progress, count_words
    from pairloom.corpus.manifest import Manifest
    from pairloom.corpus.seam import count_batches, merge_tables, word_counts_of
    from pairloom.corpus.table import CorpusCounts
    from pairloom.left_out import LeftOut

_PLACES = {
    "BadText": "errors",
    "CorpusCounts": "table",
    "Encoded": "encoding",
    "Engine": "engines",
    "LeftOut": "table",
    "Manifest": "manifest",
    "NoInput": "errors",
    "NoText": "errors",
    "NotEnoughMemory": "errors",
    "Progress": "job",
    "ShardError": "errors",
    "VersionsDiffer": "errors",
    "WorkFolderError": "errors",
    "WorkLost": "errors",
    "count_batches": "seam",
    "count_words": "job",
    "encode": "encoding",
    "merge_tables": "seam",
    "word_counts_of": "seam",
}

__all__ = [
    "BadText",
    "CorpusCounts",
    "Encoded",
    "Engine",
    "LeftOut",
    "Manifest",
    "NoInput",
    "NoText",
    "NotEnoughMemory",
    "Progress",
    "ShardError",
    "VersionsDiffer",
    "WorkFolderError",
    "WorkLost",
    "count_batches",
    "count_words",
    "encode",
    "merge_tables",
    "word_counts_of",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
