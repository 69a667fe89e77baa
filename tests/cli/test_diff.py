"""`pairloom diff`: two models, one text, two rules; exit code 1 where something differs."""

import json
from pathlib import Path

import pytest

from pairloom.formats.model_file import save
from pairloom.trainer import train
from pairloom.views.display import visible
from tests.support.command_line import run, run_in_terminal
from tests.support.hostile import HOSTILE

TEXT = "low low lower newest newest widest"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    save(train(TEXT, 2), tmp_path / "a.json")
    save(train(TEXT, 5), tmp_path / "b.json")
    (tmp_path / "t.txt").write_text("lowest\n")
    (tmp_path / "c.txt").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_models_and_a_text(folder: Path) -> None:
    ended = run("diff", "-m", "a.json", "-m", "b.json", "t.txt")
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.splitlines() == [
        "merges: 2 | 5; the first 2 are the same",
        "merge 2: no more | l+o",
        "tokens of the right alone: 3: lo low ▁low",
        "t.txt: 5 | 2 tokens, cut otherwise at 1 place",
        "  [▁ l o w | ▁low] est",
    ]
    first, second = map(json.loads, run("diff", "-m", "a.json", "-m", "b.json", "--json", "t.txt").out.splitlines())
    assert (first["same_merges"], first["is_same"], first["only_right"]) == (2, False, ["lo", "low", "▁low"])
    assert second["source"] == "t.txt"
    assert second["stretches"][0] == {"left": ["▁", "l", "o", "w"], "right": ["▁low"], "start": 0, "end": 3}


def test_the_same_model(folder: Path) -> None:
    ended = run("diff", "-m", "a.json", "-m", "a.json", "t.txt")
    assert (ended.code, ended.out.splitlines()[0]) == (0, "the same: 2 merges, equal fingerprints")


def test_two_rules(folder: Path) -> None:
    ended = run("diff", "--rules", "ours", "subword-nmt", "c.txt")
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.splitlines() == [
        "ours | subword-nmt: the first 0 merges are the same",
        "merge 0: e+s | ▁+l, both with 3",
        "  tied were e+s, l+o, o+w, s+t, w+e, ▁+l",
        "  ours takes the smaller left symbol, then right, by code point (T4)",
        "  subword-nmt takes the largest pair",
        "in the end: 9 | 9 merges, 0 of them at the same rank; corpus tokens 12 | 12",
        "tokens of the left alone: 6: es lo low ew ewest newest",
        "tokens of the right alone: 6: ▁l ▁lo st ▁n ▁ne ▁new",
        "words cut otherwise: 0",
    ]
    assert run("diff", "--rules", "ours", "hugging-face", text="ab ab").code == 0
    fields = json.loads(run("diff", "--rules", "ours", "first-seen", "--merges", "3", "--json", text=TEXT).out)
    assert (fields["first"]["rank"], fields["left_merges"]) == (0, 3)
    assert fields["words"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "either two models"),
        (("-m", "a.json"), "either two models"),
        (("-m", "a.json", "-m", "a.json", "-m", "a.json"), "either two models"),
        (("-m", "a.json", "-m", "a.json", "--rules", "ours", "ours"), "either two models"),
        (("-m", "-", "-m", "-"), "not more"),
        (("--rules", "ours", "nothing"), "'nothing' is not one of"),
    ],
)
def test_wrong_use(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    ended = run("diff", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_nothing_hostile_reaches_a_terminal(folder: Path) -> None:
    text = " ".join(HOSTILE)
    (folder / "h.txt").write_text(text, "utf-8")
    save(train(text, min_frequency=1), folder / "h.json")
    save(train(text, 40, min_frequency=1), folder / "i.json")
    for arguments in (
        ("-m", "h.json", "-m", "i.json", "h.txt"),
        ("--rules", "ours", "subword-nmt", "--min-frequency", "1", "h.txt"),
    ):
        for out in (
            run("diff", *arguments).out,
            run_in_terminal("diff", "--color", "never", *arguments).out.replace("\r\n", "\n"),
        ):
            assert out
            assert not [span for line in out.split("\n") for span in visible(line) if span.kind == "escape"]
