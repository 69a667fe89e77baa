"""`pairloom decode`: every form in which IDs come, and what is no ID."""

import json
from pathlib import Path

import pytest

from pairloom.formats.model_file import save
from pairloom.model import Model
from pairloom.trainer import train
from tests.support.command_line import run


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    save(train("low low lower", 10), tmp_path / "m.json")
    return tmp_path / "m.json"


def test_what_encode_writes(model_path: Path) -> None:
    for form in ("--json", "--ids"):
        encoded = run("encode", "-m", model_path, form, text="lower  wool\n").out
        ended = run("decode", "-m", model_path, text=encoded)
        assert (ended.code, ended.out, ended.err) == (0, "lower wool\n", "")


@pytest.mark.parametrize("form", ["--json", "--ids"])
def test_line_by_line(model_path: Path, form: str) -> None:
    encoded = run("encode", "-m", model_path, form, "--lines", text="low\n\nlower low\n").out
    assert run("decode", "-m", model_path, "--lines", text=encoded).out == "low\n\nlower low\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8 0 3", "lower\n"),
        (" 8\n0\t3\r\n", "lower\n"),
        ("\n", "\n"),
        ("\ufeff8 0 3", "lower\n"),
        ("\ufeff[8,0,3]", "lower\n"),
        ('\u3000\ufeff\n{"ids": [8]}\n\u00a0', "low\n"),
        ("8\u20290\ufeff3\u00a0", "lower\n"),
        ("\ufeff", "\n"),
        ("[8, 0, 3]", "lower\n"),
        ("[]", "\n"),
        ("[8]\n[8, 0, 3] [5]", "low\nlower\n\n"),
        ('{"ids": [8]}', "low\n"),
        ('{\n  "ids": [\n    8\n  ],\n  "tokens": ["anything"], "more": {"ids": 1}\n}\n', "low\n"),
        ('{"ids": [8]}{"ids": [8, 0, 3]}', "low\nlower\n"),
        ("007", "low\n"),
    ],
)
def test_forms_of_ids(model_path: Path, text: str, expected: str) -> None:
    assert run("decode", "-m", model_path, text=text).out == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8 0 9", "no token has the ID 9 (position 2): IDs are whole numbers from 0 to 8"),
        ("8 -1", "no token has the ID -1 (position 1)"),
        ("8 1_0", "no token has the ID '1_0' (position 1)"),
        ("8 ٣", "no token has the ID '٣' (position 1)"),
        ("1.0", "no token has the ID '1.0' (position 0)"),
        ("9" * 5000, "no token has the ID '999"),
        ("8\x85", "no token has the ID '8\\x85' (position 0)"),
        ("8\x1c0", "no token has the ID '8\\x1c0' (position 0)"),
        ("\x85[8]", "no token has the ID '\\x85[8]' (position 0)"),
        ("\ufeff\n\ufeff [8,,", "line 2, column 6: not JSON"),
        ("8 UNK", "an unknown token, without ID, stands at position 1: only known tokens can be decoded"),
        ("[8, null]", "an unknown token, without ID, stands at position 1: only known tokens can be decoded"),
        ("[true]", "no token has the ID True (position 0)"),
        ("[1.0]", "no token has the ID 1.0 (position 0)"),
        ('["8"]', "no token has the ID '8' (position 0)"),
        ("[[8]]", "no token has the ID [8] (position 0)"),
        ("[8,", "not JSON"),
        ('{"ids": [8]} x', "line 1, column 14: not JSON"),
        ('{"ids": [8], "ids": [8]}', "ids: the key stands twice"),
        ("[99999999999999999999]", "[0]: the integer is too large"),
        ('{"tokens": ["a"]}', "no list of IDs; give what encode --json writes"),
        ('{"ids": 8}', "no list of IDs"),
        ("8 8\u200b", "no token has the ID '8\\u200b' (position 1)"),
        ('["\\ufeff8"]', "no token has the ID '\\ufeff8' (position 0)"),
        ("[8]\n[9]", "<stdin>, text 2: no token has the ID 9 (position 0)"),
        ("[" * 100_000, "levels deep"),
        ("8 \ud800".encode("utf-8", "surrogatepass"), "<stdin> is not UTF-8: invalid byte at offset 2"),
    ],
)
def test_what_is_no_id(model_path: Path, text: str | bytes, message: str) -> None:
    ended = run("decode", "-m", model_path, text=text)
    assert ended.code == 1
    assert message in ended.err
    assert ended.err.startswith("pairloom: error: <stdin>")
    assert ended.err.count("\n") == 1
    assert len(ended.err) < 400


@pytest.mark.parametrize("form", ["--json", "--ids"])
def test_no_text_is_no_text(model_path: Path, form: str) -> None:
    encoded = run("encode", "-m", model_path, form, "--lines", text="").out
    for arguments in ((), ("--lines",)):
        assert run("decode", "-m", model_path, *arguments, text=encoded).out == ""
    # An empty text is one.
    encoded = run("encode", "-m", model_path, form, text="").out
    assert run("decode", "-m", model_path, text=encoded).out == "\n"


def test_a_byte_order_mark_on_the_first_line(model_path: Path) -> None:
    assert run("decode", "-m", model_path, "--lines", text="\ufeff8\n[8, 0, 3]\n").out == "low\nlower\n"


def test_an_error_names_the_line(model_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_bytes(b"8\n8 null\n")
    ended = run("decode", "-m", model_path, "--lines", path)
    assert (ended.code, ended.out) == (1, "low\n")
    assert ended.err.startswith(f"pairloom: error: {path}, line 2: no token has the ID 'null' (position 1)")
    path.write_bytes(b"8\n\xff\n")
    assert f"{path} is not UTF-8: invalid byte at offset 2" in run("decode", "-m", model_path, "--lines", path).err


def test_every_character_comes_back(tmp_path: Path) -> None:
    text = "\x1b[1m \u202e \0 😀e\u0301 " + json.dumps("x")
    model = train(text)
    save(model, tmp_path / "m.json")
    encoded = run("encode", "-m", tmp_path / "m.json", "--json", text=text).out
    assert (
        run("decode", "-m", tmp_path / "m.json", text=encoded).out
        == model.decode(model.encode(text).known_ids()) + "\n"
    )
    path = tmp_path / "decoded.txt"
    assert run("decode", "-m", tmp_path / "m.json", "-o", path, text=encoded).out == ""
    assert path.read_bytes() == f"{text}\n".encode()


def test_a_model_without_marker(tmp_path: Path) -> None:
    save(Model.from_merges("ab", [("a", "b")], marker=False), tmp_path / "m.json")
    assert run("decode", "-m", tmp_path / "m.json", text="2 0").out == "aba\n"
