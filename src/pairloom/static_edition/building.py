"""From the installed package to a folder that any file server can serve."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import metadata
from pathlib import Path, PurePosixPath

from pairloom.static_edition import scripts
from pairloom.static_edition.addresses import SiteAddresses
from pairloom.static_edition.packing import PACKAGES, pack_app, pack_library, take_snapshot
from pairloom.static_edition.pages import configuration, render_pages, source_language
from pairloom.static_edition.tools import SiteError, Tools, find_tools
from pairloom.web.statics import MEDIA_TYPES

LISTING = "files.json"
"""The list of all files with sizes and checksums; also what marks a folder as one that may be replaced."""

_BASE = re.compile(r"/(?:[A-Za-z0-9._~-]+/)*")
_DOTS = re.compile(r"/\.{1,2}/")
# What is worth a compressed twin.
_COMPRESSED = {".bin", ".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".zip"}
# A small twin costs more to find than it saves.
_LEAST_COMPRESSED = 200


@dataclass(frozen=True, slots=True)
class Site:
    """What was built.

    Attributes:
        folder: where it is.
        base: the path that it has to be served under.
        files: how many files there are, twins included.
        transfer: bytes of all that a first visit loads, in the smaller of its forms.
    """

    folder: Path
    base: str
    files: int
    transfer: int


def check_base(base: str) -> str:
    """Return a base path as the addresses have it, with a slash at both ends. Raises: SiteError."""
    made = f"/{base.strip('/')}/" if base.strip("/") else "/"
    if not _BASE.fullmatch(made) or _DOTS.search(made):
        reason = "the base path is one of plain names between slashes, letters, digits and . _ ~ -, such as /bpe/"
        raise SiteError(reason=reason)
    return made


def build(
    out: Path,
    *,
    base: str = "/",
    snapshot: bool = False,
    compress: bool = True,
    tell: Callable[[str], object] = print,
) -> Site:
    """Build the static edition into a folder.

    The folder is replaced if it is empty or holds an earlier edition; nothing else is ever removed.

    Args:
        out: the folder.
        base: the path on the server that the folder will have.
        snapshot: whether a picture of the started Python is added, with which it starts sooner.
        compress: whether compressed twins are written; without them a server compresses by itself, or not at all.
        tell: hears what is being done, line by line.

    Raises:
        SiteError: a tool is missing or fails, or something else is in the folder.
        OSError: the folder cannot be written.
    """
    base = check_base(base)
    _check_folder(out)
    tell("Looking for Node.js, Pyodide and esbuild …")
    tools = find_tools()
    tell("Compiling Python …")
    content = _content(tools, base, snapshot=snapshot)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as temporary:
        fresh = Path(temporary) / "site"
        for name, body in content.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
        if compress:
            tell("Compressing …")
            _compress(tools, fresh)
        transfer = _list_files(fresh, base)
        # A temporary folder is its owner's alone; what lies in it is for everybody who serves it.
        fresh.chmod(0o755)
        _put(fresh, out)
    count = sum(path.is_file() for path in out.rglob("*"))
    return Site(folder=out, base=base, files=count, transfer=transfer)


def _check_folder(out: Path) -> None:
    if out.is_dir():
        if any(out.iterdir()) and not (out / LISTING).is_file():
            reason = f"{out} holds something else than an earlier edition ({LISTING} is not there); name another folder"
            raise SiteError(reason=reason)
    elif out.exists():
        raise SiteError(reason=f"{out} is no folder; name another one")


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:12]


def _content(tools: Tools, base: str, *, snapshot: bool) -> dict[str, bytes]:
    """Return every file by its name in the folder."""
    python = {
        "wasm": ("wasm", (tools.pyodide / "pyodide.asm.wasm").read_bytes()),
        # Named like any script: not every server knows the other ending.
        "module": ("js", (tools.pyodide / "pyodide.asm.mjs").read_bytes()),
        "library": ("zip", pack_library(tools)),
        "app": ("zip", pack_app(tools)),
    }
    made = {f"python/{what}-{_digest(body)}.{ending}": body for what, (ending, body) in python.items()}
    names = {what: f"{base}{name}" for what, name in zip(python, made, strict=True)}
    static = {**scripts.plain_files(), **scripts.bundle_scripts(tools)}
    static["pairloom.css"] += b"\n" + scripts.styles()
    # Nothing that is rendered changes without one of these: scripts, styles, or the app itself.
    version = _digest(b"".join(f"{name}\0{_digest(body)}\0".encode() for name, body in sorted((made | static).items())))
    addresses = SiteAddresses(base, version, source=source_language())
    names |= {
        "folder": f"{base}python/",
        "worker": addresses.address("worker.js"),
        "offline": f"{base}offline.js",
    }
    lock: dict[str, object] = json.loads((tools.pyodide / "pyodide-lock.json").read_text("utf-8"))["info"]
    if snapshot:
        place = {"base": base, "version": version, "source": addresses.source, "lock": lock}
        picture = take_snapshot(tools, python["library"][1], python["app"][1], place)
        name = f"python/snapshot-{_digest(picture)}.bin"
        made[name], names["snapshot"] = picture, f"{base}{name}"
    site = configuration(addresses, names, lock=lock, size=sum(map(len, made.values())))
    rendered = render_pages(addresses, site)
    static |= {path: text.encode() for path, text in rendered.fragments.items()}
    made |= {f"static/{version}/{path}": body for path, body in static.items()}
    small = _small(rendered.documents, static, addresses)
    made |= {_file_of(address, base): text.encode() for address, text in rendered.documents.items()}
    kept = json.dumps(small, ensure_ascii=False, separators=(",", ":")).encode()
    # Documents name the picture, which is another one in every build of the same version.
    edition = _digest(kept)
    made[f"static/{version}/offline-{edition}.json"] = kept
    what = {
        "base": base,
        "version": f"{version} {edition}",
        "small": addresses.address(f"offline-{edition}.json"),
        "large": [f"{base}{name}" for name in made if name.startswith("python/")],
    }
    made["NOTICE.txt"] = licences(tools).encode()
    made["offline.js"] = f"const FILES = {json.dumps(what)};\n{scripts.service_worker()}".encode()
    return made


def licences(tools: Tools) -> str:
    """Return what is in the folder beside Pairloom, with versions and licences, as those ask for."""
    pyodide = json.loads((tools.pyodide / "package.json").read_text("utf-8"))
    lines = [
        "This folder holds Pairloom (Apache-2.0) and, for it to run in a browser:",
        "",
        f"Pyodide {pyodide['version']} ({pyodide['license']}), https://github.com/pyodide/pyodide",
        "CPython, which Pyodide carries (PSF-2.0), https://github.com/python/cpython",
        "htmx (0BSD), https://github.com/bigskysoftware/htmx",
    ]
    for package in PACKAGES:
        facts = metadata(package)
        classes = [each for each in facts.get_all("Classifier") or () if each.startswith("License ::")]
        named = facts.get_all("License-Expression") or [each.rpartition(" :: ")[2] for each in classes]
        lines.append(f"{facts['Name']} {facts['Version']} ({', '.join(named) or 'see its files'})")
    return "\n".join([*lines, "", "The licences of the packages lie in the archive python/app-….zip.", ""])


def _file_of(address: str, base: str) -> str:
    return f"{address.removeprefix(base)}index.html"


def _small(
    documents: Mapping[str, str], static: Mapping[str, bytes], addresses: SiteAddresses
) -> dict[str, dict[str, str]]:
    """Return what a service worker keeps beside Python: everything, as one file by addresses."""
    kept = {address: {"type": "text/html; charset=utf-8", "text": text} for address, text in documents.items()}
    for path, body in static.items():
        media_type = MEDIA_TYPES.get(PurePosixPath(path).suffix, "text/html; charset=utf-8")
        if not path.endswith("LICENSE"):
            kept[addresses.address(path)] = {"type": media_type, "text": body.decode()}
    return kept


def _compress(tools: Tools, folder: Path) -> None:
    """Write the compressed twins; those of large files are kept, because they take a minute."""
    wanted = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in _COMPRESSED and path.is_file() and path.stat().st_size >= _LEAST_COMPRESSED
    ]
    store = tools.cache / "twins"
    store.mkdir(parents=True, exist_ok=True)
    kept = {path: store / hashlib.sha256(path.read_bytes()).hexdigest()[:24] for path in wanted}
    missing = {path: twin for path, twin in kept.items() if not twin.with_suffix(".done").exists()}
    for path, twin in missing.items():
        shutil.copyfile(path, twin)
    tools.run_script("compress.mjs", text="".join(f"{twin}\n" for twin in missing.values()))
    for twin in missing.values():
        twin.unlink(missing_ok=True)
        twin.with_suffix(".done").touch()
    for path, twin in kept.items():
        for ending in (".br", ".gz"):
            if (made := twin.with_suffix(ending)).exists():
                shutil.copyfile(made, path.with_name(path.name + ending))


def _list_files(folder: Path, base: str) -> int:
    """Write the list of all files; return how much a first visit loads."""
    listed = {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    text = json.dumps({"base": base, "files": listed}, indent=1) + "\n"
    (folder / LISTING).write_text(text, encoding="utf-8")
    python = [path for path in (folder / "python").iterdir() if path.suffix not in {".br", ".gz"}]
    page = [folder / "index.html", *(folder / "static").glob("*/offline-*.json")]
    return sum(_smallest(path) for path in (*python, *page))


def _smallest(path: Path) -> int:
    forms = (path, path.with_name(path.name + ".br"), path.with_name(path.name + ".gz"))
    return min(form.stat().st_size for form in forms if form.exists())


def _put(fresh: Path, out: Path) -> None:
    """Put the new folder in the place of the old one."""
    if not out.exists():
        fresh.rename(out)
        return
    old = fresh.with_name("old")
    out.replace(old)
    fresh.rename(out)
