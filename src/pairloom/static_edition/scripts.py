"""The scripts of the pages, bundled: a few files instead of forty, so that a first visit asks for few."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pairloom.static_edition.tools import Tools
from pairloom.web.statics import package_statics

# What a document or a fragment names by itself: the first script, and what is loaded when it is needed.
_NAMED = re.compile(r"static\('(js/[\w/]+\.js)'\)")
_VENDORED = ("vendor/htmx-4.0.1/htmx.min.js", "vendor/htmx-4.0.1/hx-sse.min.js")
_OPTIONS = ("--bundle", "--minify", "--charset=utf8", "--target=es2022", "--log-level=warning")


def bundle_scripts(tools: Tools) -> dict[str, bytes]:
    """Return every script by its path among the static files.

    Raises: SiteError.
    """
    statics = package_statics().files
    with tempfile.TemporaryDirectory() as temporary:
        folder, out = Path(temporary) / "in", Path(temporary) / "out"
        for path, file in statics.items():
            if path.startswith("js/"):
                _write(folder / path, _after_main(path) + file.body)
        own = files("pairloom.static_edition") / "scripts" / "site"
        for entry in own.iterdir():
            if entry.name.endswith(".js"):
                _write(folder / "site" / entry.name, entry.read_bytes())
        # Run there, with paths from there: names that esbuild makes of paths are then the same in every build.
        bundle = partial(tools.bundle, folder=folder)
        entries = [f"./{path}" for path in sorted(named_scripts())]
        options = [*_OPTIONS, "--format=esm", "--splitting", "--outbase=.", "--chunk-names=js/[hash]"]
        bundle(*entries, *options, f"--outdir={out}")
        # What stands before all modules is no module: it has to be there when they run.
        for name in ("early", "main"):
            bundle(f"./site/{name}.js", *_OPTIONS, "--format=iife", f"--outfile={out / name}.js")
        # Pyodide looks for Node.js by names that no browser ever asks for.
        pyodide = [f"--alias:pyodide={tools.pyodide / 'pyodide.mjs'}", "--external:node:*", "--external:ws"]
        bundle("./site/worker.js", *_OPTIONS, "--format=esm", *pyodide, f"--outfile={out / 'worker.js'}")
        made = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*.js")}
    vendored = b"\n".join(statics[path].body for path in _VENDORED)
    made["site.js"] = made.pop("main.js") + b"\n" + vendored
    return made


def _after_main(path: str) -> bytes:
    """Return what stands in front of a script that is loaded later: then all that it shares is in one file."""
    if path == "js/main.js" or path not in named_scripts():
        return b""
    return f'import "{"../" * (path.count("/") - 1) or "./"}main.js";\n'.encode()


def service_worker() -> str:
    """Return the service worker, without what it has to know."""
    return (files("pairloom.static_edition") / "scripts" / "site" / "service_worker.js").read_text(encoding="utf-8")


def styles() -> bytes:
    """Return what the static edition adds to the style of the pages."""
    return (files("pairloom.static_edition") / "scripts" / "site" / "site.css").read_bytes()


def named_scripts() -> set[str]:
    """Return the scripts that templates name by their whole path."""
    return {path for text in _templates(files("pairloom.web") / "templates") for path in _NAMED.findall(text)}


def _templates(folder: Traversable) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _templates(entry)
        else:
            yield entry.read_text(encoding="utf-8")


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


def plain_files() -> Mapping[str, bytes]:
    """Return the static files that stay as they are."""
    return {
        path: file.body
        for path, file in package_statics().files.items()
        if not path.startswith("js/") and path not in _VENDORED
    }
