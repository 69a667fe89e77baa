"""What building needs from elsewhere: Node.js with npm, and by npm Pyodide and esbuild, pinned with their checksums."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from pairloom.errors import PairloomError

_LINES_OF_A_FAILURE = 12


class SiteError(PairloomError):
    """The static edition cannot be built: a tool is missing or fails, or the folder is not ours to replace."""

    code = "site.build"
    template = "{reason}"
    attributes = ("reason",)

    def __init__(self, *, reason: str) -> None:
        super().__init__()
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the tools are.

    Attributes:
        node: the program Node.js.
        modules: what npm installed.
        cache: a folder for what takes long and depends on nothing but its input.
    """

    node: str
    modules: Path
    cache: Path

    @property
    def pyodide(self) -> Path:
        """The folder with CPython for browsers."""
        return self.modules / "pyodide"

    def run_script(self, name: str, *arguments: str, text: str = "") -> None:
        """Run one of our Node.js scripts. Raises: SiteError, with the end of what it said."""
        with as_file(files("pairloom.static_edition") / "node" / name) as script:
            run([self.node, str(script), *arguments], what=name, text=text)

    def bundle(self, *arguments: str, folder: Path) -> None:
        """Run esbuild in a folder. Raises: SiteError, with the end of what it said."""
        program = self.modules / "esbuild" / "bin" / "esbuild"
        run([self.node, str(program), *arguments], what="esbuild", folder=folder)


def cache_folder() -> Path:
    """Return where this system keeps what programs can make again; `XDG_CACHE_HOME` names another place."""
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named).absolute() / "pairloom"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "pairloom" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pairloom"
    return Path.home() / ".cache" / "pairloom"


def find_tools() -> Tools:
    """Return the tools, fetched by npm if they are not there yet.

    What npm fetches is named with version and checksum in `npm/package-lock.json`; anything else is refused by npm.

    Raises:
        SiteError: Node.js or npm is missing, or npm fails.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        missing = " and ".join(name for name, path in (("node", node), ("npm", npm)) if path is None)
        reason = f"building the static edition needs Node.js (20 or newer) with npm; missing here: {missing}"
        raise SiteError(reason=reason)
    lock = (files("pairloom.static_edition") / "npm" / "package-lock.json").read_bytes()
    cache = cache_folder()
    place = cache / f"npm-{hashlib.sha256(lock).hexdigest()[:16]}"
    if not place.is_dir():
        _install(npm, place)
    return Tools(node=node, modules=place / "node_modules", cache=cache)


def _install(npm: str, place: Path) -> None:
    """Let npm install into a folder beside, and put it in its place when it is whole."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix="npm-") as temporary:
        fresh = Path(temporary) / "tools"
        fresh.mkdir()
        for name in ("package.json", "package-lock.json"):
            (fresh / name).write_bytes((files("pairloom.static_edition") / "npm" / name).read_bytes())
        # Scripts of packages are not needed, and so not run.
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        run(command, what="npm", folder=fresh, known=_without_a_registry)
        try:
            fresh.rename(place)
        except OSError:
            # Another build was quicker.
            if not place.is_dir():
                raise


# What npm's failures are called when no registry answers.
_NO_ANSWER = re.compile(
    r"\bcode (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|E?TIMEDOUT|ENOTCACHED)\b"
)


def _without_a_registry(said: str) -> str | None:
    """Return the one sentence that takes the place of npm's twenty lines; None if something else failed."""
    found = _NO_ANSWER.search(said)
    return found and (
        f"npm could not fetch Pyodide and esbuild, because its registry does not answer ({found[1]}); run this again"
        " with a network (both are kept then), or name another registry: npm config set registry URL"
    )


def run(
    command: Sequence[str],
    *,
    what: str,
    text: str = "",
    folder: Path | None = None,
    known: Callable[[str], str | None] = lambda said: None,  # noqa: ARG005  # nothing is known of most
) -> None:
    """Run a program. Raises: SiteError, with what is `known` of all that it said, or else the end of it."""
    done = subprocess.run(  # noqa: S603  # our own scripts, and tools by their whole path
        command, input=text, capture_output=True, text=True, cwd=folder, check=False
    )
    if done.returncode:
        output = done.stdout + done.stderr
        said = [line[:200] for line in output.splitlines() if line.strip()]
        raise SiteError(reason=known(output) or f"{what} failed: " + " / ".join(said[-_LINES_OF_A_FAILURE:]))
