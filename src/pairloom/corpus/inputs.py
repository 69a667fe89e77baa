"""Paths, patterns and addresses → the files of a corpus, each with its size and version, in one order."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from pairloom.corpus.errors import NoInput
from pairloom.corpus.storage import Options, is_local, opened_address
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
    for path in given:
        for file in _named(os.fspath(path), form, options or {}):
            if file.address in found:
                raise NoInput(path=file.address, reason="the file is named twice: it would count twice")
            found[file.address] = file
    if not found:
        raise NoInput(path="the corpus", reason="no file is named: give paths, patterns or addresses")
    return list(found.values())


def _named(path: str, form: str | None, options: Options) -> list[InputFile]:
    try:
        system, inside = opened_address(path, options)
    except ValueError as error:
        raise NoInput(path=path, reason=f"{error}") from None
    system.invalidate_cache()
    # A name with a bracket in it is a name first.
    if system.exists(inside):
        information = {inside: system.info(inside)}
    elif any(sign in inside for sign in "*?["):
        information = {str(name): facts for name, facts in system.glob(inside, detail=True).items()}
        information = {name: facts for name, facts in information.items() if facts["type"] == "file"}
        if not information:
            raise NoInput(path=path, reason="no file has such a name: check the pattern")
    else:
        raise NoInput(path=path, reason="no such file: check the name")
    files = []
    for name, facts in sorted(information.items()):
        if facts["type"] != "file":
            raise NoInput(path=path, reason="it is a folder: give a pattern, such as its name with /*.txt behind it")
        address = name if is_local(system) else str(system.unstrip_protocol(name))
        files.append(_file(address, facts, form, options))
    return files


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
