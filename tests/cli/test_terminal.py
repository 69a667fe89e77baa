"""What a person in a terminal sees: colours, tables, progress, hints; and what no terminal may ever be sent."""

import os
import re
import signal
import subprocess
import termios
from pathlib import Path

import pytest

from pairloom.cli.listing import width
from pairloom.cli.progress import Progress, progress
from pairloom.formats.model_file import save
from pairloom.trainer import train
from pairloom.views.colors import TERMINAL_COLORS
from tests.support.command_line import COMMAND, run_in_terminal

# The compiled kernel is done before a line of progress has been there for long.
SLOW = os.environ | {"PAIRLOOM_KERNEL": "pure"}


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    save(train("low low lower", 10), tmp_path / "m.json")
    return tmp_path / "m.json"


def test_tokens_are_coloured_and_counted(model_path: Path) -> None:
    shown = run_in_terminal("encode", "-m", model_path, text=b"lower slow")
    assert shown.code == 0
    tokens, counts = shown.out.splitlines()
    assert "\x1b[38;5;16;48;5;120m▁low:8\x1b[0m" in tokens
    assert "\x1b[1;7ms:UNK\x1b[0m" in tokens
    assert counts == "6 tokens, 10 code points, code points per token: 1.67, 1 unknown: s"
    # Equal tokens look alike, and every colour is one of the palette's.
    assert all(f"48;5;{color}m" in tokens for color in (TERMINAL_COLORS[8 * 5 % 12], TERMINAL_COLORS[0]))


def test_counts_of_one_and_of_none(model_path: Path) -> None:
    assert run_in_terminal("encode", "-m", model_path, text=b"").out == (
        "\n0 tokens, 0 code points, code points per token: —\n"
    )
    assert run_in_terminal("encode", "-m", model_path, "--color", "never", text=b"low").out == (
        "▁low:8\n1 token, 3 code points, code points per token: 3.00\n"
    )


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_it_is_not_wanted(model_path: Path, environment: dict[str, str]) -> None:
    assert "\x1b" not in run_in_terminal("encode", "-m", model_path, text=b"low", environment=environment).out
    assert "\x1b" not in run_in_terminal("merges", "-m", model_path, environment=environment).out
    assert (
        "\x1b["
        in run_in_terminal("encode", "-m", model_path, "--color", "always", text=b"low", environment=environment).out
    )


def test_an_empty_no_color_says_nothing(model_path: Path) -> None:
    assert "\x1b[" in run_in_terminal("encode", "-m", model_path, text=b"low", environment={"NO_COLOR": ""}).out


def test_tables_are_aligned(model_path: Path) -> None:
    assert run_in_terminal("merges", "-m", model_path, "--color", "never").out == (
        "rank  left  right  result  frequency  replacements  corpus tokens  ID  new\n"
        "   0  l     o      lo              3             3             11   6  new\n"
        "   1  lo    w      low             3             3              8   7  new\n"
        "   2  ▁     low    ▁low            3             3              5   8  new\n"
    )
    assert run_in_terminal(
        "vocab", "-m", model_path, "--start", "5", "--prefix", "2", environment={"NO_COLOR": "1"}
    ).out == (
        "ID  token  kind   rank  active\n"
        " 5  ▁      base      —  yes\n"
        " 6  lo     merge     0  yes\n"
        " 7  low    merge     1  yes\n"
        " 8  ▁low   merge     2  no\n"
    )


def test_colours_move_no_column(model_path: Path) -> None:
    for command in ("merges", "vocab"):
        plainly = run_in_terminal(command, "-m", model_path, "--color", "never").out
        coloured = run_in_terminal(command, "-m", model_path).out
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plainly
        assert "\x1b[38;5;16;48;5;120m▁low\x1b[0m" in coloured


def test_long_and_wide_tokens(tmp_path: Path) -> None:
    save(train(f"中文中文 {'é' * 64} " * 2), tmp_path / "m.json")
    lines = run_in_terminal("vocab", "-m", tmp_path / "m.json", environment={"NO_COLOR": "1"}).out.splitlines()
    # Nothing is cut; a cell that is too long sticks out.
    assert any("é" * 64 in line for line in lines)
    assert width("中文e\u0301") == 5
    places = {width(line[: line.index("base")]) for line in lines if " base " in line}
    assert len(places) == 1


def test_nothing_of_a_corpus_disturbs_the_terminal(tmp_path: Path) -> None:
    text = "\x1b]0;title\x07 \x1b[2J \u202e \x9b31m \r \x08"
    save(train(text), tmp_path / "m.json")
    (tmp_path / "ids").write_text(" ".join(str(number) for number in range(len(train(text).vocabulary))))
    commands: list[list[str | Path]] = [
        ["encode", "-m", tmp_path / "m.json", "--color", "never"],
        ["encode", "-m", tmp_path / "m.json", "--json"],
        ["merges", "-m", tmp_path / "m.json", "--color", "never"],
        ["vocab", "-m", tmp_path / "m.json", "--color", "never"],
        ["vocab", "-m", tmp_path / "m.json", "--json"],
        ["decode", "-m", tmp_path / "m.json", tmp_path / "ids"],
        ["normalize"],
        ["normalize", "--json"],
        ["normalize", "no such\x1b[2J\u202efile"],
        ["train", "--nothing\x1b[2J"],
    ]
    for arguments in commands:
        shown = run_in_terminal(*arguments, text=text.encode()).out
        assert not [code_point for code_point in shown if not code_point.isprintable() and code_point != "\n"], (
            arguments
        )


def test_a_terminal_that_is_not_utf_8(model_path: Path) -> None:
    shown = run_in_terminal(
        "encode", "-m", model_path, "--color", "never", text=b"low", environment={"PYTHONIOENCODING": "ascii"}
    )
    assert shown.out.startswith("\\u2581low:8\n")


def test_training_says_what_it_came_to(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("low low lower")
    assert run_in_terminal("train", tmp_path / "c.txt", "-o", tmp_path / "m.json").out == (
        "3 merges (no pair occurs 2 times any more), 9 tokens in the vocabulary; the corpus went from 14 to 5 tokens; "
        f"{tmp_path / 'm.json'} is written\n"
    )
    assert run_in_terminal("train", tmp_path / "c.txt", "-o", tmp_path / "m.json", "--merges", "0").out.startswith(
        "0 merges (the limit), 6 tokens in the vocabulary; the corpus went from 14 to 14 tokens;"
    )


def test_the_name_of_the_model_is_shown_without_its_controls(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("low low lower")
    shown = run_in_terminal("train", tmp_path / "c.txt", "-o", f"{tmp_path}/evil\x1b[31mred\n\udcff.json").out
    assert shown.endswith("evil\\u001b[31mred\\u000a\\udcff.json is written\n")
    assert shown.count("\n") == 1


def test_reading_from_the_keyboard(model_path: Path) -> None:
    shown = run_in_terminal("encode", "-m", model_path, "--color", "never", text=None, typed=b"low\n\x04")
    assert shown.code == 0
    assert "reading text from the keyboard; Ctrl-D ends it\n" in shown.out
    assert "▁low:8\n" in shown.out


@pytest.mark.parametrize("command", ["merges", "vocab"])
def test_a_model_from_the_keyboard(command: str) -> None:
    shown = run_in_terminal(command, text=None, typed=b"\x04").out
    assert "reading a model from the keyboard; Ctrl-D ends it; -m MODEL names a file\n" in shown


def test_a_conversation_line_by_line(model_path: Path) -> None:
    shown = run_in_terminal(
        *("encode", "-m", model_path, "--color", "never", "--lines"), text=None, typed=b"low\nlower\n\x04"
    )
    assert "▁low:8\n1 token," in shown.out
    assert "▁low:8 e:0 r:3\n3 tokens," in shown.out


def test_ctrl_c_in_a_long_training(tmp_path: Path) -> None:
    corpus, path = tmp_path / "corpus.txt", tmp_path / "m.json"
    # Far more work than anybody waits for: the test goes on as soon as the first sign of life is there.
    corpus.write_text(" ".join(f"{number * 2654435761 % 2**64:x}" for number in range(300_000)))
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [*COMMAND, "train", str(corpus), "--merges", "1000000", "-o", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env=SLOW,
    )
    os.close(theirs)
    shown = b""
    while b" of at most 1,000,000 merges, " not in shown:
        shown += os.read(ours, 65536)
    process.send_signal(signal.SIGINT)
    while b"interrupted" not in shown:
        shown += os.read(ours, 65536)
    assert process.wait() == 130
    os.close(ours)
    # The progress line is taken away before the message is there.
    assert shown.endswith(b" \rpairloom: interrupted\r\n")
    assert list(tmp_path.iterdir()) == [corpus]


class Terminal:
    def __init__(self, *, is_terminal: bool) -> None:
        self.is_terminal = is_terminal
        self.shown: list[str] = []

    def isatty(self) -> bool:
        return self.is_terminal

    def write(self, text: str) -> None:
        self.shown.append(text)

    def flush(self) -> None:
        pass


def test_progress_overwrites_itself_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(is_terminal=True)
    monkeypatch.setattr("sys.stderr", terminal)
    now = 0.0
    line = Progress(clock=lambda: now)
    line.status, now = "training: 12 merges", 1.2
    line.show()
    line.status, now = "training: 9", 12.0
    line.show()
    line.stop()
    line.stop()
    assert terminal.shown == [
        "\rtraining: 12 merges, 1 s",
        "\rtraining: 9, 12 s" + " " * 7,
        "\r" + " " * 17 + "\r",
    ]


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (80, "training: 12 of at most 1,000 merges, 12 s"),
        (42, "training: 12 of at most 1,000 merges, 12 s"),
        (41, "training: 12 of at most 1,000 merg…, 12 s"),
        (30, "training: 12 of at most…, 12 s"),
        (8, "t…, 12 s"),
        (7, "…, 12 s"),
        (6, ", 12 s"),
        (5, ", 12…"),
        (0, ""),
    ],
)
def test_progress_stays_on_one_line(columns: int, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(is_terminal=True)
    monkeypatch.setattr("sys.stderr", terminal)
    line = Progress(clock=iter([0.0, 12.0]).__next__, columns=lambda: columns + 1)
    line.status = "training: 12 of at most 1,000 merges"
    line.show()
    assert terminal.shown == [f"\r{shown}"]


def test_progress_knows_wide_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(is_terminal=True)
    monkeypatch.setattr("sys.stderr", terminal)
    line = Progress(clock=lambda: 0.0, columns=lambda: 13)
    for status in ("中文中文", "中文"):
        line.status = status
        line.show()
    line.stop()
    # Twelve columns may be used: three wide characters, the ellipsis and five for the seconds.
    assert terminal.shown == ["\r中文中…, 0 s", "\r中文, 0 s" + " " * 3, "\r" + " " * 9 + "\r"]


def test_the_width_of_a_terminal_is_asked_of_it(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 30))
    process = subprocess.Popen(
        [*COMMAND, "train", "--merges", "1000000", "-o", str(tmp_path / "m.json")],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=SLOW,
    )
    os.close(theirs)
    assert process.stdin is not None
    process.stdin.write(" ".join(f"{number * 2654435761 % 2**64:x}" for number in range(100_000)).encode())
    process.stdin.close()
    shown = b""
    while b"training" not in shown or shown.count(b"\r") < 2:
        shown += os.read(ours, 65536)
    process.send_signal(signal.SIGINT)
    process.wait()
    os.close(ours)
    assert {len(line) for line in shown.decode().split("\r")} <= set(range(30))


class Waits:
    """Stands in for the event that the thread waits for, and keeps for how long it was going to."""

    def __init__(self, answers: list[bool]) -> None:
        self.answers = answers
        self.pauses: list[float] = []

    def wait(self, pause: float) -> bool:
        self.pauses.append(pause)
        return self.answers.pop(0)


def test_progress_keeps_quiet_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(is_terminal=True)
    monkeypatch.setattr("sys.stderr", terminal)
    line = Progress()
    waits = Waits([False, False, False, True])
    line._stopped = waits  # type: ignore[assignment]  # a stand-in
    line._show_until_stopped()
    assert waits.pauses == [1.0, 0.1, 0.1, 0.1]
    assert len(terminal.shown) == 3


def test_work_that_is_done_in_a_second_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(is_terminal=True)
    monkeypatch.setattr("sys.stderr", terminal)
    line = Progress()
    waits = Waits([True])
    line._stopped = waits  # type: ignore[assignment]  # a stand-in
    line._show_until_stopped()
    assert terminal.shown == []


@pytest.mark.parametrize(
    ("is_terminal", "quiet", "starts"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_progress_is_for_terminals_where_nothing_else_happens(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, quiet: bool, starts: bool
) -> None:
    monkeypatch.setattr("sys.stderr", Terminal(is_terminal=is_terminal))
    with progress("working", quiet=quiet) as line:
        assert line._thread.is_alive() == starts
    assert not line._thread.is_alive()
