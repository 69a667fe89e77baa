"""Model files that were opened on the page, by a key of their bytes, bounded by their size.

Another kind of input: as with trainings, the server keeps no sessions, and a key that it does not know any more is
answered by 409; then the page sends the file again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict

from pairloom.formats.model_report import ModelReport

# What a model takes in memory, for each byte of its file, about.
_BYTES_PER_BYTE = 12


class OpenedFiles:
    """Remember reports with their models up to a number of estimated bytes; the least recently used goes first."""

    def __init__(self, *, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._secret = secrets.token_bytes(32)
        self._reports: OrderedDict[str, ModelReport] = OrderedDict()

    def key(self, data: bytes) -> str:
        """Return the key of these bytes: equal bytes, equal keys, for the life of this process."""
        return hmac.new(self._secret, data, hashlib.sha256).hexdigest()[:32]

    def get(self, key: str) -> ModelReport | None:
        """Return the report of this key, now the most recently used; None if it was never here or has gone."""
        report = self._reports.get(key)
        if report is not None:
            self._reports.move_to_end(key)
        return report

    def put(self, key: str, report: ModelReport) -> None:
        """Remember a report; one that is larger than all that may be kept is kept alone."""
        self._reports[key] = report
        self._reports.move_to_end(key)
        size = sum(each.size_bytes for each in self._reports.values()) * _BYTES_PER_BYTE
        while size > self.max_bytes and len(self._reports) > 1:
            _, gone = self._reports.popitem(last=False)
            size -= gone.size_bytes * _BYTES_PER_BYTE

    def __len__(self) -> int:
        """Return the number of files remembered."""
        return len(self._reports)
