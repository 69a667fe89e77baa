"""`pairloom encode`: for people, for programs, and with unknown characters."""

import json
from pathlib import Path

import pytest

from pairloom.formats.model_file import save
from pairloom.model import Model
from pairloom.trainer import train
from tests.support.command_line import run


@pytest.fixture
def model() -> Model:
    return train("low low lower", 10)


@pytest.fixture
def model_path(model: Model, tmp_path: Path) -> Path:
    save(model, tmp_path / "m.json")
    return tmp_path / "m.json"


def test_tokens_with_their_ids(model_path: Path) -> None:
    ended = run("encode", "-m", model_path, text="lower slow\n")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "▁low:8 e:0 r:3 ▁:5 s:UNK low:7\n"


def test_json_has_the_fields_of_the_library(model_path: Path, model: Model) -> None:
    ended = run("encode", "-m", model_path, "--json", text="lower slow\n")
    encoding = model.encode("lower slow\n")
    assert json.loads(ended.out) == {
        "tokens": ["▁low", "e", "r", "▁", "s", "low"],
        "ids": [8, 0, 3, 5, None, 7],
        "offsets": [[0, 3], [3, 4], [4, 5], [6, 6], [6, 7], [7, 10]],
        "normalized": "lower slow",
        "code_points": 10,
        "unknown_count": 1,
        "code_points_per_token": 10 / 6,
    }
    assert ended.out.count("\n") == 1
    for key, value in json.loads(ended.out).items():
        assert value == json.loads(json.dumps(getattr(encoding, key)))


def test_an_empty_text_is_valid(model_path: Path) -> None:
    assert run("encode", "-m", model_path).out == "\n"
    assert run("encode", "-m", model_path, "--ids").out == "\n"
    out = json.loads(run("encode", "-m", model_path, "--json").out)
    assert (out["tokens"], out["ids"], out["code_points_per_token"]) == ([], [], None)
    assert run("encode", "-m", model_path, "--lines").out == ""


def test_ids_alone(model_path: Path) -> None:
    assert run("encode", "-m", model_path, "--ids", text="lower slow").out == "8 0 3 5 UNK 7\n"


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [("0", "▁:5 l:1 o:2 w:4\n"), ("1", "▁:5 lo:6 w:4\n"), ("2", "▁:5 low:7\n"), ("3", "▁low:8\n")],
)
def test_a_prefix(model_path: Path, prefix: str, expected: str) -> None:
    assert run("encode", "-m", model_path, "--prefix", prefix, text="low").out == expected


@pytest.mark.parametrize("prefix", ["4", "-1", "99999999999999999999"])
def test_a_prefix_out_of_range(model_path: Path, prefix: str) -> None:
    ended = run("encode", "-m", model_path, "--prefix", prefix, text="low")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"pairloom: error: --prefix cannot be {prefix}: give a whole number from 0 to 3\n"


def test_several_texts(model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("low\nlower\n")
    (tmp_path / "b").write_text("wool")
    files = (tmp_path / "a", tmp_path / "b")
    assert run("encode", "-m", model_path, "--ids", *files).out == "8 8 0 3\n5 4 2 2 1\n"
    assert run("encode", "-m", model_path, "--ids", "--lines", *files).out == "8\n8 0 3\n5 4 2 2 1\n"
    out = run("encode", "-m", model_path, "--json", "--lines", *files).out
    assert [json.loads(line)["normalized"] for line in out.splitlines()] == ["low", "lower", "wool"]


def test_lines_keep_their_number(model_path: Path) -> None:
    assert run("encode", "-m", model_path, "--lines", "--ids", text="\nlow\r\n\nlow").out == "\n8\n\n8\n"


def test_unknown_characters_as_an_error(model_path: Path, tmp_path: Path) -> None:
    assert run("encode", "-m", model_path, "--unknown", "error", "--ids", text="low").out == "8\n"
    ended = run("encode", "-m", model_path, "--unknown", "error", text="slow\0 lows")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        "pairloom: error: <stdin>: 3 unknown tokens: s (token 1), \\u0000 (token 3), s (token 5); "
        "--unknown show keeps them, a model trained on them knows them\n"
    )
    (tmp_path / "many").write_text("low\n" + "x" * 12)
    ended = run("encode", "-m", model_path, "--unknown", "error", "--lines", tmp_path / "many")
    # What was fine is written.
    assert ended.out == "▁low:8\n"
    assert f"{tmp_path / 'many'}, line 2: 12 unknown tokens: x (token 1)," in ended.err
    assert "x (token 10) and 2 more;" in ended.err


def test_a_file_is_written_whole_or_not_at_all(model_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert run("encode", "-m", model_path, "--json", "-o", path, text="low").out == ""
    before = path.read_text()
    assert json.loads(before)["ids"] == [8]
    assert run("encode", "-m", model_path, "--json", "--lines", "-o", path, text="low\n▁").code == 1
    assert path.read_text() == before


def test_controls_of_a_text_never_reach_a_reader(model_path: Path) -> None:
    text = "\x1b[31m \u202eab\x07 \u0085 \U000e0001 \x7f e\u0301"
    for arguments in ((), ("--json",), ("--color", "always")):
        out = run("encode", "-m", model_path, *arguments, text=text).out
        allowed = {"\n"} | ({"\x1b"} if "always" in arguments else set())
        assert not [shown for shown in out if not shown.isprintable() and shown not in allowed]
    assert r"\u001b:UNK" in run("encode", "-m", model_path, text=text).out
    assert json.loads(run("encode", "-m", model_path, "--json", text=text).out)["normalized"] == text


def test_colour_when_asked(model_path: Path) -> None:
    out = run("encode", "-m", model_path, "--color", "always", text="low s").out
    assert out == "\x1b[38;5;16;48;5;120m▁low:8\x1b[0m \x1b[38;5;16;48;5;215m▁:5\x1b[0m \x1b[1;7ms:UNK\x1b[0m\n"
    for choice in ("auto", "never"):
        assert "\x1b" not in run("encode", "-m", model_path, "--color", choice, text="low s").out


def test_errors(model_path: Path, tmp_path: Path) -> None:
    ended = run("encode", "-m", model_path, text="low\n▁")
    assert ended.code == 1
    assert ended.err.startswith("pairloom: error: <stdin>: the text holds a literal ▁ (U+2581) at position 4:")
    ended = run("encode", "-m", model_path, tmp_path / "none")
    assert (ended.code, ended.err) == (
        1,
        f"pairloom: error: {tmp_path / 'none'}: No such file or directory; check the name\n",
    )
    broken = tmp_path / "broken.json"
    broken.write_bytes(model_path.read_bytes().replace(b'"corpus_tokens": 8', b'"corpus_tokens": 9'))
    ended = run("encode", "-m", broken, text="low")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        f"pairloom: error: {broken}: invalid model at merges[1].corpus_tokens: must be 8: 11 before this "
        "merge, minus the replacements\n"
    )
    assert run("encode", text="low").err.startswith("pairloom: error: Missing option '-m' / '--model'")
    assert run("encode", "-m", model_path, "--json", "--ids").code == 2


def test_the_model_from_standard_input(model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("low")
    assert run("encode", "-m", "-", tmp_path / "a", text=model_path.read_bytes()).out == "▁low:8\n"
    for arguments in ((), ("-",)):
        ended = run("encode", "-m", "-", *arguments, text=model_path.read_bytes())
        assert ended.code == 2
        assert "standard input cannot be both" in ended.err
