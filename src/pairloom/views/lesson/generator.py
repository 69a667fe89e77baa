"""Endless practice problems: of a kind, a seed, a level and a number, the same everywhere and always."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from pairloom.checks import check_at_least
from pairloom.errors import NothingToAsk, SettingError
from pairloom.history import History
from pairloom.trainer import train_from_word_counts
from pairloom.unicode_data import MARKER
from pairloom.views.lesson.dice import Dice
from pairloom.views.lesson.material import MATERIAL
from pairloom.views.lesson.problems import (
    KINDS,
    Kind,
    MergesAnswer,
    Problem,
    ReplacementsAnswer,
    SplitAnswer,
    WholeAnswer,
    next_merges,
    replacements,
    split,
    tie,
    until_whole,
)
from pairloom.word_counts import WordCounts, with_markers

LEVELS: Final = (1, 2, 3)
"""1: few words, one step. 2: more words and steps. 3: words with markers, as texts have them, and ties."""

LANGUAGES: Final = tuple(MATERIAL)
"""The languages that there are words in."""

_TRIES: Final = 400
# After so many of them a word that does not exist is better than none.
_TRIES_WITH_WORDS: Final = 30
_SHORTEST, _LONGEST = 2, 12
# So many words of a corpus are looked at for one problem: it may have ten thousand.
_LOOKED_AT = 200
# Of a word without spaces, as Chinese has them, so many code points are one word of a problem.
_SLICE = 6
# One of these is in no corpus of a problem, for a word with an unknown character.
_RARE = "xqyjvzkßxø"


@dataclass(frozen=True, slots=True)
class _Words:
    """What corpora are drawn from: groups that belong together, groups with runs, and all words.

    `may_invent` allows words that do not exist.
    """

    families: Sequence[Sequence[str]]
    runs: Sequence[Sequence[str]]
    all: Sequence[str]
    may_invent: bool = False


def generate(
    kind: Kind | Literal["mixed"],
    *,
    seed: str,
    level: int,
    number: int,
    language: str = "en",
    corpus: WordCounts | None = None,
) -> Problem:
    """Return the problem of that number.

    Args:
        kind: of the question; "mixed" takes the kinds in turn.
        seed: any text; another one gives other problems.
        level: 1 to 3.
        number: from 0, without end.
        language: of the words: "en" or "de".
        corpus: words to draw from in place of ours. Their counts in the problem are drawn, as all others are, so that
            they can be added up by hand; long words are cut.

    Raises:
        SettingError: no such kind, level, number or language.
        NothingToAsk: the corpus has too few words for it.

    Cost: some milliseconds; with a corpus, also linear in its distinct words.

    >>> problem = generate("next_merges", seed="1", level=1, number=0)
    >>> dict(problem.history.word_counts.counts), problem.answer.rounds[0].merge.result
    ({'knits': 3, 'knot': 3, 'unknit': 2}, 'kn')
    """
    if kind != "mixed" and kind not in KINDS:
        raise SettingError(setting="kind", value=kind, allowed=f"mixed, or one of {', '.join(KINDS)}")
    if level not in LEVELS:
        raise SettingError(setting="level", value=level, allowed="1, 2 or 3")
    if language not in MATERIAL:
        raise SettingError(setting="language", value=language, allowed=f"one of {', '.join(LANGUAGES)}")
    check_at_least("number", number, minimum=0)
    chosen: Kind = KINDS[number % len(KINDS)] if kind == "mixed" else kind
    words = _own_words(corpus) if corpus is not None else _our_words(language)
    if len(words.all) < 2:
        raise NothingToAsk(kind=chosen, words=len(words.all))
    for attempt in range(_TRIES):
        dice = Dice(f"{seed}\0{chosen}\0{level}\0{language}\0{number}\0{attempt}")
        problem = _DRAW[chosen](dice, replace(words, may_invent=attempt >= _TRIES_WITH_WORDS), level)
        if problem is not None:
            return problem
    raise NothingToAsk(kind=chosen, words=len(words.all))


def _our_words(language: str) -> _Words:
    material = MATERIAL[language]
    return _Words(material.families, material.runs, [word for family in material.families for word in family])


def _own_words(corpus: WordCounts) -> _Words:
    words = list(dict.fromkeys(piece for word in corpus.counts for piece in _short(word.removeprefix(MARKER))))
    return _Words((), (), words)


def _short(word: str) -> Iterator[str]:
    if _SHORTEST <= len(word) <= _LONGEST:
        yield word
    elif len(word) > _LONGEST:
        for start in range(0, len(word) - _SHORTEST + 1, _SLICE):
            yield word[start : start + _SLICE]


# -- corpora


def _history(counts: dict[str, int], level: int) -> History:
    table = with_markers(counts, lowercase=False, pre_tokenizer="whitespace", marker=level == 3)
    return History.of(table, train_from_word_counts(table))


def _counted(dice: Dice, words: Sequence[str], level: int, *, most: int | None = None) -> dict[str, int]:
    highest = most or (9, 12, 15)[level - 1]
    least = 2 if level == 1 else 1
    return {word: dice.between(least, highest) for word in words}


def _some_words(dice: Dice, words: _Words, level: int) -> list[str]:
    """Draw the words of a corpus: those of a family, or such as share two letters in a row."""
    wanted = dice.between(*((3, 3), (4, 5), (5, 7))[level - 1])
    if words.families:
        drawn = dice.shuffled(dice.choice(words.families))
        if level == 3:
            drawn += dice.shuffled(dice.choice(words.families))
        return list(dict.fromkeys(drawn))[:wanted]
    first = dice.choice(words.all)
    pairs = {first[place : place + 2] for place in range(len(first) - 1)}
    tried = dice.some(words.all, _LOOKED_AT)
    related = [word for word in tried if any(pair in word for pair in pairs)]
    return list(dict.fromkeys([first, *related, *tried]))[:wanted]


def _some_runs(dice: Dice, words: _Words, level: int) -> list[str]:
    """Draw words in which a symbol follows itself; of words of somebody else's, a letter is drawn out."""
    wanted = (3, 4, 5)[level - 1]
    if words.runs:
        drawn = dice.shuffled(dice.choice(words.runs))
        if level > 1:
            drawn = drawn[:3] + dice.shuffled(dice.choice(words.runs))
        return list(dict.fromkeys(drawn))[:wanted]
    letter = dice.choice(dice.choice(words.all))
    having = [word for word in dice.some(words.all, _LOOKED_AT) if letter in word][:wanted]
    return list(dict.fromkeys(word.replace(letter, letter * dice.between(2, 6), 1) for word in having))


# -- one kind each: a problem, or None if what was drawn does not suit


def _next_merges(dice: Dice, words: _Words, level: int) -> Problem | None:
    history = _history(_counted(dice, _some_words(dice, words, level), level), level)
    prefix = 0 if level == 1 else dice.below(3)
    problem = next_merges(history, prefix, rounds=level) if prefix <= len(history.model.merges) else None
    if problem is None or level > 1:
        return problem
    assert isinstance(problem.answer, MergesAnswer)
    return problem if problem.answer.rounds[0].choice.tied_count == 1 else None


def _tie(dice: Dice, words: _Words, level: int) -> Problem | None:
    history = _history(_counted(dice, _some_words(dice, words, level), level, most=(3, 5, 6)[level - 1]), level)
    prefix = dice.below((1, 3, 5)[level - 1])
    problem = tie(history, prefix) if prefix <= len(history.model.merges) else None
    if problem is None:
        return None
    assert isinstance(problem.answer, MergesAnswer)
    return problem if problem.answer.rounds[0].choice.tied_count <= (3, 4, 6)[level - 1] else None


def _split(dice: Dice, words: _Words, level: int) -> Problem | None:
    def suits(answer: SplitAnswer) -> bool:
        return not answer.unknown and len(answer.tokens) > 1

    return _first_split(dice, words, level, suits)


def _unknown(dice: Dice, words: _Words, level: int) -> Problem | None:
    def suits(answer: SplitAnswer) -> bool:
        return len(answer.unknown) == 1

    return _first_split(dice, words, level, suits)


def _first_split(dice: Dice, words: _Words, level: int, suits: Callable[[SplitAnswer], bool]) -> Problem | None:
    drawn = _some_words(dice, words, level)
    history = _history(_counted(dice, drawn, level), level)
    merges = len(history.model.merges)
    if not merges:
        return None
    prefix = dice.between(1, min(merges, (3, 6, 12)[level - 1]))
    needed = min(level, 2)
    invented = _new_words(dice, drawn) if words.may_invent else ()
    for word in [*dice.some(words.all, _LOOKED_AT), *invented]:
        asked = MARKER + word if level == 3 else word
        if asked in history.word_counts.counts or not _SHORTEST < len(word) <= _LONGEST:
            continue
        problem = split(history, prefix, asked)
        assert isinstance(problem.answer, SplitAnswer)
        if len(problem.answer.steps) >= needed and suits(problem.answer):
            return problem
    return None


def _new_words(dice: Dice, drawn: Sequence[str]) -> Iterator[str]:
    """Make words of the beginning of one and the end of another, also with a letter that none of them has."""
    letters = set("".join(drawn))
    rare = next((letter for letter in _RARE if letter not in letters), "ʒ")
    for first in dice.shuffled(drawn):
        for second in dice.shuffled(drawn):
            made = first[: dice.between(1, len(first))] + second[dice.below(len(second)) :]
            yield made
            yield made + rare
            yield rare + made


def _replacements(dice: Dice, words: _Words, level: int) -> Problem | None:
    history = _history(_counted(dice, _some_runs(dice, words, level), level, most=(5, 7, 9)[level - 1]), level)
    prefix = 0 if level == 1 else dice.below(3)
    if prefix > len(history.model.merges):
        return None
    doubled = [pair for pair in sorted(history.pair_counts(prefix)) if pair[0] == pair[1]]
    if not doubled:
        return None
    problem = replacements(history, prefix, dice.choice(doubled))
    if problem is None:
        return None
    assert isinstance(problem.answer, ReplacementsAnswer)
    return problem if problem.answer.replacements != problem.answer.frequency else None


def _until_whole(dice: Dice, words: _Words, level: int) -> Problem | None:
    history = _history(_counted(dice, _some_words(dice, words, level), level), level)
    word = dice.choice(list(history.word_counts.counts))
    problem = until_whole(history, word)
    assert isinstance(problem.answer, WholeAnswer)
    if problem.answer.merges is None:
        # Rare without help, and too easy when nothing happens to the word at all.
        return problem if level > 1 and len(problem.answer.life.prefixes) > 1 else None
    return problem if 1 < problem.answer.merges <= (6, 12, 99)[level - 1] else None


_DRAW: Final[dict[Kind, Callable[[Dice, _Words, int], Problem | None]]] = {
    "next_merges": _next_merges,
    "tie": _tie,
    "split": _split,
    "unknown": _unknown,
    "replacements": _replacements,
    "until_whole": _until_whole,
}
