"""The same corpus under another tie rule: where the two part, why, and what differs in the end. Rule: T4."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom import educational
from pairloom.errors import EmptyCorpus, SettingError, WorkUnfinished
from pairloom.history import History
from pairloom.trainer import train, train_from_word_counts
from pairloom.views.other_rule import Comparison, OtherRuleTraining, compare_rules, training_under
from pairloom.views.ties import OTHER_RULES, OtherRule
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import tables

Pair = tuple[str, str]


def history_of(counts: dict[str, int], limit: int = 10**6) -> History:
    table = WordCounts(counts, marker=False)
    return History.of(table, train_from_word_counts(table, limit))


def oracle(counts: dict[str, int], rule: str, limit: int) -> list[tuple[str, str, int, int, int]]:
    return educational.train(counts, limit, choose=educational.tie_rule(rule, counts))


def split_by(merges: list[Pair], word: str) -> tuple[str, ...]:
    return tuple(educational.encode_word(word, {pair: rank for rank, pair in enumerate(merges)}))


@pytest.mark.parametrize("rule", OTHER_RULES)
@given(counts=tables(max_count=3), limit=st.sampled_from([0, 1, 3, 10**6]))
def test_a_comparison_is_that_of_two_plain_trainings(rule: OtherRule, counts: dict[str, int], limit: int) -> None:
    history = history_of(counts, limit)
    comparison = compare_rules(history, rule)
    theirs = oracle(counts, rule, limit)
    ours = oracle(counts, "ours", limit)
    pairs = [merge[:2] for merge in ours], [merge[:2] for merge in theirs]
    assert [(merge.left, merge.right) for merge in comparison.other.model.merges] == pairs[1]
    assert (comparison.ours_merges, comparison.theirs_merges) == (len(ours), len(theirs))
    initial = sum(len(word) * count for word, count in counts.items())
    assert comparison.ours_tokens == (ours[-1][4] if ours else initial)
    assert comparison.theirs_tokens == (theirs[-1][4] if theirs else initial)
    different = [rank for rank, (a, b) in enumerate(zip(*pairs, strict=False)) if a != b]
    assert (comparison.first.rank if comparison.first else None) == (different[0] if different else None)
    results = [["".join(pair) for pair in each] for each in pairs]
    assert list(comparison.only_ours) == [result for result in results[0] if result not in results[1]]
    assert list(comparison.only_theirs) == [result for result in results[1] if result not in results[0]]
    assert comparison.same_rank == min(map(len, pairs)) - len(different)
    shown = {each.word: (each.ours, each.theirs) for each in comparison.words}
    both = {word: (split_by(pairs[0], word), split_by(pairs[1], word)) for word in counts}
    assert shown == {word: splits for word, splits in both.items() if splits[0] != splits[1]}


@pytest.mark.parametrize("rule", OTHER_RULES)
@given(counts=tables(max_count=3))
def test_where_they_part_both_choose_among_the_same_pairs(rule: OtherRule, counts: dict[str, int]) -> None:
    history = history_of(counts)
    first = compare_rules(history, rule).first
    if first is None:
        return
    assert first.ours.frequency == first.theirs.frequency == first.choice.chosen.frequency
    assert first.choice.tied_count > 1
    (taken,) = [other for other in first.choice.others if other.rule == rule]
    assert (taken.pair.left, taken.pair.right) == (first.theirs.left, first.theirs.right)
    assert not taken.is_ours
    assert (first.choice.chosen.left, first.choice.chosen.right) == (first.ours.left, first.ours.right)


def test_markers_and_settings_are_kept() -> None:
    text = "Nap tap, tin pin! nap tap"
    counts = count_words(text, lowercase=True, pre_tokenizer="punctuation")
    history = History.of(counts, train(text, lowercase=True, pre_tokenizer="punctuation"))
    other = compare_rules(history, "largest_pair").other.model
    assert (other.lowercase, other.pre_tokenizer, other.marker) == (True, "punctuation", True)
    assert other.alphabet == history.model.alphabet
    assert other.fingerprint != history.model.fingerprint


def test_a_limit_holds_for_both_and_its_absence_too() -> None:
    limited = history_of({"abab": 3, "baba": 3}, 1)
    assert limited.model.stop_reason == "merge_limit"
    assert compare_rules(limited, "largest_pair").theirs_merges == 1
    # Where ours has run out of pairs the other one may go on for longer.
    counts = {"aab": 1, "aba": 1, "abb": 1, "bab": 1, "baa": 1}
    for rule in OTHER_RULES:
        assert compare_rules(history_of(counts), rule).theirs_merges == len(oracle(counts, rule, 10**6))


def test_in_portions() -> None:
    text = "nap tap tin pin nip pat tap pit ant tan " * 3
    history = History.of(count_words(text), train(text))
    whole = compare_rules(history, "first_seen")
    training = training_under(history, "first_seen")
    with pytest.raises(WorkUnfinished):
        training.model()
    portions = 1
    while not training.run(max_operations=7):
        portions += 1
    assert portions > 10
    assert training.run()
    comparison = Comparison.of(history, History.of(history.word_counts, training.model()), "first_seen")
    assert comparison.first == whole.first
    assert comparison.words == whole.words


def test_what_cannot_be_trained() -> None:
    with pytest.raises(EmptyCorpus):
        OtherRuleTraining(count_words(""), "first_seen")
    with pytest.raises(SettingError):
        OtherRuleTraining(count_words("ab"), "first_seen", -1)
    with pytest.raises(SettingError):
        OtherRuleTraining(count_words("ab"), "first_seen").run(max_operations=0)
