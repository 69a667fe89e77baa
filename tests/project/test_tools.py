"""The scripts around the project: found errors end in what to do about them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repository import ROOT

SCRIPTS = sorted((ROOT / "tools").glob("*.sh"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_plain_shell_can_read_it(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)


def run(script: str, *arguments: str, path: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script of tools/; with `path`, that folder is all that the script finds commands in."""
    variables = {**os.environ, **environment}
    if path is not None:
        variables["PATH"] = str(path)
    return subprocess.run(
        ["/bin/sh", str(ROOT / "tools" / script), *arguments],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


def command(folder: Path, name: str, body: str) -> None:
    """Put a command into a folder."""
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


def link(folder: Path, *names: str) -> None:
    """Put commands of this machine into a folder."""
    for name in names:
        found = next(place for place in ("/bin", "/usr/bin") if (Path(place) / name).exists())
        (folder / name).symlink_to(Path(found) / name)


def test_a_python_is_found() -> None:
    found = run("find-python.sh").stdout.strip()
    assert subprocess.run([found, "-c", "import venv"], check=False).returncode == 0


def test_a_named_python_that_does_not_do_is_refused(tmp_path: Path) -> None:
    command(tmp_path, "old-python", "exit 1")
    done = run("find-python.sh", PYTHON=str(tmp_path / "old-python"))
    assert done.returncode == 1
    assert "old-python is no Python 3.11" in done.stderr


def test_a_machine_without_python_is_told_what_to_install(tmp_path: Path) -> None:
    link(tmp_path, "cat")
    done = run("find-python.sh", path=tmp_path, PYTHON="")
    assert done.returncode == 1
    assert "apt-get install python3 python3-venv" in done.stderr


def test_the_first_python_on_the_path_that_does_is_taken(tmp_path: Path) -> None:
    command(tmp_path, "python3", "exit 127")  # what a version manager answers for a version that is not active
    command(tmp_path, "python3.12", f'exec "{sys.executable}" "$@"')
    assert run("find-python.sh", path=tmp_path, PYTHON="").returncode == 0


def debian(folder: Path, *, root: bool) -> Path:
    """Make a folder of commands as on a Debian without Chromium, and return where apt-get notes its calls."""
    calls = folder / "calls"
    link(folder, "dirname", "env", "grep")
    command(folder, "apt-get", f'echo "$@" >> "{calls}"')
    command(folder, "dpkg-query", "exit 1")
    command(folder, "id", f"echo {0 if root else 1000}")
    return calls


def test_the_administrator_of_a_debian_gets_browser_and_fonts(tmp_path: Path) -> None:
    calls = debian(tmp_path, root=True)
    done = run("browser.sh", path=tmp_path, PAIRLOOM_CHROMIUM="")
    assert done.returncode == 0, done.stderr
    assert calls.read_text().splitlines() == [
        "-qq update",
        "-qq install -y --no-install-recommends chromium fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji",
    ]


def test_with_a_browser_only_the_fonts_are_missing(tmp_path: Path) -> None:
    calls = debian(tmp_path, root=False)
    command(tmp_path, "chromium", "")
    done = run("browser.sh", path=tmp_path, PAIRLOOM_CHROMIUM="")
    assert done.returncode == 0
    assert "fonts-noto-cjk" in done.stderr
    assert not calls.exists()


def test_other_pythons_need_node_on_ci_only(tmp_path: Path) -> None:
    link(tmp_path, "dirname")
    assert run("test-pythons.sh", path=tmp_path, CI="true").returncode == 1
    done = run("test-pythons.sh", path=tmp_path, CI="")
    assert done.returncode == 0
    assert "skipped, because Node.js" in done.stdout
