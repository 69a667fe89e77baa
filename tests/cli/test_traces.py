"""`pairloom train --trace` and `pairloom merges --csv`: the same bytes as the library's."""

from __future__ import annotations

from pathlib import Path

import pairloom
from pairloom.formats.csv_table import merges_csv
from pairloom.formats.model_file import dumps
from pairloom.formats.trace import trace_portions
from pairloom.history import History
from pairloom.word_counts import count_words
from tests.support.command_line import run

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
