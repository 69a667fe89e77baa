"""A worker process on this machine: reads work from standard input, writes results to standard output, as pickles.

It is started as a program of its own, not forked and not importing the caller's main module: so it can be used from a
notebook, from a script without a guard, and from a program with threads. It ends when its input does.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from typing import IO, Any

_LENGTH = struct.Struct("<Q")


def send(value: object, pipe: IO[bytes]) -> None:
    """Write a value to a pipe. Raises: OSError, where nobody reads any more."""
    data = pickle.dumps(value)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Return the next value of a pipe. Raises: EOFError, where its writer is gone."""
    head = _exactly(pipe, _LENGTH.size)
    return pickle.loads(_exactly(pipe, _LENGTH.unpack(head)[0]))  # noqa: S301  # both ends are this program


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError("the other end of the pipe is gone")
    return data


def main() -> None:
    """Do work until the input ends."""
    # Ctrl-C at a terminal goes to all of its processes; the one that was started by hand ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What a library prints must not stand among the results.
    os.dup2(2, 1)
    sys.path[:] = receive(requests)
    while True:
        try:
            work, value = receive(requests)
        except EOFError:
            return
        try:
            answer = (True, work(value))
        except Exception as error:  # noqa: BLE001  # whatever it is, the caller raises it
            answer = (False, error)
        try:
            send(answer, results)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            send((False, RuntimeError(f"{answer[1]!r} does not travel between processes: {error}")), results)


if __name__ == "__main__":
    main()
