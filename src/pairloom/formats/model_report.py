"""What a model file holds, and what in it does not hold together: every check by name, as far as they can be made.

`load` refuses a file at its first fault. Somebody who has been handed a file wants to know more: what is in it, which
checks it passes, and which of its merges can ever act.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pairloom.errors import ModelError, PairloomError
from pairloom.formats.json_guard import JsonRefusedError, read_json
from pairloom.formats.model_document import Document, model_of
from pairloom.formats.model_file import checksum_of
from pairloom.formats.trained_merges import check_trained_merges
from pairloom.formats.trained_numbers import check_trained_numbers
from pairloom.model import Model

CheckName = Literal["json", "model", "merges", "numbers", "fingerprint", "checksum"]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a file.

    Attributes:
        name: "json" (a JSON text without tricks), "model" (a model: keys, types, bounds, merges that have their parts),
            "merges" (merges that a training can have learned), "numbers" (numbers that a training can have measured),
            "fingerprint", "checksum".
        passed: None where it was not made: an earlier one failed, or it does not apply to this model.
        objection: why it failed; None if it did not.
    """

    name: CheckName
    passed: bool | None
    objection: PairloomError | None = None


@dataclass(frozen=True, slots=True)
class ModelReport:
    """A model file, read as far as it can be.

    Attributes:
        size_bytes: of the file.
        checks: all of them, in the order in which they are made.
        model: what the file holds, even if it does not hold together; None if that is no model.
        reused: ranks of merges whose result another entry has already: they add none (V2).
        repeated: ranks of merges whose pair has an earlier rank: they never act (T8).
        idle: ranks of all merges that never act, whatever the text: others always come first.
    """

    size_bytes: int
    checks: tuple[Check, ...]
    model: Model | None
    reused: tuple[int, ...]
    repeated: tuple[int, ...]
    idle: tuple[int, ...]

    @property
    def is_sound(self) -> bool:
        """Whether `load` would take the file."""
        return all(check.passed is not False for check in self.checks)


def report_on(data: bytes) -> ModelReport:
    """Return the report on the bytes of a model file; never raises, whatever the bytes.

    Cost: that of loading the model, and of encoding each result once.

    >>> from pairloom.formats.model_file import dumps
    >>> model = Model.from_merges("abc", [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")], marker=False)
    >>> report = report_on(dumps(model))
    >>> report.is_sound, report.reused, report.repeated, report.idle
    (True, (3,), (), (3,))
    """
    checks: list[Check] = []
    document: Document = {}
    model: Model | None = None
    try:
        value = read_json(data)
        checks.append(Check("json", passed=True))
        document, model = model_of(value)
        checks.append(Check("model", passed=True))
    except JsonRefusedError as refused:
        checks.append(Check("json", passed=False, objection=ModelError(reason=refused.reason, where=refused.where)))
    except MemoryError:
        objection = ModelError(reason="it needs more memory than this program may have")
        checks.append(Check("model" if checks else "json", passed=False, objection=objection))
    except PairloomError as error:
        checks.append(Check("model", passed=False, objection=error))
    if model is None:
        names: tuple[CheckName, ...] = ("json", "model", "merges", "numbers", "fingerprint", "checksum")
        checks += [Check(name, passed=None) for name in names[len(checks) :]]
        return ModelReport(len(data), tuple(checks), None, (), (), ())
    checks += _laws(model)
    checks.append(_sum("fingerprint", document["fingerprint"], model.fingerprint))
    checks.append(_sum("checksum", document["checksum"], checksum_of(document)))
    return ModelReport(len(data), tuple(checks), model, *_merges_by_fate(model))


def _sum(name: Literal["fingerprint", "checksum"], found: object, computed: str) -> Check:
    if found == computed:
        return Check(name, passed=True)
    reason = "is not that of what the file holds: it was damaged or changed"
    return Check(name, passed=False, objection=ModelError(reason=reason, where=name))


def _laws(model: Model) -> list[Check]:
    """Return the checks of what a training can have done; they do not apply to a model that was not trained."""
    if not model.is_trained:
        return [Check("merges", passed=None), Check("numbers", passed=None)]
    try:
        check_trained_merges(model)
    except PairloomError as error:
        return [Check("merges", passed=False, objection=error), Check("numbers", passed=None)]
    try:
        check_trained_numbers(model)
    except PairloomError as error:
        return [Check("merges", passed=True), Check("numbers", passed=False, objection=error)]
    return [Check("merges", passed=True), Check("numbers", passed=True)]


def _merges_by_fate(model: Model) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the ranks that are reused, repeated and idle.

    While the outer boundaries of a string stand, its inside is segmented alike wherever it is (T8). So a merge that
    acts anywhere acts also on the string that it makes, standing alone; nothing else has to be tried.
    """
    seen: set[tuple[str, str]] = set()
    repeated: list[int] = []
    idle: list[int] = []
    acting: dict[str, frozenset[int]] = {}
    for merge in model.merges:
        pair = (merge.left, merge.right)
        if pair in seen:
            repeated.append(merge.rank)
        seen.add(pair)
        if merge.result not in acting:
            steps = model.merge_table.merge(merge.result, prefix=len(model.merges)).steps
            acting[merge.result] = frozenset(rank for _, rank in steps)
        if merge.rank not in acting[merge.result]:
            idle.append(merge.rank)
    reused = tuple(merge.rank for merge in model.merges if not merge.is_new)
    return reused, tuple(repeated), tuple(idle)
