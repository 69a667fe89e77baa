"""What can be wrong with a corpus, its work folder or its workers; each error names the shard or the place.

    PairloomError
    ├── ShardError (ValueError)           a file that cannot be read as what it should be
    ├── BadText (ValueError)              a text of a shard that is refused, with the error that says why
    ├── NoText (ValueError)               a row that holds no text: null, a number, no JSON
    ├── NoInput (ValueError)              a path or pattern that names no file, or one file twice
    ├── WorkFolderError (ValueError)      a work folder that holds something else, or that a worker does not see
    ├── WorkLost (RuntimeError)           work that ended its worker again and again
    ├── VersionsDiffer (RuntimeError)     a worker runs other versions
    └── NotEnoughMemory (RuntimeError)    merging would need more than there is

Errors about texts themselves are those of `pairloom.errors`.
"""

from __future__ import annotations

from typing import ClassVar

from pairloom.errors import PairloomError


class ShardError(PairloomError, ValueError):
    """A file that cannot be read as what it should be; `where` is a line, a row or an offset, None for the whole."""

    code = "corpus.shard"
    attributes = ("shard", "reason", "where")
    _placed: ClassVar[str] = "{shard}, {where}: {reason}"
    _whole: ClassVar[str] = "{shard}: {reason}"

    def __init__(self, *, shard: str, reason: str, where: str | None = None) -> None:
        super().__init__()
        self.shard = shard
        self.reason = reason
        self.where = where

    @property
    def message_template(self) -> str:
        """The template with or without the place."""
        return self._whole if self.where is None else self._placed


class BadText(PairloomError, ValueError):
    """A text of a shard that is refused; `error` says why, its positions count from the start of that text.

    `where` is "row 3" or "line 3" for one of several texts of a file (rows from 0, lines from 1), None where the file
    is the text. `advice` is the other value of `on_bad_text`: "skip", or "null" where rows have to stay.
    """

    code = "corpus.bad_text"
    attributes = ("shard", "where", "error", "advice")
    _placed: ClassVar[str] = "{shard}, {where}: {error}; {instead}"
    _whole: ClassVar[str] = "{shard}: {error}; {instead}"
    _instead: ClassVar[dict[str, str]] = {
        "skip": 'on_bad_text="skip" (--on-bad-text skip) leaves such a row or line out',
        "null": 'on_bad_text="null" (--on-bad-text null) puts a null in the place of its IDs',
    }

    def __init__(self, *, shard: str, where: str | None, error: PairloomError, advice: str = "skip") -> None:
        super().__init__()
        self.shard = shard
        self.where = where
        self.error = error
        self.advice = advice

    @property
    def message_template(self) -> str:
        """The template with or without the place."""
        return self._whole if self.where is None else self._placed

    def shown(self) -> dict[str, object]:
        """Return the details, and what else can be done."""
        return self.details | {"instead": self._instead[self.advice]}


class NoText(PairloomError, ValueError):
    """A row that holds no text: null, a number, a line that is no JSON. It is the `error` of a `BadText`."""

    code = "corpus.no_text"
    template = "{reason}"
    attributes = ("reason",)

    def __init__(self, *, reason: str) -> None:
        super().__init__()
        self.reason = reason


class NoInput(PairloomError, ValueError):
    """A path or pattern that names no file, a folder, or a file that is named twice."""

    code = "corpus.no_input"
    template = "{path}: {reason}"
    attributes = ("path", "reason")

    def __init__(self, *, path: str, reason: str) -> None:
        super().__init__()
        self.path = path
        self.reason = reason


class WorkFolderError(PairloomError, ValueError):
    """A work folder that holds something else, or that a worker does not see."""

    code = "corpus.work_folder"
    template = "the work folder {folder} cannot be used: {reason}"
    attributes = ("folder", "reason")

    def __init__(self, *, folder: str, reason: str) -> None:
        super().__init__()
        self.folder = folder
        self.reason = reason


class WorkLost(PairloomError, RuntimeError):
    """Work that ended its worker in each of `attempts` attempts; nothing was written as a result."""

    code = "corpus.work_lost"
    template = (
        "{work} was lost {attempts} times, each time with its worker ({reason}): give the workers more memory, take "
        "fewer of them, or look at that shard; with a work folder, resume goes on from what is finished"
    )
    attributes = ("work", "attempts", "reason")

    def __init__(self, *, work: str, attempts: int, reason: str) -> None:
        super().__init__()
        self.work = work
        self.attempts = attempts
        self.reason = reason


class VersionsDiffer(PairloomError, RuntimeError):
    """A worker runs other versions than the driver; `differing` names each with the two values."""

    code = "corpus.versions_differ"
    template = "the worker on {worker} has other versions ({differing}): install the same Pairloom everywhere"
    attributes = ("worker", "differing")

    def __init__(self, *, worker: str, differing: str) -> None:
        super().__init__()
        self.worker = worker
        self.differing = differing


class NotEnoughMemory(PairloomError, RuntimeError):
    """Merging would need more memory than there is; both in bytes, `needed` an estimate."""

    code = "corpus.not_enough_memory"
    template = (
        "merging {words} distinct words needs about {needed} bytes of memory, and {available} are there: take a larger "
        "machine for this step (only the table has to go there), or leave rare words out with min_word_count "
        "(--min-word-count), which is not exact"
    )
    attributes = ("words", "needed", "available")

    def __init__(self, *, words: int, needed: int, available: int) -> None:
        super().__init__()
        self.words = words
        self.needed = needed
        self.available = available

    def shown(self) -> dict[str, object]:
        """Return the details with separators."""
        return {name: f"{value:,}" for name, value in self.details.items()}
