"""Small corpora in files of every kind, and what counting them one by one in memory gives."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pairloom
from pairloom.corpus.libraries import library
from pairloom.word_counts import count_words

pyarrow, parquet = library("pyarrow"), library("pyarrow.parquet")

COMPRESSIONS = ("", ".gz", ".zst")
FORMATS = (".txt", ".jsonl", ".parquet")
KINDS = [form + compression for form in FORMATS for compression in COMPRESSIONS]


def compressed(data: bytes, suffix: str) -> bytes:
    """The bytes of a file with this suffix."""
    if suffix.endswith(".gz"):
        return gzip.compress(data)
    if suffix.endswith(".zst"):
        sink = pyarrow.BufferOutputStream()
        with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(data)
        return bytes(sink.getvalue())
    return data


def write(path: Path, texts: Sequence[Any], *, column: str = "text", row_group_size: int | None = None) -> Path:
    """Write texts as the file's suffixes say: plain text a line each."""
    name = path.name
    if ".parquet" in name:
        sink = pyarrow.BufferOutputStream()
        rows = pyarrow.table({"number": list(range(len(texts))), column: pyarrow.array(texts, pyarrow.string())})
        parquet.write_table(rows, sink, row_group_size=row_group_size)
        data = bytes(sink.getvalue())
    elif ".jsonl" in name:
        data = b"".join(json.dumps({"n": n, column: text}).encode() + b"\n" for n, text in enumerate(texts))
    else:
        data = "".join(f"{text}\n" for text in texts).encode()
    path.write_bytes(compressed(data, path.suffix))
    return path


def expected(texts: Sequence[str], **settings: Any) -> pairloom.WordCounts:
    """The counts of texts that were never in a file."""
    return count_words(texts, **settings)
