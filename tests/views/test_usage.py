"""Which entries of the vocabulary stand in the corpus at a prefix. Rules: T7, V3."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pairloom.history import History
from pairloom.trainer import train
from pairloom.views.usage import FILTERS, ORDERS, Usage
from pairloom.word_counts import count_words
from tests.support.strategies import Training, trainings
from tests.support.vectors import TrainedVector, on_every_vector


@on_every_vector()
def test_counts_are_those_of_encoding_the_corpus(vector: TrainedVector) -> None:
    for prefix in {0, len(vector.model.merges) // 2, len(vector.model.merges)}:
        encoding = vector.model.encode(vector.data["corpus"], prefix)
        usage = Usage.of(vector.history, prefix)
        counted = Counter(encoding.ids)
        assert {each.id: each.count for each in usage.entries if each.count} == counted
        assert usage.corpus_tokens == len(encoding.tokens) == sum(each.count for each in usage.entries)
        assert usage.used == len(counted)
        assert usage.once == sum(count == 1 for count in counted.values())
        assert [vector.model.vocabulary[each.id] for each in usage.entries] == [each.token for each in usage.entries]


@given(training=trainings(), data=st.data())
def test_active_entries_are_used_or_unused(training: Training, data: st.DataObject) -> None:
    model = train(training.corpus, 40_000)
    prefix = data.draw(st.integers(0, len(model.merges)))
    usage = Usage.of(History.of(count_words(training.corpus), model), prefix)
    assert [each.id for each in usage.entries] == list(range(len(model.alphabet) + prefix))
    rows = {only: usage.page(0, size=10_000, only=only).rows for only in FILTERS}
    assert len(rows["used"]) == usage.used
    assert len(rows["unused"]) == usage.unused
    assert len(rows["active"]) == len(usage.entries)
    assert all(each.count == 0 == each.words for each in rows["unused"])
    for order in ORDERS:
        assert {each.id for each in usage.page(0, size=10_000, only="active", order=order).rows} == {
            each.id for each in usage.entries
        }


def test_orders_and_pages() -> None:
    text = "low low low lower newest newest"
    usage = Usage.of(History.of(count_words(text), train(text)), 2)
    most = usage.page(0, size=100).rows
    assert [each.count for each in most] == sorted((each.count for each in most), reverse=True)
    least = usage.page(0, size=100, order="least").rows
    assert [each.count for each in least] == sorted(each.count for each in least)
    by_id = usage.page(0, size=100, order="id").rows
    assert [each.id for each in by_id] == sorted(each.id for each in by_id)
    page = usage.page(1, size=3, order="id")
    assert page.rows == by_id[3:6]
    assert usage.page(99, size=3).index == page.count - 1
