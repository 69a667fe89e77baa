"""The blocks that a test cannot simply run, because they serve, install or measure: each line is tried another way."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator

import click
import pytest

from benchmarks.__main__ import _options as read_benchmark_options
from pairloom.cli.program import program
from pairloom.web.app import create_app
from tests.docs.markdown import ROOT, blocks, name, pages
from tests.web.asgi import ask_now


def lines() -> Iterator[tuple[str, str]]:
    """Every command of every `sh` block, continued lines joined, comments left out, with its place."""
    for page in pages():
        for block in blocks(page.read_text("utf-8")):
            if block.language == "sh":
                for line in block.text.replace("\\\n", " ").splitlines():
                    if command := re.sub(r"\s+#.*$", "", line).strip():
                        yield f"{name(page)}:{block.line}", command


def test_every_block_is_of_a_kind_that_is_looked_at() -> None:
    """`text` is no code, `nginx` the settings of another program; everything else is run, parsed or tried."""
    found = {block.language for page in pages() for block in blocks(page.read_text("utf-8"))}
    assert found <= {"python", "console", "sh", "json", "text", "nginx"}


@pytest.mark.parametrize(("place", "command"), list(lines()))
def test_a_command_that_is_not_run_is_one_that_there_is(
    place: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(command)
    if words[0] == "make":
        assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text("utf-8"), place
    elif words[0] == "pairloom":
        _parse(words[1:])
    elif words[0] == "curl":
        _ask(words)
    elif words[1:3] == ["-m", "benchmarks"]:
        monkeypatch.setattr("sys.argv", words[2:])
        read_benchmark_options()
    else:
        pytest.fail(f"{place}: nothing tries {command!r}")


def _parse(words: list[str]) -> None:
    """Let the command line read its arguments, without doing anything; what it does not know is an error."""
    command = program.get_command(click.Context(program), words[0])
    assert command is not None, words[0]
    # As the program does it: a command remembers the names of its help from the first time on.
    command.make_context(words[0], words[1:], help_option_names=["-h", "--help"])
    for word in words[1:]:
        if word.startswith("examples/"):
            assert (ROOT / word).exists()


def _ask(words: list[str]) -> None:
    """Send what curl would send to the pages themselves."""
    (address,) = (word for word in words if word.startswith("localhost:8000/"))
    body = words[words.index("-d") + 1].encode() if "-d" in words else b""
    head = [tuple(words[place + 1].split(": ", 1)) for place, word in enumerate(words) if word == "-H"]
    method = "POST" if body else "GET"
    answer = ask_now(create_app(), method, address.removeprefix("localhost:8000"), headers=head, body=[body])
    assert answer.status == 200
    assert json.loads(answer.text)["data"]


def test_every_json_block_is_json() -> None:
    found = [block for page in pages() for block in blocks(page.read_text("utf-8")) if block.language == "json"]
    assert found
    for block in found:
        json.loads(block.text)
