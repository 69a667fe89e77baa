"""The rows of the merge table and of the vocabulary, and where something stands in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.errors import PrefixError, UnknownTokenId
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.tables import VocabularyRow, merge_rows, rank_of_token_id, ranks_of_result, vocabulary_rows

TRAINED = train("low low lower slow")
# abc is made by ranks 1 and 3, ab by ranks 0 and 4.
IMPORTED = Model.from_merges("abc", [("a", "b"), ("ab", "c"), ("b", "c"), ("a", "bc"), ("a", "b")], marker=False)
MODELS = {"trained": TRAINED, "imported": IMPORTED, "no merge": train("ab"), "nothing": Model.from_merges("▁", [])}


@pytest.fixture(params=sorted(MODELS))
def model(request: pytest.FixtureRequest) -> Model:
    return MODELS[request.param]


def test_a_row_of_each_kind() -> None:
    """Rules: W5, W8."""
    rows = vocabulary_rows(IMPORTED, prefix=2)
    assert rows == (
        VocabularyRow(0, "a", "base", None, active=True),
        VocabularyRow(1, "b", "base", None, active=True),
        VocabularyRow(2, "c", "base", None, active=True),
        VocabularyRow(3, "ab", "merge", 0, active=True),
        VocabularyRow(4, "abc", "merge", 1, active=True),
        VocabularyRow(5, "bc", "merge", 2, active=False),
    )


def test_the_vocabulary_is_always_the_full_one(model: Model) -> None:
    for prefix in range(len(model.merges) + 1):
        rows = vocabulary_rows(model, prefix=prefix)
        assert tuple(row.token for row in rows) == model.vocabulary
        assert [row.id for row in rows] == list(range(len(model.vocabulary)))
        makeable = set(model.alphabet) | {merge.result for merge in model.merges[:prefix]}
        assert {row.token for row in rows if row.active} == makeable


def test_the_rank_is_that_of_the_first_merge(model: Model) -> None:
    for row in vocabulary_rows(model):
        ranks = ranks_of_result(model, row.token)
        assert row.rank == (ranks[0] if ranks else None) == rank_of_token_id(model, row.id)
        assert (row.kind == "base") == (row.rank is None)


@given(st.sampled_from(sorted(MODELS)), st.integers(0, 20), st.none() | st.integers(0, 20), st.integers(0, 5))
def test_a_part_is_a_part_of_the_whole(name: str, start: int, count: int | None, prefix: int) -> None:
    model = MODELS[name]
    prefix = min(prefix, len(model.merges))
    end = None if count is None else start + count
    assert vocabulary_rows(model, start, count, prefix=prefix) == vocabulary_rows(model, prefix=prefix)[start:end]
    assert merge_rows(model, start, count) == model.merges[start:end]


def test_a_start_past_every_end(model: Model) -> None:
    for start in (len(model.vocabulary), 2**63, 10**20):
        assert vocabulary_rows(model, start) == vocabulary_rows(model, start, 2**70) == ()
        assert merge_rows(model, start) == ()


def test_places_that_are_none(model: Model) -> None:
    assert ranks_of_result(model, "nothing like it") == ()
    for token_id in (-1, len(model.vocabulary)):
        with pytest.raises(UnknownTokenId):
            rank_of_token_id(model, token_id)
    with pytest.raises(PrefixError):
        vocabulary_rows(model, prefix=len(model.merges) + 1)
