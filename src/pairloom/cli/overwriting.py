"""No command writes over what it reads: looked at for all of them in one place, before anything is read or written.

Files are compared as the system knows them, so that a link, another spelling of a path or a redirection hides nothing.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import click

from pairloom.cli.inputs import STANDARD_INPUT
from pairloom.cli.outputs import STANDARD_OUTPUT
from pairloom.views.display import plain

_File = tuple[int, int]


def check_nothing_is_overwritten(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse a call in which an output is one of the inputs, or two outputs are one file.

    Only regular files are looked at: a terminal or `/dev/null` may well be both. An output that is not there yet is no
    input; two of them may still have one name.

    Args:
        inputs, outputs: names of files, or `-`.

    Raises:
        click.UsageError.
    """
    written: dict[_File | str, str] = {}
    for name in outputs:
        there = _file(name, sys.stdout, STANDARD_OUTPUT)
        place = there or (None if name == STANDARD_OUTPUT or Path(name).exists() else os.path.realpath(name))
        if place is None:
            continue
        if place in written and not written[place] == name == STANDARD_OUTPUT:
            raise click.UsageError(f"{_said(written[place])} and {_said(name)} are one file: name another one")
        written[place] = name
    for name in inputs:
        there = _file(name, sys.stdin, STANDARD_INPUT)
        if there is not None and there in written:
            raise click.UsageError(_objection(name, written[there]))


def _file(name: str, stream: IO[Any] | None, stream_name: str) -> _File | None:
    """Return what the system knows a regular file by; None for anything else, and where there is nothing."""
    try:
        if name != stream_name:
            status = Path(name).stat()
        elif stream is not None:
            status = os.fstat(stream.fileno())
        else:
            return None
    except (OSError, ValueError):  # not there, or no file: whoever opens it says what is wrong
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _said(name: str) -> str:
    return "standard output" if name == STANDARD_OUTPUT else plain(name)


def _objection(source: str, output: str) -> str:
    read = "standard input" if source == STANDARD_INPUT else plain(source)
    same = "it is read here" if read == _said(output) else f"it is {read}, which is read here"
    return f"{_said(output)} would be overwritten, and {same}: name another file for the output"
