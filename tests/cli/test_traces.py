"""`pairloom train --trace` and `pairloom merges --csv`: the same bytes as the library's, and models of them again."""

from __future__ import annotations

from pathlib import Path

import pairloom
from pairloom.formats.csv_table import merges_csv
from pairloom.formats.model_file import dumps, load
from pairloom.formats.trace import trace_portions
from pairloom.history import History
from pairloom.word_counts import count_words
from tests.support.command_line import run, run_in_terminal

TEXT = "low low lower newest newest widest x=1 y=1 z=1"


def test_the_trace_is_that_of_the_library(tmp_path: Path) -> None:
    model, trace = tmp_path / "m.json", tmp_path / "t.json"
    ended = run("train", "--trace", trace, "-o", model, text=TEXT)
    assert (ended.code, ended.out) == (0, "")
    trained = pairloom.train(TEXT)
    assert model.read_bytes() == dumps(trained)
    assert trace.read_bytes() == b"".join(trace_portions(History.of(count_words(TEXT), trained)))


def test_the_trace_can_go_to_standard_output_if_the_model_does_not(tmp_path: Path) -> None:
    ended = run("train", "--trace", "-", "-o", tmp_path / "m.json", text=TEXT)
    assert (ended.code, ended.out[:29]) == (0, '{\n  "format": "pairloom-trace')
    ended = run("train", "--trace", "-", text=TEXT)
    assert (ended.code, ended.out) == (2, "")
    assert "cannot both go to standard output" in ended.err


def test_the_table_is_that_of_the_library(tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    run("train", "-o", model, text=TEXT)
    trained = pairloom.train(TEXT)
    ended = run("merges", "-m", model, "--csv")
    assert ended.out == b"".join(merges_csv(trained.merges)).decode()
    assert "'=1" in ended.out
    file = tmp_path / "m.csv"
    assert run("merges", "-m", model, "--csv", "--start", "2", "--count", "1", "-o", file).code == 0
    assert file.read_bytes() == b"".join(merges_csv(trained.merges[2:3]))
    assert run("merges", "-m", model, "--csv", "--json").code == 2


def test_the_trace_and_the_table_are_imported_again(tmp_path: Path) -> None:
    corpus, model, back = tmp_path / "corpus.txt", tmp_path / "m.json", tmp_path / "back.json"
    trace, table = tmp_path / "trace.json", tmp_path / "merges.csv"
    corpus.write_text(TEXT)
    run("train", corpus, "--trace", trace, "-o", model)
    run("merges", "-m", model, "--csv", "-o", table)
    ended = run("import", trace, "-o", back)
    assert (ended.code, ended.err) == (0, "")
    assert back.read_bytes() == model.read_bytes()
    ended = run("import", table, "--alphabet", corpus, "-o", back)
    assert (ended.code, ended.err) == (0, "")
    assert load(back).fingerprint == load(model).fingerprint


def test_a_trace_whose_words_make_other_rounds_is_refused(tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    run("train", "--trace", trace, "-o", tmp_path / "m.json", text=TEXT)
    written = trace.read_text()
    assert written.count('newest", 2]') == 1
    trace.write_text(written.replace('newest", 2]', 'newest", 3]'))
    ended = run("import", trace)
    assert (ended.code, ended.out) == (1, "")
    assert "[numbers]" in ended.err


def test_a_table_in_a_terminal_has_no_byte_order_mark(tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    run("train", "-o", model, text="a\0b a\0b")
    shown = run_in_terminal("merges", "-m", model, "--csv").out
    assert shown.startswith("rank,left,right,")
    assert "a\\u0000" in shown
    assert "\0" not in shown
    assert run("merges", "-m", model, "--csv").out.startswith("\ufeffrank,")
