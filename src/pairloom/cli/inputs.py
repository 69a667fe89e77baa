"""Files and standard input → texts, strictly UTF-8, each with a name for messages."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pairloom.cli.messages import write_line
from pairloom.errors import InvalidUtf8
from pairloom.formats.atomic import naming

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A file, or a line of one without its line feed; `offset` is where it begins in the file `file_name`."""

    file_name: str
    data: bytes
    line: int | None = None
    offset: int = 0

    @property
    def source(self) -> str:
        """The name that messages give it."""
        return self.file_name if self.line is None else f"{self.file_name}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Text:
    """One text and the name that messages give it."""

    source: str
    text: str


def texts(paths: Sequence[str], *, lines: bool) -> Iterator[Text]:
    """Yield each file as a text, or with `lines` each line of each file; without a path, standard input. Rule: T10.

    Raises:
        OSError, InvalidUtf8.
    """
    for chunk in chunks(paths, lines=lines):
        yield Text(chunk.source, decoded(chunk))


def chunks(paths: Sequence[str], *, lines: bool) -> Iterator[Chunk]:
    """Yield the bytes of `texts`, read one after the other. Raises: OSError."""
    for path in paths or (STANDARD_INPUT,):
        name = name_of(path)
        with opened(path) as file:
            if not lines:
                yield Chunk(name, file.read())
                continue
            offset = 0
            for number, line in enumerate(file, start=1):
                yield Chunk(name, line.removesuffix(b"\n"), number, offset)
                offset += len(line)


def decoded(chunk: Chunk) -> str:
    """Return the text of the bytes. Raises: InvalidUtf8, with the offset in the file."""
    try:
        return chunk.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidUtf8(source=chunk.file_name, byte_offset=chunk.offset + error.start) from None


def name_of(path: str) -> str:
    """Return the name of an input for messages."""
    return "<stdin>" if path == STANDARD_INPUT else path


def reads_keyboard(paths: Sequence[str]) -> bool:
    """Whether one of the inputs is typed while the command runs."""
    return (not paths or STANDARD_INPUT in paths) and sys.stdin is not None and sys.stdin.isatty()


@contextmanager
def opened(path: str, *, what: str = "text", advice: str = "") -> Iterator[BinaryIO]:
    """Give a file or standard input for reading bytes.

    Args:
        path: its name, or `-`.
        what, advice: for whoever sits at the keyboard: what is read from there, and what else they can do.

    Raises:
        OSError, with the name of the input if it names no other file.
    """
    if path != STANDARD_INPUT:
        with naming(path), Path(path).open("rb") as file:
            yield file
        return
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "<stdin>")
    if sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty():
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        write_line(f"reading {what} from the keyboard; {end} ends it{advice}")
    with naming("<stdin>"):
        yield sys.stdin.buffer
