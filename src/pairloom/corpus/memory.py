"""How much memory merging needs, before it begins, and how much there is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pairloom.corpus.errors import NotEnoughMemory

# Measured with the compiled kernel, 2,000 merges: 2.7 to 6.1 bytes a byte of the distinct words, markers included, for
# English, German, Chinese and Japanese; and the table itself, with two numbers a word.
_A_BYTE: Final = 7
_A_WORD: Final = 16
_MARKER_BYTES: Final = 3

_CGROUP: Final = Path("/sys/fs/cgroup")


def merging_needs(words: int, text_bytes: int) -> int:
    """Return about how many bytes of memory training takes on a table of so many distinct words.

    Args:
        words: distinct words.
        text_bytes: of them in UTF-8, without markers.
    """
    return _A_BYTE * (text_bytes + _MARKER_BYTES * words) + _A_WORD * words


def available_memory() -> int | None:
    """Return how many bytes this machine, or this container, has left; None where it does not say."""
    found = [number for number in (_left_on_the_machine(), _left_in_the_container()) if number is not None]
    return min(found, default=None)


def check_memory(words: int, text_bytes: int, *, available: int | None) -> int:
    """Return what merging needs. Raises: NotEnoughMemory, if that is more than there is."""
    needed = merging_needs(words, text_bytes)
    if available is not None and needed > available:
        raise NotEnoughMemory(words=words, needed=needed, available=available)
    return needed


def _left_on_the_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return None
    values = dict(line.split(":", 1) for line in lines if ":" in line)
    kilobytes = values.get("MemAvailable", "").split()
    return int(kilobytes[0]) * 1024 if kilobytes else None


def _left_in_the_container() -> int | None:
    try:
        limit, used = (_CGROUP / name for name in ("memory.max", "memory.current"))
        return int(limit.read_text("ascii")) - int(used.read_text("ascii"))
    except (OSError, ValueError):  # no such file, or "max": no limit
        return None
