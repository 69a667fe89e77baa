"""Encoding a dataset: rows and columns are kept, IDs are the model's, and the files are the same for any workers."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pairloom
from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.encoded_tables import EncodeSettings
from pairloom.corpus.encoding import encode_files
from pairloom.corpus.engines import InThisProcess
from pairloom.corpus.inputs import find_files
from pairloom.corpus.libraries import library
from pairloom.corpus.processes import Processes
from pairloom.corpus.shards import cut_into_shards
from pairloom.corpus.storage import Folder
from pairloom.errors import SettingError
from tests.corpus.corpora import KINDS, write
from tests.corpus.faults import killed, killing

parquet = library("pyarrow.parquet")

TEXTS = ["low low lower", "", "newest  widest\u00a0low", "Straße ✓ low"]
MODEL = pairloom.train(["low low lower", "newest widest"], merge_limit=20)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("*.parquet")) for row in parquet.read_table(path).to_pylist()]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"data{kind}", TEXTS)
    encoded = corpus.encode(path, MODEL, output=tmp_path / "out")
    rows = rows_of(tmp_path / "out")
    assert [row["text"] for row in rows] == TEXTS
    assert [row["ids"] for row in rows] == [list(MODEL.encode(text).ids) for text in TEXTS]
    extra = {".parquet": "number", ".jsonl": "n"}.get(
        next(form for form in (".parquet", ".jsonl", ".txt") if form in kind)
    )
    if extra is not None:
        assert [row[extra] for row in rows] == [0, 1, 2, 3]
    assert (encoded.rows, encoded.tokens) == (4, sum(len(row["ids"]) for row in rows))
    assert encoded.unknown == sum(row["ids"].count(None) for row in rows) > 0


def test_what_the_metadata_say(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", TEXTS)
    corpus.encode(tmp_path / "a.parquet", MODEL, output=tmp_path / "out", prefix=3)
    schema = parquet.read_schema(tmp_path / "out" / "part-00000-of-00001.parquet")
    said = json.loads(schema.metadata[b"pairloom"])
    assert said["fingerprint"] == MODEL.fingerprint
    assert (said["prefix"], said["vocabulary_size"]) == (3, len(MODEL.vocabulary))
    assert str(schema.field("ids").type) == "large_list<element: uint16>" or "uint16" in str(schema.field("ids").type)
    assert rows_of(tmp_path / "out")[0]["ids"] == list(MODEL.encode(TEXTS[0], 3).ids)


def test_large_vocabularies_take_32_bits(tmp_path: Path) -> None:
    alphabet = "".join(chr(point) for point in range(0x4E00, 0x4E00 + 300))
    pairs = [(left, right) for left in alphabet for right in alphabet][:66_000]
    model = pairloom.Model.from_merges(alphabet, pairs, marker=False)
    write(tmp_path / "a.txt", [pairs[-1][0] + pairs[-1][1]])
    corpus.encode(tmp_path / "a.txt", model, output=tmp_path / "out")
    assert rows_of(tmp_path / "out")[0]["ids"] == [66_299]


def test_the_files_are_the_same_for_any_workers_killed_ones_too(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n}.jsonl.gz", TEXTS * 20) for n in range(4)]
    corpus.encode(paths, MODEL, output=tmp_path / "one")
    corpus.encode(paths, MODEL, output=tmp_path / "two", workers=2)
    corpus.encode(paths, MODEL, output=tmp_path / "killed", engine=killing(Processes(2), tmp_path / "attempts", 1))
    assert contents(tmp_path / "one") == contents(tmp_path / "two") == contents(tmp_path / "killed")
    assert killed(tmp_path / "attempts") > 0


def test_many_shards_keep_the_order_of_the_rows(tmp_path: Path) -> None:
    texts = [f"low {number}" for number in range(500)]
    for kind in (".txt", ".jsonl", ".parquet"):
        path = write(tmp_path / f"a{kind}", texts, row_group_size=20)
        shards = cut_into_shards(find_files(path), shard_bytes=400)
        assert len(shards) > 5
        folder = tmp_path / f"out{kind}"
        encoded = encode_files(
            shards,
            MODEL,
            EncodeSettings(),
            folder=Folder(str(folder)),
            engine=InThisProcess(),
            resume=False,
            on_progress=lambda _: None,
        )
        assert len(encoded.parts) == len(shards)
        assert [row["text"] for row in rows_of(folder)] == texts


def test_resuming_encodes_only_what_is_left(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n}.txt", TEXTS) for n in range(3)]
    corpus.encode(paths, MODEL, output=tmp_path / "out")
    before = contents(tmp_path / "out")
    (tmp_path / "out" / "part-00001-of-00003.parquet").unlink()
    for path in (paths[0], paths[2]):
        path.chmod(0)
    with pytest.raises(errors.WorkFolderError, match="resume=True"):
        corpus.encode(paths, MODEL, output=tmp_path / "out")
    stamps = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.parquet")}
    corpus.encode(paths, MODEL, output=tmp_path / "out", resume=True)
    assert contents(tmp_path / "out") == before
    after = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.parquet")}
    assert {name for name in after if stamps.get(name) != after[name]} == {"part-00001-of-00003.parquet"}
    other = pairloom.train("another model", merge_limit=2)
    with pytest.raises(errors.WorkFolderError, match="and model"):
        corpus.encode(paths, other, output=tmp_path / "out", resume=True)


def _longer(path: Path) -> None:
    write(path, ["lower", "low"])


def _as_long(path: Path) -> None:
    path.write_bytes(b"low\nlowel\n")
    os.utime(path, (1, 1))


def _touched(path: Path) -> None:
    os.utime(path, (1, 1))


@pytest.mark.parametrize("change", [_longer, _as_long, _touched])
@pytest.mark.parametrize("is_link", [False, True])
def test_a_source_that_has_changed_is_encoded_anew(change: Any, *, is_link: bool, tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n}.txt", ["low", "lower"]) for n in range(3)]
    named = paths
    if is_link:
        named = [tmp_path / f"link-{n}.txt" for n in range(3)]
        for link, path in zip(named, paths, strict=True):
            link.symlink_to(path)
    corpus.encode(named, MODEL, output=tmp_path / "out")
    parts = sorted((tmp_path / "out").glob("part-*"))
    stamps = [path.stat().st_mtime_ns for path in parts]
    change(paths[1])
    encoded = corpus.encode(named, MODEL, output=tmp_path / "out", resume=True)
    assert [path.stat().st_mtime_ns == stamp for path, stamp in zip(parts, stamps, strict=True)] == [True, False, True]
    corpus.encode(named, MODEL, output=tmp_path / "anew")
    assert contents(tmp_path / "out") == contents(tmp_path / "anew")
    assert encoded.rows == 6


def test_rows_that_hold_no_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", ["low", None, "a▁b"])
    with pytest.raises(errors.BadText, match=r'row 2: .*on_bad_text="null"'):
        corpus.encode(path, MODEL, output=tmp_path / "out")
    encoded = corpus.encode(path, MODEL, output=tmp_path / "nulls", on_bad_text="null")
    assert encoded.null_rows == 2
    assert [row["ids"] for row in rows_of(tmp_path / "nulls")] == [list(MODEL.encode("low").ids), None, None]


def test_fields_that_only_some_lines_have(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "low", "a": 1}\n{"text": "low"}\n')
    (tmp_path / "b.jsonl").write_text('{"b": [1.5], "text": "lower"}\n')
    corpus.encode([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], MODEL, output=tmp_path / "out")
    ids = [list(MODEL.encode(text).ids) for text in ("low", "low", "lower")]
    assert rows_of(tmp_path / "out") == [
        {"text": "low", "a": 1, "b": None, "ids": ids[0]},
        {"text": "low", "a": None, "b": None, "ids": ids[1]},
        {"text": "lower", "a": None, "b": [1.5], "ids": ids[2]},
    ]


def test_strings_of_json_stay_strings_dates_too(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"text": "2020-01-01", "day": "2020-01-01T10:00:00Z", "deep": [{"day": "2020-01-02"}]},
        {"text": "2020-01-02", "day": "2020-01-02", "deep": []},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "b.jsonl").write_text('{"text": "low", "day": "unknown"}\n')
    corpus.encode([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], MODEL, output=tmp_path / "out")
    rows = rows_of(tmp_path / "out")
    assert [{name: row[name] for name in lines[0]} for row in rows[:2]] == lines
    assert [row["day"] for row in rows[2:]] == ["unknown"]


def test_files_of_several_kinds_have_the_columns_of_all(tmp_path: Path) -> None:
    arrow = library("pyarrow")
    (tmp_path / "a.txt").write_text("low\n")
    (tmp_path / "b.jsonl").write_text('{"text": "lower", "n": 1}\n')
    field = arrow.field("must", arrow.int64(), nullable=False)
    schema = arrow.schema([arrow.field("text", arrow.string()), field])
    parquet.write_table(arrow.table({"text": ["low"], "must": [2]}, schema=schema), tmp_path / "c.parquet")
    paths = [tmp_path / name for name in ("a.txt", "b.jsonl", "c.parquet")]
    corpus.encode(paths, MODEL, output=tmp_path / "out")
    assert [(row["text"], row["n"], row["must"]) for row in rows_of(tmp_path / "out")] == [
        ("low", None, None),
        ("lower", 1, None),
        ("low", None, 2),
    ]


def test_inputs_that_change_to_and_fro(tmp_path: Path) -> None:
    first, second = (write(tmp_path / f"{text}.txt", [text]) for text in ("low", "lower"))
    for number, path in enumerate((first, second, first)):
        corpus.encode(path, MODEL, output=tmp_path / "out", resume=number > 0)
        assert [row["text"] for row in rows_of(tmp_path / "out")] == [path.stem]


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    (tmp_path / "out").mkdir()
    other = write(tmp_path / "out" / "part-00000-of-00001.parquet", TEXTS)
    before = other.read_bytes()
    with pytest.raises(errors.WorkFolderError, match=r"part-00000-of-00001\.parquet is there already"):
        corpus.encode(path, MODEL, output=tmp_path / "out")
    with pytest.raises(errors.NoInput, match="it lies in the folder of the result"):
        corpus.encode(other, MODEL, output=tmp_path / "out")
    assert other.read_bytes() == before
    assert [found.name for found in (tmp_path / "out").iterdir()] == [other.name]


@pytest.mark.parametrize(
    ("name", "data", "error", "says"),
    [
        ("a.jsonl", b'{"text": 1}\n', errors.ShardError, "no strings"),
        ("a.jsonl", b'{"body": "a"}\n', errors.ShardError, "no column 'text'"),
        ("a.jsonl", b'{"text": "a", "ids": 1}\n', errors.ShardError, "ids_column="),
        ("a.jsonl", b'{"text": "a", "b": "\xff"}\n', errors.ShardError, "'b' is no UTF-8"),
        ("a.jsonl", b"no\n", errors.ShardError, "no JSON"),
        ("a.jsonl", b'{"text": "\\ud800"}\n', errors.ShardError, "no JSON"),
        ("a.txt", b"a\n\xff\n", errors.BadText, "row 1"),
        ("a.txt.gz", b"x", errors.ShardError, "damaged"),
        ("a.parquet", b"x", errors.ShardError, "no Parquet"),
    ],
)
def test_what_is_refused(name: str, data: bytes, error: type[Exception], says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(error, match=says):
        corpus.encode(tmp_path / name, MODEL, output=tmp_path / "out", on_bad_text="null")


def test_settings(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    for wrong in ({"output": None}, {"ids_column": "text"}, {"on_bad_text": "skip"}, {"prefix": 999}):
        with pytest.raises(SettingError):
            corpus.encode(path, MODEL, **({"output": tmp_path / "out"} | wrong))


def test_other_libraries_read_it(tmp_path: Path) -> None:
    duckdb, polars = import_module("duckdb"), import_module("polars")
    paths = [write(tmp_path / f"{n}.parquet", TEXTS) for n in range(2)]
    corpus.encode(paths, MODEL, output=tmp_path / "out")
    expected = [list(MODEL.encode(text).ids) for text in TEXTS] * 2
    pattern = str(tmp_path / "out" / "*.parquet")
    assert library("pyarrow.dataset").dataset(tmp_path / "out").to_table().column("ids").to_pylist() == expected
    assert polars.read_parquet(pattern)["ids"].to_list() == expected
    rows = f"read_parquet('{pattern}', filename = true, file_row_number = true)"
    assert duckdb.sql(f"SELECT ids FROM {rows} ORDER BY filename, file_row_number").fetchall() == [
        (ids,) for ids in expected
    ]
