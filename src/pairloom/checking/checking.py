"""A program under examination: all cases in turn, up to the first failure, and what that failure comes down to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pairloom.checking.cases import Case, is_sound
from pairloom.checking.mistakes import Mistake, diagnosed
from pairloom.checking.program import NoAnswerError, Program
from pairloom.checking.protocol import Objection, Request, is_unsupported, objection_to, right_answer
from pairloom.checking.shrinking import shrunk

RULES_OF_FIELDS: Final = {
    "normalized": "N1–N6",
    "error": "N8, T10",
    "alphabet": "T1, P1",
    "merges": "T2–T5",
    "frequency": "T2",
    "replacements": "T5",
    "corpus_tokens": "T7",
    "tokens": "E1–E3",
    "ids": "V1, V2, E3",
    "answer": "the protocol",
}
"""Which rules an answer's field is about, where no single mistake explains it."""


@dataclass(frozen=True, slots=True)
class CounterExample:
    """A failure, as small as it could be made.

    Attributes:
        case: the name of the case that failed first.
        request: the smallest request that fails.
        objection: where the answer is wrong.
        mistakes: what explains the answer; empty if nothing does that is known.
        rules: those that the answer breaks.
        code_points: of the request's text, or of its words.
    """

    case: str
    request: Request
    objection: Objection
    mistakes: tuple[Mistake, ...]
    rules: str
    code_points: int


@dataclass(slots=True)
class Tally:
    """What was asked so far: answers that were right, and requests that the program does not support, by kind."""

    right: int = 0
    unsupported: Counter[str] | None = None

    def add_unsupported(self, kind: str) -> None:
        """Count a request that was left out."""
        if self.unsupported is None:
            self.unsupported = Counter()
        self.unsupported[kind] += 1


def check(program: Program, cases: Iterable[Case], tally: Tally) -> Iterator[CounterExample | None]:
    """Yield None after each case that is passed or left out, and a counter-example at the first failure; then end.

    Raises:
        OSError: the program cannot be started.
    """
    for case in cases:
        got = _asked(program, case.request)
        if is_unsupported(got):
            tally.add_unsupported(case.request["op"])
            yield None
            continue
        if objection_to(got, case.answer) is None:
            tally.right += 1
            yield None
            continue
        yield _counter_example(program, case)
        return


def _asked(program: Program, request: Request) -> object:
    try:
        return program.ask(request)
    except NoAnswerError as error:
        return str(error)


def _counter_example(program: Program, case: Case) -> CounterExample:
    def fails(request: Request) -> bool:
        if not is_sound(request):
            return False
        got = _asked(program, request)
        return not is_unsupported(got) and objection_to(got, right_answer(request)) is not None

    # A program that is not the same from one call to the next may not fail again: then the case itself is shown.
    request = shrunk(case.request, fails) if fails(case.request) else case.request
    got = _asked(program, request)
    objection = objection_to(got, right_answer(request))
    if objection is None:
        return CounterExample(
            case.name,
            case.request,
            Objection("answer", "the same each time", "not the same"),
            (),
            "T9",
            size_of(request),
        )
    mistakes = diagnosed(request, got)
    rules = ", ".join(dict.fromkeys(mistake.rules for mistake in mistakes[:1])) or _rules_of(objection)
    return CounterExample(case.name, request, objection, mistakes, rules, size_of(request))


def _rules_of(objection: Objection) -> str:
    last = objection.field.rpartition(".")[2].partition("[")[0]
    return RULES_OF_FIELDS.get(last, "the protocol")


def size_of(request: Request) -> int:
    """Return the code points of a request's text, or of its words."""
    if "text" in request:
        return len(request["text"])
    return sum(map(len, request["word_counts"]))
