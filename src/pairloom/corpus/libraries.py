"""The libraries of the extras, loaded when something needs them."""

from __future__ import annotations

from typing import Any, Final

from pairloom.formats.peers import loaded

_EXTRAS: Final = {"fsspec": "corpus", "pyarrow": "corpus", "ray": "ray"}


def library(module: str) -> Any:
    """Return a module of a library of the extras. Raises: MissingPeer, with what to install."""
    package = module.partition(".")[0]
    advice = f"this needs {package}: pip install '.[{_EXTRAS[package]}]' in the folder of Pairloom"
    return loaded(module, advice=advice)
