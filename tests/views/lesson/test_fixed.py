"""The fixed problems: the words and counts of rule S7, and every answer as the plain algorithm has it."""

import pytest

from pairloom import educational
from pairloom.errors import SettingError
from pairloom.views.lesson.checking import check
from pairloom.views.lesson.fixed import FIXED, HUGS, fixed_problem
from pairloom.views.lesson.problems import KINDS, MergesAnswer, ReplacementsAnswer, SplitAnswer, WholeAnswer
from pairloom.views.lesson.wording import answer_text
from tests.views.lesson.oracle import check_problem


@pytest.mark.parametrize("name", FIXED)
def test_every_answer_is_the_oracles(name: str) -> None:
    fixed = fixed_problem(name)
    check_problem(fixed.problem)
    assert check(fixed.problem, answer_text(fixed.problem)).is_right


def test_s7_all_kinds_are_there() -> None:
    assert {fixed_problem(name).problem.kind for name in FIXED} == set(KINDS)


def test_s7_the_pair_counts_of_hug_pug_pun_bun_hugs() -> None:
    # Counts: hug 10, pug 5, pun 12, bun 4, hugs 5. By hand, before the first merge:
    # h+u = hug 10 + hugs 5; u+g = 10 + 5 + 5; p+u = 5 + 12; u+n = 12 + 4; b+u = 4; g+s = 5.
    assert dict(HUGS.counts) == {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    answer = fixed_problem("hug_merges").problem.answer
    assert isinstance(answer, MergesAnswer)
    shown = [{pair.result: pair.frequency for pair in each.order.page(0, size=99).rows} for each in answer.rounds]
    assert shown[0] == {"hu": 15, "ug": 20, "pu": 17, "un": 16, "bu": 4, "gs": 5}
    # With ug: h+ug = 10 + 5, p+ug = 5, ug+s = 5; p+u is only pun now.
    assert shown[1] == {"hug": 15, "pug": 5, "ugs": 5, "pu": 12, "un": 16, "bu": 4}
    # With un: p+un = 12, b+un = 4.
    assert shown[2] == {"hug": 15, "pug": 5, "ugs": 5, "pun": 12, "bun": 4}
    assert [each.merge.result for each in answer.rounds] == ["ug", "un", "hug"]


def test_s7_bug_and_thugs() -> None:
    bug, thugs = (fixed_problem(name).problem for name in ("hug_bug", "hug_thugs"))
    assert (bug.prefix, thugs.prefix) == (3, 3)
    assert isinstance(bug.answer, SplitAnswer)
    assert isinstance(thugs.answer, SplitAnswer)
    assert bug.answer.tokens == ("b", "ug")
    assert thugs.answer.tokens == ("t", "hug", "s")
    assert thugs.answer.ids[0] is None
    assert thugs.answer.unknown == ("t",)


def test_s7_what_is_remarked_is_true() -> None:
    """Pasted as a text the words carry markers, and then the first merges are others."""
    codes = {remark.code for name in FIXED for remark in fixed_problem(name).remarks}
    assert {"remark.no_marker", "remark.pasted", "remark.bytes"} <= codes
    text = " ".join(word for word, count in HUGS.counts.items() for _ in range(count))
    counts = dict(educational.count_words(text, lowercase=False, pre_tokenizer="whitespace"))
    pasted = [merge[:2] for merge in educational.train(counts, 3)]
    assert pasted != [merge[:2] for merge in educational.train(dict(HUGS.counts), 3)]


def test_the_tie_is_one_that_other_tools_decide_otherwise() -> None:
    problem = fixed_problem("tie").problem
    assert isinstance(problem.answer, MergesAnswer)
    choice = problem.answer.rounds[0].choice
    assert choice.tied_count == 2
    assert not all(other.is_ours for other in choice.others)


def test_the_run_has_two_different_numbers() -> None:
    answer = fixed_problem("run").problem.answer
    assert isinstance(answer, ReplacementsAnswer)
    # aaaa × 3: 3 positions, 2 replaced; haaaaa × 2: 4 and 2; haa × 5: 1 and 1.
    assert (answer.frequency, answer.replacements) == (9 + 8 + 5, 6 + 4 + 5)


def test_one_word_becomes_whole_and_one_never_does() -> None:
    whole, never = (fixed_problem(name).problem.answer for name in ("until_whole", "never_whole"))
    assert isinstance(whole, WholeAnswer)
    assert isinstance(never, WholeAnswer)
    assert whole.merges
    assert never.merges is None


def test_no_such_problem() -> None:
    with pytest.raises(SettingError, match="hug_merges"):
        fixed_problem("hugs")
