"""The files that git tracks, for tests about the project itself."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@cache
def tracked() -> tuple[Path, ...]:
    """Return every tracked file that is there."""
    if not (ROOT / ".git").exists():
        pytest.skip("what is tracked is only known in a git checkout")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    return tuple(path for name in listing.decode().split("\0") if name and (path := ROOT / name).is_file())


@cache
def tracked_texts() -> dict[str, str]:
    """Return the text of every tracked file that is UTF-8, by its name in the repository."""
    texts = {}
    for path in tracked():
        try:
            texts[path.relative_to(ROOT).as_posix()] = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
    return texts
