"""Practice problems as the pages name them: which one a request is about. Rule: S7.

A problem is named, never sent: a fixed one by its name, a generated one by its seed, level, kind and number. The engine
makes it anew, with its answer, whenever it is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, cast

from pairloom.views.lesson.fixed import FIXED, fixed_problem
from pairloom.views.lesson.generator import LANGUAGES, LEVELS, generate
from pairloom.views.lesson.messages import KIND_NAMES
from pairloom.views.lesson.problems import KINDS, Kind, Problem
from pairloom.views.lesson.sentences import Sentence
from pairloom.views.lesson.worksheet import Worksheet
from pairloom.web.forms import MalformedForm
from pairloom.web.settings import Settings

MIXED: Final = "mixed"
SEED_CODE_POINTS: Final = 40
NUMBER_MAX: Final = 9_999


@dataclass(frozen=True, slots=True)
class Asked:
    """A problem with what a page needs to ask about it again.

    Attributes:
        id: for the ids of its elements.
        fields: name it to the server.
        title: a message of the catalogue.
        problem: itself, with its answer.
        remarks: what is said after the solution.
    """

    id: str
    fields: Mapping[str, str]
    title: str
    problem: Problem
    remarks: tuple[Sentence, ...]


@cache
def fixed(name: str) -> Asked:
    """Return a problem of the lesson's own. Raises: KeyError."""
    made = fixed_problem(name)
    return Asked(name.replace("_", "-"), {"fixed": name}, made.title, made.problem, made.remarks)


@lru_cache(maxsize=512)
def generated(seed: str, level: int, kind: str, number: int, language: str) -> Asked:
    """Return a generated problem, numbers from 1: the same for the same arguments, on every machine."""
    problem = generate(cast("Kind", kind), seed=seed, level=level, number=number - 1, language=language)
    fields = {"seed": seed, "level": str(level), "kind": kind, "number": str(number)}
    return Asked("endless", fields, KIND_NAMES[problem.kind], problem, ())


def asked_of(fields: Mapping[str, str], language: str) -> Asked:
    """Return the problem that the fields of a request name. Raises: MalformedForm."""
    if (name := fields.get("fixed")) is not None:
        if name not in FIXED:
            raise MalformedForm("no such problem")
        return fixed(name)
    seed, kind = fields.get("seed", ""), fields.get("kind", MIXED)
    if len(seed) > SEED_CODE_POINTS or kind not in (*KINDS, MIXED):
        raise MalformedForm("no such problem")
    level = _number(fields.get("level", ""), least=min(LEVELS), most=max(LEVELS))
    number = _number(fields.get("number", ""), least=1, most=NUMBER_MAX)
    return generated(seed, level, kind, number, _words_in(language))


def worksheet_of(query: Mapping[str, str], language: str, settings: Settings) -> Worksheet:
    """Return the worksheet that an address names; without a word about it, a short mixed one. Raises: MalformedForm."""
    seed, kind = query.get("seed", "1"), query.get("kind", MIXED)
    if len(seed) > SEED_CODE_POINTS or kind not in (*KINDS, MIXED):
        raise MalformedForm("no such worksheet")
    level = _number(query.get("level", "1"), least=min(LEVELS), most=max(LEVELS))
    count = _number(query.get("count", str(len(KINDS))), least=1, most=settings.worksheet_problems)
    return Worksheet.of(cast("Kind", kind), seed=seed, level=level, count=count, language=_words_in(language))


def _words_in(language: str) -> str:
    """Return the language of the words: a page may speak one that has none of its own yet."""
    return language if language in LANGUAGES else LANGUAGES[0]


def _number(value: str, *, least: int, most: int) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 6 and least <= int(value) <= most):
        raise MalformedForm("no such number")
    return int(value)
