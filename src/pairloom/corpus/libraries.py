"""The libraries of the extras, loaded when something needs them."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from pairloom.formats.peers import MissingPeer

_EXTRAS: Final = {"fsspec": "corpus", "pyarrow": "corpus", "ray": "ray"}


def library(module: str) -> Any:
    """Return a module of a library of the extras. Raises: MissingPeer, with what to install."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        extra = _EXTRAS[package]
        advice = f"this needs {package}: pip install '.[{extra}]' in the folder of Pairloom"
        raise MissingPeer(name=package, advice=advice) from None
