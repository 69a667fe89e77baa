"""The practice problems that are always the same. Only corpora and words stand here; the engine has the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from pairloom.errors import SettingError, mark_message
from pairloom.history import History
from pairloom.trainer import train_from_word_counts
from pairloom.views.lesson.problems import Problem, next_merges, replacements, split, tie, until_whole
from pairloom.views.lesson.sentences import Sentence
from pairloom.word_counts import WordCounts, count_words

HUGS: Final = WordCounts({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, marker=False)
"""The word counts of the first problems, without marker. Rule: S7."""

_TABLES: Final = {
    "hugs": HUGS,
    "runs": WordCounts({"aaaa": 3, "haaaaa": 2, "haa": 5}, marker=False),
    "tied": WordCounts({"nap": 3, "tap": 2, "tin": 3, "pin": 2}, marker=False),
    "low": count_words("low low lower newest newest widest"),
}


@cache
def _history(table: str) -> History:
    word_counts = _TABLES[table]
    return History.of(word_counts, train_from_word_counts(word_counts))


def _with_all(table: str, word: str) -> Problem:
    history = _history(table)
    return split(history, len(history.model.merges), word)


@dataclass(frozen=True, slots=True)
class FixedProblem:
    """A problem with what is said around it.

    Attributes:
        name: stays the same; for links and tests.
        title: a message of the catalogue.
        problem: the question and its answer.
        remarks: what is worth knowing once it is solved.
    """

    name: str
    title: str
    problem: Problem
    remarks: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    title: str
    problem: Callable[[], Problem | None]
    remarks: tuple[str, ...] = ()


_PLANS: Final = {
    "hug_merges": _Plan(
        mark_message("The first three merges"),
        lambda: next_merges(_history("hugs"), 0, rounds=3),
        ("remark.no_marker", "remark.pasted"),
    ),
    "hug_bug": _Plan(mark_message("A new word: bug"), lambda: split(_history("hugs"), 3, "bug"), ("remark.pasted",)),
    "hug_thugs": _Plan(
        mark_message("A new word with an unknown: thugs"),
        lambda: split(_history("hugs"), 3, "thugs"),
        ("remark.bytes", "remark.pasted"),
    ),
    "run": _Plan(
        mark_message("A run of equal tokens"), lambda: replacements(_history("runs"), 0), ("remark.two_numbers",)
    ),
    "tie": _Plan(
        mark_message("Two pairs, equally frequent"), lambda: tie(_history("tied"), 0), ("remark.other_rules",)
    ),
    "unknown": _Plan(
        mark_message("A character that the corpus lacks"),
        lambda: _with_all("low", "▁flow"),
        ("remark.bytes",),
    ),
    "until_whole": _Plan(
        mark_message("How many merges until a word is whole?"), lambda: until_whole(_history("low"), "▁newest")
    ),
    "never_whole": _Plan(
        mark_message("A word from the corpus that occurs once"), lambda: until_whole(_history("low"), "▁widest")
    ),
}

FIXED: Final = tuple(_PLANS)
"""The names of the fixed problems, in the order in which they are best solved."""


@cache
def fixed_problem(name: str) -> FixedProblem:
    """Return a fixed problem by its name. Raises: SettingError.

    >>> [[merge.result for merge in each.problem.model.merges[:3]] for each in [fixed_problem("hug_merges")]]
    [['ug', 'un', 'hug']]
    """
    plan = _PLANS.get(name)
    if plan is None:
        raise SettingError(setting="problem", value=name, allowed=f"one of {', '.join(FIXED)}")
    problem = plan.problem()
    assert problem is not None  # a test asks for each
    return FixedProblem(name, plan.title, problem, tuple(Sentence.of(code) for code in plan.remarks))
