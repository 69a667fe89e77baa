"""Pairloom in notebooks: tables, curves, differences, and the walkthrough as a widget.

`Model`, `Merge` and `Encoding` show themselves in Jupyter and marimo, without this being imported. Each name is loaded
when it is first asked for; only `Walkthrough` needs the extra `notebook`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairloom.notebook.curves import Curve as Curve
    from pairloom.notebook.curves import curve as curve
    from pairloom.notebook.difference import Difference as Difference
    from pairloom.notebook.difference import diff as diff
    from pairloom.notebook.tables import Table as Table
    from pairloom.notebook.tables import merges as merges
    from pairloom.notebook.tables import pairs as pairs
    from pairloom.notebook.tables import tokens as tokens
    from pairloom.notebook.tables import vocabulary as vocabulary
    from pairloom.notebook.widget import Walkthrough as Walkthrough

_MODULE_OF = {
    "Curve": "curves",
    "Difference": "difference",
    "Table": "tables",
    "Walkthrough": "widget",
    "curve": "curves",
    "diff": "difference",
    "merges": "tables",
    "pairs": "tables",
    "tokens": "tables",
    "vocabulary": "tables",
}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605  # computed from the one table above


def __getattr__(name: str) -> object:
    """Load the module that holds a public name, once."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "pairloom":
            raise
        words = f"{name} needs more than is installed ({error.name}); pip install '.[notebook]' in its folder"
        raise ModuleNotFoundError(words, name=error.name) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names beside what is loaded already."""
    return sorted({*globals(), *_MODULE_OF})
