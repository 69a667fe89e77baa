"""Skips without a reason fail everywhere, all skips fail on CI, with and without pytest-xdist."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repository import ROOT
from tests.support.skips import is_accepted

TEST = {
    "none": "def test_a(): pass",
    "bare mark": "import pytest\n@pytest.mark.skip\ndef test_a(): pass",
    "bare call": "import pytest\ndef test_a(): pytest.skip()",
    "reason": "import pytest\n@pytest.mark.skip(reason='no Node.js')\ndef test_a(): pass",
    "module": "import pytest\npytest.skip('no Node.js', allow_module_level=True)",
    "expected failure": "import pytest\n@pytest.mark.xfail(reason='fault 3')\ndef test_a(): assert False",
}


def run(folder: Path, body: str, *, ci: bool, options: tuple[str, ...] = ()) -> int:
    (folder / "test_sample.py").write_text(f"def test_passes(): pass\n{body}\n")
    (folder / "test_other.py").write_text("def test_passes(): pass\n")
    # Of the plugins that are installed only those named: loading them all takes longer than the tests.
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "CI": "true" if ci else "",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.skips", "-p", "no:cacheprovider", *options]
    done = subprocess.run([*command, str(folder)], cwd=folder, env=environment, stdout=subprocess.PIPE, check=False)
    return done.returncode


@pytest.mark.parametrize(
    ("body", "elsewhere", "on_ci"),
    [("none", 0, 0), ("bare mark", 1, 1), ("bare call", 1, 1), ("reason", 0, 1), ("module", 0, 1)],
)
def test_exit_status(tmp_path: Path, body: str, elsewhere: int, on_ci: int) -> None:
    assert run(tmp_path, TEST[body], ci=False) == elsewhere
    assert run(tmp_path, TEST[body], ci=True) == on_ci


def test_an_expected_failure_is_a_skip(tmp_path: Path) -> None:
    assert run(tmp_path, TEST["expected failure"], ci=True) == 1


def test_several_processes_see_the_same(tmp_path: Path) -> None:
    assert run(tmp_path, TEST["reason"], ci=True, options=("-p", "xdist", "-n", "2")) == 1
    assert run(tmp_path, TEST["none"], ci=True, options=("-p", "xdist", "-n", "2")) == 0


def test_reasons() -> None:
    assert is_accepted("no Node.js", on_ci=False)
    assert not is_accepted("no Node.js", on_ci=True)
    assert not is_accepted("", on_ci=False)
