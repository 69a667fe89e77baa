"""Folders and files at any address that fsspec knows, this machine's among them; a written file is there whole or not.

On this machine a file gets its name by a rename, in an object store by one upload, which is as good.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from pairloom.corpus.errors import WorkFolderError
from pairloom.corpus.libraries import library
from pairloom.corpus.records import sealed, unsealed
from pairloom.formats.atomic import replacing

Options = Mapping[str, Any]
T = TypeVar("T")


def opened_address(address: str, options: Options) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it. Raises: MissingPeer; ValueError for no such system."""
    if "://" not in address:
        # A name of this machine, whatever is in it: `::` would chain addresses.
        system = library("fsspec").filesystem("file", **options)
        return system, str(system._strip_protocol(address))  # noqa: SLF001  # as url_to_fs does
    system, path = library("fsspec.core").url_to_fs(address, **options)
    return system, str(path)


def is_local(system: Any) -> bool:
    """Whether a file system is this machine's own."""
    return isinstance(system, library("fsspec.implementations.local").LocalFileSystem)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder at an address. Travels to workers; `options` are those of the file system, secrets perhaps."""

    address: str
    options: Options = field(default_factory=dict, repr=False)

    def path(self, name: str = "") -> tuple[Any, str]:
        """Return the file system, and the path of a file in the folder."""
        system, root = opened_address(self.address, self.options)
        return system, f"{root.rstrip('/')}/{name}" if name else root

    def name_of(self, address: str) -> str | None:
        """Return the name in this folder of the file at an address, links followed; None if it lies elsewhere."""
        system, root = self.path()
        if is_local(system):
            root, path = os.path.realpath(root), os.path.realpath(address)
        else:
            path = opened_address(address, self.options)[1] if "://" in address else ""
            if system.unstrip_protocol(path) != address:
                return None
        root = f"{root.rstrip('/')}/"
        return path.removeprefix(root) if path.startswith(root) else None

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """Give a file to write to; it gets its name at the end of the block, unless that raises."""
        system, path = self.path(name)
        if is_local(system):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as file:
                yield file
            return
        with tempfile.NamedTemporaryFile(prefix="pairloom-") as file:
            yield file  # type: ignore[misc]  # it has all of a binary file
            file.flush()
            system.put_file(file.name, path)

    def open(self, name: str) -> BinaryIO:
        """Return a file of the folder, open for reading. Raises: OSError."""
        system, path = self.path(name)
        opened: BinaryIO = system.open(path, "rb")
        return opened

    def exists(self, name: str = "") -> bool:
        """Whether there is a file of that name, or the folder itself."""
        system, path = self.path(name)
        system.invalidate_cache()
        return bool(system.exists(path))

    def names(self, folder: str = "") -> list[str]:
        """Return the names of the files in a folder of this one, sorted; temporary ones are not among them."""
        system, path = self.path(folder)
        system.invalidate_cache()
        if not system.exists(path):
            return []
        names = (str(found["name"]).rpartition("/")[2] for found in system.ls(path, detail=True))
        return sorted(name for name in names if name and not name.endswith(".tmp"))

    def sizes(self) -> dict[str, int]:
        """Return the files of the folder with their sizes in bytes."""
        system, path = self.path()
        system.invalidate_cache()
        if not system.exists(path):
            return {}
        found = system.ls(path, detail=True)
        return {str(facts["name"]).rpartition("/")[2]: facts["size"] for facts in found if facts["type"] == "file"}

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        system, path = self.path(name)
        try:
            system.rm_file(path)
        except FileNotFoundError:
            return

    def write_json(self, name: str, value: object) -> None:
        """Write a value as JSON."""
        with self.writing(name) as file:
            file.write(json.dumps(value, indent=1).encode("ascii") + b"\n")

    def read_json(self, name: str) -> Any:
        """Return the value of a JSON object, None where there is no such file. Raises: WorkFolderError, OSError."""
        try:
            with self.open(name) as file:
                value = json.loads(file.read())
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError) as error:
            raise self.damaged(name, error) from None
        if not isinstance(value, dict):
            raise self.damaged(name, "no object")
        return value

    def write_record(self, name: str, record: Mapping[str, Any]) -> None:
        """Write a record under its seal."""
        self.write_json(name, sealed(record))

    def read_record(self, name: str, understood: Callable[[dict[str, Any]], T]) -> T | None:
        """Return what `understood` makes of a record, None where there is no such file.

        Raises: WorkFolderError, if its seal is broken or `understood` raises a ValueError; OSError.
        """
        value = self.read_json(name)
        if value is None:
            return None
        try:
            return understood(unsealed(value))
        except ValueError as error:
            raise self.damaged(name, error) from None

    @contextmanager
    def reading_arrow(self, name: str) -> Iterator[None]:
        """Name the file where pyarrow cannot read what is in it. Raises: WorkFolderError, OSError."""
        try:
            yield
        except (library("pyarrow").ArrowException, OSError) as error:
            # Arrow's own objections come as bare errors without number, too; all else is the file system's.
            if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
                raise
            raise self.damaged(name, error) from None

    def damaged(self, name: str, error: object) -> WorkFolderError:
        """Return the error that says so of a file in this folder."""
        reason = f"{name} in it is damaged ({error}): name another folder, or empty this one"
        return WorkFolderError(folder=self.address, reason=reason)
