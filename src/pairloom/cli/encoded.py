"""Files and standard input → token IDs, part by part, however long a text is and however many lines there are."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from pairloom.cli.inputs import STANDARD_INPUT, Chunk, Text, chunks, decoded, name_of, opened
from pairloom.cli.messages import blaming
from pairloom.errors import InvalidUtf8, TextError, UnknownTokens
from pairloom.model import Model
from pairloom.token_ids import TokenIds
from pairloom.views.display import plain

# Bytes of lines that are encoded together: enough that threads have something to do.
_LINES_BYTES = 1 << 22


@dataclass(frozen=True, slots=True)
class Piece:
    """The tokens of a part of a text, or of some whole ones.

    Attributes:
        ids: the tokens.
        goes_on: whether tokens of the same text came before.
        is_end: whether the text ends here; of several the last one.
    """

    ids: TokenIds
    goes_on: bool
    is_end: bool


def pieces(
    model: Model,
    paths: Sequence[str],
    *,
    prefix: int,
    lines: bool,
    threads: int,
    needs_ids: bool,
    say: Callable[[str], None],
) -> Iterator[Piece]:
    """Yield the tokens of each file as one text, or with `lines` of each line; without a path, of standard input.

    Args:
        model, prefix, threads: as for `Model.encode_file`.
        paths: names, as `opened` takes them.
        lines: whether each line is a text.
        needs_ids: whether an unknown token is an error.
        say: is told now and then what is going on.

    Raises:
        OSError, InSourceError around a TextError or UnknownTokens, InvalidUtf8.
    """
    if lines:
        yield from _lines(model, paths, prefix=prefix, threads=threads, needs_ids=needs_ids, say=say)
        return
    for path in paths or (STANDARD_INPUT,):
        say(f"encoding {plain(name_of(path))}")
        with opened(path) as file, blaming(name_of(path)):
            yield from _file(model, file, path, prefix=prefix, threads=threads, needs_ids=needs_ids, say=say)


def _file(
    model: Model,
    file: BinaryIO,
    path: str,
    *,
    prefix: int,
    threads: int,
    needs_ids: bool,
    say: Callable[[str], None],
) -> Iterator[Piece]:
    name = name_of(path)
    size = _size(file)
    tokens = 0
    # One part is held back, to say of the last one that it is the last.
    held: Piece | None = None
    for ids in model.encode_file(file, prefix, threads=threads, name=name):
        if needs_ids:
            _check_known(ids, tokens_before=tokens)
        if held is not None:
            yield held
        held = Piece(ids, goes_on=tokens > 0, is_end=False)
        tokens += len(ids)
        done = f"{file.tell() / size:.0%}" if size else f"{tokens:,} tokens"
        say(f"encoding {plain(name)}, {done}")
    if held is None:
        held = Piece(model.encode_utf8(b""), goes_on=False, is_end=False)
    yield Piece(held.ids, goes_on=held.goes_on, is_end=True)


def _lines(
    model: Model,
    paths: Sequence[str],
    *,
    prefix: int,
    threads: int,
    needs_ids: bool,
    say: Callable[[str], None],
) -> Iterator[Piece]:
    ids: TokenIds | None
    for several, failure in _gathered(chunks(paths, lines=True)):
        if several:
            say(f"encoding {plain(several[-1].source)}")
            try:
                ids = model.encode_batch([each.text for each in several], prefix, threads=threads).token_ids
            except TextError:
                ids = None
            if ids is not None and not (needs_ids and ids.unknown_count):
                yield Piece(ids, goes_on=False, is_end=True)
            else:
                # Something is wrong with one of them. What is before it is written, as if they came one by one.
                for each in several:
                    with blaming(each.source):
                        ids = model.encode_batch([each.text], prefix).token_ids
                        if needs_ids:
                            _check_known(ids, tokens_before=0)
                    yield Piece(ids, goes_on=False, is_end=True)
        if failure is not None:
            raise failure


def _gathered(lines: Iterator[Chunk]) -> Iterator[tuple[list[Text], InvalidUtf8 | None]]:
    """Yield some megabytes of lines at a time, and after the last ones the error that ends them, if any."""
    several: list[Text] = []
    size = 0
    for chunk in lines:
        try:
            several.append(Text(chunk.source, decoded(chunk)))
        except InvalidUtf8 as error:
            yield several, error
            return
        size += len(chunk.data)
        if size >= _LINES_BYTES:
            yield several, None
            several, size = [], 0
    yield several, None


def _check_known(ids: TokenIds, *, tokens_before: int) -> None:
    """Raise UnknownTokens, with places in the whole text, if a token has no ID. Rule: E4."""
    if not ids.unknown_count:
        return
    try:
        _ = ids.ids
    except UnknownTokens as error:
        positions = tuple([tokens_before + position for position in error.positions])
        raise UnknownTokens(positions=positions, tokens=error.tokens) from None


def _size(file: BinaryIO) -> int:
    """Return how many bytes a file has, 0 where nobody can say: a pipe, a terminal."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError):
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0
