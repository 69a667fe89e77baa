"""Every Python block of the documentation runs, and every console block prints what it shows."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, Block, blocks, name, pages

_OPTIONS = doctest.ELLIPSIS
_CHECKER = doctest.OutputChecker()


def _pages_with(*languages: str) -> list[Path]:
    return [page for page in pages() if any(block.language in languages for block in blocks(page.read_text("utf-8")))]


@pytest.mark.parametrize("page", _pages_with("python", "console"), ids=name)
def test_the_blocks_of_a_page_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page.read_text(encoding="utf-8")):
        place = f"{name(page)}:{block.line}"
        if block.language == "python" and ">>>" in block.text:
            _run_examples(block, names, place)
        elif block.language == "python":
            exec(compile(block.text, place, "exec"), names)
        elif block.language == "console":
            for command, expected in _commands(block):
                got = _output(command, folder=tmp_path)
                assert _CHECKER.check_output(expected, got, _OPTIONS), f"{place}\n$ {command}\n{expected}---\n{got}"


def test_the_documentation_has_blocks_of_both_kinds() -> None:
    assert len(_pages_with("python")) >= 5
    assert ROOT / "README.md" in _pages_with("python")
    assert ROOT / "README.md" in _pages_with("console")


def _run_examples(block: Block, names: dict[str, object], place: str) -> None:
    examples = doctest.DocTestParser().get_doctest(block.text, {}, place, place, block.line)
    examples.globs = names  # the blocks of a page build on each other
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=_OPTIONS).run(examples, out=report.append, clear_globs=False)
    assert result.failed == 0, "".join(report)


def _commands(block: Block) -> Iterator[tuple[str, str]]:
    """The block's commands, each with the output that is shown behind it."""
    for part in ("\n" + block.text).split("\n$ ")[1:]:
        command, _, expected = part.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = f"{command}\n{more.removeprefix('> ')}"
        yield command, expected if expected.endswith("\n") or not expected else expected + "\n"


def _output(command: str, *, folder: Path) -> str:
    """What a terminal would show: both streams, in order."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
    }
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return result.stdout
