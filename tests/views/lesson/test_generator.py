"""Generated problems: the same everywhere, as the plain algorithm answers them, and as varied as promised. Rule: T9."""

import hashlib
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings

from pairloom.errors import NothingToAsk, SettingError
from pairloom.views.lesson.checking import check
from pairloom.views.lesson.dice import Dice
from pairloom.views.lesson.generator import LANGUAGES, LEVELS, generate
from pairloom.views.lesson.material import MATERIAL
from pairloom.views.lesson.problems import (
    KINDS,
    Kind,
    MergesAnswer,
    Problem,
    ReplacementsAnswer,
    SplitAnswer,
)
from pairloom.views.lesson.wording import answer_text
from pairloom.word_counts import count_words
from tests.support.strategies import Training, trainings
from tests.views.lesson.oracle import check_problem

# 6 kinds × 3 levels × 2 languages × 56 numbers: 2,016 problems.
NUMBERS = range(56)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_the_oracles(kind: Kind, level: int) -> None:
    for language in LANGUAGES:
        for number in NUMBERS:
            problem = generate(kind, seed="oracle", level=level, number=number, language=language)
            assert problem.kind == kind
            check_problem(problem)
            assert check(problem, answer_text(problem)).is_right


def test_there_are_two_thousand_of_them() -> None:
    assert len(KINDS) * len(LEVELS) * len(LANGUAGES) * len(NUMBERS) >= 2000


def digest(problem: Problem) -> str:
    words = ",".join(f"{word}:{count}" for word, count in problem.history.word_counts.counts.items())
    return f"{problem.kind}|{problem.prefix}|{problem.word}|{words}|{answer_text(problem)}"


def test_t9_the_same_problems_on_every_python() -> None:
    """The digest was made once, on CPython 3.11; it never changes, or a class's key would no longer fit its sheet."""
    made = [
        digest(generate("mixed", seed=seed, level=level, number=number, language=language))
        for seed in ("1", "Ä ▁")
        for level in LEVELS
        for language in LANGUAGES
        for number in range(12)
    ]
    assert hashlib.sha256("\n".join(made).encode()).hexdigest() == (
        "967da648c19435c4b31ce24739afaaa2e6943b1211477ffb4aad84643f134734"
    )
    assert made[0] == "next_merges|0|None|knits:3,knot:3,unknit:2|k + n"


def test_t9_the_dice_are_splitmix64() -> None:
    # The reference implementation's first numbers from the state 0 (Vigna, splitmix64.c).
    dice = Dice("")
    dice._state = 0
    assert [dice._next() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_the_dice_are_fair_enough() -> None:
    dice = Dice("fair")
    counts = Counter(dice.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(800 < count < 1200 for count in counts.values())
    assert {dice.between(2, 4) for _ in range(99)} == {2, 3, 4}
    assert sorted(dice.shuffled("abcdef")) == list("abcdef")
    assert sorted(dice.some("abc", 5)) == list("abc")
    assert len(set(dice.some(range(1000), 20))) <= 20


def test_every_argument_changes_the_problem() -> None:
    base = {"seed": "s", "level": 2, "number": 0, "language": "en"}
    first = digest(generate("split", **base))  # type: ignore[arg-type]  # a plain mapping
    for change in ({"seed": "t"}, {"level": 3}, {"number": 1}, {"language": "de"}):
        assert digest(generate("split", **(base | change))) != first  # type: ignore[arg-type]  # as above
    assert digest(generate("split", **base)) == first  # type: ignore[arg-type]  # as above


def test_mixed_takes_the_kinds_in_turn() -> None:
    asked = [generate("mixed", seed="1", level=1, number=number).kind for number in range(12)]
    assert asked == [*KINDS, *KINDS]


def test_levels_mean_what_they_say() -> None:
    for number in range(20):
        for level in LEVELS:
            problem = generate("next_merges", seed="levels", level=level, number=number)
            assert isinstance(problem.answer, MergesAnswer)
            assert len(problem.answer.rounds) == level
            assert problem.model.marker == (level == 3)
        easy = generate("next_merges", seed="levels", level=1, number=number).answer
        assert isinstance(easy, MergesAnswer)
        assert easy.rounds[0].choice.tied_count == 1
        run = generate("replacements", seed="levels", level=2, number=number).answer
        assert isinstance(run, ReplacementsAnswer)
        assert run.replacements < run.frequency
        unknown = generate("unknown", seed="levels", level=1, number=number).answer
        assert isinstance(unknown, SplitAnswer)
        assert len(unknown.unknown) == 1


def test_problems_do_not_repeat_all_the_time() -> None:
    for kind in KINDS:
        made = Counter(digest(generate(kind, seed="1", level=1, number=number)) for number in range(100))
        assert len(made) > 90, kind


def test_words_to_split_are_real_ones_where_there_are_any() -> None:
    material = MATERIAL["de"]
    words = {word for family in material.families for word in family}
    asked = [generate("split", seed="1", level=1, number=number, language="de").word for number in range(50)]
    assert sum(word in words for word in asked) > 40


# -- a corpus of one's own


def test_an_own_corpus_gives_its_words() -> None:
    text = "the weaver weaves the cloth that weavers have always woven, and the threads are threaded"
    corpus = count_words(text, pre_tokenizer="punctuation")
    for kind in ("next_merges", "tie", "until_whole"):
        problem = generate(kind, seed="1", level=2, number=0, corpus=corpus)
        check_problem(problem)
        assert {f"▁{word}" for word in problem.history.word_counts.counts} <= set(corpus.counts)
    for kind in KINDS:
        check_problem(generate(kind, seed="1", level=3, number=1, corpus=corpus))


def test_words_without_spaces_are_cut() -> None:
    corpus = count_words("织布的人看织布机织布的人学织布的人先看织布人织布再看织布机织布", pre_tokenizer="punctuation")
    for kind in KINDS:
        problem = generate(kind, seed="1", level=1, number=0, corpus=corpus)
        check_problem(problem)
        assert all(len(word) <= 12 for word in problem.history.word_counts.counts)


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=10, deadline=None)
@given(training=trainings())
def test_any_corpus_gives_right_problems_or_says_that_it_cannot(training: Training) -> None:
    corpus = count_words(training.corpus, pre_tokenizer="punctuation")
    for kind in KINDS:
        with suppress(NothingToAsk):
            problem = generate(kind, seed="1", level=1, number=0, corpus=corpus)
            check_problem(problem)
            assert check(problem, answer_text(problem)).is_right


@pytest.mark.parametrize("text", ["a", "ab", "a b c"])
def test_too_few_words(text: str) -> None:
    with pytest.raises(NothingToAsk) as caught:
        generate("tie", seed="1", level=1, number=0, corpus=count_words(text))
    assert caught.value.words < 2


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "riddle"}, {"level": 0}, {"level": 4}, {"language": "fr"}, {"number": -1}, {"number": True}],
)
def test_what_cannot_be_generated(wrong: dict[str, object]) -> None:
    arguments = {"kind": "tie", "seed": "1", "level": 1, "number": 0} | wrong
    with pytest.raises(SettingError) as caught:
        generate(arguments.pop("kind"), **arguments)  # type: ignore[arg-type]  # wrong on purpose
    assert caught.value.setting in wrong
