"""Running the command line: in this process, as a process of its own, in a terminal of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from pairloom.cli.program import program

COMMAND = (sys.executable, "-m", "pairloom")


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command left behind: its exit code and its two outputs."""

    code: int
    out: str
    err: str


def run(*arguments: str | Path, text: str | bytes = b"") -> Ended:
    """Run a command in this process; nothing of it is a terminal."""
    data = text.encode() if isinstance(text, str) else text
    result = CliRunner().invoke(program, [str(argument) for argument in arguments], input=data)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout_bytes.decode(), result.stderr_bytes.decode())


def run_process(
    *arguments: str | Path, text: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process of its own."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=text,
        capture_output=True,
        check=False,
        env=os.environ | dict(environment or {}),
    )


def run_in_terminal(
    *arguments: str | Path,
    text: bytes | None = b"",
    typed: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a command whose standard output and error are one terminal.

    Args:
        arguments: of the command.
        text: what standard input holds; None makes it the terminal, too.
        typed: what is typed into the terminal.
        environment: variables on top of the usual ones.
    """
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=theirs if text is None else subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm-256color"} | dict(environment or {}),
    )
    os.close(theirs)
    if text is not None:
        assert process.stdin is not None
        process.stdin.write(text)
        process.stdin.close()
    if typed:
        os.write(ours, typed)
    shown = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # how Linux says that nobody has the terminal open any more
            break
        if not data:
            break
        shown += data
    os.close(ours)
    return Ended(process.wait(), shown.decode().replace("\r\n", "\n"), "")
