"""Versions stand in several files and are the same in all of them."""

import importlib.metadata
import json
import re
import tomllib
from typing import Any

from tests.support.repository import ROOT

CONFIGURATION: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = CONFIGURATION["project"]
CLASSIFIED = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))


def test_the_environment_holds_this_version() -> None:
    assert importlib.metadata.version("pairloom") == PROJECT["version"]


def test_the_changelog_begins_with_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (\S+)", changelog, re.MULTILINE)[0] == PROJECT["version"]


def test_one_oldest_python() -> None:
    oldest = CLASSIFIED[0]
    assert PROJECT["requires-python"] == f">={oldest}"
    assert CONFIGURATION["tool"]["mypy"]["python_version"] == oldest
    assert CONFIGURATION["tool"]["ruff"]["target-version"] == "py" + oldest.replace(".", "")
    assert f"version_info >= ({oldest.replace('.', ', ')})" in (ROOT / "tools" / "find-python.sh").read_text("utf-8")
    assert f"--python-version {oldest}" in (ROOT / "tools" / "lock.sh").read_text("utf-8")


def test_the_newer_pythons_are_those_that_are_tested() -> None:
    package = json.loads((ROOT / "tools" / "pyodide" / "package.json").read_text("utf-8"))
    assert [name.removeprefix("python-") for name in package["devDependencies"]] == CLASSIFIED[1:]
    assert f"for version in {' '.join(CLASSIFIED[1:])};" in (ROOT / "tools" / "test-pythons.sh").read_text("utf-8")
