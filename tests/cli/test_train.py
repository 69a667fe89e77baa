"""`pairloom train`: texts in, a model file out, whole or not at all."""

import json
from pathlib import Path

import pytest

from pairloom.formats.model_file import dumps, load, loads
from pairloom.trainer import train
from tests.support.command_line import run


def test_standard_input_to_standard_output() -> None:
    ended = run("train", text="low low lower")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.encode() == dumps(train("low low lower"))


def test_a_file_to_a_file(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_bytes(b"Low, low Lower\r\nlow")
    ended = run(
        *("train", corpus, "--merges", "3", "--lowercase", "--pre-tokenizer", "punctuation", "--min-frequency", "3"),
        *("-o", tmp_path / "m.json"),
    )
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    expected = train("Low, low Lower\r\nlow", 3, lowercase=True, pre_tokenizer="punctuation", min_frequency=3)
    assert load(tmp_path / "m.json") == expected


def test_the_defaults_are_those_of_the_library() -> None:
    text = " ".join(str(number % 1500) for number in range(3000))
    assert loads(run("train", text=text).out.encode()) == train(text)
    assert len(loads(run("train", text=text).out.encode()).merges) == 1000


def test_each_file_is_a_text_of_its_own(tmp_path: Path) -> None:
    # Run together, the two files would have the word "lowlow", and Σ would not end a word.
    for name, text in (("a", "low Σ"), ("b", "low ΑΣ"), ("c", "Α")):
        (tmp_path / name).write_text(text, "utf-8")
    ended = run("train", "--lowercase", *(tmp_path / name for name in "abc"))
    assert loads(ended.out.encode()) == train(["low Σ", "low ΑΣ", "Α"], lowercase=True)


def test_standard_input_among_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("aa bb")
    ended = run("train", tmp_path / "a", "-", text="bb bb")
    assert loads(ended.out.encode()) == train(["aa bb", "bb bb"])


def test_each_line_is_a_text_of_its_own() -> None:
    # U+FEFF is ignorable for the final sigma and whitespace afterwards (N3), so a line feed there makes a difference.
    text = "ΑΣ\ufeff\nΑ\n\nΑΣ"
    ended = run("train", "--lines", "--lowercase", text=text)
    assert loads(ended.out.encode()) == train(["ΑΣ\ufeff", "Α", "", "ΑΣ"], lowercase=True)


def test_no_limit_of_the_pages(tmp_path: Path) -> None:
    text = "ab " * 20_000
    assert loads(run("train", "--merges", "40001", text=text).out.encode()).initial_tokens == 60_000


def test_errors_name_the_file(tmp_path: Path) -> None:
    good, marked, broken = tmp_path / "good.txt", tmp_path / "marked.txt", tmp_path / "broken.txt"
    good.write_text("fine\n")
    marked.write_text("a\nb▁\n", "utf-8")
    broken.write_bytes(b"line\n\xe2\x96")
    ended = run("train", good, marked)
    assert ended.code == 1
    assert ended.err == (
        f"pairloom: error: {marked}: the text holds a literal ▁ (U+2581) at position 3: it is reserved as the "
        "word-start marker; remove it or write another character\n"
    )
    assert (
        f"{marked}, line 2: the text holds a literal ▁ (U+2581) at position 1:"
        in run("train", "--lines", good, marked).err
    )
    for arguments in (("train", good, broken), ("train", "--lines", broken)):
        ended = run(*arguments)
        assert ended.code == 1
        assert (
            ended.err
            == f"pairloom: error: {broken} is not UTF-8: invalid byte at offset 5; convert the file to UTF-8\n"
        )
    assert "<stdin> is not UTF-8: invalid byte at offset 2;" in run("train", text=b"ab\xffcd").err


@pytest.mark.parametrize("text", ["", " \n\ufeff"])
def test_an_empty_corpus(text: str, tmp_path: Path) -> None:
    ended = run("train", "-o", tmp_path / "m.json", text=text)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("pairloom: error: the corpus holds no word")
    assert not list(tmp_path.iterdir())


def test_a_failure_keeps_the_old_model(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text("old")
    assert run("train", "-o", path, text="▁").code == 1
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_output_that_cannot_be_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    for output in (tmp_path, tmp_path / "no" / "m.json", f"{tmp_path}/newdir/"):
        ended = run("train", "-o", output, tmp_path / "none.txt")
        assert ended.code == 1
        assert str(output) in ended.err
    ended = run("train", "-o", f"{tmp_path}/newdir/", text="low")
    assert ended.err == f"pairloom: error: {tmp_path}/newdir/: Is a directory; give a file\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--merges", "-1"),
        ("--merges", "1.5"),
        ("--merges", "many"),
        ("--min-frequency", "0"),
        ("--min-frequency", ""),
        ("--pre-tokenizer", "bytes"),
        ("--merges", "9" * 5000),
        ("--merges", str(2**63)),
    ],
)
def test_settings_out_of_range(option: str, value: str) -> None:
    ended = run("train", option, value, text="low")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"pairloom: error: Invalid value for '{option}'")
    assert ended.err.count("\n") == 1
    assert len(ended.err) < 300


def test_what_a_number_may_be_is_told() -> None:
    for arguments, said in (
        (("train", "--merges", "-1"), "'--merges': '-1' is not a whole number of at least 0, below 2^63; see"),
        (("train", "--min-frequency", "0"), "'--min-frequency': '0' is not a whole number of at least 1, below 2^63;"),
        (("serve", "--port", "http"), "'--port': 'http' is not a whole number from 0 to 65535; see"),
    ):
        assert said in run(*arguments).err


def test_json_is_ascii() -> None:
    out = run("train", text="中文 中文").out
    assert out.isascii()
    assert json.loads(out)["alphabet"] == ["▁", "中", "文"]
