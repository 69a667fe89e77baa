"""Static files from the package, held in memory, under addresses that name their content.

No file responses: the same app runs where there is neither a thread pool nor a plain file (inside Pyodide, from a zip).
One hash for the whole tree stands in the address, so that a module's relative imports stay inside one version.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import ClassVar, Protocol

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}

# The style sheets of `css/` in the order of the cascade. They are sent as one: a page waits for one request, not ten.
# `lesson.css` is not among them: it comes with the lesson.
STYLE_SHEETS = (
    "page",
    "controls",
    "workbench",
    "tokens",
    "tables",
    "method",
    "walkthrough",
    "beside",
    "media",
    "print",
)

_COMMENT_LINES = re.compile(rb"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)[ \t]*$", re.MULTILINE)
_INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file with what its answer needs."""

    body: bytes
    compressed: bytes
    media_type: str
    etag: str


class Addresses(Protocol):
    """Where the views and the static files are: on a server, or in a folder of the static edition."""

    @property
    def is_site(self) -> bool:
        """Whether the pages are the static edition's."""

    @property
    def version(self) -> str:
        """What stands in the addresses of static files."""

    @property
    def files(self) -> Mapping[str, StaticFile]:
        """The static files that the app itself sends, by their path."""

    def address(self, path: str) -> str:
        """Return the address of a static file."""

    def view(self, path: str, *, page: str, language: str | None = None) -> str:
        """Return where a link on a page in the language `page` finds a view, or in which language it shall be."""


class Statics:
    """All files of a folder by their path in it; `version` changes with any byte of any of them."""

    is_site: ClassVar[bool] = False

    def __init__(self, root: Traversable) -> None:
        found = {path: without_comments(path, body) for path, body in sorted(_walk(root, ""))}
        found["pairloom.css"] = b"\n".join(found.pop(f"css/{name}.css") for name in STYLE_SHEETS)
        whole = hashlib.sha256()
        for path, body in found.items():
            whole.update(f"{path}\0{len(body)}\0".encode())
            whole.update(body)
        self.version = whole.hexdigest()[:12]
        self.files = MappingProxyType({path: _file(path, body) for path, body in found.items()})

    def address(self, path: str) -> str:
        """Return the address of a file that is there."""
        assert path in self.files, path
        return f"/static/{self.version}/{path}"

    def view(self, path: str, *, page: str, language: str | None = None) -> str:  # noqa: ARG002  # Addresses' signature
        """Return where a view is: the language that a reader has is no part of it."""
        return path if language is None else f"{path}?lang={language}"


@cache
def package_statics() -> Statics:
    """Return the static files of this package."""
    return Statics(files("pairloom.web") / "static")


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        path = prefix + entry.name
        if entry.is_dir():
            yield from _walk(entry, path + "/")
        elif _suffix(path) in MEDIA_TYPES:
            yield path, entry.read_bytes()


def _suffix(path: str) -> str:
    return path[path.rfind(".") :]


def without_comments(path: str, body: bytes) -> bytes:
    r"""Return a script or style sheet of our own without its comments and indentation, with as many lines as it had.

    They are for those who read the source; to browsers they would be a fifth of what is sent. Only comments that fill
    whole lines are dropped, so nothing has to be parsed; and no string of ours goes over several lines.

    >>> without_comments("js/a.js", b"// why\nlet a; // stays\n/** one\n    two */\n  let b;")
    b'\nlet a; // stays\n\n\nlet b;'
    """
    if path.startswith("vendor/") or _suffix(path) not in {".css", ".js"}:
        return body
    uncommented = _COMMENT_LINES.sub(lambda found: b"\n" * found[0].count(b"\n"), body)
    return _INDENTATION.sub(b"", uncommented)


def _file(path: str, body: bytes) -> StaticFile:
    # mtime=0: the same bytes in, the same bytes out.
    return StaticFile(
        body=body,
        compressed=gzip.compress(body, 9, mtime=0),
        media_type=MEDIA_TYPES[_suffix(path)],
        etag=f'"{hashlib.sha256(body).hexdigest()[:24]}"',
    )
