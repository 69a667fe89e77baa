"""`pairloom explain`: a word, a token, a merge, a life; as lines and as JSON; nothing hostile reaches a terminal."""

import json
from pathlib import Path

import pytest

from pairloom.formats.model_file import save
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.display import visible
from tests.support.command_line import run, run_in_terminal
from tests.support.hostile import HOSTILE

TEXT = "low low lower newest newest widest aaaaa"
MODEL = train(TEXT)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    save(MODEL, tmp_path / "m.json")
    (tmp_path / "t.txt").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_word_step_by_step(folder: Path) -> None:
    ended = run("explain", "-m", "m.json", "--word", "lows aaaa")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "▁lows, with 10 merges:",
        "  ▁:11 l:4 o:6 w:10 s:8",
        "    ranks: l+o 3; lowest: l+o",
        "  ▁:11 lo:15 w:10 s:8",
        "    ranks: lo+w 4; lowest: lo+w",
        "  ▁:11 low:16 s:8",
        "    ranks: ▁+low 5; lowest: ▁+low",
        "  ▁low:17 s:8",
        "    no two neighbours are among the merges",
        "▁aaaa, with 10 merges:",
        "  ▁:11 a:0 a:0 a:0 a:0",
        "    ranks: a+a 0, a+a 0, a+a 0; lowest: a+a; at several places, the leftmost (symbol 1)",
        "  ▁:11 aa:12 a:0 a:0",
        "    ranks: a+a 0; lowest: a+a",
        "  ▁:11 aa:12 aa:12",
        "    no two neighbours are among the merges",
    ]
    first = json.loads(run("explain", "-m", "m.json", "--word", "low", "--prefix", "4", "--json").out)
    assert (first["prefix"], first["tokens"], first["ids"]) == (4, ["▁", "lo", "w"], [11, 15, 10])
    assert first["steps"][0]["chosen"] == {"left": "l", "right": "o", "rank": 3, "place": 1}
    assert run("explain", "-m", "m.json", "--word", "").out == ""


def test_a_token_as_a_tree(folder: Path) -> None:
    assert run("explain", "-m", "m.json", "--token", "▁low").out.splitlines() == [
        "▁low:17  merge 5",
        "├─ ▁:11  base alphabet",
        "└─ low:16  merge 4",
        "   ├─ lo:15  merge 3",
        "   │  ├─ l:4  base alphabet",
        "   │  └─ o:6  base alphabet",
        "   └─ w:10  base alphabet",
    ]
    assert json.loads(run("explain", "-m", "m.json", "--token", "lo", "--json").out)["nodes"][0] == {
        "token": "lo",
        "id": 15,
        "rank": 3,
        "left": 1,
        "right": 2,
    }


def test_a_merge_and_its_tie(folder: Path) -> None:
    assert run("explain", "-m", "m.json", "--merge", "1", "t.txt").out.splitlines() == [
        "merge 1: e+s, frequency 3",
        "  tied: 6 pairs: e+s, l+o, o+w, s+t, w+e, ▁+l",
        "  decided by the left symbols of the first two (T4): e < l, since e (U+0065) < l (U+006C)",
        "  the pair counted first (minbpe, tiktoken's educational module): ▁+l",
        "  the smallest IDs (Hugging Face tokenizers, rustbpe): the same",
        "  the largest pair (subword-nmt): ▁+l",
        "  the shorter piece, then the smaller string (SentencePiece): the same",
    ]
    alone = run("explain", "-m", "m.json", "--merge", "0", "t.txt").out.splitlines()
    assert alone[:2] == ["merge 0: a+a, frequency 4", "  alone at the top; next e+s, 3"]
    assert json.loads(run("explain", "-m", "m.json", "--merge", "1", "--json", "t.txt").out)["tied_count"] == 6


def test_a_beginning_is_the_smaller_symbol(folder: Path) -> None:
    text = "ab ab ab abc abc abd abd x"
    save(train(text), folder / "p.json")
    outs = [run("explain", "-m", "p.json", "--merge", str(rank), text=text).out for rank in range(3)]
    assert all(out == "" for out in outs)  # without FILES standard input is left alone
    outs = [run("explain", "-m", "p.json", "--merge", str(rank), "-", text=text).out for rank in range(4)]
    assert any("decided by" in out for out in outs)


def test_a_life(folder: Path) -> None:
    assert run("explain", "-m", "m.json", "--life", "lower", "t.txt").out.splitlines() == [
        "▁lower, 1 times in the texts: never whole",
        "  0: ▁:11 l:4 o:6 w:10 e:2 r:7",
        "  4: ▁:11 lo:15 w:10 e:2 r:7  (l+o)",
        "  5: ▁:11 low:16 e:2 r:7  (lo+w)",
        "  6: ▁low:17 e:2 r:7  (▁+low)",
        "  left behind: lo, from 4 to 4; in the texts 0 times with all merges",
        "  left behind: low, from 5 to 5; in the texts 0 times with all merges",
    ]
    alone = json.loads(run("explain", "-m", "m.json", "--life", "newest", "--json").out)
    assert (alone["whole_at"], alone["count"]) == (10, None)
    assert [change["prefix"] for change in alone["changes"]] == [0, 2, 3, 7, 8, 9, 10]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "one of --word"),
        (("--word", "a", "--token", "a"), 2, "one of --word"),
        (("--merge", "0"), 2, "give them as FILES"),
        (("--merge", "99", "t.txt"), 1, "there is no merge 99"),
        (("--merge", "0", "other.txt"), 1, "was not trained on these texts"),
        (("--token", "zz"), 1, "no token zz"),
        (("--life", "two words"), 1, "2 pre-tokens"),
        (("--life", " "), 1, "no word"),
        (("--life", "zebra", "t.txt"), 1, "do not have the word"),
        (("--word", "a▁"), 1, "position 1"),
        (("--word", " "), 1, "at least one word; this has none"),
        (("--word", "a", "--prefix", "99"), 2, "--prefix cannot be 99"),
    ],
)
def test_what_cannot_be_explained(folder: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    (folder / "other.txt").write_text(TEXT + " more")
    ended = run("explain", "-m", "m.json", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err


def test_an_imported_list_was_not_learned(folder: Path) -> None:
    save(Model.from_merges("ab", [("a", "b")], marker=False), folder / "i.json")
    ended = run("explain", "-m", "i.json", "--merge", "0", "t.txt")
    assert (ended.code, ended.out) == (1, "")
    assert "imported list" in ended.err


def test_a_token_that_no_text_gives(folder: Path) -> None:
    save(Model.from_merges("abc", [("a", "b"), ("b", "c"), ("a", "bc")], marker=False), folder / "i.json")
    assert run("explain", "-m", "i.json", "--token", "abc").out.splitlines() == [
        "abc:5  merge 2",
        "├─ a:0  base alphabet",
        "└─ bc:4  merge 1",
        "   ├─ b:1  base alphabet",
        "   └─ c:2  base alphabet",
        "no text gives it: it is cut into ab c",
    ]
    assert json.loads(run("explain", "-m", "i.json", "--token", "abc", "--json").out)["alone"] == ["ab", "c"]
    assert "no text" not in run("explain", "-m", "i.json", "--token", "ab").out


def test_nothing_hostile_reaches_a_terminal(folder: Path) -> None:
    text = " ".join(HOSTILE)
    model = train(text, min_frequency=1)
    save(model, folder / "h.json")
    (folder / "h.txt").write_text(text, "utf-8")
    longest = max(model.vocabulary, key=len)
    for arguments in (
        ("--word", text.replace("\x00", "")),  # an argument of a process cannot hold NUL
        ("--token", longest),
        ("--merge", "3", "h.txt"),
        ("--life", "\u202egnp.exe", "h.txt"),
    ):
        for out in (
            run("explain", "-m", "h.json", *arguments).out,
            run_in_terminal("explain", "-m", "h.json", "--color", "never", *arguments).out.replace("\r\n", "\n"),
        ):
            assert out
            assert not [span for line in out.split("\n") for span in visible(line) if span.kind == "escape"]
