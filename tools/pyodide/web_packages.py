#!/usr/bin/env python3
"""Copy what the pages need into a folder, as pure Python, for a Python that is not this machine's.

    python tools/pyodide/web_packages.py FOLDER

What is copied comes from the virtual environment, where it was installed by its hashes. Compiled parts are left out
(MarkupSafe has a plain form of its own), and so is the server program with the JSON twin: a page that needs no server
has neither.
"""

import re
import shutil
import sys
from importlib.metadata import Distribution, distribution, requires
from pathlib import Path

from packaging.requirements import Requirement

# The Python that the packages are for. `extra` is set as in every resolver.
TARGET = {"python_version": "3.14", "python_full_version": "3.14.2", "sys_platform": "emscripten", "extra": "web"}
LEFT_OUT = {"uvicorn", "h11", "click", "msgspec"}


def needed(name: str, found: dict[str, Distribution]) -> dict[str, Distribution]:
    """Add to `found` what a package needs, and what that needs."""
    for line in requires(name) or []:
        requirement = Requirement(line)
        key = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if key in LEFT_OUT or key in found or (requirement.marker and not requirement.marker.evaluate(TARGET)):
            continue
        found[key] = distribution(key)
        needed(key, found)
    return found


def main() -> int:
    """Copy, and say what was copied."""
    target = Path(sys.argv[1])
    shutil.rmtree(target, ignore_errors=True)
    packages = needed("pairloom", {})
    for package in packages.values():
        for file in package.files or []:
            if file.suffix in {".so", ".pyd", ".pyc", ".pth"} or ".." in file.parts:
                continue
            copy = target / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(str(file.locate())), copy)
    print("with", ", ".join(f"{package.name} {package.version}" for package in packages.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
