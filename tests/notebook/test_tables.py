"""Tables that pandas, Polars and Arrow take as they are, none of them needed."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pairloom
from pairloom import notebook

MODEL = pairloom.train("low low lower newest newest widest")
IMPORTED = pairloom.Model.from_merges("▁ab", [("a", "b")])
COUNTS = pairloom.count_words("low low lower newest newest widest")
MERGE_COLUMNS = ["rank", "left", "right", "result", "frequency", "replacements", "corpus_tokens", "id", "is_new"]


def test_merges_are_what_a_merge_records() -> None:
    """Rule: T6."""
    table = notebook.merges(MODEL)
    assert list(table) == MERGE_COLUMNS
    assert table.rows == len(MODEL.merges)
    for merge, *values in zip(MODEL.merges, *table.values(), strict=True):
        assert values == [getattr(merge, name) for name in MERGE_COLUMNS]


def test_the_vocabulary_is_the_full_one() -> None:
    """Rules: V1, V3."""
    table = notebook.vocabulary(MODEL, 2)
    assert table["token"] == list(MODEL.vocabulary)
    assert table["id"] == list(range(len(MODEL.vocabulary)))
    assert table["active"].count(False) == len(MODEL.merges) - 2
    with pytest.raises(pairloom.PrefixError):
        notebook.vocabulary(MODEL, 99)


def test_tokens_have_their_places() -> None:
    encoding = MODEL.encode("slow fa")
    table = notebook.tokens(encoding)
    assert list(zip(table["start"], table["end"], strict=True)) == list(encoding.offsets)
    assert table["id"] == list(encoding.ids)
    assert None in table["id"]


def test_pairs_stand_in_their_order() -> None:
    """Rule: T4: the first pair is the next merge."""
    history = pairloom.History.of(COUNTS, MODEL)
    for prefix, merge in enumerate(MODEL.merges):
        table = notebook.pairs(history, prefix)
        assert table.rows == len(history.pair_counts(prefix))
        assert (table["left"][0], table["right"][0], table["frequency"][0]) == (
            merge.left,
            merge.right,
            merge.frequency,
        )


@pytest.mark.parametrize("model", [MODEL, IMPORTED], ids=["trained", "imported"])
def test_data_frames_take_them(model: pairloom.Model) -> None:
    for table in (notebook.merges(model), notebook.vocabulary(model), notebook.tokens(model.encode("ab?"))):
        panda, polar, arrow = pd.DataFrame(table), pl.DataFrame(table), pa.table(table)
        assert list(panda.columns) == polar.columns == arrow.column_names == list(table)
        assert len(panda) == polar.height == arrow.num_rows == table.rows
        assert {name: polar[name].to_list() for name in table} == arrow.to_pydict() == dict(table)
        for name in table:
            # pandas writes None as NaN where the column is one of numbers.
            assert panda[name].isna().tolist() == [value is None for value in table[name]]
            assert [value for value in panda[name] if not pd.isna(value)] == [v for v in table[name] if v is not None]


def test_a_table_does_not_change() -> None:
    table = notebook.merges(MODEL)
    for name, arguments in (("update", ({},)), ("pop", ("rank",)), ("clear", ()), ("setdefault", ("x", []))):
        with pytest.raises(TypeError, match="dict"):
            getattr(table, name)(*arguments)
    with pytest.raises(TypeError):
        table["rank"] = []
    with pytest.raises(TypeError):
        del table["rank"]
    with pytest.raises(ValueError, match="one length"):
        notebook.Table({"a": [1], "b": []})
    assert notebook.Table({}).rows == 0


def test_a_long_table_says_what_it_does_not_show() -> None:
    table = notebook.Table({"number": range(1_000), "word": ["x"] * 1_000})
    text = table._repr_mimebundle_()["text/plain"]
    assert "\n… 975 more …\n" in text
    assert text.endswith("\n1,000 rows")
    assert "975 more" in table._repr_mimebundle_()["text/html"]
    assert repr(table) == "<Table: 1,000 rows of number, word>"


def test_ipython_prints_the_plain_twin() -> None:
    """It has a way of its own to print a dict, and prefers it."""
    from IPython.core.formatters import DisplayFormatter

    table = notebook.merges(MODEL)
    formats, _ = DisplayFormatter().format(table)  # type: ignore[no-untyped-call]  # IPython has no types
    assert formats["text/plain"] == table._repr_mimebundle_()["text/plain"]
    assert formats["text/html"] == table._repr_mimebundle_()["text/html"]


def test_none_of_the_libraries_is_loaded() -> None:
    code = (
        "import sys, pairloom, pairloom.notebook as n; m = pairloom.train('low low'); c = n.curve(m);"
        "[x._repr_mimebundle_() for x in (m, m.encode('low'), m.merges[0], n.merges(m), n.diff(m, m, 'low'), c)];"
        "print(*({'pandas', 'polars', 'pyarrow', 'numpy', 'matplotlib', 'altair', 'plotly', 'jinja2', 'anywidget',"
        "'starlette', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""
