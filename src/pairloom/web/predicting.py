"""Predict before reveal: what is asked at a step of the walkthrough before it is shown. Rule: S7.

Stateless like everything here: a request says what kind of question it wants and at which prefix it has been answered
already, and the same request always gets the same question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pairloom.history import History
from pairloom.views.lesson.problems import Problem, next_merges, replacements, split, words_to_ask
from pairloom.web.forms import MalformedForm

ASKED_FOR: Final = ("merge", "split", "replacements", "mixed")
"""What can be asked for: the next merge, how a word splits next, how many replacements, or each of these in turn."""


def predicted(fields: Mapping[str, str], history: History, prefix: int) -> Problem | None:
    """Return the question of a request at a prefix; None if it wants none, has its answer, or no merge is left.

    Args:
        fields: `predict` is one of `ASKED_FOR` or empty, `revealed` the prefix whose answer has been given.
        history: of the training.
        prefix: merges made.

    Raises: MalformedForm, PrefixError.
    """
    wanted = wanted_of(fields)
    if not wanted or fields.get("revealed", "") == str(prefix):
        return None
    return question_at(history, prefix, wanted)


def wanted_of(fields: Mapping[str, str]) -> str:
    """Return what is to be asked, "" for nothing; before a stream begins, for then no status is left to say it with.

    Raises: MalformedForm.
    """
    wanted = fields.get("predict", "")
    if wanted and wanted not in ASKED_FOR:
        raise MalformedForm("no such question")
    return wanted


def question_at(history: History, prefix: int, wanted: str) -> Problem | None:
    """Return the question of a kind at a prefix, None at the last one. Raises: PrefixError."""
    if wanted == "mixed":
        wanted = ASKED_FOR[prefix % (len(ASKED_FOR) - 1)]
    if wanted == "split" and (words := words_to_ask(history, prefix)):
        return split(history, prefix + 1, words[0])
    return replacements(history, prefix) if wanted == "replacements" else next_merges(history, prefix)
