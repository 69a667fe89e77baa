"""The prefix curve: exact values, drawn without a library and with those that people have. Rule: W6."""

from __future__ import annotations

import re
import sys
from importlib.resources import files

import matplotlib as mpl
import pytest

import pairloom
from pairloom import notebook

mpl.use("agg")
TEXT = (files("pairloom.web") / "static" / "samples" / "en.txt").read_text("utf-8")
MODEL = pairloom.train(TEXT)
HISTORY = pairloom.History.of(pairloom.count_words(TEXT), MODEL)
CURVE = notebook.curve(MODEL, name="a <story>")


def test_the_curve_is_the_history() -> None:
    assert tuple(CURVE.token_counts) == tuple(HISTORY.token_counts) == tuple(notebook.curve(HISTORY).token_counts)
    table = CURVE.table()
    assert table["prefix"] == list(range(len(MODEL.merges) + 1))
    assert table["corpus_tokens"] == list(HISTORY.token_counts)


def test_an_imported_model_needs_a_history() -> None:
    imported = pairloom.Model.from_merges("▁ab", [("a", "b")])
    with pytest.raises(pairloom.ModelError, match="History"):
        notebook.curve(imported)
    assert notebook.curve(pairloom.History.of(pairloom.count_words("ab"), imported)).token_counts[-1] == 2


def test_it_draws_itself() -> None:
    bundle = CURVE._repr_mimebundle_()
    (line,) = re.findall(r'<polyline points="([^"]+)"', bundle["text/html"])
    points = [tuple(map(float, point.split(","))) for point in line.split()]
    assert len(points) == len(MODEL.merges) + 1
    heights = [y for _, y in points]
    assert heights == sorted(heights)
    assert "a &lt;story&gt;" in bundle["text/html"]
    assert f"{len(MODEL.merges)}: {HISTORY.token_counts[-1]:,}" in bundle["text/plain"]


@pytest.mark.parametrize("text", ["a", "a a", "ab ab"])
def test_short_curves_draw_themselves(text: str) -> None:
    assert "<polyline" in notebook.curve(pairloom.train(text))._repr_mimebundle_()["text/html"]


def test_matplotlib() -> None:
    axes = CURVE.matplotlib()
    same = notebook.curve(HISTORY, name="again").matplotlib(axes)
    assert same is axes
    assert [line.get_label() for line in axes.lines] == ["a <story>", "again"]
    assert list(axes.lines[0].get_ydata()) == list(HISTORY.token_counts)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("merges", "corpus tokens")


def test_altair() -> None:
    chart = CURVE.altair().to_dict()
    values = chart["data"]["values"]
    assert [row["corpus_tokens"] for row in values] == list(HISTORY.token_counts)
    assert chart["encoding"]["y"]["title"] == "corpus tokens"
    both = (CURVE.altair() + notebook.curve(HISTORY, name="again").altair()).to_dict()
    assert len(both["layer"]) == 2


def test_altair_takes_long_curves() -> None:
    long = notebook.Curve(range(40_000, 0, -1), "long")
    values = long.altair().to_dict()["data"]["values"]
    assert len(values) <= 600
    assert (values[0]["prefix"], values[-1]["prefix"]) == (0, 39_999)


def test_plotly() -> None:
    figure = CURVE.plotly()
    assert notebook.curve(HISTORY, name="again").plotly(figure) is figure
    assert [trace.name for trace in figure.data] == ["a <story>", "again"]
    assert list(figure.data[0].y) == list(HISTORY.token_counts)


@pytest.mark.parametrize("library", ["matplotlib", "altair", "plotly"])
def test_a_library_that_is_missing_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)

    class Missing:
        def find_spec(self, name: str, *_: object) -> None:
            if name.partition(".")[0] == library:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match=f"pip install {library}"):
        getattr(CURVE, library)()
