"""What other tests of the documentation do not walk: environment variables, fields of traces, columns of tables."""

from __future__ import annotations

import json
import re

from pairloom import History, count_words, train
from pairloom.formats.csv_table import merges_csv
from pairloom.formats.trace import trace_portions
from tests.docs.markdown import ROOT

SOURCES = {path: path.read_text("utf-8") for path in sorted((ROOT / "src" / "pairloom").rglob("*.py"))}


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def test_every_environment_variable_is_told() -> None:
    asked = re.compile(r"\b(?:environ|getenv)\W+(?:(?:get|setdefault|pop)\W+)?([A-Z]\w+)")
    read = {name for text in SOURCES.values() for name in asked.findall(text)}
    section = page("command-line.md").partition("**Environment.**")[2].partition("\n**")[0]
    told = {name for cell in re.findall(r"^\| (`.+?`) \|", section, re.MULTILINE) for name in re.findall(r"\w+", cell)}
    assert read == told


def test_every_field_of_a_trace_is_told() -> None:
    text = "low low lower"
    trace = json.loads(b"".join(trace_portions(History.of(count_words(text), train(text)))))
    told = page("trace-file.md").partition("## The trace")[2].partition("\n## ")[0]
    in_table = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.+?) \|", told, re.MULTILINE))))
    assert in_table == set(trace)
    assert {name for name in trace["rounds"][0] if f"`{name}`" not in told} == set()


def test_every_column_of_the_table_is_told() -> None:
    head = b"".join(merges_csv(train("low low").merges)).decode("utf-8-sig").splitlines()[0]
    told = page("trace-file.md").partition("## The merge table as CSV")[2]
    assert [name for name in head.split(",") if f"`{name}`" not in told] == []
