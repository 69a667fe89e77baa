"""`pairloom merges` and `pairloom vocab`: tables for people and for programs."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from pairloom.formats.model_file import dumps, save
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.colors import TERMINAL_COLORS, color_index
from tests.support.command_line import run

IMPORTED = Model.from_merges("abc", [("a", "b"), ("ab", "c"), ("b", "c"), ("a", "bc")], marker=False)


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    save(train("low low lower", 10), tmp_path / "m.json")
    return tmp_path / "m.json"


@pytest.fixture
def imported_path(tmp_path: Path) -> Path:
    save(IMPORTED, tmp_path / "imported.json")
    return tmp_path / "imported.json"


def rows_of(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines()]


def test_merges_in_a_pipe(model_path: Path) -> None:
    ended = run("merges", "-m", model_path)
    assert (ended.code, ended.err) == (0, "")
    assert rows_of(ended.out) == [
        ["rank", "left", "right", "result", "frequency", "replacements", "corpus tokens", "ID", "new"],
        ["0", "l", "o", "lo", "3", "3", "11", "6", "new"],
        ["1", "lo", "w", "low", "3", "3", "8", "7", "new"],
        ["2", "▁", "low", "▁low", "3", "3", "5", "8", "new"],
    ]


def test_merges_as_json(model_path: Path) -> None:
    out = run("merges", "-m", model_path, "--json").out
    assert json.loads(out) == [asdict(merge) for merge in train("low low lower", 10).merges]
    assert out.count("\n") == 5
    assert json.loads(run("merges", "-m", model_path, "--json", "--count", "0").out) == []


def test_merges_of_an_imported_model(imported_path: Path) -> None:
    assert rows_of(run("merges", "-m", imported_path, "--token", "abc").out)[1:] == [
        ["1", "ab", "c", "abc", "", "", "", "4", "new"],
        ["3", "a", "bc", "abc", "", "", "", "4", "reused"],
    ]
    assert [row["frequency"] for row in json.loads(run("merges", "-m", imported_path, "--json").out)] == [None] * 4


def test_vocab_in_a_pipe(model_path: Path) -> None:
    out = run("vocab", "-m", model_path, "--prefix", "2").out
    assert rows_of(out)[0] == ["ID", "token", "kind", "rank", "active"]
    assert rows_of(out)[5:] == [
        ["4", "w", "base", "", "yes"],
        ["5", "▁", "base", "", "yes"],
        ["6", "lo", "merge", "0", "yes"],
        ["7", "low", "merge", "1", "yes"],
        ["8", "▁low", "merge", "2", "no"],
    ]


def test_vocab_as_json(imported_path: Path) -> None:
    rows = json.loads(run("vocab", "-m", imported_path, "--json", "--prefix", "2").out)
    assert [row["token"] for row in rows] == list(IMPORTED.vocabulary)
    assert rows[0] == {"id": 0, "token": "a", "kind": "base", "rank": None, "active": True}
    assert rows[4] == {"id": 4, "token": "abc", "kind": "merge", "rank": 1, "active": True}
    assert rows[5] == {"id": 5, "token": "bc", "kind": "merge", "rank": 2, "active": False}


@pytest.mark.parametrize(
    ("arguments", "first", "count"),
    [
        ((), "0", 9),
        (("--start", "7"), "7", 2),
        (("--count", "4"), "0", 4),
        (("--start", "5", "--count", "3"), "5", 3),
        (("--start", "9"), None, 0),
        (("--start", "99", "--count", "99"), None, 0),
        (("--count", "0"), None, 0),
        (("--token", "▁low"), "8", 1),
        (("--token", "▁low", "--count", "0"), None, 0),
        (("--token", "nothing"), None, 0),
        (("--token", "lo", "--start", "7"), None, 0),
    ],
)
def test_choosing_rows(model_path: Path, arguments: tuple[str, ...], first: str | None, count: int) -> None:
    rows = rows_of(run("vocab", "-m", model_path, *arguments).out)[1:]
    assert len(rows) == count
    assert (rows[0][0] if rows else None) == first


def test_a_start_past_every_end(imported_path: Path) -> None:
    for command in ("merges", "vocab"):
        ended = run(command, "-m", imported_path, "--start", "99999999999999999999")
        assert (ended.code, ended.err, len(rows_of(ended.out))) == (0, "", 1)


def test_choosing_merges(model_path: Path) -> None:
    assert [row[0] for row in rows_of(run("merges", "-m", model_path, "--start", "1", "--count", "1").out)] == [
        "rank",
        "1",
    ]
    assert len(rows_of(run("merges", "-m", model_path, "--start", "3").out)) == 1


@pytest.mark.parametrize("command", ["merges", "vocab"])
def test_the_model_comes_from_standard_input(command: str) -> None:
    model = dumps(train("low low lower"))
    assert run(command, text=model).out == run(command, "-m", "-", text=model).out != ""
    ended = run(command, text="{}")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        'pairloom: error: <stdin>: invalid model: not a Pairloom model: the file has no "format": "pairloom-model"\n'
    )


@pytest.mark.parametrize("command", ["merges", "vocab"])
def test_wrong_choices(command: str, model_path: Path) -> None:
    assert run(command, "-m", model_path, "--start", "-1").code == 2
    assert run(command, "-m", model_path, "--count", "x").code == 2
    if command == "vocab":
        assert run(command, "-m", model_path, "--prefix", "4").code == 2


# Digits of other scripts, underscores, signs and spaces: what Python takes for a number and `decode` does not.
@pytest.mark.parametrize("number", ["٣", "0_3", "+3", " 3", "3.0", "0x3", "", "three"])
def test_numbers_are_written_in_ascii_digits(model_path: Path, number: str) -> None:
    for option in ("--prefix", "--start", "--count"):
        ended = run("vocab", "-m", model_path, option, number)
        assert (ended.code, ended.out) == (2, "")
        assert f"Invalid value for '{option}': {number!r} is not a whole number" in ended.err
    assert run("vocab", "-m", model_path, "--prefix", "003").code == 0


@pytest.mark.parametrize("command", ["merges", "vocab"])
def test_controls_of_a_corpus_never_reach_a_reader(command: str, tmp_path: Path) -> None:
    save(train("\x1b[1m\t\0 " * 2 + "\u202e\u202e" * 2), tmp_path / "m.json")
    for arguments in ((), ("--json",)):
        out = run(command, "-m", tmp_path / "m.json", *arguments).out
        assert not [shown for shown in out if not shown.isprintable() and shown not in "\n\t"]
        assert r"\u202e" in out
    assert len({len(row) for row in rows_of(run(command, "-m", tmp_path / "m.json").out)}) == 1


def test_tokens_are_coloured_when_asked(model_path: Path) -> None:
    def box(token: str, token_id: int) -> str:
        return f"\x1b[38;5;16;48;5;{TERMINAL_COLORS[color_index(token_id)]}m{token}\x1b[0m"

    out = run("merges", "-m", model_path, "--color", "always").out
    assert out.splitlines()[0].startswith("\x1b[1m")
    assert rows_of(out)[3] == ["2", box("▁", 5), box("low", 7), box("▁low", 8), "3", "3", "5", "8", "new"]
    out = run("vocab", "-m", model_path, "--color", "always", "--start", "7").out
    assert [row[1] for row in rows_of(out)] == ["token", box("low", 7), box("▁low", 8)]
    for command in ("merges", "vocab"):
        plainly = run(command, "-m", model_path).out
        coloured = run(command, "-m", model_path, "--color", "always").out
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plainly
        assert "\x1b" not in run(command, "-m", model_path, "--json", "--color", "always").out


@pytest.mark.parametrize("command", ["merges", "vocab"])
def test_an_empty_list(command: str, tmp_path: Path) -> None:
    save(Model.from_merges("", [], marker=False), tmp_path / "m.json")
    assert run(command, "-m", tmp_path / "m.json", "--json").out == "[]\n"
    assert len(rows_of(run(command, "-m", tmp_path / "m.json").out)) == 1
