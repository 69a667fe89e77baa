"""Which files paths and patterns mean: links among them, a file by two names, and files that a job would write over."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import pairloom
from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.inputs import find_files
from tests.corpus.corpora import expected, write

TEXTS = ["low low lower", "newest widest low"]


def test_a_pattern_means_links_to_files_too(tmp_path: Path) -> None:
    (tmp_path / "stored").mkdir()
    (tmp_path / "named").mkdir()
    write(tmp_path / "stored" / "1f3a", TEXTS)
    (tmp_path / "named" / "a.txt").symlink_to("../stored/1f3a")
    assert corpus.count_words(tmp_path / "named" / "*.txt") == expected(TEXTS)
    (found,) = find_files(tmp_path / "named" / "*.txt")
    assert (found.address, found.size) == (f"{tmp_path}/named/a.txt", len("low low lower\nnewest widest low\n"))


def test_a_link_has_the_version_of_its_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a", ["low"])
    (tmp_path / "a.txt").symlink_to("a")
    for name in ("a.txt", "*.txt"):
        os.utime(path, (1, 1))
        (first,) = find_files(tmp_path / name)
        os.utime(path, (2, 2))
        (second,) = find_files(tmp_path / name)
        assert (first.version, second.version) == ("1.0", "2.0")


def test_a_link_to_nothing_is_not_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", TEXTS)
    (tmp_path / "b.txt").symlink_to("none")
    with pytest.raises(FileNotFoundError) as missing:
        find_files(tmp_path / "*.txt")
    assert missing.value.filename == f"{tmp_path}/b.txt"


def _symlink(link: Path, target: Path) -> None:
    link.symlink_to(target)


def _hard_link(link: Path, target: Path) -> None:
    link.hardlink_to(target)


@pytest.mark.parametrize("make", [_symlink, _hard_link])
def test_a_file_and_a_link_to_it_are_one_file(make: Callable[[Path, Path], None], tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", TEXTS)
    make(tmp_path / "b.txt", path)
    for paths in ([path, tmp_path / "b.txt"], [tmp_path / "*.txt"], [tmp_path / "b.txt", tmp_path / "a*"]):
        with pytest.raises(errors.NoInput, match=r"this is the same file as .*: it would count twice"):
            corpus.count_words(paths)


def test_a_folder_of_links_reached_twice(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    write(tmp_path / "one" / "a.txt", TEXTS)
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(errors.NoInput, match=r"two/a.txt: this is the same file as .*one/a.txt"):
        find_files(tmp_path / "*" / "a.txt")


def test_patterns_mean_what_they_mean_in_a_shell(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for name in ("a.txt", ".a.txt", "deep/b.txt", "deep/er/c.txt", "[x].txt", "x.txt"):
        write(tmp_path / name, TEXTS)

    def found(pattern: str) -> list[str]:
        return [file.address.removeprefix(f"{tmp_path}/") for file in find_files(tmp_path / pattern)]

    assert found("*.txt") == ["[x].txt", "a.txt", "x.txt"]
    assert found("*") == ["[x].txt", "a.txt", "x.txt"], "folders are passed over"
    assert found("**/*.txt") == ["[x].txt", "a.txt", "deep/b.txt", "deep/er/c.txt", "x.txt"]
    assert found("?.txt") == ["a.txt", "x.txt"]
    assert found("[x].txt") == ["[x].txt"], "a name with a bracket in it is a name first"


def test_files_that_are_only_alike_are_two(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, TEXTS) for name in ("a.txt", "b.txt")]
    assert corpus.count_words(paths) == expected(TEXTS * 2)


def test_a_pipe_is_no_corpus(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(errors.NoInput, match="it is a pipe or a device"):
        find_files(tmp_path / "pipe")


def test_the_parts_of_a_dataset_are_not_its_input(tmp_path: Path) -> None:
    model = pairloom.train(TEXTS, merge_limit=5)
    first = write(tmp_path / "a.parquet", TEXTS)
    out = tmp_path / "out"
    corpus.encode(first, model, output=out)
    (part,) = out.glob("part-*")
    before = part.read_bytes()
    (tmp_path / "b.parquet").symlink_to(part)
    for path in (part, tmp_path / "b.parquet"):
        with pytest.raises(errors.NoInput, match="it lies in the folder of the result"):
            corpus.encode(path, model, output=out, resume=True)
    assert part.read_bytes() == before


@pytest.mark.parametrize("kind", ["table", "runs", "done"])
def test_files_of_the_work_folder_are_no_input(kind: str, tmp_path: Path) -> None:
    work = tmp_path / "work"
    corpus.count_words(write(tmp_path / "a.parquet", TEXTS, column="word"), work_dir=work, column="word")
    found = next((work / kind).iterdir())
    with pytest.raises(errors.NoInput, match="it lies in the work folder"):
        corpus.count_words(found, work_dir=work, column="word", resume=True)
    assert found.exists()
