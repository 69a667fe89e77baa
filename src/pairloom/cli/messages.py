"""Every error as one line of text: what, where, what to do. The one place that another language would replace."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pairloom.errors import (
    ForbiddenCodePoint,
    InvalidUtf8,
    PairloomError,
    PrefixError,
    SettingError,
    UnknownTokenId,
    UnknownTokens,
)
from pairloom.views.display import plain, visible

_MAX_LISTED = 10
_MAX_CODE_POINTS = 2000


class InSourceError(PairloomError):
    """An error together with the input that it is in: a file, a line of it, standard input."""

    code = "cli.in_source"
    template = "{source}: {error}"
    attributes = ("source", "error")

    def __init__(self, *, source: str, error: PairloomError) -> None:
        super().__init__()
        self.source = source
        self.error = error


class InputError(PairloomError):
    """An input that is no text problem: no JSON, no list of IDs, a missing extra."""

    code = "cli.input"
    template = "{reason}"
    attributes = ("reason",)

    def __init__(self, *, reason: str) -> None:
        super().__init__()
        self.reason = reason


def blamed(error: PairloomError, *, source: str) -> PairloomError:
    """Return the error with the input that it is in; as it is, if it names one or has nothing to do with any."""
    if isinstance(error, InSourceError | InvalidUtf8 | SettingError):
        return error
    return InSourceError(source=source, error=error)


@contextmanager
def blaming(source: str) -> Iterator[None]:
    """Name the input in every error of the block."""
    try:
        yield
    except PairloomError as error:
        raise blamed(error, source=source) from error


def is_wrong_use(error: PairloomError) -> bool:
    """Whether an option is to blame, and no input."""
    return isinstance(error, SettingError)


def error_text(error: PairloomError) -> str:
    """Return an error as one line of text without controls of any kind."""
    text = _text(error)
    return text if len(text) <= _MAX_CODE_POINTS else f"{text[:_MAX_CODE_POINTS]} … ({len(text)} code points)"


def on_one_line(text: str) -> str:
    """Return a message with its controls written out; escapes that `repr` has written already stay as they are."""
    return "".join([span.text for span in visible(text)])


def _text(error: PairloomError) -> str:
    """Return what the library says, in the words of the command line where its options or files are meant."""
    match error:
        case InSourceError():
            text = f"{plain(error.source)}: {_text(error.error)}"
        case ForbiddenCodePoint() if error.text_index is not None:
            # The source is named in front, so the number of the text says nothing more.
            text = str(ForbiddenCodePoint(kind=error.kind, position=error.position, code_point=error.code_point))
        case InvalidUtf8():
            text = str(InvalidUtf8(source=plain(error.source), byte_offset=error.byte_offset))
        case PrefixError():
            text = f"--prefix cannot be {error.value}: give a whole number from {error.minimum} to {error.maximum}"
        case UnknownTokenId(token_id=None | "UNK"):
            text = (
                f"an unknown token, without ID, stands at position {error.position}: only known tokens can be decoded; "
                "encode --unknown error finds them"
            )
        case UnknownTokens():
            text = _unknown_tokens_text(error)
        case _:
            text = on_one_line(str(error))
    return text


def _unknown_tokens_text(error: UnknownTokens) -> str:
    count = len(error.tokens)
    pairs = zip(error.positions[:_MAX_LISTED], error.tokens, strict=False)
    listed = ", ".join(f"{plain(token)} (token {position})" for position, token in pairs)
    more = f" and {count - _MAX_LISTED} more" if count > _MAX_LISTED else ""
    what = "1 unknown token" if count == 1 else f"{count} unknown tokens"
    return f"{what}: {listed}{more}; --unknown show keeps them, a model trained on them knows them"


def os_error_text(error: OSError) -> str:
    """Return what the operating system says, as one line without controls."""
    name = error.filename
    if isinstance(name, bytes):
        name = name.decode(errors="replace")
    reason = error.strerror or str(error) or type(error).__name__
    advice = {
        errno.ENOENT: "check the name",
        errno.EACCES: "check the permissions",
        errno.EISDIR: "give a file",
        errno.ENOSPC: "make room and try again",
        errno.EADDRINUSE: "choose another --port (with make: PORT=8080)",
        errno.EADDRNOTAVAIL: "give --host an address of this machine",
    }.get(error.errno or 0)
    text = f"{name}: {reason}" if name is not None else reason
    return plain(f"{text}; {advice}" if advice else text)


def write_line(text: str) -> None:
    """Write a line to standard error; where there is none, nobody can be told."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        pass
