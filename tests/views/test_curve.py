"""The graph: what its line keeps, its axes, where a point stands."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.history import History
from pairloom.trainer import train
from pairloom.views.curve import MAX_POINTS, Curve, Place, place, round_numbers, thinned
from pairloom.word_counts import count_words

# Falls of very different sizes: flat stretches, long tails, single cliffs.
FALLS = st.lists(st.sampled_from([0, 1, 1, 2, 40, 9_000]) | st.integers(0, 50), max_size=3_000)


def counts_of(falls: list[int]) -> list[int]:
    return list(accumulate(falls, int.__sub__, initial=sum(falls) + 1))


@given(FALLS)
def test_w6_thinning_keeps_the_ends_and_the_shape(falls: list[int]) -> None:
    counts = counts_of(falls)
    kept = thinned(counts)
    assert len(kept) <= MAX_POINTS
    assert kept == sorted(set(kept))
    assert (kept[0], kept[-1]) == (0, len(falls))
    for before, after in pairwise(kept):
        if after > before + 1:
            assert after - before <= -(-len(falls) // 200)
            assert counts[before] - counts[after] <= sum(falls) / 200


@given(st.integers(0, MAX_POINTS - 1))
def test_w6_a_short_line_is_drawn_whole(merges: int) -> None:
    assert thinned(range(merges + 1, 0, -1)) == list(range(merges + 1))


def test_w6_a_cliff_stays_a_cliff() -> None:
    counts = [10_000 - each for each in range(1_234)] + [100 - each // 20 for each in range(800)]
    kept = thinned(counts)
    assert {1_233, 1_234} <= set(kept)


def test_the_curve_of_a_model() -> None:
    text = "low low lower lowest slow"
    history = History.of(count_words(text), train(text))
    curve = Curve.of(history)
    assert curve.points == tuple(enumerate(history.token_counts))
    assert (curve.maximum, curve.top) == (len(history.model.merges), history.model.initial_tokens)
    assert curve.prefix_ticks[-1] == curve.maximum
    assert curve.place(0, curve.top) == Place(0, 0)
    assert curve.place(curve.maximum, 0) == Place(100, 100)


def test_a_model_without_merges_is_one_point() -> None:
    curve = Curve.of(History.of(count_words("ab"), train("ab")))
    assert curve.points == ((0, 3),)
    assert curve.prefix_ticks == (0,)
    assert place(0, 3, maximum=0, top=3) == Place(0, 0)


@pytest.mark.parametrize(
    ("merges", "ticks"),
    [
        (1, (0, 1)),
        (7, (0, 2, 4, 7)),
        (1_000, (0, 200, 400, 600, 1_000)),
        (2_056, (0, 500, 1_000, 1_500, 2_056)),
    ],
)
def test_ticks_do_not_touch(merges: int, ticks: tuple[int, ...]) -> None:
    counts = range(merges + 1, 0, -1)
    history = History(train("ab"), count_words("ab"), counts, {}, {}, ())
    assert Curve.of(history).prefix_ticks == ticks


@given(st.integers(0, 10**7))
def test_round_numbers_are_few_and_round(maximum: int) -> None:
    ticks = round_numbers(maximum)
    assert ticks[0] == 0
    assert 1 <= len(ticks) <= 6
    assert maximum == 0 or len(ticks) >= 2
    steps = {after - before for before, after in pairwise(ticks)}
    assert all(str(step).rstrip("0") in {"1", "2", "5"} for step in steps)
    assert len(steps) <= 1
