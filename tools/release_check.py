#!/usr/bin/env python3
"""Whether this could be released: `make release-check`. Says what it does, and ends at the first thing that is wrong.

tracked files → source distribution → wheel → fresh environments → library, command line, pages, notebook. On the way:
the changelog tells of this version, the C of the kernel is in the source distribution and builds without Cython,
licences and the bill of materials are in both archives. Network: packages by their names, through pip. What passed
stands in dist/.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import bill_of_materials  # noqa: E402  # this is a program: the root is not on the path before

GENERATED_C = "src/pairloom/kernel/_compiled.c"


class NotReady(Exception):
    """Something that has to be right before a release is not; the message says what to do."""


def version() -> str:
    """Return the version of pyproject.toml."""
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return found


def check_changelog(changelog: str, version: str, *, tags: Sequence[str]) -> None:
    """Raise NotReady unless the changelog begins with this version, and with its day where the commit is tagged.

    Args:
        changelog: the text of CHANGELOG.md.
        version: the version of the package.
        tags: the tags of the commit, such as `v0.1.0`; without one the heading may say `(unreleased)`.
    """
    parts = re.split(r"^## (.+)$", changelog, flags=re.MULTILINE)
    if len(parts) < 3:
        raise NotReady("CHANGELOG.md has no heading `## VERSION (DAY)`: write one")
    heading, text = parts[1], parts[2]
    found = re.fullmatch(r"(\S+) \((unreleased|\d{4}-\d\d-\d\d)\)", heading)
    if found is None or found[1] != version:
        raise NotReady(f"CHANGELOG.md begins with {heading!r}; it has to be `## {version} (unreleased)` or a day")
    if "- " not in text:
        raise NotReady(f"CHANGELOG.md says nothing of {version}: write what a user notices")
    versions = [part.split(" ")[0] for part in parts[1::2]]
    if len(set(versions)) < len(versions):
        raise NotReady("CHANGELOG.md has a version twice: join them")
    released = [tag for tag in tags if re.fullmatch(r"v\d.*", tag)]
    if released and released != [f"v{version}"]:
        raise NotReady(f"the commit is tagged {', '.join(released)}, the package is {version}: they have to agree")
    if released and found[2] == "unreleased":
        raise NotReady(f"the commit is tagged {released[0]}: give its heading in CHANGELOG.md the day")


def check_archive(names: Sequence[str], wanted: Sequence[str], *, archive: str) -> None:
    """Raise NotReady unless an archive holds these files, given by the ends of their names."""
    missing = [each for each in wanted if not any(name == each or name.endswith(f"/{each}") for name in names)]
    if missing:
        raise NotReady(f"{archive} lacks {', '.join(missing)}: see MANIFEST.in, setup.py and pyproject.toml")


def license_files() -> list[str]:
    """Return our own licence, the notice, and the licence of everything that comes from elsewhere."""
    return ["LICENSE", "NOTICE", *(origin.license_file for origin in bill_of_materials.origins())]


def run(*command: str | Path, folder: Path = ROOT) -> None:
    """Run a program that speaks for itself. Raises: NotReady."""
    done = subprocess.run([str(part) for part in command], cwd=folder, check=False)
    if done.returncode:
        raise NotReady(f"{' '.join(map(str, command))} ended with {done.returncode}")


def ask_git(*arguments: str) -> list[str]:
    """Return the lines that git answers."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.splitlines()


def copy_tracked(folder: Path) -> None:
    """Copy what git tracks: what lies about beside it must not come along."""
    for name in ask_git("ls-files"):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)


def build(folder: Path) -> tuple[Path, Path]:
    """Build the source distribution of what is tracked, and the wheel of that; return both."""
    copy_tracked(folder / "source")
    uv, python = Path(sys.executable).with_name("uv"), sys.executable
    options = ("--no-config", "--offline", "--no-build-isolation", "--no-build-logs", "--python", python)
    run(uv, "build", "--quiet", *options, "--out-dir", folder / "made", folder / "source")
    (source,), (wheel,) = (folder / "made").glob("*.tar.gz"), (folder / "made").glob("*.whl")
    return source, wheel


def check_source(source: Path) -> None:
    """Raise NotReady unless the source distribution holds the sources, the C, the licences and the bill."""
    with tarfile.open(source) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    kernel = [f"src/pairloom/kernel/{path.name}" for path in (ROOT / "src/pairloom/kernel").glob("*.p[xy]*")]
    check_archive(names, [GENERATED_C, *kernel, *license_files(), "bom.cdx.json", "README.md"], archive=source.name)


def check_wheel(wheel: Path) -> None:
    """Raise NotReady unless the wheel holds the package, the licences, and the bill where tools look for it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folder = f"pairloom-{version()}.dist-info"
    wanted = [f"{folder}/licenses/{name}" for name in license_files()]
    check_archive(names, [*wanted, f"{folder}/sboms/bom.cdx.json", "pairloom/py.typed"], archive=wheel.name)
    if strange := [name for name in names if name.endswith(".c") or not name.startswith(("pairloom/", folder))]:
        raise NotReady(f"{wheel.name} holds {', '.join(strange)}, which do not belong in it")


def environment(folder: Path, *packages: str | Path) -> Path:
    """Make a fresh environment, install packages into it, and return its Python."""
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "-qq", "install")
    run(*pip, *packages, folder=folder)
    return python


def check_without_cython(folder: Path, source: Path, *, has_compiler: bool) -> None:
    """Raise NotReady unless the source distribution builds where there is no Cython, kernel included."""
    python = environment(folder, "setuptools>=80")
    options = ("-qq", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "made", source)
    run(python, "-m", "pip", "--disable-pip-version-check", "wheel", *options, folder=folder)
    (wheel,) = (folder / "made").glob("*.whl")
    kernel = [name for name in zipfile.ZipFile(wheel).namelist() if "/kernel/_compiled." in name and ".p" not in name]
    if bool(kernel) is not has_compiler:
        raise NotReady(f"without Cython the kernel is {kernel or 'not built'}, with a compiler: {has_compiler}")


def check_installed(folder: Path, wheel: Path, kernel: str) -> None:
    """Raise NotReady unless library, command line, pages and widget work in fresh environments, elsewhere."""
    smoke = ROOT / "tools" / "smoke_test.py"
    python = environment(folder / "core", wheel)
    run(python, "-I", smoke, "--without-pages", kernel, folder=folder)
    python = environment(folder / "web", f"{wheel}[web]")
    run(python, "-I", smoke, kernel, folder=folder)
    python = environment(folder / "notebook", f"{wheel}[notebook]")
    run(python, "-I", smoke, "--notebook", kernel, folder=folder)


def step(words: str) -> None:
    """Say what is done now."""
    print(f"==> {words}", flush=True)


def check(folder: Path) -> None:
    """Do everything; raise NotReady at the first thing that is wrong."""
    step("CHANGELOG.md tells of this version")
    tags = ask_git("tag", "--points-at", "HEAD")
    check_changelog((ROOT / "CHANGELOG.md").read_text("utf-8"), version(), tags=tags)
    step("licences and the bill of materials are those of the files")
    if found := bill_of_materials.faults((ROOT / "bom.cdx.json").read_text("utf-8")):
        raise NotReady("\n".join(found))
    step("source distribution → wheel")
    source, wheel = build(folder)
    check_source(source)
    check_wheel(wheel)
    compiled = any(
        "/kernel/_compiled." in name and not name.endswith((".pyx", ".pyi"))
        for name in zipfile.ZipFile(wheel).namelist()
    )
    step(f"source distribution → wheel, where there is no Cython (compiled kernel: {'yes' if compiled else 'no'})")
    check_without_cython(folder / "plain", source, has_compiler=compiled)
    step("wheel → fresh environments → library, command line, pages, notebook")
    check_installed(folder, wheel, "compiled" if compiled else "pure")
    (ROOT / "dist").mkdir(exist_ok=True)
    for made in (source, wheel):
        shutil.copy2(made, ROOT / "dist" / made.name)
        print(f"{hashlib.sha256(made.read_bytes()).hexdigest()}  dist/{made.name}")


def main() -> int:
    """Check, and say how it went."""
    if ask_git("status", "--porcelain"):
        print("Note: not everything is committed; what is looked at are the tracked files as they are.", flush=True)
    with tempfile.TemporaryDirectory(prefix="pairloom-release-") as folder:
        try:
            check(Path(folder))
        except NotReady as error:
            print(f"Not ready for a release: {error}", file=sys.stderr)
            return 1
    print(f"Ready: pairloom {version()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
