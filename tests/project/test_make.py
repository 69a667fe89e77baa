"""Every command is documented, and every command that is written about exists."""

import re
import subprocess

import pytest

from tests.support.others import variables_of_others
from tests.support.repository import ROOT, tracked_texts

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))
INTERNAL = {target for target in TARGETS if target.startswith("setup-")}


def made(*arguments: str) -> str:
    """What `make` says."""
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env=variables_of_others(), check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def test_every_target_is_listed_by_make_help() -> None:
    listing = made("help")
    assert set(re.findall(r"^ +make ([a-z-]+)", listing, re.MULTILINE)) == TARGETS - INTERNAL
    assert all(len(line) <= 120 for line in listing.splitlines())


def test_no_target_is_mistaken_for_a_file() -> None:
    assert set(re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)) == TARGETS


@pytest.mark.parametrize("target", ["run", "test", "check", "format", "bench", "clean", "test-pythons"])
def test_the_commands_that_others_rely_on_are_there(target: str) -> None:
    assert target in TARGETS


def test_setting_up_says_what_to_do_next() -> None:
    assert re.search(r"make test.*\.venv/bin/activate", made("-n", "setup"))
    # Where it is only a step on the way, it says nothing.
    assert "activate" not in made("-n", "check")


def test_every_make_command_in_the_documents_exists() -> None:
    for name, text in tracked_texts().items():
        if name.endswith(".md") or name == ".ci/run":
            # Only where it stands as code: "make sense" is prose.
            written = set(re.findall(r"(?:`|^\s*|&& )make ([a-z][a-z-]*)", text, re.MULTILINE))
            assert written <= TARGETS, name


def test_ci_runs_the_documented_command() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert re.search(r"^make test$", script, re.MULTILINE)
    assert "export CI=true" in script
