"""`pairloom encode` and `decode` on much text: in parts, with threads, as binary numbers."""

from __future__ import annotations

import random
import signal
import struct
import subprocess
import time
from array import array
from pathlib import Path

import pytest

from pairloom import encoding_files
from pairloom.cli import encoded
from pairloom.formats.model_file import save
from pairloom.model import Model
from pairloom.trainer import train
from tests.support.command_line import COMMAND, run, run_process

LETTERS = {"u16": "H", "u32": "I"}


@pytest.fixture
def model(tmp_path: Path) -> Model:
    model = train("low low lower", 10)
    save(model, tmp_path / "m.json")
    return model


def test_parts_of_a_text_are_one_line(model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = " low lower  low wowl\nx" * 40
    (tmp_path / "a").write_text(text)
    (tmp_path / "b").write_text("")
    (tmp_path / "c").write_text("low")
    files = [tmp_path / name for name in "abc"]
    for options in ((), ("--ids",), ("--color", "always"), ("--threads", "3")):
        arguments = ("encode", "-m", tmp_path / "m.json", *options, *files)
        whole = run(*arguments)
        with monkeypatch.context() as patched:
            patched.setattr(encoding_files, "BLOCK_BYTES", 20)
            assert run(*arguments) == whole
        assert whole.out.count("\n") == 3
    ids = " ".join("UNK" if token_id is None else str(token_id) for token_id in model.encode(text).ids)
    assert run("encode", "-m", tmp_path / "m.json", "--ids", *files).out == f"{ids}\n\n8\n"


def test_lines_are_gathered(model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["low", "", "lower low", "slow", "  "] * 20
    (tmp_path / "a").write_text("\n".join(lines))
    arguments = ("encode", "-m", tmp_path / "m.json", "--lines", tmp_path / "a")
    whole = run(*arguments)
    assert whole.out.split("\n")[:4] == ["▁low:8", "", "▁low:8 e:0 r:3 ▁low:8", "▁:5 s:UNK low:7"]
    assert whole.out.count("\n") == 100
    monkeypatch.setattr(encoded, "_LINES_BYTES", 7)
    assert run(*arguments) == whole
    assert run(*arguments, "--threads", "2") == whole


@pytest.mark.parametrize(
    "wrong",
    [
        (b"l\xffw", "is not UTF-8: invalid byte at offset 9"),
        ("lo▁w".encode(), ", line 4: the text holds a literal"),
        (b"lows", ", line 4: 1 unknown token: s (token 1)"),
    ],
)
@pytest.mark.parametrize("gathered", [1, 5, 1 << 22])
def test_what_is_before_an_error_is_written(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: tuple[bytes, str], gathered: int
) -> None:
    last, said = wrong
    monkeypatch.setattr(encoded, "_LINES_BYTES", gathered)
    (tmp_path / "a").write_bytes(b"low\n\nwo\n" + last + b"\nlow")
    ended = run("encode", "-m", tmp_path / "m.json", "--lines", "--ids", "--unknown", "error", tmp_path / "a")
    assert (ended.code, ended.out) == (1, "8\n\n5 4 2\n")
    assert f"{tmp_path / 'a'}" in ended.err
    assert said in ended.err


# ---------------------------------------------------------------- binary numbers


@pytest.mark.parametrize("form", ["u16", "u32", "npy"])
@pytest.mark.parametrize("lines", [False, True])
def test_binary_numbers_there_and_back(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, lines: bool
) -> None:
    monkeypatch.setattr(encoding_files, "BLOCK_BYTES", 50)
    text = "low lower\nwool  low\n" * 30
    (tmp_path / "a").write_text(text)
    (tmp_path / "b").write_text("low")
    options = ("--lines",) if lines else ()
    files = (tmp_path / "a", tmp_path / "b")
    ended = run("encode", "-m", tmp_path / "m.json", "--format", form, *options, "-o", tmp_path / "ids", *files)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    data = (tmp_path / "ids").read_bytes()
    expected = [*model.encode(text).known_ids(), 8]
    assert array(LETTERS.get(form, "H"), data[128 if form == "npy" else 0 :]).tolist() == expected
    back = run("decode", "-m", tmp_path / "m.json", "--format", form, tmp_path / "ids")
    assert back.out == "low lower wool low " * 30 + "low\n"
    if form != "npy":
        piped = run_process("encode", "-m", tmp_path / "m.json", "--format", form, *options, *files)
        assert piped.stdout == data


def test_the_header_as_numpy_describes_it(model: Model, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("low lower")
    run("encode", "-m", tmp_path / "m.json", "--format", "npy", "-o", tmp_path / "ids.npy", tmp_path / "a")
    data = (tmp_path / "ids.npy").read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    assert struct.unpack("<H", data[8:10]) == (118,)
    header = data[10:128]
    assert header.rstrip(b" \n") == b"{'descr': '<u2', 'fortran_order': False, 'shape': (4,), }"
    assert header.endswith(b" \n")
    assert len(data) == 128 + 2 * 4


def test_unknown_tokens_in_binary_numbers(model: Model, tmp_path: Path) -> None:
    """E4: an error, or a number that the user has named."""
    (tmp_path / "a").write_text("low s")
    arguments = ("encode", "-m", tmp_path / "m.json", "--format", "u16", "-o", tmp_path / "ids", tmp_path / "a")
    ended = run(*arguments)
    assert ended.code == 1
    assert "1 unknown token: s (token 2); --unknown show keeps them" in ended.err
    assert not (tmp_path / "ids").exists()
    assert run(*arguments, "--unknown-id", "65535").code == 0
    assert array("H", (tmp_path / "ids").read_bytes()).tolist() == [8, 5, 65535]
    for number in ("8", "65536", "-1", "x"):
        ended = run(*arguments, "--unknown-id", number)
        assert (ended.code, ended.out) == (2, ""), number


def test_options_that_exclude_each_other(model: Model, tmp_path: Path) -> None:
    for options in (
        ("--format", "u16", "--ids"),
        ("--format", "u32", "--json"),
        ("--format", "npy"),
        ("--format", "npy", "-o", "-"),
        ("--unknown-id", "99"),
    ):
        assert run("encode", "-m", tmp_path / "m.json", *options, text="low").code == 2, options
    assert run("decode", "-m", tmp_path / "m.json", "--format", "u16", "--lines").code == 2


def test_more_tokens_than_two_bytes_number(tmp_path: Path) -> None:
    save(train("".join(map(chr, range(0x10000, 0x20001)))), tmp_path / "m.json")
    (tmp_path / "a").write_text("\U00012345")
    ended = run("encode", "-m", tmp_path / "m.json", "--format", "u16", "-o", tmp_path / "ids", tmp_path / "a")
    assert (ended.code, ended.err) == (
        2,
        "pairloom: error: format cannot be 'u16': give u32: the model has 65,538 tokens\n",
    )
    assert run("encode", "-m", tmp_path / "m.json", "--format", "npy", "-o", tmp_path / "n", tmp_path / "a").code == 0
    assert b"<u4" in (tmp_path / "n").read_bytes()[:60]


def test_no_number_is_left_for_unknown_tokens(tmp_path: Path) -> None:
    save(Model.from_merges(map(chr, range(0x10000, 0x20000)), [], marker=False), tmp_path / "m.json")
    (tmp_path / "a").write_text("\U00010001\U0001ffff")
    arguments = ("encode", "-m", tmp_path / "m.json", "--format", "u16", "-o", tmp_path / "ids", tmp_path / "a")
    ended = run(*arguments, "--unknown-id", "65535")
    assert ended.code == 2
    assert "give u32: all numbers of two bytes are IDs of the model" in ended.err
    assert run(*arguments).code == 0
    assert array("H", (tmp_path / "ids").read_bytes()).tolist() == [1, 65535]


@pytest.mark.parametrize(
    ("form", "data", "said"),
    [
        ("u16", b"\x08", "it ends in the middle of a number of 2 bytes"),
        ("u32", b"\x08\0\0\0\0", "it ends in the middle of a number of 4 bytes"),
        ("u16", b"\x08\0\x09\0", "no token has the ID 9 (position 1)"),
        ("npy", b"", "it ends in its header"),
        ("npy", b"\x93NUMPX\x01\0\x10\0" + b" " * 16, "it does not begin as numpy's files do"),
        ("npy", b"\x93NUMPY\x01\0\x10\0" + b"(" * 16, "its header cannot be read"),
        ("npy", b"\x93NUMPY\x02\0\xff\xff\xff\x7f", "its header is too long"),
    ],
)
def test_what_is_no_file_of_ids(model: Model, tmp_path: Path, form: str, data: bytes, said: str) -> None:
    (tmp_path / "ids").write_bytes(data)
    ended = run("decode", "-m", tmp_path / "m.json", "--format", form, tmp_path / "ids")
    assert ended.code == 1
    assert ended.err.startswith(f"pairloom: error: {tmp_path / 'ids'}: ")
    assert said in ended.err


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "it holds '<f4', not whole numbers"),
        ("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2), }", "is not that of one row of numbers"),
        ("{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }", "its header speaks of 3 numbers, it holds 2"),
        ("{'descr': '<u2', 'shape': (2,), }", "its header cannot be read"),
    ],
)
def test_other_arrays_of_numpy(model: Model, tmp_path: Path, header: str, said: str) -> None:
    written = b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + b"\x08\0\x08\0"
    (tmp_path / "ids").write_bytes(written)
    ended = run("decode", "-m", tmp_path / "m.json", "--format", "npy", tmp_path / "ids")
    assert ended.code == 1
    assert said in ended.err
    (tmp_path / "ids").write_bytes(written.replace(header.encode(), header.replace("<f4", "<i2").encode()))
    if "f4" in header:
        assert run("decode", "-m", tmp_path / "m.json", "--format", "npy", tmp_path / "ids").out == "low low\n"


def test_ctrl_c_leaves_nothing_half_written(tmp_path: Path) -> None:
    """A text without end comes through the pipe; the output is not there yet, and then never."""
    drawn = random.Random(1)
    save(train(" ".join("".join(drawn.choices("abcde", k=5)) for _ in range(100))), tmp_path / "m.json")
    process = subprocess.Popen(
        [*COMMAND, "encode", "-m", tmp_path / "m.json", "--format", "u16", "-o", tmp_path / "ids"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    for _ in range(3):
        process.stdin.write(b"abc bcd eda " * 500_000)
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob(".pairloom-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"pairloom: interrupted\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.json"]
