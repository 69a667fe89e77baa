"""What a problem says: the question, how to write an answer, the right one, and how to get there."""

from __future__ import annotations

from dataclasses import dataclass

from pairloom.merges import Merge
from pairloom.views.lesson.checking import replacements_by_word, why_smaller
from pairloom.views.lesson.problems import (
    MergesAnswer,
    Problem,
    ReplacementsAnswer,
    Round,
    SplitAnswer,
    WholeAnswer,
)
from pairloom.views.lesson.sentences import Joined, Listed, Row, Sentence, Symbol, Typed, Value

# So many words are gone through in a solution; it says how many more there are.
_WORDS_TOLD = 12


@dataclass(frozen=True, slots=True)
class Given:
    """What has to be known to solve a problem by hand.

    Attributes:
        words: the words of the corpus with their counts; empty where only the merges matter.
        merges: those made before, or active, in order.
    """

    words: tuple[tuple[str, int], ...]
    merges: tuple[Merge, ...]


def given(problem: Problem) -> Given:
    """Return what has to be known to solve a problem by hand.

    Cost: the words of the corpus; meant for practice problems, whose corpora are small.
    """
    merges = problem.model.merges
    words = tuple(problem.history.word_counts.counts.items())
    match problem.answer:
        case WholeAnswer():
            return Given((), merges)
        case SplitAnswer():
            return Given(words if problem.kind == "unknown" else (), merges[: problem.prefix])
        case _:
            return Given(words, merges[: problem.prefix])


def question(problem: Problem) -> tuple[Sentence, ...]:
    """Return the question; the corpus and the merges made so far are `given`."""
    answer = problem.answer
    match answer:
        case MergesAnswer() if problem.kind == "tie":
            return _which_of_tied(answer.rounds[0])
        case MergesAnswer():
            code = "asked.next_merges" if problem.prefix else "asked.first_merges"
            return (Sentence.of(code, rounds=len(answer.rounds)),)
        case SplitAnswer():
            word = Symbol(problem.word or "")
            asked = (
                Sentence.of("asked.split", word=word, prefix=problem.prefix)
                if problem.prefix
                else Sentence.of("asked.split_unmerged", word=word)
            )
            return (asked, Sentence.of("asked.unknown")) if answer.unknown else (asked,)
        case ReplacementsAnswer():
            return (Sentence.of("asked.replacements", pair=Joined(*answer.pair)),)
        case WholeAnswer():
            return (Sentence.of("asked.until_whole", word=Symbol(problem.word or "")),)


def _which_of_tied(asked: Round) -> tuple[Sentence, ...]:
    choice = asked.choice
    # Not in T4's order, whose first one is the answer.
    shown = sorted(choice.tied, key=lambda pair: (pair.right, pair.left))
    pairs = Listed(tuple(Joined(pair.left, pair.right) for pair in shown))
    sentences = [Sentence.of("asked.tie_of_two" if choice.tied_count == 2 else "asked.tie", pairs=pairs)]
    if more := choice.tied_count - len(shown):
        sentences.append(Sentence.of("asked.more_tied", more=more))
    return tuple(sentences)


def how_to_write(problem: Problem) -> tuple[Sentence, ...]:
    """Return how an answer is to be written."""
    answer = problem.answer
    if isinstance(answer, ReplacementsAnswer):
        return (Sentence.of("written.number"),)
    if isinstance(answer, WholeAnswer):
        return (Sentence.of("written.number_or_never"),)
    if isinstance(answer, SplitAnswer):
        codes = ["written.tokens"]
    else:
        codes = ["written.pair" if len(answer.rounds) == 1 else "written.pairs"]
    if problem.model.marker:
        codes.append("written.marker")
    if isinstance(answer, SplitAnswer) and answer.unknown:
        codes.append("written.unknown")
    return tuple(map(Sentence.of, codes))


def right_answer(problem: Problem) -> tuple[Value | None, ...]:
    """Return the right answer alone: pairs, a row of tokens or a number; None is "never"."""
    answer = problem.answer
    match answer:
        case MergesAnswer():
            return tuple(Joined(each.merge.left, each.merge.right) for each in answer.rounds)
        case SplitAnswer():
            return (Row(answer.tokens),)
        case ReplacementsAnswer():
            return (answer.replacements,)
        case WholeAnswer():
            return (answer.merges,)


def answer_text(problem: Problem) -> str:
    """Return the right answer as somebody would type it; `check` takes it.

    >>> from pairloom.views.lesson.fixed import fixed_problem
    >>> answer_text(fixed_problem("hug_merges").problem), answer_text(fixed_problem("hug_thugs").problem)
    ('u + g, u + n, h + ug', 't hug s')
    """
    written: list[str] = []
    for value in right_answer(problem):
        match value:
            case Joined():
                written.append(f"{value.left} + {value.right}")
            case Row():
                written.append(" ".join(value.tokens))
            case Symbol() | Typed():
                written.append(value.text)
            case None:
                written.append("never")
            case _:
                written.append(str(value))
    return ", ".join(written)


def solution(problem: Problem) -> tuple[Sentence, ...]:
    """Return how to get to the right answer, step by step, from the trace."""
    answer = problem.answer
    match answer:
        case MergesAnswer():
            return tuple(sentence for each in answer.rounds for sentence in _solved_round(each))
        case SplitAnswer():
            return tuple(_solved_split(problem, answer))
        case ReplacementsAnswer():
            total = Sentence.of("solved.replacements", replacements=answer.replacements, frequency=answer.frequency)
            return (*replacements_by_word(answer, _WORDS_TOLD), total)
        case WholeAnswer():
            return tuple(_solved_whole(problem, answer))


def _solved_round(each: Round) -> tuple[Sentence, ...]:
    choice = each.choice
    pair = Joined(each.merge.left, each.merge.right)
    number, frequency = each.merge.rank + 1, choice.chosen.frequency
    if choice.tied_count == 1:
        return (Sentence.of("solved.round", number=number, pair=pair, frequency=frequency),)
    second = choice.tied[1]
    side = (each.merge.left, second.left) if choice.decided_by == "left" else (each.merge.right, second.right)
    is_left = choice.decided_by == "left"
    if choice.tied_count == 2:
        code = "solved.two_left" if is_left else "solved.two_right"
        told = Sentence.of(code, number=number, pair=pair, frequency=frequency)
    else:
        code, tied = "solved.tie_left" if is_left else "solved.tie_right", choice.tied_count
        told = Sentence.of(code, number=number, tied=tied, pair=pair, frequency=frequency)
    return told, why_smaller(*side)


def _solved_split(problem: Problem, answer: SplitAnswer) -> list[Sentence]:
    sentences = [Sentence.of("solved.start", tokens=Row(tuple(problem.word or "")))]
    for step in answer.steps:
        pair = Joined(step.merge.left, step.merge.right)
        sentences.append(Sentence.of("solved.step", number=step.merge.rank + 1, pair=pair, tokens=Row(step.tokens)))
    sentences.append(Sentence.of("solved.no_further_step" if answer.steps else "solved.no_step"))
    sentences += [Sentence.of("solved.unknown", character=Symbol(character)) for character in answer.unknown]
    return sentences


def _solved_whole(problem: Problem, answer: WholeAnswer) -> list[Sentence]:
    sentences: list[Sentence] = []
    for change in answer.life.all_changes():
        if change.merge is None:
            sentences.append(Sentence.of("solved.start", tokens=Row(change.tokens)))
        else:
            sentences.append(Sentence.of("solved.change", number=change.prefix, tokens=Row(change.tokens)))
    merges = problem.model.merges
    if answer.merges:
        merge = merges[answer.merges - 1]
        sentences.append(Sentence.of("solved.whole", number=answer.merges, pair=Joined(merge.left, merge.right)))
    elif answer.merges is None:
        pieces = problem.history.segment(problem.word or "")
        sentences.append(Sentence.of("number.never_whole", maximum=len(merges), tokens=Row(pieces)))
    else:
        sentences.append(Sentence.of("number.from_the_start"))
    return sentences
