"""The lock files pin every package by hashes, hold no addresses and agree with each other."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
NPM_LOCKS = [ROOT / "tools" / "pyodide" / "package-lock.json"]


def requirements(lock: Path) -> dict[str, str]:
    """Each requirement of a lock file by its name: its version, marker and hashes on one line."""
    lines = lock.read_text("utf-8").replace("\\\n", " ").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    return {re.split(r"[=\s]", entry, maxsplit=1)[0]: entry for entry in entries}


def test_there_are_locks() -> None:
    names = [lock.name.removesuffix(".lock") for lock in LOCKS]
    assert names == ["bench", "dev", "full", "fuzz", "run", "youtokentome"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_requirement_is_one_version_with_hashes(lock: Path) -> None:
    entries = requirements(lock)
    assert entries
    for entry in entries.values():
        assert re.fullmatch(r"[a-z0-9._-]+==[^\s;]+( +;[^#]+?)?( +--hash=sha256:[0-9a-f]{64})+ *", entry), entry


@pytest.mark.parametrize("lock", [*LOCKS, *NPM_LOCKS, ROOT / "tools/pyodide/.npmrc"], ids=lambda lock: lock.name)
def test_no_lock_holds_an_address(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert "resolved" not in text.replace("omit-lockfile-registry-resolved", "")
    assert not re.search(r"--(extra-)?index-url|--find-links|--trusted-host", text)


@pytest.mark.parametrize("lock", NPM_LOCKS, ids=lambda lock: lock.name)
def test_every_npm_package_has_a_checksum(lock: Path) -> None:
    packages = json.loads(lock.read_text("utf-8"))["packages"]
    installed = {name: package for name, package in packages.items() if name}
    assert installed
    assert all(package["integrity"].startswith("sha512-") for package in installed.values())


@pytest.mark.parametrize(("less", "more"), [("run", "dev"), ("dev", "full"), ("dev", "bench")])
def test_what_the_pages_run_with_is_what_the_tests_run_with(less: str, more: str) -> None:
    fewer, all_of_them = (
        {entry.split()[0] for entry in requirements(ROOT / "requirements" / f"{name}.lock").values()}
        for name in (less, more)
    )
    assert fewer <= all_of_them


def test_the_build_tools_are_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    tools = [re.split(r"[^A-Za-z0-9._-]", tool, maxsplit=1)[0] for tool in project["build-system"]["requires"]]
    assert tools
    assert set(tools) <= requirements(ROOT / "requirements" / "run.lock").keys()


def test_every_direct_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["web"]]
    names = {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in wanted}
    assert names <= requirements(ROOT / "requirements" / "run.lock").keys()
    for extra in ("dev", "full"):
        wanted = project["optional-dependencies"][extra]
        names = {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in wanted} - {"pairloom"}
        assert names <= requirements(ROOT / "requirements" / f"{extra}.lock").keys()
