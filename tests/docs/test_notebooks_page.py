"""docs/notebooks.md has every name of `pairloom.notebook`, and every argument of the widget."""

from __future__ import annotations

import inspect
import re

from pairloom import notebook
from tests.docs.markdown import ROOT

PAGE = (ROOT / "docs" / "notebooks.md").read_text("utf-8")
API = (ROOT / "docs" / "api.md").read_text("utf-8")


def test_every_name_is_told() -> None:
    told = set(re.findall(r"\w+", PAGE))
    # What the functions return is told with them, and the reference has it.
    assert set(notebook.__all__) - {"Curve", "Difference", "Table"} <= told
    assert [name for name in notebook.__all__ if f"## `pairloom.notebook.{name}`" not in API] == []


def test_every_argument_of_the_widget_is_in_its_docstring() -> None:
    document = inspect.getdoc(notebook.Walkthrough) or ""
    arguments = set(inspect.signature(notebook.Walkthrough.__init__).parameters) - {"self"}
    assert {name for name in arguments if f"    {name}: " not in "\n" + document} == set()


def test_every_method_of_a_curve_is_in_the_table() -> None:
    methods = [name for name, value in vars(notebook.Curve).items() if name[0] != "_" and inspect.isfunction(value)]
    assert [name for name in methods if f"| `.{name}(" not in PAGE] == []
