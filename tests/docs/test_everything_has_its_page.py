"""What other tests of the documentation do not walk: errors of the edges, environment variables, fields of a trace."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator

import pytest

import pairloom
from pairloom import History, count_words, train
from pairloom.errors import PairloomError
from pairloom.formats.csv_table import merges_csv
from pairloom.formats.trace import trace_portions
from tests.docs.markdown import ROOT

SOURCES = {path: path.read_text("utf-8") for path in sorted((ROOT / "src" / "pairloom").rglob("*.py"))}


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def kinds(kind: type[PairloomError] = PairloomError) -> Iterator[type[PairloomError]]:
    yield kind
    for descendant in kind.__subclasses__():
        yield from kinds(descendant)


@pytest.fixture(scope="module")
def edges() -> list[type[PairloomError]]:
    """Every error class outside of `errors`: once every module is loaded, the tree knows them."""
    for module in pkgutil.walk_packages(pairloom.__path__, "pairloom."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return [
        kind for kind in kinds() if kind.__module__.startswith("pairloom.") and kind.__module__ != "pairloom.errors"
    ]


def test_every_error_of_the_edges_has_its_code_on_the_page(edges: list[type[PairloomError]]) -> None:
    told = set(re.findall(r"`([a-z_]+\.[a-z_]+)`", page("errors.md").partition("## Errors of the edges")[2]))
    codes = {kind.code for kind in edges if "code" in vars(kind)}
    assert len(codes) >= 10
    assert codes - told == set()


def test_every_environment_variable_is_told() -> None:
    read = {
        name for text in SOURCES.values() for name in re.findall(r"\b(?:environ|getenv)\W+(?:get\W+)?([A-Z]\w+)", text)
    }
    section = page("command-line.md").partition("**Environment.**")[2].partition("\n**")[0]
    told = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
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
