"""No command writes over what it reads, whatever the file is called: by name, by link, by pattern, by redirection."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pairloom.formats.model_file import dumps
from pairloom.trainer import train
from tests.support.command_line import COMMAND, run

TEXT = "low low lower newest newest widest\n"
INPUTS = {
    "text.txt": TEXT,
    "model.json": dumps(train(TEXT, merge_limit=5)).decode(),
    "other.json": dumps(train(TEXT, merge_limit=3)).decode(),
    "counts.tsv": "low\t2\nlower\t1\n",
    "ids.jsonl": "[0]\n",
    "rows.jsonl": '{"text": "low"}\n',
    "codes.bpe": "#version: 0.2\nl o\n",
}

CALLS = {
    "train": ("text.txt", "train text.txt -o {}"),
    "train --trace": ("text.txt", "train text.txt -o new.json --trace {}"),
    "train --counts": ("counts.tsv", "train --counts counts.tsv -o {}"),
    "train, corpus": ("text.txt", "train *.txt --workers 1 -o {}"),
    "encode, text": ("text.txt", "encode -m model.json text.txt -o {}"),
    "encode, model": ("model.json", "encode -m model.json text.txt -o {}"),
    "encode --format": ("text.txt", "encode -m model.json text.txt --format u16 --unknown-id 999 -o {}"),
    "decode": ("ids.jsonl", "decode -m model.json ids.jsonl -o {}"),
    "merges": ("model.json", "merges -m model.json -o {}"),
    "vocab": ("model.json", "vocab -m model.json -o {}"),
    "normalize": ("text.txt", "normalize text.txt -o {}"),
    "count": ("text.txt", "count text.txt -o {}"),
    "count, corpus": ("rows.jsonl", "count text.txt rows.jsonl -o {}"),
    "count, pattern": ("rows.jsonl", "count *.jsonl --workers 1 -o {}"),
    "count, parquet": ("text.txt", "count text.txt --to parquet -o {}"),
    "export": ("model.json", "export -m model.json --to subword-nmt -o {}"),
    "export --verify": ("text.txt", "export -m model.json --to subword-nmt --verify text.txt -o {}"),
    "import": ("codes.bpe", "import --from subword-nmt codes.bpe -o {}"),
    "import --alphabet": ("text.txt", "import --from subword-nmt codes.bpe --alphabet text.txt -o {}"),
    "import --report": ("codes.bpe", "import --from subword-nmt codes.bpe -o new.json --report {}"),
    "diff, model": ("other.json", "diff -m model.json -m other.json -o {}"),
    "diff, text": ("text.txt", "diff -m model.json -m other.json text.txt -o {}"),
    "diff --rules": ("text.txt", "diff --rules ours hugging-face text.txt -o {}"),
    "explain": ("model.json", "explain -m model.json --merge 0 -o {}"),
    "worksheet": ("text.txt", "worksheet text.txt -o {}"),
    "worksheet --key": ("text.txt", "worksheet text.txt -o new.md --key {}"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in INPUTS.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def itself(name: str) -> str:
    return name


def absolute(name: str) -> str:
    return str(Path(name).absolute())


def roundabout(name: str) -> str:
    Path("sub").mkdir()
    return f"sub/../{name}"


def symlink(name: str) -> str:
    Path("link").symlink_to(name)
    return "link"


def hard_link(name: str) -> str:
    Path("hard").hardlink_to(name)
    return "hard"


def refused(arguments: list[str]) -> str:
    """What is said when the call is refused; all files are as they were, and there is no other."""
    before = sorted(Path().iterdir())
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert sorted(Path().iterdir()) == before
    assert {name: Path(name).read_text(encoding="utf-8") for name in INPUTS} == INPUTS
    assert ended.err.count("\n") == 1
    return ended.err


@pytest.mark.parametrize("spelt", [itself, symlink, hard_link])
@pytest.mark.parametrize("call", CALLS)
def test_no_command_writes_over_its_input(call: str, spelt: Callable[[str], str], folder: Path) -> None:
    source, line = CALLS[call]
    output = spelt(source)
    said = refused([word.format(output) for word in line.split(" ")])
    assert f"{output} would be overwritten, and it is " in said
    assert "read here: name another file for the output" in said


@pytest.mark.parametrize("spelt", [absolute, roundabout])
def test_however_the_path_is_spelt(spelt: Callable[[str], str], folder: Path) -> None:
    assert "would be overwritten" in refused(["count", "text.txt", "-o", spelt("text.txt")])


def test_an_address_of_this_machine(folder: Path) -> None:
    said = refused(["count", f"file://{folder}/*.jsonl", "-o", "rows.jsonl"])
    assert f"rows.jsonl would be overwritten, and it is {folder}/rows.jsonl, which is read here" in said


def test_the_manifest_beside_a_table(folder: Path) -> None:
    Path("new.manifest.json").write_text("low")
    said = refused(["count", "new.manifest.json", "--workers", "1", "-o", "new"])
    assert "new.manifest.json would be overwritten" in said
    # Without a manifest there is nothing to refuse.
    assert run("count", "new.manifest.json", "-o", "new").code == 0


def test_a_manifest_that_cannot_be_written_is_told_before_the_count(folder: Path) -> None:
    Path("new.manifest.json").mkdir()
    ended = run("count", "text.txt", "--workers", "1", "-o", "new")
    assert (ended.code, "new.manifest.json: Is a directory" in ended.err) == (1, True)
    assert not Path("new").exists()


def test_the_two_files_of_an_export(folder: Path) -> None:
    Path("out").mkdir()
    Path("model.json").rename("out/vocab.json")
    before = Path("out/vocab.json").read_bytes()
    ended = run("export", "-m", "out/vocab.json", "--to", "vocab-merges", "-o", "out")
    assert ended.code == 2
    assert "out/vocab.json would be overwritten, and it is read here" in ended.err
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == {"vocab.json": before}


@pytest.mark.parametrize(
    "line",
    [
        "train text.txt -o new.json --trace new.json",
        "train text.txt -o new.json --trace ./new.json",
        "import --from subword-nmt codes.bpe -o new.json --report new.json",
    ],
)
def test_two_outputs_are_two_files(line: str, folder: Path) -> None:
    assert "are one file: name another one" in refused(line.split(" "))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("count -o text.txt < text.txt", "text.txt would be overwritten, and it is standard input, which is read here"),
        ("count - -o text.txt < text.txt", "and it is standard input"),
        ("normalize text.txt >> text.txt", "standard output would be overwritten, and it is text.txt"),
        ("vocab < model.json >> model.json", "standard output would be overwritten, and it is standard input"),
    ],
)
def test_redirections(line: str, says: str, folder: Path) -> None:
    command = " ".join(COMMAND)
    ended = subprocess.run(f"{command} {line}", shell=True, capture_output=True, check=False)
    assert ended.returncode == 2
    assert says in ended.stderr.decode()
    assert {name: Path(name).read_text(encoding="utf-8") for name in INPUTS} == INPUTS


def test_what_is_no_file_may_be_both(folder: Path) -> None:
    assert run("train", "text.txt", "-o", os.devnull, "--trace", os.devnull).code == 0
    assert run("count", os.devnull, "-o", os.devnull).code == 0
    assert run("vocab", "-m", "model.json", "-o", "new.tsv").code == 0
    assert run("vocab", "-m", "model.json", "-o", "new.tsv").code == 0, "what is not read is replaced"


def test_standard_input_that_is_not_read_is_no_input(folder: Path) -> None:
    line = f"{' '.join(COMMAND)} count text.txt -o rows.jsonl < rows.jsonl"
    assert subprocess.run(line, shell=True, capture_output=True, check=False).returncode == 0
    assert Path("rows.jsonl").read_text() == "low\t2\nlower\t1\nnewest\t2\nwidest\t1\n"
