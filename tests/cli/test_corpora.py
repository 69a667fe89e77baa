"""`pairloom count` and `train` on corpora: the options, what is said, and that the model is the same."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pairloom.cli import corpora
from pairloom.cli.progress import Progress
from pairloom.corpus import memory
from pairloom.corpus.job import Progress as Done
from tests.corpus.corpora import write
from tests.support.command_line import run

TEXTS = ["low low lower", "newest widest low"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(Path("a.txt"), TEXTS)
    write(Path("b.jsonl.gz"), TEXTS)
    write(Path("c.parquet"), TEXTS, column="body")
    return tmp_path


def test_counting_a_corpus(folder: Path) -> None:
    ended = run("count", "a.txt", "b.jsonl.gz", "--workers", "2", "-o", "counts.tsv")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    table = Path("counts.tsv").read_bytes()
    assert sorted(table.decode().splitlines()) == ["low\t6", "lower\t2", "newest\t2", "widest\t2"]
    manifest = json.loads(Path("counts.tsv.manifest.json").read_text())
    assert manifest["checksum"] == hashlib.sha256(table).hexdigest()
    assert run("count", "a.txt", "b.jsonl.gz").out.encode() == table
    assert run("count", "*.txt", "b.jsonl*", "--to", "parquet", "-o", "counts.parquet").code == 0
    for name in ("counts.tsv", "counts.parquet"):
        assert run("train", "--counts", name, "-o", f"{name}.json").code == 0
    assert Path("counts.tsv.json").read_bytes() == Path("counts.parquet.json").read_bytes()


def test_training_on_a_corpus_is_training_on_its_texts(folder: Path) -> None:
    write(Path("d.txt"), TEXTS)
    assert run("train", "a.txt", "d.txt", "-o", "plain.json").code == 0
    ended = run("train", "a.txt", "b.jsonl.gz", "-o", "corpus.json")
    assert ended.code == 0
    assert Path("plain.json").read_bytes() == Path("corpus.json").read_bytes()
    assert ended.err.startswith("4 distinct words; merging needs about 288 B of memory")


def test_resuming(folder: Path) -> None:
    first = run("count", "a.txt", "--work-dir", "work")
    assert first.code == 0
    assert run("count", "a.txt", "--work-dir", "work").err.endswith("or name another folder\n")
    assert run("count", "a.txt", "--work-dir", "work", "--resume").out == first.out


def test_what_is_left_out_is_told(folder: Path) -> None:
    write(Path("e.txt"), ["a a b", "c▁"])
    ended = run("count", "e.txt", "--on-bad-text", "skip", "--min-word-count", "2", "--sample", "1")
    assert ended.out == "a\t2\n"
    assert "1 texts that cannot be taken were left out" in ended.err
    assert "1 distinct words, 1 in all, were left out (--min-word-count); the result is not exact" in ended.err
    assert "a sample of 0.5 was counted" in run("count", "a.txt", "--sample", "0.5").err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("count", "c.parquet"), 1, "there is no column 'text' (column=, --column); there are: number, body"),
        (("count", "none-*.txt"), 1, "none-*.txt: no file has such a name"),
        (("count", "a.txt", "a.txt", "--workers", "1"), 1, "the file is named twice"),
        (("count", "--workers", "1"), 2, "name them"),
        (("count", "a.txt", "--workers", "0"), 2, "a whole number from 1 to 4096"),
        (("count", "a.txt", "--sample", "0"), 2, "no number above 0"),
        (("count", "a.txt", "--resume"), 2, "--work-dir"),
        (("count", "a.txt", "--workers", "2", "--lines"), 2, "--lines"),
        (("count", "a.txt", "--workers", "2", "--threads", "2"), 2, "--threads"),
        (("train", "--counts", "--workers", "2", "a.txt"), 2, "leave the options of counting away"),
        (("count", "nowhere://a.txt"), 1, "nowhere"),
        (("count", ".", "--workers", "1"), 1, "it is a folder"),
    ],
)
def test_what_is_refused(folder: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = run(*arguments)
    assert ended.code == code
    assert says in ended.err


def test_memory_is_refused_before_merging(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 100)
    ended = run("train", "a.txt", "--workers", "1", "-o", "m.json")
    assert ended.code == 1
    assert "merging 4 distinct words needs about 288 bytes of memory, and 100 are there" in ended.err
    assert not Path("m.json").exists()


def test_the_machine_says_how_much_memory_it_has() -> None:
    available = memory.available_memory()
    assert available is None or available > 10**6


def test_progress_in_bytes_with_an_estimate() -> None:
    line = Progress()
    times = iter([0.0, 10.0, 20.0])
    report = corpora.reporting(line, clock=lambda: next(times))
    report(Done("counting", 0, 4_000_000_000))
    assert line.status == "counting words: 0 B of 4.0 GB"
    report(Done("counting", 1_000_000_000, 4_000_000_000))
    assert line.status == "counting words: 1.0 GB of 4.0 GB, about 30 s left"
    report(Done("merging", 1, 3))
    assert line.status == "adding tables up: 1 of 3 parts"


def test_a_local_ray_is_not_started_without_a_token(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ended = run("count", "a.txt", "--ray", "local")
    assert ended.code == 2
    assert "it must ask who comes" in ended.err
    assert "listens on all network interfaces" in ended.err
