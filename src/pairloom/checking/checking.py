"""A program under examination: all cases in turn, up to the first failure, and what that failure comes down to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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


# What some program or other takes for white space, beside what Python does.
_BLANK: Final = "\ufeff\u200b\u180e\u2060"


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
        is_repeated: whether the program gives that answer again when it is asked again.
    """

    case: str
    request: Request
    objection: Objection
    mistakes: tuple[Mistake, ...]
    rules: str
    code_points: int
    is_repeated: bool = True


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
    passed: list[tuple[Request, object]] = []
    for case in cases:
        got = _asked(program, case.request)
        if is_unsupported(got):
            tally.add_unsupported(case.request["op"])
            yield None
            continue
        if objection_to(got, case.answer) is None:
            tally.right += 1
            passed.append((case.request, got))
            yield None
            continue
        yield _counter_example(program, case, got, passed)
        return


def _asked(program: Program, request: Request) -> object:
    try:
        return program.ask(request)
    except NoAnswerError as error:
        return str(error)


def _counter_example(
    program: Program, case: Case, first: object, passed: Sequence[tuple[Request, object]]
) -> CounterExample:
    def fails(request: Request) -> bool:
        if not is_sound(request):
            return False
        got = _asked(program, request)
        return not is_unsupported(got) and objection_to(got, right_answer(request)) is not None

    if not fails(case.request):
        # A program that is not the same from one call to the next, or that failed this once: the case itself is shown.
        objection = objection_to(first, case.answer)
        assert objection is not None
        return CounterExample(case.name, case.request, objection, (), "T9", size_of(case.request), is_repeated=False)
    request = shrunk(case.request, fails)
    got = _asked(program, request)
    objection = objection_to(got, right_answer(request))
    if objection is None:
        expected = Objection("answer", "the same each time", "not the same")
        return CounterExample(case.name, request, expected, (), "T9", size_of(request), is_repeated=False)
    # A mistake in what encodes says nothing of what trains: only answers of the same kind are compared.
    alike = [(asked, right) for asked, right in passed if asked["op"] == request["op"]]
    mistakes = tuple(each for each in diagnosed(request, got) if _would_have_passed(each, alike))
    rules = ", ".join(dict.fromkeys(mistake.rules for mistake in mistakes[:1])) or _rules_of(objection, request)
    return CounterExample(case.name, request, objection, mistakes, rules, size_of(request))


def _would_have_passed(mistake: Mistake, passed: Sequence[tuple[Request, object]]) -> bool:
    """Whether a program with this mistake would have given the right answers that this program has given."""
    return all(objection_to(got, mistake.program.answer(asked)) is None for asked, got in passed)


def _rules_of(objection: Objection, request: Request) -> str:
    """Return the rules that the field is about, and those of the settings without which the program does not fail."""
    last = objection.field.rpartition(".")[2].partition("[")[0]
    if last == "normalized" and isinstance(objection.got, str) and objection.got != "nothing":
        return _rules_of_normalizing(request, str(objection.expected), objection.got)
    rules = [RULES_OF_FIELDS.get(last, "the protocol")]
    settings = request.get("model", request)
    if last != "answer":
        rules += ["N1"] if settings.get("lowercase") else []
        rules += ["P2"] if settings.get("pre_tokenizer") == "punctuation" else []
    return ", ".join(rules)


def _rules_of_normalizing(request: Request, expected: str, got: str) -> str:
    """Return the rules of lower case, if only with it the program fails; else of white space, or of all the rest."""
    if request["lowercase"]:
        return "N1–N3"
    bare = ["".join([each for each in text if not (each.isspace() or each in _BLANK)]) for text in (expected, got)]
    return "N4, N5" if bare[0] == bare[1] else "N6"


def size_of(request: Request) -> int:
    """Return the code points of a request's text, or of its words."""
    if "text" in request:
        return len(request["text"])
    return sum(map(len, request["word_counts"]))
