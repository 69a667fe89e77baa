"""What the walkthrough and the lesson have for a class, as data: problems and checks, predictions, a word's life."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from gettext import NullTranslations
from typing import Annotated, Final, Literal

from msgspec import Meta

from pairloom.merges import Merge
from pairloom.views.lesson.checking import check
from pairloom.views.lesson.fixed import FIXED
from pairloom.views.lesson.messages import message_of
from pairloom.views.lesson.problems import (
    Kind,
    MergesAnswer,
    Problem,
    ReplacementsAnswer,
    SplitAnswer,
    WholeAnswer,
)
from pairloom.views.lesson.sentences import CodePoint, Joined, Listed, Row, Sentence, Symbol, Typed, Value, say
from pairloom.views.lesson.wording import answer_text, given, how_to_write, question, solution
from pairloom.views.other_rule import DifferentWord, FirstDifference
from pairloom.views.paging import Page
from pairloom.views.pairs import CountedPair
from pairloom.views.ties import Choice, OtherRule
from pairloom.views.word_life import Piece, WordChange, WordLife
from pairloom.web.api.files import CountedWord
from pairloom.web.api.requests import Asked, AtPrefix, OfModel, PageNumber, check_unicode
from pairloom.web.asking import Asked as Named
from pairloom.web.asking import fixed, generated
from pairloom.web.handlers.classroom import compare_in_portions, typed_word
from pairloom.web.listing import listing
from pairloom.web.predicting import question_at
from pairloom.web.settings import Settings
from pairloom.web.training import Trained

_ENGLISH: Final = NullTranslations()


class WordAsked(OfModel, frozen=True, kw_only=True):
    """A word of the corpus, with or without its marker; `page` turns both lists."""

    word: str
    page: PageNumber = 0


class RuleAsked(OfModel, frozen=True, kw_only=True):
    """Another tool's tie rule; `page` turns all three lists."""

    rule: OtherRule
    page: PageNumber = 0


class PredictAsked(AtPrefix, frozen=True, kw_only=True):
    """What is asked before the next step is shown, and an answer to be judged, if there is one."""

    predict: Literal["merge", "split", "replacements", "mixed"]
    answer: str | None = None


class ProblemAsked(Asked, frozen=True, kw_only=True):
    """A practice problem: one of the lesson's own, by its name, or a generated one; a worksheet has 1 to its count."""

    fixed: Annotated[str | None, Meta(description="One of " + ", ".join(FIXED) + "; the other fields say nothing.")] = (
        None
    )
    seed: Annotated[str, Meta(max_length=40)] = "1"
    kind: Kind | Literal["mixed"] = "mixed"
    level: Annotated[int, Meta(ge=1, le=3)] = 1
    number: Annotated[int, Meta(ge=1, le=9_999)] = 1
    language: Annotated[Literal["en", "de"], Meta(description="Of the words; what is said is in English.")] = "en"


class CheckAsked(ProblemAsked, frozen=True, kw_only=True):
    """An answer to a practice problem, as somebody types it."""

    answer: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence: its code and values for programs, and in English. A row of tokens or a pair is a list."""

    code: str
    values: Mapping[str, int | str | Sequence[str]]
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question at a prefix, about a word if it names one, and how an answer is written."""

    kind: Kind
    prefix: int
    word: str | None
    asked: tuple[Said, ...]
    how_to_write: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class ProblemData:
    """A practice problem without its answer.

    Attributes:
        title: in English.
        question: what is asked.
        words: the corpus with its counts; empty where only the merges matter.
        merges: those made before, or active, in order.
    """

    title: str
    question: Question
    words: tuple[CountedWord, ...]
    merges: tuple[Merge, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether an answer is right, how it was understood, and if it is wrong, why."""

    is_right: bool
    understood: tuple[str, ...]
    reasons: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class SolvedRound:
    """A merge that was asked for, why it is that one, and the first of the pairs before it with their counts."""

    merge: Merge
    choice: Choice
    pairs: Page[CountedPair]


@dataclass(frozen=True, slots=True)
class Solved:
    """A problem worked out.

    Attributes:
        answer: the right one, as it may be typed.
        steps: how to get there.
        remarks: what is worth knowing afterwards.
        rounds: of a question for merges.
        split: of a question how a word splits.
        replacements: of a question how many replacements there are.
        whole_at: of a question how many merges make a word whole; null also where all of them do not suffice.
    """

    answer: str
    steps: tuple[Said, ...]
    remarks: tuple[Said, ...]
    rounds: tuple[SolvedRound, ...] | None = None
    split: SplitAnswer | None = None
    replacements: ReplacementsAnswer | None = None
    whole_at: int | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is asked at a prefix, null where no merge is left; and what became of the answer that was sent."""

    question: Question | None
    verdict: Judged | None


@dataclass(frozen=True, slots=True)
class LifePage:
    """A word's life: what it was cut into from which prefix on, and the pieces that it left behind (W13)."""

    word: str
    count: int
    whole_at: int | None
    changes: Page[WordChange]
    left_behind: Page[Piece]


@dataclass(frozen=True, slots=True)
class RulePage:
    """Our training beside one under another tie rule: where they part, and what differs in the end (T4)."""

    rule: OtherRule
    first: FirstDifference | None
    ours_merges: int
    theirs_merges: int
    ours_tokens: int
    theirs_tokens: int
    same_rank: int
    only_ours: Page[str]
    only_theirs: Page[str]
    words: Page[DifferentWord]


@dataclass(frozen=True, slots=True)
class Program:
    """A Python program."""

    text: str


def word_life(trained: Trained, asked: WordAsked, settings: Settings) -> LifePage:
    """Return what became of a word of the corpus, merge by merge (W13)."""
    life = WordLife.of(trained.history, typed_word(check_unicode("word", asked.word), trained))
    changes = life.changes(asked.page, size=settings.life_rows)
    left_behind = Page.of(life.left_behind(), asked.page, size=settings.life_rows)
    return LifePage(life.word, life.count, life.whole_at, changes, left_behind)


async def other_rule(trained: Trained, asked: RuleAsked, settings: Settings) -> RulePage:
    """Train the same corpus under another tool's tie rule, and return where the two part (T4)."""
    made = await compare_in_portions(trained, asked.rule)
    size = settings.table_rows
    return RulePage(
        rule=asked.rule,
        first=made.first,
        ours_merges=made.ours_merges,
        theirs_merges=made.theirs_merges,
        ours_tokens=made.ours_tokens,
        theirs_tokens=made.theirs_tokens,
        same_rank=made.same_rank,
        only_ours=Page.of(made.only_ours, asked.page, size=size),
        only_theirs=Page.of(made.only_theirs, asked.page, size=size),
        words=Page.of(made.words, asked.page, size=size),
    )


def predict(trained: Trained, asked: PredictAsked, _: Settings) -> Prediction:
    """Return what is asked before the next step is shown, with the verdict on an answer (S7)."""
    problem = question_at(trained.history, trained.model.check_prefix(asked.prefix), asked.predict)
    if problem is None:
        return Prediction(None, None)
    return Prediction(_question(problem), None if asked.answer is None else _judged(problem, asked.answer))


def program(trained: Trained, _asked: OfModel, _: Settings) -> Program:
    """Return the lesson's Python program with the words of this corpus: it prints this model's merges (S7)."""
    return Program(listing(trained.word_counts.counts))


def problem(asked: ProblemAsked, _: Settings) -> ProblemData:
    """Return a practice problem, without its answer (S7)."""
    named = _named(asked)
    known = given(named.problem)
    words = tuple(CountedWord(word, count) for word, count in known.words)
    return ProblemData(named.title, _question(named.problem), words, known.merges)


def check_answer(asked: CheckAsked, _: Settings) -> Judged:
    """Say whether an answer to a practice problem is right, and if not, why (S7)."""
    return _judged(_named(asked).problem, asked.answer)


def solve(asked: ProblemAsked, settings: Settings) -> Solved:
    """Return the solution of a practice problem, worked out (S7)."""
    named = _named(asked)
    solved, answer = named.problem, named.problem.answer
    size = settings.walkthrough_pairs
    return Solved(
        answer=answer_text(solved),
        steps=_said(solution(solved)),
        remarks=_said(named.remarks),
        rounds=tuple(SolvedRound(each.merge, each.choice, each.order.page(0, size=size)) for each in answer.rounds)
        if isinstance(answer, MergesAnswer)
        else None,
        split=answer if isinstance(answer, SplitAnswer) else None,
        replacements=answer if isinstance(answer, ReplacementsAnswer) else None,
        whole_at=answer.merges if isinstance(answer, WholeAnswer) else None,
    )


def _named(asked: ProblemAsked) -> Named:
    if asked.fixed is not None:
        return fixed(check_unicode("fixed", asked.fixed))
    seed = check_unicode("seed", asked.seed)
    return generated(seed, asked.level, asked.kind, asked.number, asked.language)


def _question(problem: Problem) -> Question:
    return Question(problem.kind, problem.prefix, problem.word, _said(question(problem)), _said(how_to_write(problem)))


def _judged(problem: Problem, answer: str) -> Judged:
    verdict = check(problem, check_unicode("answer", answer))
    return Judged(verdict.is_right, tuple(map(_shown, verdict.understood)), _said(verdict.reasons))


def _said(sentences: Sequence[Sentence]) -> tuple[Said, ...]:
    return tuple(
        Said(
            each.code,
            {name: _value(value) for name, value in each.values.items()},
            say(each, message_of(each), _ENGLISH, _shown, wording=str),
        )
        for each in sentences
    )


def _value(value: Value) -> int | str | Sequence[str]:
    match value:
        case int(number) | CodePoint(number):
            return number
        case Symbol(text) | Typed(text):
            return text
        case Row(tokens):
            return tokens
        case Joined(left, right):
            return (left, right)
        case Listed(items):
            return tuple(map(_shown, items))


def _shown(value: Value) -> str:
    match value:
        case int():
            return str(value)
        case Symbol(text) | Typed(text):
            return text
        case Row(tokens):
            return " ".join(tokens)
        case Joined(left, right):
            return f"{left} + {right}"
        case CodePoint(number):
            return f"U+{number:04X}"
        case Listed(items):
            return ", ".join(map(_shown, items))


OF_MODELS: tuple[Callable[..., object], ...] = (word_life, other_rule, predict, program)
"""Operations on a model: (trained, request, settings) → data, some to be awaited."""

OF_TEXTS: tuple[Callable[..., object], ...] = (problem, check_answer, solve)
"""Operations without a model: (request, settings) → data."""
