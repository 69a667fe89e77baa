"""Shards that go wrong in practice, and what has to come of each: an error to the letter, or counts."""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.libraries import library
from pairloom.errors import ForbiddenCodePoint, InvalidUtf8, PairloomError
from tests.corpus.corpora import compressed, write

LONG_WORD_BYTES = 200 * 1024 * 1024


@dataclass(frozen=True)
class Nasty:
    """A shard: its file, what is in it, and the error (class and some details) or the counts that it gives."""

    name: str
    data: Callable[[Path], bytes]
    error: type[PairloomError] | None = None
    details: dict[str, Any] = field(default_factory=dict)
    says: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}{' skipped' if self.settings else ''}"


def _plain(data: bytes) -> Callable[[Path], bytes]:
    return lambda _: data


def _rows(name: str, texts: list[str | None], *, column: str = "text") -> Callable[[Path], bytes]:
    return lambda folder: write(folder / f"made-{name}", texts, column=column).read_bytes()


def _damaged_footer(folder: Path) -> bytes:
    data = _rows("f.parquet", ["a"])(folder)
    return data[:-30] + b"\xff" * 22 + data[-8:]


def _same_name_twice(folder: Path) -> bytes:
    arrow = library("pyarrow")
    twice = arrow.Table.from_arrays([arrow.array(["a"]), arrow.array(["b"])], names=["text", "text"])
    library("pyarrow.parquet").write_table(twice, folder / "made-twice.parquet")
    return (folder / "made-twice.parquet").read_bytes()


GOOD = "low lower\n" * 1000
_SKIP = {"on_bad_text": "skip"}

NASTY = [
    Nasty("invalid.txt", _plain(GOOD.encode() + b"a\xffb"), InvalidUtf8, {"byte_offset": 10_001}),
    Nasty("invalid.txt", _plain(b"low\na\xffb c\nlow\n"), counts={"▁low": 2}, settings=_SKIP),
    Nasty("invalid.txt.gz", _plain(gzip.compress(b"ab \xc3")), InvalidUtf8, {"byte_offset": 3}),
    Nasty(
        "invalid.jsonl",
        _plain(b'{"text": "a"}\n{"text": "\xff"}\n'),
        errors.BadText,
        {"where": "line 2", "error": InvalidUtf8},
    ),
    Nasty(
        "truncated.txt.gz",
        _plain(gzip.compress(GOOD.encode())[:-20]),
        errors.ShardError,
        says="the gzip data is damaged or ends too early",
    ),
    Nasty(
        "truncated.txt.gz",
        _plain(gzip.compress(GOOD.encode())[:-20]),
        errors.ShardError,
        says="fetch the file again",
        settings=_SKIP,
    ),
    Nasty(
        "truncated.txt.zst",
        _plain(compressed(GOOD.encode(), ".zst")[:-5]),
        errors.ShardError,
        says="the zstd data is damaged or ends too early",
    ),
    Nasty("damaged.txt.gz", _plain(b"no gzip at all"), errors.ShardError, says="the gzip data is damaged"),
    Nasty("two-members.txt.gz", _plain(gzip.compress(b"a b") + gzip.compress(b"c a")), counts={"▁a": 2, "▁bc": 1}),
    Nasty(
        "two-frames.txt.zst",
        _plain(compressed(b"a b", ".zst") + compressed(b"c a", ".zst")),
        counts={"▁a": 2, "▁bc": 1},
    ),
    Nasty(
        "bomb.txt.gz",
        _plain(gzip.compress(b"a " * (40 << 20), compresslevel=1)),
        errors.ShardError,
        says="expands to more than 3 times",
        settings={"max_expansion": 3},
    ),
    Nasty("empty.txt", _plain(b"")),
    Nasty("empty.jsonl", _plain(b"")),
    Nasty("empty.parquet", _rows("empty.parquet", [])),
    Nasty("empty.parquet", _plain(b""), errors.ShardError, says="no Parquet"),
    Nasty("empty.txt.gz", _plain(b""), errors.ShardError, says="which no gzip file is"),
    Nasty("empty.txt.zst", _plain(b""), errors.ShardError, says="which no zstd file is"),
    Nasty("empty-inside.txt.gz", _plain(gzip.compress(b""))),
    Nasty("footer.parquet", _damaged_footer, errors.ShardError, says="no Parquet"),
    Nasty("twice.parquet", _same_name_twice, errors.ShardError, says="there are 2 columns 'text'"),
    Nasty("a::b.txt", _plain(b"low"), counts={"▁low": 1}),
    Nasty("white.txt", _plain("\t\n \u3000\ufeff\u2028".encode())),
    Nasty("white.jsonl", _plain(b'\n  \n{"text": " \\u2003 "}\n')),
    Nasty("bom.txt", _plain(codecs.BOM_UTF8 + b"low"), counts={"▁low": 1}),
    Nasty("bom.jsonl", _plain(codecs.BOM_UTF8 + b'{"text": "low"}\n'), counts={"▁low": 1}),
    Nasty("utf-16.txt", _plain("low".encode("utf-16")), InvalidUtf8, {"byte_offset": 0}),
    Nasty(
        "utf-16.jsonl",
        _plain('{"text": "low"}\n'.encode("utf-16")),
        errors.BadText,
        {"where": "line 1", "error": InvalidUtf8},
    ),
    Nasty("no-column.parquet", _rows("c.parquet", ["a"], column="body"), errors.ShardError, says="no column 'text'"),
    Nasty(
        "no-column.parquet",
        _rows("c.parquet", ["a"], column="body"),
        errors.ShardError,
        says="there are: number, body",
        settings=_SKIP,
    ),
    Nasty(
        "numbers.parquet",
        _rows("n.parquet", ["a"]),
        errors.ShardError,
        says="no strings",
        settings={"column": "number"},
    ),
    Nasty("no-field.jsonl", _plain(b'{"body": "a"}\n'), errors.BadText, {"where": "line 1", "error": errors.NoText}),
    Nasty("no-field.jsonl", _plain(b'{"body": "a"}\n{"text": "b"}'), counts={"▁b": 1}, settings=_SKIP),
    Nasty("null.parquet", _rows("u.parquet", ["a", None]), errors.BadText, {"where": "row 1", "error": errors.NoText}),
    Nasty("null.parquet", _rows("u.parquet", ["a", None]), counts={"▁a": 1}, settings=_SKIP),
    Nasty("no-json.jsonl", _plain(b'{"text": "a"}\nno\n'), errors.BadText, {"where": "line 2", "error": errors.NoText}),
    Nasty("deep.jsonl", _plain(b"[" * 200_000), errors.BadText, {"where": "line 1", "error": errors.NoText}),
    Nasty(
        "surrogate.jsonl",
        _plain(b'{"text": "ab\\ud800"}\n'),
        errors.BadText,
        {"where": "line 1", "error": ForbiddenCodePoint},
        says="at position 2",
    ),
    Nasty("pair.jsonl", _plain(b'{"text": "\\ud83d\\ude00"}\n'), counts={"▁😀": 1}),
    Nasty(
        "marker.txt",
        _plain("lów ".encode() * 1000 + "a▁b".encode()),
        errors.BadText,
        {"where": None, "error": ForbiddenCodePoint},
        says="at position 4001",
    ),
    Nasty("marker.txt", _plain("low\na▁b\nlow".encode()), counts={"▁low": 2}, settings=_SKIP),
    Nasty(
        "marker.parquet",
        _rows("m.parquet", ["a", "b▁"]),
        errors.BadText,
        {"where": "row 1", "error": ForbiddenCodePoint},
        says="at position 1",
    ),
]
"""All but the word of 200 MB, which takes its time."""


def check(nasty: Nasty, folder: Path, **engine: Any) -> None:
    """Count the shard among good ones, and see what comes of it."""
    path = folder / nasty.name
    path.write_bytes(nasty.data(folder))
    good = [write(folder / f"good-{number}.txt", ["low lower"]) for number in range(3)]
    paths = [good[0], path, *good[1:]]
    if nasty.error is None:
        counted = corpus.count_words(paths, **engine, **nasty.settings)
        whole = {"▁low": 3, "▁lower": 3}
        for word, count in nasty.counts.items():
            whole[word] = whole.get(word, 0) + count
        assert dict(counted.counts) == whole
        return
    with pytest.raises(nasty.error) as refused:
        corpus.count_words(paths, **engine, **nasty.settings)
    details = refused.value.details
    assert str(path) in str(refused.value), "the shard is named"
    assert nasty.says in str(refused.value)
    for name, value in nasty.details.items():
        found = details[name]
        assert (type(found) if isinstance(value, type) else found) == value


def check_long_word(folder: Path, **engine: Any) -> None:
    """A word of 200 MB is a word like any other."""
    path = folder / "long.txt"
    path.write_bytes(b"low " + b"x" * LONG_WORD_BYTES + b" low\n")
    counted = corpus.count_words(path, **engine)
    assert counted.counts["▁low"] == 2
    assert sorted(map(len, counted.counts)) == [4, LONG_WORD_BYTES + 1]
    path.unlink()
