"""Writing a file so that at every moment either the old one or the new one is there, whole.

A new file is written beside the old one, forced to the disk, and put in its place by one rename.
Whatever goes wrong before that (a full disk, Ctrl-C, an exception of the writer, the power) leaves
the old file as it was. The half-written one is taken away, except where the process itself is
killed: then a `.pairloom-….tmp` stays in the folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_PERMISSIONS = stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO
_OWNER_ONLY = stat.S_IRUSR | stat.S_IWUSR
_SEPARATORS = tuple(separator for separator in (os.sep, os.altsep) if separator)
# What `open` asks for; the system takes away what the umask forbids.
_AS_OPEN = 0o666


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Give a binary file to write to; it becomes `path` at the end of the block, unless that raises.

    A symbolic link is followed: its target is replaced, the link stays. A new file gets the
    permissions that `open` would give it; a replaced one keeps its own, and its owner as far as
    this process may set that. A file that may not be written is refused, although a rename could
    get round it. A device or a pipe (`/dev/null`) cannot be replaced and is written to directly.

    Raises:
        OSError: what creating, writing or renaming says, with `path` as the name; the old file is intact.
    """
    old = check_replaceable(path)
    target = Path(os.path.realpath(path))
    if old is not None and not stat.S_ISREG(old.st_mode):
        with naming(path), Path(path).open("wb") as device:
            yield device
        return
    temporary = target.with_name(f".pairloom-{os.urandom(8).hex()}.tmp")
    with naming(path, in_place_of=temporary):
        try:
            with _created(temporary, old) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    _force_folder(target.parent)


def check_replaceable(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Return what is known of the file at `path`, None if there is none yet.

    Worth calling before long work whose result is to be written there.

    Raises:
        OSError: the file is a folder or may not be written, or its folder is not there or may not be written.
    """
    name = os.fspath(path)
    if not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    folder = Path(os.path.realpath(name)).parent
    try:
        old = Path(name).stat()
    except FileNotFoundError:
        if not folder.is_dir():
            raise
        old = None
    # A name that ends in a separator means a folder, which `Path` does not see.
    if name.endswith(_SEPARATORS) or (old is not None and stat.S_ISDIR(old.st_mode)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if old is not None and not os.access(name, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    # What is no regular file is written to where it is; everything else is replaced by a new file beside it.
    is_replaced = old is None or stat.S_ISREG(old.st_mode)
    if is_replaced and not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "its folder may not be written", name)
    return old


@contextmanager
def naming(path: str | os.PathLike[str], *, in_place_of: str | os.PathLike[str] | None = None) -> Iterator[None]:
    """Let an OSError of the block name `path`, where it names nothing or the file `in_place_of`."""
    try:
        yield
    except OSError as error:
        is_nameless = error.filename is None and error.errno is not None
        if is_nameless or (in_place_of is not None and error.filename == os.fspath(in_place_of)):
            error.filename = os.fspath(path)
            if error.filename2 is not None:
                del error.filename2
        raise


@contextmanager
def _created(temporary: Path, old: os.stat_result | None) -> Iterator[BinaryIO]:
    """Give the new file, open and with its permissions in place before the first byte is in it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, _AS_OPEN if old is None else _OWNER_ONLY)
    file = os.fdopen(descriptor, "wb")
    try:
        if old is not None:
            _copy_owner_and_permissions(descriptor, old)
        yield file
    except BaseException:
        # Closing tries once more to write what is left: on a full disk that fails again.
        with suppress(OSError):
            file.close()
        raise
    file.close()


def _copy_owner_and_permissions(descriptor: int, old: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        new = os.fstat(descriptor)
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            with suppress(PermissionError):
                os.fchown(descriptor, old.st_uid, old.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, old.st_mode & _PERMISSIONS)


def _force_folder(folder: Path) -> None:
    """Force the rename to the disk, where the system lets a folder be opened for that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
