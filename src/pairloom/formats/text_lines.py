"""Bytes of a file with a record a line → lines, strictly UTF-8. Only a line feed ends a line."""

from __future__ import annotations

from pairloom.formats.findings import Findings
from pairloom.formats.json_guard import MAX_BYTES

_UTF8_BOM = b"\xef\xbb\xbf"


def lines_of(data: bytes, findings: Findings, *, takes_windows_ends: bool = False) -> list[str]:
    """Return the lines without their ends.

    The carriage returns of Windows are taken away, with a note unless they belong to the format: no symbol has one,
    since it is whitespace (N4).

    Raises:
        ReadingStoppedError: a byte order mark, a byte that is no UTF-8, more than `MAX_BYTES`; the finding says where.
    """
    if len(data) > MAX_BYTES:
        raise findings.stop("shape", f"larger than {MAX_BYTES:,} bytes")
    if data.startswith(_UTF8_BOM):
        raise findings.stop("encoding", "a byte order mark: save the file as UTF-8 without one", line=1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8: {error.reason} at byte {error.start} of the file"
        raise findings.stop("encoding", message, line=line) from None
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    windows = [number for number, line in enumerate(lines, start=1) if line.endswith("\r")]
    if windows:
        if not takes_windows_ends:
            findings.note("line-ends", f"{len(windows)} line ends of Windows, taken as line ends", line=windows[0])
        lines = [line.removesuffix("\r") for line in lines]
    return lines
