"""JSON of other tools, read strictly, with findings that name path and line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pairloom.formats.findings import Finding, Findings, ReadingStoppedError
from pairloom.formats.json_guard import JsonRefusedError, path_of, read_json
from pairloom.formats.json_lines import Path, lines_of_paths

_LINE = re.compile(r"line (\d+), column")
_BYTE = re.compile(r"byte (\d+)")


class JsonReading:
    """One document and the places in it that findings are about.

    Args:
        data: the bytes of the file.
        findings: takes what is found.

    Raises:
        ReadingStoppedError: no JSON, or such as is refused.
    """

    def __init__(self, data: bytes, findings: Findings) -> None:
        self._findings = findings
        self._paths: dict[str, Path] = {}
        try:
            self.value: Any = read_json(data)
        except JsonRefusedError as refused:
            raise self._stopped(data, refused) from None
        self._text = data.decode("utf-8")

    def _stopped(self, data: bytes, refused: JsonRefusedError) -> ReadingStoppedError:
        where, line = refused.where, None
        if where is not None and (found := _LINE.match(where)):
            line = int(found[1])
        elif where is not None and (found := _BYTE.match(where)):
            line = data.count(b"\n", 0, int(found[1])) + 1
        elif refused.path:
            line = lines_of_paths(data.decode("utf-8"), [refused.path]).get(refused.path)
        kind = "encoding" if "UTF-8" in refused.reason or "byte order" in refused.reason else "json"
        return self._findings.stop(kind, refused.reason, line=line, where=where)

    def at(self, *path: str | int) -> str:
        """Return the written form of a path, and remember that something was found there."""
        where = path_of(path)
        self._paths[where] = path
        return where

    def object_at(self, *path: str) -> dict[str, Any]:
        """Return the object at a path. Raises: ReadingStoppedError, if there is something else or nothing."""
        value = self.value
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        if not isinstance(value, dict):
            message = "an object is needed here" if path else "the file holds no JSON object"
            raise self._findings.stop("shape", message, where=self.at(*path) if path else None)
        return value

    def with_lines(self) -> list[Finding]:
        """Return all findings, those that name a path with its line."""
        lines = lines_of_paths(self._text, list(self._paths.values()))
        return [
            replace(finding, line=lines.get(self._paths[finding.where]))
            if finding.line is None and finding.where in self._paths
            else finding
            for finding in self._findings.found
        ]
