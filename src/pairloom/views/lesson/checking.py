"""An answer, as it was typed → right or wrong, and if wrong, why: each reason is read off the trace."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pairloom.history import Pair
from pairloom.unicode_data import MARKER, WHITESPACE
from pairloom.views.lesson.problems import (
    MergesAnswer,
    Problem,
    ReplacementsAnswer,
    Round,
    SplitAnswer,
    WholeAnswer,
)
from pairloom.views.lesson.reading import (
    MAX_ANSWER,
    is_written_as,
    means_never,
    read_number,
    read_pair,
    read_rounds,
    read_split,
    several_pairs,
)
from pairloom.views.lesson.sentences import CodePoint, Joined, Row, Sentence, Symbol, Typed, Value
from pairloom.views.lesson.splits import why_not

_UNKNOWN = "UNK"
_UNKNOWN_SIGNS = re.compile(r"<unk>|UNK|\?")
# So many words are gone through in a reason; the sentence says how many more there are.
_WORDS_TOLD = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an answer.

    Attributes:
        is_right: whether it is right.
        understood: how it was read; nothing if it cannot be read.
        reasons: if it is wrong, why, the most telling reason first.
    """

    is_right: bool
    understood: tuple[Value, ...]
    reasons: tuple[Sentence, ...]


def check(problem: Problem, text: str) -> Verdict:
    """Return the verdict on an answer.

    Args:
        problem: what was asked.
        text: the answer as typed; at most `MAX_ANSWER` code points of it are an answer.

    >>> from pairloom.views.lesson.fixed import fixed_problem
    >>> problem = fixed_problem("hug_merges").problem
    >>> check(problem, "u+g, u+n, h+ug").is_right, [reason.code for reason in check(problem, "u+g, h+ug, u+n").reasons]
    (True, ['pair.rounds_right', 'pair.in_round', 'pair.less_frequent'])
    """
    if len(text) > MAX_ANSWER:
        return _unreadable(Sentence.of("read.too_long", maximum=MAX_ANSWER))
    if not text.strip(WHITESPACE):
        return _unreadable(Sentence.of("read.empty"))
    match problem.answer:
        case MergesAnswer():
            return _check_rounds(problem, problem.answer.rounds, text)
        case SplitAnswer():
            return _check_split(problem, problem.answer, text)
        case ReplacementsAnswer():
            return _check_replacements(problem.answer, text)
        case WholeAnswer():
            return _check_whole(problem, problem.answer, text)


def _typed(text: str) -> Typed:
    return Typed(text.strip(WHITESPACE))


def _unreadable(reason: Sentence) -> Verdict:
    return Verdict(is_right=False, understood=(), reasons=(reason,))


# -- pairs


def _check_rounds(problem: Problem, rounds: Sequence[Round], text: str) -> Verdict:
    parts = read_rounds(text, len(rounds))
    if len(parts) != len(rounds):
        return _unreadable(Sentence.of("read.rounds", given=len(parts), wanted=len(rounds)))
    understood: list[Value] = []
    wrong: tuple[Sentence, ...] = ()
    for place, (each, part) in enumerate(zip(rounds, parts, strict=True)):
        counts = problem.history.pair_counts(each.prefix)
        pairs = read_pair(part, counts, marker=problem.model.marker)
        if not pairs:
            return _unreadable(Sentence.of("read.no_pair", typed=_typed(part)))
        best = each.merge.left, each.merge.right
        if len(rounds) == 1 and counts.keys().isdisjoint(pairs) and (several := several_pairs(part)):
            return _unreadable(Sentence.of("read.one_pair", given=len(several)))
        meant = best if best in pairs else next((pair for pair in pairs if pair in counts), _likeliest(problem, pairs))
        understood.append(Joined(*meant))
        if meant != best and not wrong:
            wrong = _why_not_pair(problem, each, meant, counts.get(meant, 0))
            if place:
                wrong = (Sentence.of("pair.rounds_right", rounds=place), *_in_round(each), *wrong)
            elif len(rounds) > 1:
                wrong = (*_in_round(each), *wrong)
    return Verdict(is_right=not wrong, understood=tuple(understood), reasons=wrong)


def _in_round(each: Round) -> tuple[Sentence, ...]:
    return (Sentence.of("pair.in_round", number=each.merge.rank + 1),)


def _likeliest(problem: Problem, pairs: Sequence[Pair]) -> Pair:
    """Return the first pair of known symbols, or else the first."""
    id_of = problem.model.token_id
    return next((pair for pair in pairs if all(id_of(part) is not None for part in pair)), pairs[0])


def _why_not_pair(problem: Problem, each: Round, meant: Pair, frequency: int) -> tuple[Sentence, ...]:
    best = each.merge.left, each.merge.right
    highest = each.choice.chosen.frequency
    if frequency == 0:
        return (_why_absent(problem, each, meant),)
    shown = {"pair": Joined(*meant), "best": Joined(*best)}
    if frequency < highest:
        return (Sentence.of("pair.less_frequent", frequency=frequency, highest=highest, **shown),)
    side = 0 if meant[0] != best[0] else 1
    smaller, larger = best[side], meant[side]
    code = ("pair.tied_left", "pair.tied_right")[side]
    tied = Sentence.of(code, frequency=frequency, smaller=Symbol(smaller), larger=Symbol(larger), **shown)
    return tied, why_smaller(smaller, larger)


def why_smaller(smaller: str, larger: str) -> Sentence:
    """Return why one symbol is smaller than another: its beginning, or a code point that is smaller. Rule: T4."""
    if larger.startswith(smaller):
        return Sentence.of("pair.beginning", shorter=Symbol(smaller), longer=Symbol(larger))
    ours, theirs = next((a, b) for a, b in zip(smaller, larger, strict=False) if a != b)
    return Sentence.of(
        "pair.code_points",
        smaller=Symbol(ours),
        smaller_number=CodePoint(ord(ours)),
        larger=Symbol(theirs),
        larger_number=CodePoint(ord(theirs)),
    )


def _why_absent(problem: Problem, each: Round, meant: Pair) -> Sentence:
    best = each.merge.left, each.merge.right
    if meant == best[::-1]:
        return Sentence.of("pair.turned", pair=Joined(*meant), best=Joined(*best))
    model = problem.model
    for symbol in meant:
        token_id = model.token_id(symbol)
        if token_id is None:
            return Sentence.of("pair.never_symbol", symbol=Symbol(symbol))
        if token_id >= len(model.alphabet) + each.prefix:
            return Sentence.of("pair.no_symbol", symbol=Symbol(symbol))
    return Sentence.of("pair.absent", pair=Joined(*meant))


# -- splits


def _check_split(problem: Problem, answer: SplitAnswer, text: str) -> Verdict:
    word = problem.word or ""
    pieces = read_split(text, word)
    if answer.unknown and _UNKNOWN not in word and "".join(pieces) != word:
        pieces = _with_unknowns_named(answer, text, word) or pieces
    if "".join(pieces) != word and is_written_as(text, answer.tokens):
        pieces = answer.tokens
    if pieces == answer.tokens:
        return Verdict(is_right=True, understood=(Row(pieces),), reasons=())
    spelled = "".join(pieces)
    if spelled == word and _lacks_marker(text, answer, pieces):
        typed = (pieces[0].removeprefix(MARKER), *pieces[1:])
        return Verdict(
            is_right=False,
            understood=(Row(typed),),
            reasons=(Sentence.of("split.missing", piece=Symbol(typed[0])),),
        )
    if spelled != word:
        reason = Sentence.of("read.spells", spelled=Symbol(spelled), word=Symbol(word))
    else:
        reason = why_not(problem.model, problem.prefix, word, answer, pieces)
    return Verdict(is_right=False, understood=(Row(pieces),), reasons=(reason,))


def _lacks_marker(text: str, answer: SplitAnswer, pieces: tuple[str, ...]) -> bool:
    """Whether the marker, a token of its own here, was left out: then no piece may be said to begin with it."""
    typed = text.strip(WHITESPACE)
    # A single `_` in front of a word that begins with `_` is the word's own.
    is_own = typed.startswith("_") and not typed.startswith("__") and "".join(answer.tokens).startswith(f"{MARKER}_")
    return answer.tokens[0] == MARKER != pieces[0] and (is_own or not typed.startswith((MARKER, "_")))


def _with_unknowns_named(answer: SplitAnswer, text: str, word: str) -> tuple[str, ...] | None:
    """Read UNK, <unk> and ? as the unknown characters in their order: so tools print them in their ID's place."""
    unknown = iter([token for token, token_id in zip(answer.tokens, answer.ids, strict=True) if token_id is None])
    text = _UNKNOWN_SIGNS.sub(lambda sign: next(unknown, sign[0]), text)
    pieces = read_split(text, word)
    return pieces if "".join(pieces) == word else None


# -- numbers


def _check_replacements(answer: ReplacementsAnswer, text: str) -> Verdict:
    given = read_number(text)
    if given is None:
        return _unreadable(Sentence.of("read.no_number", typed=_typed(text)))
    if given == answer.replacements:
        return Verdict(is_right=True, understood=(given,), reasons=())
    reasons: list[Sentence] = []
    if given == answer.frequency:
        reasons.append(Sentence.of("number.overlap", frequency=answer.frequency, replacements=answer.replacements))
    elif given == sum(each.replaced for each in answer.words):
        reasons.append(Sentence.of("number.unweighted", given=given))
    elif given == sum(each.positions for each in answer.words):
        reasons.append(Sentence.of("number.positions_once", given=given))
    reasons += replacements_by_word(answer)
    return Verdict(is_right=False, understood=(given,), reasons=tuple(reasons))


def replacements_by_word(answer: ReplacementsAnswer, told: int = _WORDS_TOLD) -> list[Sentence]:
    """Return what the pair does in each of the first words, and how many more words there are."""
    sentences = [
        Sentence.of(
            "number.in_word",
            tokens=Row(each.tokens),
            positions=each.positions,
            replaced=each.replaced,
            count=each.count,
        )
        for each in answer.words[:told]
    ]
    if more := len(answer.words) - told if len(answer.words) > told else 0:
        sentences.append(Sentence.of("number.further_words", more=more))
    return sentences


def _check_whole(problem: Problem, answer: WholeAnswer, text: str) -> Verdict:
    maximum = len(problem.model.merges)
    if means_never(text):
        if answer.merges is None:
            return Verdict(is_right=True, understood=(_typed(text),), reasons=())
        return Verdict(is_right=False, understood=(_typed(text),), reasons=(_becomes_whole(problem, answer),))
    given = read_number(text)
    if given is None:
        return _unreadable(Sentence.of("read.no_number", typed=_typed(text)))
    if given == answer.merges:
        return Verdict(is_right=True, understood=(given,), reasons=())
    return Verdict(is_right=False, understood=(given,), reasons=tuple(_why_not_whole(problem, answer, given, maximum)))


def _becomes_whole(problem: Problem, answer: WholeAnswer) -> Sentence:
    if not answer.merges:
        return Sentence.of("number.from_the_start")
    merge = problem.model.merges[answer.merges - 1]
    return Sentence.of("number.becomes_whole", number=answer.merges, pair=Joined(merge.left, merge.right))


def _why_not_whole(problem: Problem, answer: WholeAnswer, given: int, maximum: int) -> list[Sentence]:
    history, word = problem.history, problem.word or ""
    if answer.merges is None:
        pieces = history.segment(word)
        reasons = [Sentence.of("number.too_many", maximum=maximum)] if given > maximum else []
        return [*reasons, Sentence.of("number.never_whole", maximum=maximum, tokens=Row(pieces))]
    if given > answer.merges:
        return [Sentence.of("number.earlier", merges=answer.merges)]
    reasons = [Sentence.of("number.still_pieces", given=given, tokens=Row(history.segment(word, given)))]
    if given == answer.merges - 1:
        reasons.insert(0, Sentence.of("number.off_by_one", given=given, number=answer.merges))
    return reasons
