"""Where a command writes: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from pairloom.formats.atomic import check_replaceable, naming, replacing
from pairloom.formats.whole_writes import write_all
from pairloom.views.display import plain, visible

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """Takes text and writes it as UTF-8, on every system and in every locale; a terminal gets what it can show."""

    file: BinaryIO
    is_terminal: bool
    terminal_encoding: str | None = None

    def write(self, text: str) -> None:
        """Write `text`. Raises: OSError."""
        if self.terminal_encoding is None:
            data = text.encode("utf-8")
        else:
            data = text.encode(self.terminal_encoding, "backslashreplace")
        write_all(self.file, data)
        if self.is_terminal:
            self.file.flush()


@contextmanager
def output_to(path: str | None) -> Iterator[Output]:
    """Give the output of a command; a file is put in place at the end of the block, unless that raises.

    Raises:
        OSError, with the name of the output if it names no other file.
    """
    if path is not None and path != STANDARD_OUTPUT:
        with replacing(path) as file:
            yield Output(file, is_terminal=False)
        return
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "<stdout>")
    is_terminal = sys.stdout.isatty()
    with naming("<stdout>"):
        yield Output(sys.stdout.buffer, is_terminal, sys.stdout.encoding if is_terminal else None)
        sys.stdout.buffer.flush()


def check_output(path: str | None) -> None:
    """Raise OSError now if the file cannot be written at the end: before long work, not after it."""
    if path is not None and path != STANDARD_OUTPUT:
        check_replaceable(path)


def plain_lines(text: str) -> str:
    """Return lines, tabs in them kept, as a terminal can show them: what `views.display` writes out is written out."""
    return "\n".join(["\t".join(map(plain, line.split("\t"))) for line in text.split("\n")])


def json_line(value: object) -> str:
    """Return `value` as one line of JSON that can be read and that no terminal is disturbed by.

    Visible characters stand for themselves; what `views.display` writes out is written as JSON escapes.
    """
    text = json.dumps(value, ensure_ascii=False)
    if not (text.isascii() and text.isprintable()):
        # JSON has escaped the controls of ASCII, so whatever is left to escape is inside a string.
        hidden = (code_point for code_point in set(text) if visible(code_point)[0].kind == "escape")
        text = text.translate({ord(code_point): json.dumps(code_point)[1:-1] for code_point in hidden})
        # What is left to escape is so by what it follows: the upper ones of a tower of marks.
        text = "".join([json.dumps(s.source)[1:-1] if s.kind == "escape" else s.source for s in visible(text)])
    return text + "\n"
