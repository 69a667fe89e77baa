"""Paths, patterns and addresses → the files of a corpus, each with its size and version, in one order."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pairloom.corpus.errors import NoInput
from pairloom.corpus.storage import Folder, Options, is_local, opened_address
from pairloom.errors import SettingError

FORMATS: Final = ("text", "jsonl", "parquet")
_COMPRESSIONS: Final = {".gz": "gzip", ".zst": "zstd"}
_SUFFIXES: Final = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of a corpus.

    Attributes:
        address: where it is, as fsspec reads it.
        size: in bytes, as stored.
        version: what changes when the file does: the time of its last change, or the store's etag.
        format: one of `FORMATS`.
        compression: "gzip", "zstd", or None.
    """

    address: str
    size: int
    version: str
    format: str
    compression: str | None
    options: Options = field(default_factory=dict, repr=False, compare=False)

    def open(self) -> Any:
        """Return the file, open for reading bytes as stored. Raises: OSError."""
        system, path = opened_address(self.address, self.options)
        # Whole blocks are asked for: reading ahead pays for an object store alone.
        return open(path, "rb") if is_local(system) else system.open(path, "rb")  # noqa: PTH123  # the caller's

    @property
    def identity(self) -> dict[str, object]:
        """What says that it is still the same file."""
        return {name: getattr(self, name) for name in ("address", "size", "version", "format", "compression")}


def find_files(paths: Paths, *, form: str | None = None, options: Options | None = None) -> list[InputFile]:
    """Return the files that paths, patterns (`*`, `?`, `[…]`, `**`) and addresses name, sorted pattern by pattern.

    Args:
        paths: one, or several.
        form: one of `FORMATS` for all; None goes by the names: `.jsonl` and `.ndjson`, `.parquet`, all else is text.
            A last `.gz` or `.zst` says that a file is compressed.
        options: of the file system.

    Raises:
        NoInput: nothing there, a folder, or the same file twice.
        SettingError, MissingPeer, OSError.
    """
    if form is not None and form not in FORMATS:
        raise SettingError(setting="format", value=form, allowed=" or ".join(FORMATS))
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: dict[str, InputFile] = {}
    names: dict[object, str] = {}
    for path in given:
        for key, file in _named(os.fspath(path), form, options or {}):
            if file.address in found:
                raise NoInput(path=file.address, reason="the file is named twice: it would count twice")
            if key in names:
                reason = (
                    f"this is the same file as {names[key]}, by a link: it would count twice; leave one of them out"
                )
                raise NoInput(path=file.address, reason=reason)
            found[file.address], names[key] = file, file.address
    if not found:
        raise NoInput(path="the corpus", reason="no file is named: give paths, patterns or addresses")
    return list(found.values())


def local_files(path: str) -> list[str]:
    """Return the files of this machine that a pattern or an address means; none for what is elsewhere or not there."""
    before, separator, behind = path.rpartition("://")
    if separator and not before.endswith(("file", "local")):
        return []
    system, inside = opened_address(behind, {})
    return list(_matching(system, inside)) if _is_pattern(inside) else [inside]


def check_apart(files: Iterable[InputFile], folder: Folder, is_its_own: Callable[[str], bool], *, what: str) -> None:
    """Raise NoInput where a file is one that the job itself writes, or takes away.

    Args:
        files: the inputs.
        folder: what the job writes to.
        is_its_own: whether a file of the folder, by its name in it, is the job's.
        what: how the folder is called.
    """
    for file in files:
        name = folder.name_of(file.address)
        if name is not None and is_its_own(name):
            reason = f"it lies in {what}, where this job writes files of its own: move it, or name another folder"
            raise NoInput(path=file.address, reason=reason)


def _matching(system: Any, pattern: str) -> dict[str, dict[str, Any]]:
    """Return the files that a pattern means: on this machine as in a shell, what links lead to with them."""
    if is_local(system):
        found = {name: _facts(system, name) for name in glob.glob(pattern, recursive=True)}  # noqa: PTH207  # strings
        return {name: facts for name, facts in found.items() if facts["type"] != "directory"}
    return {str(name): facts for name, facts in system.glob(pattern, detail=True).items() if facts["type"] == "file"}


def _is_pattern(path: str) -> bool:
    return any(sign in path for sign in "*?[")


def _named(path: str, form: str | None, options: Options) -> list[tuple[object, InputFile]]:
    """Return the files, each with what tells it from all others, whatever it is called."""
    try:
        system, inside = opened_address(path, options)
    except ValueError as error:
        raise NoInput(path=path, reason=f"{error}") from None
    system.invalidate_cache()
    # A name with a bracket in it is a name first.
    if system.exists(inside):
        information = {inside: _facts(system, inside)}
    elif _is_pattern(inside):
        information = _matching(system, inside)
        if not information:
            raise NoInput(path=path, reason="no file has such a name: check the pattern")
    else:
        raise NoInput(path=path, reason="no such file: check the name")
    files = []
    for name, facts in sorted(information.items()):
        if facts["type"] == "directory":
            raise NoInput(path=path, reason="it is a folder: give a pattern, such as its name with /*.txt behind it")
        if facts["type"] != "file":
            raise NoInput(path=path, reason="it is a pipe or a device: a corpus is read from files, more than once")
        address = name if is_local(system) else str(system.unstrip_protocol(name))
        files.append((facts.get("place", address), _file(address, facts, form, options)))
    return files


def _facts(system: Any, name: str) -> dict[str, Any]:
    """Return what is known of a file; on this machine of the one that a link leads to."""
    if not is_local(system):
        return dict(system.info(name))
    status = Path(name).stat()
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "directory"}
    kind = kinds.get(stat.S_IFMT(status.st_mode), "other")
    place = (status.st_dev, status.st_ino)
    return {"type": kind, "size": status.st_size, "mtime": status.st_mtime, "place": place}


def _file(address: str, facts: dict[str, Any], form: str | None, options: Options) -> InputFile:
    stem, dot, last = address.rpartition(".")
    compression = _COMPRESSIONS.get((dot + last).lower())
    if compression is not None:
        stem, dot, last = stem.rpartition(".")
    version = facts.get("ETag") or facts.get("etag") or facts.get("mtime") or facts.get("LastModified") or ""
    return InputFile(
        address=address,
        size=int(facts["size"]),
        version=str(version).strip('"'),
        format=form or _SUFFIXES.get((dot + last).lower(), "text"),
        compression=compression,
        options=options,
    )
