"""A worksheet and its answer key, as blocks: what stands on the paper, before it is Markdown or HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from pairloom.checks import check_at_least
from pairloom.views.lesson.generator import generate
from pairloom.views.lesson.problems import Kind, MergesAnswer, Problem, Round
from pairloom.views.lesson.sentences import Joined, Listed, Sentence, Symbol, Typed, Value
from pairloom.views.lesson.wording import given, how_to_write, question, right_answer, solution
from pairloom.word_counts import WordCounts

PAIRS_SHOWN: Final = 12
"""Pairs of a round that a key lists; it says how many more there are."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1 is the title."""

    level: int
    said: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences one after the other; a strong one is what is asked or answered, a small one a note."""

    said: tuple[Sentence, ...]
    style: Literal["plain", "strong", "small"] = "plain"


@dataclass(frozen=True, slots=True)
class Steps:
    """Sentences one below the other, in order or not."""

    said: tuple[Sentence, ...]
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption."""

    caption: Sentence
    headings: tuple[Sentence, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Blank:
    """Room to write, behind a label each; `wide` is for answers, in lines of their own."""

    labels: tuple[Sentence, ...]
    wide: bool


Block = Heading | Paragraph | Steps | Table | Blank


@dataclass(frozen=True, slots=True, eq=False)
class Worksheet:
    """Problems for a class.

    Attributes:
        problems: in order.
        seed, level: what they were made from.
        has_own_corpus: whether the words are somebody else's.
    """

    problems: tuple[Problem, ...]
    seed: str
    level: int
    has_own_corpus: bool

    @classmethod
    def of(
        cls,
        kind: Kind | Literal["mixed"],
        *,
        seed: str,
        level: int,
        count: int,
        language: str,
        corpus: WordCounts | None = None,
    ) -> Worksheet:
        """Return a worksheet of `count` problems; the arguments are those of `generate`.

        Raises: SettingError, NothingToAsk.
        """
        check_at_least("count", count, minimum=1)
        problems = tuple(
            generate(kind, seed=seed, level=level, number=number, language=language, corpus=corpus)
            for number in range(count)
        )
        return cls(problems, seed, level, corpus is not None)

    def sheet(self) -> tuple[Block, ...]:
        """Return what the class gets: the rules, the problems, room to write."""
        return tuple(self._sheet())

    def key(self) -> tuple[Block, ...]:
        """Return what the teacher gets: every answer and how to get there, with the pair counts of every round."""
        return tuple(self._key())

    def _sheet(self) -> Iterator[Block]:
        yield Heading(1, (Sentence.of("sheet.title"),))
        yield Blank((Sentence.of("sheet.name"), Sentence.of("sheet.date")), wide=False)
        yield Heading(2, (Sentence.of("sheet.rules"),))
        rules = ["choice", "tie", "replace", "split"]
        if any(problem.model.marker for problem in self.problems):
            rules.append("marker")
        yield Steps(tuple(Sentence.of(f"sheet.rule_{rule}") for rule in rules), ordered=False)
        for number, problem in enumerate(self.problems, 1):
            yield _title(number, problem)
            yield from _given(problem)
            yield Paragraph(question(problem), "strong")
            yield Paragraph(how_to_write(problem), "small")
            yield Blank((Sentence.of("sheet.answer"),), wide=True)
        yield from self._origin()

    def _key(self) -> Iterator[Block]:
        yield Heading(1, (Sentence.of("sheet.key_title"),))
        for number, problem in enumerate(self.problems, 1):
            yield _title(number, problem)
            yield Paragraph(question(problem))
            yield Paragraph((_right(problem),), "strong")
            yield Steps(solution(problem))
            if isinstance(problem.answer, MergesAnswer):
                yield from map(_pair_counts, problem.answer.rounds)
        yield from self._origin()

    def _origin(self) -> Iterator[Block]:
        made = Sentence.of("sheet.made_with", seed=Typed(self.seed), level=self.level)
        own = (Sentence.of("sheet.own_corpus"),) if self.has_own_corpus else ()
        yield Paragraph((made, *own), "small")


def _title(number: int, problem: Problem) -> Heading:
    return Heading(2, (Sentence.of("sheet.problem", number=number), Sentence.of(f"kind.{problem.kind}")))


def _given(problem: Problem) -> Iterator[Block]:
    known = given(problem)
    if known.words:
        rows = tuple((Symbol(word), count) for word, count in known.words)
        yield Table(Sentence.of("sheet.corpus"), _headings("word", "count"), rows)
    if known.merges:
        yield Table(
            Sentence.of("sheet.merges"),
            _headings("number", "pair", "result"),
            tuple((each.rank + 1, Joined(each.left, each.right), Symbol(each.result)) for each in known.merges),
        )


def _headings(*names: str) -> tuple[Sentence, ...]:
    return tuple(Sentence.of(f"sheet.{name}") for name in names)


def _right(problem: Problem) -> Sentence:
    values = right_answer(problem)
    pairs = tuple(value for value in values if isinstance(value, Joined))
    value = Listed(pairs) if pairs else values[0]
    return Sentence.of("sheet.never") if value is None else Sentence.of("sheet.right", answer=value)


def _pair_counts(asked: Round) -> Table:
    page = asked.order.page(0, size=PAIRS_SHOWN)
    more = page.total - len(page.rows)
    return Table(
        Sentence.of("sheet.pairs_before", number=asked.merge.rank + 1),
        _headings("pair", "frequency"),
        tuple((Joined(pair.left, pair.right), pair.frequency) for pair in page.rows),
        Sentence.of("sheet.further_pairs", more=more) if more else None,
    )
