"""Somebody else's program: started, asked line by line, and ended, whatever it does."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from pairloom.checking.protocol import Answer, Request

# Of a line that is no answer, so much is shown.
_SHOWN = 200
_MAX_LINE = 16 * 1024 * 1024
# One line is an answer; so many are kept of a program that writes more.
_MOST_WAITING = 8


class NoAnswerError(Exception):
    """The program gave no answer: it ended, took too long, or wrote something that is no JSON object."""


class Program:
    """A program that answers one JSON object a line; started when it is first asked, and again after it failed.

    Args:
        command: the program and its arguments.
        timeout_s: how long one answer may take.

    Raises:
        OSError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str], *, timeout_s: float) -> None:
        self._command = list(command)
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        self._reader: threading.Thread | None = None
        self.asked = 0

    def __enter__(self) -> Self:
        """Return the program."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the program."""
        self.end()

    def ask(self, request: Request) -> Answer:
        """Return the answer to a request. Raises: NoAnswerError, OSError."""
        self.asked += 1
        process = self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self._timeout_s)
        except BrokenPipeError:
            line = b""
        except queue.Empty:
            self.end()
            raise NoAnswerError(f"no answer within {self._timeout_s:g} s") from None
        if not line:
            code = process.wait()
            self.end()
            raise NoAnswerError(f"the program ended with exit code {code} and no answer")
        return self._read(line)

    def _read(self, line: bytes) -> Answer:
        try:
            answer: Any = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self.end()
            shown = line[:_SHOWN].decode("utf-8", "backslashreplace").rstrip("\n")
            raise NoAnswerError(f"no JSON object: {shown}")
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._lines = queue.Queue(_MOST_WAITING)
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # what the user names is run
            self._reader = threading.Thread(target=_read_lines, args=(self._process, self._lines), daemon=True)
            self._reader.start()
        return self._process

    def end(self) -> None:
        """End the program; it is started anew if it is asked again."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        assert self._reader is not None
        while self._reader.is_alive():
            # It may wait for room: of a program that writes without end, or without being asked.
            with suppress(queue.Empty):
                self._lines.get(timeout=0.01)
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.close()


def _read_lines(process: subprocess.Popen[bytes], lines: queue.Queue[bytes]) -> None:
    """Put each line of the output into a queue, and an empty one at its end: a read that waits cannot be broken off."""
    assert process.stdout is not None
    with process.stdout as output:
        while line := output.readline(_MAX_LINE):
            lines.put(line)
    lines.put(b"")
