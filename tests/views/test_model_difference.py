"""Two models on one text: the stretches are the whole text, and differ exactly where only one of them cuts."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from pairloom import educational
from pairloom.kernel.tie_training import TIE_RULES
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.model_difference import ModelDifference, TextDifference
from pairloom.views.rule_difference import difference_of_rules
from pairloom.word_counts import count_words
from tests.support.strategies import Training, texts, trainings

CORPORA = ("low low lower newest newest widest", "aaaa aaa aa baa ab", "don't stop, don't")


def trained(given: Training) -> Model:
    corpus = [*given.corpus, "a"]  # whitespace alone is no corpus
    return train(
        corpus,
        min(given.merge_limit, 60),
        lowercase=given.lowercase,
        pre_tokenizer=given.pre_tokenizer,
        min_frequency=given.min_frequency,
    )


@given(trainings(), trainings(), texts())
def test_the_stretches_are_the_whole_text(one: Training, other: Training, text: str) -> None:
    left, right = trained(one), trained(other)
    found = TextDifference.of(left, right, text)
    expected = left.encode(text), right.encode(text)
    assert tuple(chain.from_iterable(stretch.left for stretch in found.stretches)) == expected[0].tokens
    assert tuple(chain.from_iterable(stretch.right for stretch in found.stretches)) == expected[1].tokens
    assert (found.left_tokens, found.right_tokens) == (len(expected[0].tokens), len(expected[1].tokens))
    assert (found.left_unknown, found.right_unknown) == tuple(each.unknown_count for each in expected)
    ends = [stretch.end for stretch in found.stretches]
    assert ends == sorted(ends)


@given(trainings(), texts())
def test_a_model_and_itself_differ_nowhere(training: Training, text: str) -> None:
    model = trained(training)
    assert TextDifference.of(model, model, text).differing == 0
    found = ModelDifference.of(model, model)
    assert found.is_same
    assert (found.same_merges, found.left_merge, found.right_merge) == (len(model.merges), None, None)
    assert not found.settings
    assert found.only_left == found.only_right == ()


@given(st.sampled_from(CORPORA), st.integers(0, 20), st.integers(0, 20))
def test_a_prefix_is_the_same_as_far_as_it_goes(text: str, shorter: int, more: int) -> None:
    left, right = train(text, shorter), train(text, shorter + more)
    found = ModelDifference.of(left, right)
    assert found.same_merges == len(left.merges)
    assert found.left_merge is None
    assert found.only_left == ()
    assert found.only_right == tuple(merge.result for merge in right.merges[len(left.merges) :])
    assert found.is_same == (len(left.merges) == len(right.merges))


def test_settings_alphabets_and_ids() -> None:
    left = train("Ab ab", 10, lowercase=False)
    right = Model.from_merges("abc▁", [("a", "b")], lowercase=True, pre_tokenizer="punctuation")
    found = ModelDifference.of(left, right)
    assert [(each.name, each.left, each.right) for each in found.settings] == [
        ("lowercase", False, True),
        ("pre_tokenizer", "whitespace", "punctuation"),
        ("min_frequency", 2, None),
    ]
    assert (found.only_left_alphabet, found.only_right_alphabet) == (("A",), ("c",))
    assert found.other_ids == 2


def test_rules_part_where_the_literal_trainings_part() -> None:
    for text, (left, right) in ((text, pair) for text in CORPORA for pair in combinations(TIE_RULES, 2)):
        counts = educational.count_words([text], lowercase=False, pre_tokenizer="whitespace")
        one, other = (
            [(a, b) for a, b, *_ in educational.train(counts, 1000, choose=educational.tie_rule(rule, counts))]
            for rule in (left, right)
        )
        found = difference_of_rules(count_words(text), left, right)
        ranks = [rank for rank, pairs in enumerate(zip(one, other, strict=False)) if pairs[0] != pairs[1]]
        assert (found.first.rank if found.first else None) == (ranks[0] if ranks else None)
        if found.first is not None:
            assert (found.first.ours.left, found.first.ours.right) == one[ranks[0]]
            assert (found.first.theirs.left, found.first.theirs.right) == other[ranks[0]]
            assert found.first.choice.tied_count > 1
