"""Training under every tie rule is what the plain algorithm does with that rule. Rules: T2–T7."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairloom import educational
from pairloom.errors import SettingError
from pairloom.kernel.tie_training import TIE_RULES, TieRule, TieRuleRun
from pairloom.trainer import train_from_word_counts
from tests.support.strategies import Training, tables, trainings


def learned(
    counts: dict[str, int], rule: TieRule, *, min_frequency: int = 2, portion: float = 1e9
) -> list[tuple[object, ...]]:
    run = TieRuleRun(counts, min_frequency=min_frequency, rule=rule)
    while not run.is_exhausted:
        run.advance(max_operations=portion)
    return [(each.left, each.right, each.frequency, each.replacements, each.corpus_tokens) for each in run.learned]


def by_the_oracle(counts: dict[str, int], rule: TieRule, *, min_frequency: int = 2) -> list[tuple[object, ...]]:
    choose = educational.tie_rule(rule, counts)
    return list(educational.train(counts, 10**6, min_frequency=min_frequency, choose=choose))


@pytest.mark.parametrize("rule", TIE_RULES)
@given(
    counts=tables(max_count=3),
    min_frequency=st.integers(1, 3),
    portion=st.sampled_from([1, 5, 1e9]),
)
def test_few_counts_are_nearly_all_ties(
    rule: TieRule, counts: dict[str, int], min_frequency: int, portion: float
) -> None:
    expected = by_the_oracle(counts, rule, min_frequency=min_frequency)
    assert learned(counts, rule, min_frequency=min_frequency, portion=portion) == expected


@pytest.mark.parametrize("rule", TIE_RULES)
@settings(max_examples=40)
@given(training=trainings())
def test_texts(rule: TieRule, training: Training) -> None:
    counts = dict(educational.count_words(training.corpus, lowercase=False, pre_tokenizer=training.pre_tokenizer))
    assert learned(counts, rule) == by_the_oracle(counts, rule)


@pytest.mark.parametrize("rule", TIE_RULES)
def test_runs(rule: TieRule) -> None:
    for counts in ({"a" * 100: 1}, {"ab" * 30: 1, "ba" * 30: 1}, {"aaabaaab" * 8: 2}, {"abcabc": 1, "cba" * 9: 1}):
        assert learned(counts, rule) == by_the_oracle(counts, rule)


def test_ours_is_ours() -> None:
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    model = train_from_word_counts(counts, 10**6, marker=False)
    assert [each[:2] for each in learned(counts, "ours")] == [(merge.left, merge.right) for merge in model.merges]


def test_the_work_grows_no_faster_than_n_log_n() -> None:
    def operations(length: int, rule: TieRule) -> int:
        run = TieRuleRun({"ab" * (length // 2): 1, "ba" * (length // 2): 1}, min_frequency=2, rule=rule)
        while not run.is_exhausted:
            run.advance(max_operations=1e9)
        return run.operations

    for rule in TIE_RULES:
        assert operations(16_000, rule) < 2.6 * operations(8_000, rule)


def test_no_such_rule() -> None:
    with pytest.raises(SettingError, match="largest_pair"):
        TieRuleRun({"ab": 2}, min_frequency=2, rule="largest")  # type: ignore[arg-type]  # wrong on purpose
