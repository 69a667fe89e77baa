"""Why training stopped, and what it would have merged next. Rule: T3."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.history import History
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.stop_report import Ending, StopReport
from pairloom.word_counts import count_words
from tests.support.strategies import Training, trainings
from tests.support.vectors import TrainedVector, on_every_vector


def report(text: str, limit: int, size: int = 9) -> StopReport:
    return StopReport.of(History.of(count_words(text), train(text, limit)), size=size)


@pytest.mark.parametrize(
    ("text", "limit", "ending"),
    [
        ("low low lower", 2, "merge_limit"),
        ("low low lower", 3, "merge_limit_exhausted"),
        ("low low lower", 9, "no_pair"),
        ("low low", 9, "one_token_a_word"),
        ("ab", 0, "merge_limit_exhausted"),
    ],
)
def test_each_way_to_end_is_named(text: str, limit: int, ending: Ending) -> None:
    assert report(text, limit).ending == ending


def test_a_model_that_was_not_trained_says_nothing() -> None:
    model = Model.from_merges("▁ab", [("a", "b")])
    found = StopReport.of(History.of(count_words("ab ab"), model), size=9)
    assert (found.ending, found.min_frequency, found.qualifying) == ("unknown", None, 0)
    assert [(pair.left, pair.right) for pair in found.best.rows] == [("▁", "ab")]


@on_every_vector()
def test_the_best_pair_left_is_what_one_more_merge_would_take(vector: TrainedVector) -> None:
    found = StopReport.of(vector.history, size=5)
    data = vector.data
    settings = {"lowercase": data["lowercase"], "pre_tokenizer": data["pretokenizer"]}
    longer = train(data["corpus"], data["merge_limit"] + 1, **settings)
    if found.qualifying:
        following = longer.merges[len(vector.model.merges)]
        best = found.best.rows[0]
        assert (best.left, best.right, best.frequency) == (following.left, following.right, following.frequency)
        assert found.ending == "merge_limit"
    else:
        assert len(longer.merges) == len(vector.model.merges)
        assert (data["stopped"] == "merge_limit") == (found.ending == "merge_limit_exhausted")


@given(training=trainings(), limit=st.integers(0, 12))
def test_pairs_left_are_those_of_the_last_segmentation(training: Training, limit: int) -> None:
    model = train(training.corpus, limit)
    history = History.of(count_words(training.corpus), model)
    counted: Counter[tuple[str, str]] = Counter()
    for _, tokens, count in history.segments():
        for pair in pairwise(tokens):
            counted[pair] += count
    found = StopReport.of(history, size=10_000)
    expected = sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    assert [((pair.left, pair.right), pair.frequency) for pair in found.best.rows] == expected
    assert found.qualifying == sum(count >= 2 for count in counted.values())
    assert found.tied == (sum(count == expected[0][1] for count in counted.values()) if expected else 0)
