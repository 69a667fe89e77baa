"""Work folders whose records or files say something else than was done: each is refused by name, none is believed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import pairloom
from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.encoding import Encoded
from pairloom.corpus.libraries import library
from pairloom.errors import PairloomError
from tests.corpus.corpora import write

TEXTS = ["low low lower", "newest widest low"]
MODEL = pairloom.train(TEXTS, merge_limit=5)


def count(folder: Path, *, resume: bool = False) -> corpus.CorpusCounts:
    return corpus.count_words(sorted(folder.glob("*.txt")), work_dir=folder / "work", resume=resume)


def encode(folder: Path, *, resume: bool = False) -> Encoded:
    encoded = corpus.encode(sorted(folder.glob("*.txt")), MODEL, output=folder / "work", resume=resume)
    assert isinstance(encoded, Encoded)
    return encoded


JOBS: dict[str, tuple[Callable[..., object], tuple[str, ...]]] = {
    "count": (count, ("job.json", "done/*", "merged/*")),
    "encode": (encode, ("_pairloom/job.json", "_pairloom/done/*")),
}
CASES = [(job, kind) for job, (_, kinds) in JOBS.items() for kind in kinds]

WHOLE = {
    "an empty object": b"{}",
    "a list": b"[]",
    "null": b"null",
    "nothing": b"",
    "no UTF-8": b"\xff\xfe",
    "deeper than anyone reads": b"[" * 200_000,
    "a long number": b"9" * 10_000,
    "other fields": b'{"what": "is this"}',
}

_OTHERS: tuple[object, ...] = ("", 10**30, [], {"a": None})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "a.txt", TEXTS)
    return tmp_path


def refused(job: str, damaged: Path, folder: Path) -> None:
    """The damaged file is named, and nothing is done."""
    work = JOBS[job][0]
    with pytest.raises(errors.WorkFolderError, match=f"{damaged.name} in it is damaged"):
        work(folder, resume=True)


@pytest.mark.parametrize("content", WHOLE)
@pytest.mark.parametrize(("job", "kind"), CASES)
def test_a_record_that_is_none(job: str, kind: str, content: str, folder: Path) -> None:
    JOBS[job][0](folder)
    (damaged,) = (folder / "work").glob(kind)
    damaged.write_bytes(WHOLE[content])
    refused(job, damaged, folder)


@pytest.mark.parametrize(("job", "kind"), CASES)
def test_a_record_that_is_cut_off(job: str, kind: str, folder: Path) -> None:
    JOBS[job][0](folder)
    (damaged,) = (folder / "work").glob(kind)
    whole = damaged.read_bytes()
    for size in range(0, len(whole) - 2, len(whole) // 6):
        damaged.write_bytes(whole[:size])
        refused(job, damaged, folder)


@pytest.mark.parametrize(("job", "kind"), CASES)
def test_a_record_that_says_something_else(job: str, kind: str, folder: Path) -> None:
    """Each field in turn, deep ones too: missing, or with another value of the same type or of others."""
    JOBS[job][0](folder)
    (damaged,) = (folder / "work").glob(kind)
    good = json.loads(damaged.read_text())
    others: list[dict[str, object]] = [good | {name: value} for name in good for value in _OTHERS]
    others += [{name: good[name] for name in good if name != left_out} for left_out in good]
    if "runs" in good:
        others += [good | {"runs": [good["runs"][0] | {"total": 1}]}, good | {"runs": [{"file": "../../a.txt"}]}]
    for other in others:
        if other == good:
            continue
        damaged.write_text(json.dumps(other))
        refused(job, damaged, folder)


def test_a_record_under_another_name(folder: Path) -> None:
    count(folder)
    (record,) = (folder / "work" / "done").iterdir()
    copy = record.with_name(f"{'0' * 32}.json")
    shutil.copy(record, copy)
    refused("count", copy, folder)


def test_a_table_of_other_words(folder: Path) -> None:
    count(folder)
    (damaged,) = (folder / "work" / "table").iterdir()
    parquet = library("pyarrow.parquet")
    table = parquet.read_table(damaged)
    for other in (table.slice(1), library("pyarrow").concat_tables([table, table.slice(0, 1)])):
        parquet.write_table(other, damaged)
        refused("count", damaged, folder)


def test_a_run_in_the_place_of_another(folder: Path) -> None:
    write(folder / "b.txt", [f"word{number}" for number in range(1000)])
    corpus.count_words(folder / "a.txt", work_dir=folder / "work")
    first = next((folder / "work" / "runs").iterdir())
    count(folder, resume=True)
    second = next(path for path in (folder / "work" / "runs").iterdir() if path != first)
    first.write_bytes(second.read_bytes())
    shutil.rmtree(folder / "work" / "table")
    with pytest.raises(PairloomError, match="work folder"):
        count(folder, resume=True)


@pytest.mark.parametrize("kind", ["runs", "table"])
def test_a_file_of_other_columns(kind: str, folder: Path) -> None:
    count(folder)
    if kind == "runs":
        shutil.rmtree(folder / "work" / "table")
    (damaged,) = (folder / "work" / kind).iterdir()
    pyarrow = library("pyarrow")
    table = pyarrow.table({"word": [1, 2], "n": ["a", "b"]})
    if kind == "runs":
        with library("pyarrow.ipc").new_file(damaged, table.schema) as writer:
            writer.write_table(table)
    else:
        library("pyarrow.parquet").write_table(table, damaged)
    refused("count", damaged, folder)


def test_a_part_of_a_dataset_that_is_cut_off_is_made_anew(folder: Path) -> None:
    write(folder / "b.txt", TEXTS[::-1])
    encode(folder)
    part, other = sorted((folder / "work").glob("part-*"))
    whole, stamp = part.read_bytes(), other.stat().st_mtime_ns
    for content in (whole[:-9], b"", whole + b"x"):
        part.write_bytes(content)
        encode(folder, resume=True)
        assert part.read_bytes() == whole
    assert other.stat().st_mtime_ns == stamp, "the other one stays as it is"
