"""Laws of the trainer: portions of any size, abandoned ones too, give what one go gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import pairloom
from pairloom.trainer import Trainer
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import Training, trainings


def counts_and_model(training: Training) -> tuple[WordCounts, pairloom.Model]:
    counts = count_words(training.corpus, lowercase=training.lowercase, pre_tokenizer=training.pre_tokenizer)
    model = pairloom.train(
        training.corpus,
        training.merge_limit,
        min_frequency=training.min_frequency,
        lowercase=training.lowercase,
        pre_tokenizer=training.pre_tokenizer,
    )
    return counts, model


def trainer_of(training: Training, counts: WordCounts) -> Trainer:
    return Trainer(counts, training.merge_limit, min_frequency=training.min_frequency)


@given(training=trainings(), merges=st.one_of(st.none(), st.integers(1, 7)), operations=st.integers(1, 60))
def test_portions_of_any_size(training: Training, merges: int | None, operations: int) -> None:
    """Rules: W2, T9."""
    counts, model = counts_and_model(training)
    trainer = trainer_of(training, counts)
    turns = 0
    while not trainer.is_done:
        before = trainer.merge_count
        made = trainer.run(merges, max_operations=operations)
        assert made == trainer.merge_count - before
        assert merges is None or made <= merges
        turns += 1
        assert turns < 10_000
    assert trainer.run(merges, max_operations=operations) == 0
    assert trainer.step() is None
    assert trainer.model() == model
    assert trainer.stop_reason == model.stop_reason


@given(training=trainings())
def test_step_by_step(training: Training) -> None:
    """Each step returns the merge that the model has, and the model so far is the one with that merge limit."""
    counts, model = counts_and_model(training)
    trainer = trainer_of(training, counts)
    for rank, merge in enumerate(model.merges):
        assert trainer.merge_count == rank
        so_far = trainer.model()
        assert so_far.merges == model.merges[:rank]
        assert so_far.alphabet == model.alphabet
        assert so_far.initial_tokens == model.initial_tokens
        assert trainer.step() == merge
    assert trainer.step() is None
    assert trainer.is_done
    assert trainer.model() == model


@given(training=trainings(), operations=st.lists(st.integers(1, 50), max_size=6), merges=st.integers(0, 9))
def test_an_abandoned_trainer_harms_nothing(training: Training, operations: list[int], merges: int) -> None:
    """Left between any two calls, it leaves the word counts and every other trainer alone."""
    counts, model = counts_and_model(training)
    table_before = dict(counts.counts)
    left, beside = trainer_of(training, counts), trainer_of(training, counts)
    left_first = [left.run(merges)]
    for budget in operations:
        left_first.append(left.run(max_operations=budget))
        beside.run(max_operations=budget + 1)
    so_far = left.model()
    assert so_far.merges == model.merges[: sum(left_first)]
    del left
    beside.run()
    assert beside.model() == model
    assert dict(counts.counts) == table_before
    assert so_far.merges == model.merges[: sum(left_first)]


@given(training=trainings())
def test_a_trainer_says_how_far_it_is(training: Training) -> None:
    counts, model = counts_and_model(training)
    trainer = trainer_of(training, counts)
    operations = trainer.operations
    while trainer.run(1):
        assert trainer.operations > operations
        operations = trainer.operations
        assert trainer.merge_limit == training.merge_limit
        if trainer.merge_count < len(model.merges):
            assert not trainer.is_done
            assert trainer.stop_reason is None
    assert trainer.is_done
