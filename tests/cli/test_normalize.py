"""`pairloom normalize`: the text as the model sees it."""

import json
from pathlib import Path

from tests.support.command_line import run


def test_whitespace_and_capitals() -> None:
    assert run("normalize", text="  An\u3000 Example \n").out == "An Example\n"
    assert run("normalize", "--lowercase", text="ΑΣ\tİ").out == "ας i\u0307\n"


def test_each_text_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo\n")
    assert run("normalize", tmp_path / "a", "-", text="three").out == "one two\nthree\n"
    assert run("normalize", "--lines", tmp_path / "a", "-", text="\nthree").out == "one\ntwo\n\nthree\n"
    assert run("normalize").out == "\n"


def test_nothing_else_changes() -> None:
    text = "e\u0301 \x1b[1m\u202e\0\u0085"
    assert run("normalize", text=text).out == text + "\n"
    out = run("normalize", "--json", text=text).out
    assert json.loads(out) == {"normalized": text, "code_points": len(text)}
    assert out.rstrip("\n").isprintable()


def test_errors() -> None:
    assert "<stdin>: the text holds a literal ▁ (U+2581) at position 2:" in run("normalize", text="ab▁").err
    assert "<stdin>, line 2: the text holds a literal ▁" in run("normalize", "--lines", text="ab\n▁").err
    assert "<stdin> is not UTF-8: invalid byte at offset 3" in run("normalize", "--lines", text=b"ab\n\xc3\n").err
