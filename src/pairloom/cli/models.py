"""The model that a command works with, from a file or from standard input."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pairloom.cli.inputs import STANDARD_INPUT, name_of, opened
from pairloom.cli.messages import blaming
from pairloom.formats.json_guard import read_capped
from pairloom.formats.model_file import load, loads
from pairloom.model import Model


def model_of(path: str) -> Model:
    """Return the model of a file or of standard input.

    Raises:
        OSError, InSourceError around a ModelError.
    """
    name = name_of(path)
    with blaming(name):
        if path != STANDARD_INPUT:
            return load(path)
        with opened(path, what="a model", advice="; -m MODEL names a file") as file:
            return loads(read_capped(file), source=name)


def model_beside(paths: Sequence[str], model_path: str) -> Model:
    """Return the model of a file, or of standard input where nothing else is read from there.

    Raises:
        OSError, InSourceError around a ModelError, click.UsageError.
    """
    if model_path == STANDARD_INPUT and (not paths or STANDARD_INPUT in paths):
        raise click.UsageError("standard input cannot be both the model and what it is applied to")
    return model_of(model_path)
