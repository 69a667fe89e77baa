"""What is found in a file that another tool wrote: line by line, with what it means for the model."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

from pairloom.errors import ModelError
from pairloom.model import Model

Severity = Literal["error", "warning", "note"]

KINDS: Final[dict[str, str]] = {
    # Refused: there is no model.
    "encoding": "bytes that are not UTF-8, or a byte order mark",
    "json": "not JSON, or JSON that readers understand differently",
    "shape": "a part of the file that is missing, or is not what the format says",
    "parts": "a line that is no pair of symbols",
    "whitespace": "a symbol with whitespace or a surrogate in it, which no pre-token holds",
    "nothing-makes": "a merge of a part that neither the alphabet nor an earlier merge makes",
    "not-in-vocabulary": "a symbol of a merge that the vocabulary lacks",
    "ids": "token IDs that are no whole numbers from 0, or that two tokens share",
    "version": "a version of the format that is not known",
    "byte-level": "a byte-level tokenizer: its symbols stand for bytes, not for code points",
    "not-bpe": "a model that is not BPE",
    "unsupported": "a setting that changes every encoding and has no counterpart here",
    "settings": "settings of encoding that have no counterpart here; options can say what to take in their place",
    "end-of-word": "a stand-in for the end-of-word mark that the file uses itself",
    "numbers": "numbers of a trace that contradict each other",
    # Accepted, with a word about it.
    "duplicate": "a pair that is listed twice: the second is a merge that never acts (T8)",
    "made-twice": "a string that an earlier merge makes, too: it keeps its ID (V2)",
    "unreachable": "a merge that no text can bring to act",
    "left-out": "something of the file that the model does not take over",
    "line-ends": "line ends of Windows",
    "ids-change": "tokens with another ID than in the file: here the alphabet comes first, then the merges (V1)",
    "converted": "something that is written in another way here",
}
"""Every kind of finding, and what it stands for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing in a file.

    Attributes:
        severity: "error" (refused), "warning" (accepted, and it may surprise) or "note".
        kind: one of `KINDS`.
        message: in English, what and what it means.
        line: of the file, from 1; None where it is about the whole file.
        where: the path in a JSON document; None elsewhere.
        file: which of several files; None if there is one.
    """

    severity: Severity
    kind: str
    message: str
    line: int | None = None
    where: str | None = None
    file: str | None = None

    @property
    def place(self) -> str | None:
        """Where it is, in words: `line 3 (model.merges[0])`."""
        line = None if self.line is None else f"line {self.line}"
        if self.where is not None:
            line = self.where if line is None else f"{line} ({self.where})"
        return line if self.file is None else f"{self.file}, {line}" if line else self.file


class ReadingStoppedError(Exception):
    """What is left of a file makes no sense after a finding; the findings have it."""


@dataclass(slots=True)
class Findings:
    """Collects what is found while a file is read."""

    found: list[Finding] = field(default_factory=list)

    def error(self, kind: str, message: str, *, line: int | None = None, where: str | None = None) -> None:
        """Note a reason to refuse the file."""
        self._add("error", kind, message, line, where)

    def warn(self, kind: str, message: str, *, line: int | None = None, where: str | None = None) -> None:
        """Note something that is accepted and may surprise."""
        self._add("warning", kind, message, line, where)

    def note(self, kind: str, message: str, *, line: int | None = None, where: str | None = None) -> None:
        """Note something that is as it should be, and worth knowing."""
        self._add("note", kind, message, line, where)

    def stop(
        self, kind: str, message: str, *, line: int | None = None, where: str | None = None
    ) -> ReadingStoppedError:
        """Note a reason to refuse the file, and return what to raise."""
        self.error(kind, message, line=line, where=where)
        return ReadingStoppedError(message)

    def _add(self, severity: Severity, kind: str, message: str, line: int | None, where: str | None) -> None:
        assert kind in KINDS, kind
        self.found.append(Finding(severity, kind, message, line, where))

    @property
    def has_errors(self) -> bool:
        """Whether the file is refused."""
        return any(finding.severity == "error" for finding in self.found)


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a file.

    Attributes:
        format: the name of the format that it was read as.
        found: everything that was found, in the order of the lines.
        accepted: the model; None if the file is refused.
    """

    format: str
    found: tuple[Finding, ...]
    accepted: Model | None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The reasons for which the file is refused."""
        return tuple(finding for finding in self.found if finding.severity == "error")

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each kind, in the order of `KINDS`."""
        counts = Counter(finding.kind for finding in self.found)
        return {kind: counts[kind] for kind in KINDS if counts[kind]}

    @property
    def model(self) -> Model:
        """The model. Raises: ModelError, with the first reason, if the file is refused."""
        if self.accepted is None:
            first = self.errors[0]
            raise ModelError(reason=first.message, where=first.place)
        return self.accepted

    def fields(self) -> dict[str, object]:
        """Return the report as JSON has it."""
        return {
            "format": self.format,
            "accepted": self.accepted is not None,
            "fingerprint": None if self.accepted is None else self.accepted.fingerprint,
            "counts": self.counts,
            "findings": [asdict(finding) for finding in self.found],
        }


def in_order_of_lines(found: list[Finding]) -> tuple[Finding, ...]:
    """Return findings by line; those about the whole file come first."""
    return tuple(sorted(found, key=lambda finding: (finding.line is not None, finding.file or "", finding.line or 0)))
