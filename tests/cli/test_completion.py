"""Shells complete commands, options and their values."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pairloom.cli.completion import SHELLS
from pairloom.cli.program import COMMANDS
from tests.support.command_line import run
from tests.support.repository import ROOT


def completed(line: str) -> list[str]:
    """What is offered at the end of a line in bash."""
    words = line.split(" ")
    process = subprocess.run(
        [sys.executable, "-m", "pairloom"],
        env=os.environ | {"_PAIRLOOM_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.stderr == ""
    return [each.partition(",")[2] for each in process.stdout.splitlines()]


def test_commands_options_and_values() -> None:
    assert completed("pairloom exp") == ["export", "explain"] or completed("pairloom exp") == ["explain", "export"]
    assert set(completed("pairloom ")) == set(COMMANDS)
    assert "--verify" in completed("pairloom export --")
    assert completed("pairloom export --to trace") == ["trace.json", "trace.csv"]
    assert completed("pairloom completion z") == ["zsh"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_for_each_shell(shell: str, tmp_path: Path) -> None:
    ended = run("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    assert "_PAIRLOOM_COMPLETE" in ended.out
    script = tmp_path / "script"
    script.write_text(ended.out)
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(script)], check=True)


def test_another_shell_is_refused() -> None:
    ended = run("completion", "cmd")
    assert (ended.code, ended.out) == (2, "")
    assert "'cmd' is not one of" in ended.err


def test_the_generated_reference_is_current() -> None:
    subprocess.run([sys.executable, ROOT / "tools" / "reference.py", "--check"], check=True)
