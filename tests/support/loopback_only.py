"""A program in a network namespace of its own that has the loopback interface and nothing else.

A local Ray listens on all interfaces, whatever address it is given. Here there is one, and nobody else is on it.
`python -m tests.support.loopback_only PROGRAM ARGUMENTS…` runs a program so.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1


def enter() -> None:
    """Put this process into such a namespace. Raises: OSError, where the system does not let it."""
    user, group = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    # Root needs no user namespace, and in one its files would be somebody else's.
    if libc.unshare(_CLONE_NEWNET) != 0:
        if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as anything:
        fcntl.ioctl(anything, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def interfaces() -> list[str]:
    """Return the names of the network interfaces that this process sees."""
    return [name for _, name in socket.if_nameindex()]


@cache
def why_not() -> str | None:
    """Return why no such namespace can be had here, None if it can."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    tried = run(["-c", "pass"])
    return None if tried.returncode == 0 else f"no network namespace can be had here: {tried.stderr.strip()[-200:]}"


def run(arguments: Sequence[str], *, timeout_s: float = 60) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments in a namespace of its own."""
    command = [sys.executable, "-m", "tests.support.loopback_only", sys.executable, *arguments]
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=timeout_s, check=False)


if __name__ == "__main__":
    enter()
    assert set(interfaces()) == {"lo"}, interfaces()
    os.execvp(sys.argv[1], sys.argv[1:])
