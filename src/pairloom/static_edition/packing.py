"""What Python needs in the browser, as two archives: its standard library, and the app with its pure packages."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from pairloom.static_edition.tools import Tools

PACKAGES = ("anyio", "idna", "jinja2", "markupsafe", "starlette", "typing_extensions")
"""What the pages need beside the standard library; a test holds it equal to what the packages themselves say."""

# What no page can reach: command line, corpora of any size, notebooks, server program, JSON twin, the builder
# itself, static files.
_LEFT_OUT = ("checking/", "cli/", "corpus/", "notebook/", "static_edition/", "web/api/", "web/static/")
_KEPT = ("static_edition/__init__.py", "static_edition/addresses.py", "static_edition/bridge.py", "web/static/presets/")
_LEFT_OUT_FILES = {"__main__.py", "web/connections.py", "web/server.py"}
_SUFFIXES = {".html", ".md", ".mo", ".py", ".txt"}
# Two that read their own source: the lesson's listing, and a lazy importer.
_AS_SOURCE = ("pairloom/educational.py", "anyio/__init__.py")
# Of the packages: what tests, other event loops and servers of files need.
_NOT_OF_PACKAGES = (
    *("anyio/_backends/_trio.py", "anyio/pytest_plugin.py", "starlette/testclient.py", "starlette/staticfiles.py"),
    *("starlette/schemas.py", "starlette/templating.py", "starlette/middleware/gzip.py", "jinja2/sandbox.py"),
)
# Of the standard library: tools for developers, servers and clients of protocols, processes. Nothing here uses them.
_NO_LIBRARY = {
    *(
        "_pyrepl",
        "ensurepip",
        "idlelib",
        "lib2to3",
        "multiprocessing",
        "pydoc_data",
        "sqlite3",
        "tkinter",
        "turtledemo",
    ),
    *("unittest", "wsgiref", "xml", "xmlrpc", "_ios_support", "_android_support", "_pyio", "bdb", "cProfile", "cmd"),
    *("compileall", "configparser", "curses", "dbm", "doctest", "filecmp", "fileinput", "ftplib", "imaplib", "mailbox"),
    *(
        "modulefinder",
        "netrc",
        "optparse",
        "pdb",
        "pickletools",
        "plistlib",
        "poplib",
        "profile",
        "pstats",
        "py_compile",
    ),
    *("pyclbr", "pydoc", "sched", "smtplib", "socketserver", "symtable", "tabnanny", "tomllib", "trace", "turtle"),
    *("venv", "wave", "zipapp"),
}


def pack_library(tools: Tools) -> bytes:
    """Return the standard library, compiled for the Python of the browser; from the cache if it was made before.

    Raises: SiteError.
    """
    source = tools.pyodide / "python_stdlib.zip"
    with zipfile.ZipFile(source) as archive:
        entries = [
            (name, archive.read(name))
            for name in archive.namelist()
            if not name.endswith("/") and name.partition("/")[0].removesuffix(".py") not in _NO_LIBRARY
        ]
    return _compiled(tools, entries, optimize=2)


def pack_app(tools: Tools) -> bytes:
    """Return the app and its packages, compiled for the Python of the browser. Raises: SiteError."""
    return _compiled(tools, sorted([*_own(), *_packages()]), optimize=2)


def take_snapshot(tools: Tools, library: bytes, app: bytes, place: Mapping[str, object]) -> bytes:
    """Return a picture of Python's memory with the app in it. Raises: SiteError.

    Args:
        tools: what to do it with.
        library, app: the archives.
        place: base, version, source and lock, as the worker is told them.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "library.zip").write_bytes(library)
        (folder / "app.zip").write_bytes(app)
        named = {"library": "library.zip", "app": "app.zip", "target": "snapshot.bin"}
        job = {**place, **{what: str(folder / name) for what, name in named.items()}}
        tools.run_script("snapshot.mjs", str(tools.pyodide), json.dumps(job))
        return (folder / "snapshot.bin").read_bytes()


def _own() -> Iterator[tuple[str, bytes]]:
    for name, entry in _walk(files("pairloom"), ""):
        is_out = name.startswith(_LEFT_OUT) and not name.startswith(_KEPT)
        if not is_out and name not in _LEFT_OUT_FILES and PurePosixPath(name).suffix in _SUFFIXES:
            yield f"pairloom/{name}", entry.read_bytes()


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry


def _packages() -> Iterator[tuple[str, bytes]]:
    """Yield the Python files and the licences of the packages; compiled parts have a plain form of their own."""
    for package in PACKAGES:
        for file in distribution(package).files or ():
            is_licence = ".dist-info" in file.parts[0] and "LICENSE" in file.name.upper()
            if (
                (file.suffix == ".py" or is_licence)
                and ".." not in file.parts
                and file.as_posix() not in _NOT_OF_PACKAGES
            ):
                yield file.as_posix(), Path(str(file.locate())).read_bytes()


def _compiled(tools: Tools, entries: list[tuple[str, bytes]], *, optimize: int) -> bytes:
    """Return an archive of modules compiled by the very Python that will run them, or what was made of these before."""
    digest = hashlib.sha256(f"{optimize}\0".encode())
    for part in (_script(), tools.modules.parent.name.encode()):
        digest.update(part + b"\0")
    for name, body in entries:
        digest.update(f"{name}\0{len(body)}\0".encode() + body)
    made = tools.cache / "compiled" / f"{digest.hexdigest()[:24]}.zip"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            source, target = Path(folder, "source.zip"), Path(folder, "target.zip")
            with zipfile.ZipFile(source, "w") as archive:
                for name, body in entries:
                    archive.writestr(name, body)
            job = {"source": str(source), "target": str(target), "optimize": optimize, "keep": _AS_SOURCE}
            tools.run_script("compile.mjs", str(tools.pyodide), json.dumps([job]))
            target.replace(made)
    return made.read_bytes()


def _script() -> bytes:
    return (files("pairloom.static_edition") / "node" / "compile.mjs").read_bytes()
