"""Inside the pure trainer: its incremental pair counts are what a fresh count gives, after every merge."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from pairloom import educational
from pairloom.kernel.pure_training import TrainingRun
from tests.support.strategies import tables


@given(table=tables(), min_frequency=st.integers(1, 4), budget=st.one_of(st.just(inf), st.integers(1, 30)))
def test_incremental_counts_equal_a_fresh_count(table: dict[str, int], min_frequency: int, budget: float) -> None:
    """Pairs under the minimum are forgotten, rightly: they never rise again. All others are exact."""
    run = TrainingRun(table, min_frequency=min_frequency)
    corpus = [(list(word), count) for word, count in table.items()]
    while not run.is_exhausted:
        before = len(run.learned)
        run.advance(max_operations=budget)
        if len(run.learned) == before:
            continue
        learned = run.learned[-1]
        corpus = [(educational.merge(symbols, learned.left, learned.right), count) for symbols, count in corpus]
        fresh = educational.count_pairs(corpus)
        assert run._frequency == {pair: count for pair, count in fresh.items() if count >= min_frequency}
        assert learned.corpus_tokens == sum(len(symbols) * count for symbols, count in corpus)
    assert max(educational.count_pairs(corpus).values(), default=0) < min_frequency
