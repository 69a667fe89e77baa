"""What the workbench shows, before how: summary, selection, encoding, pages of lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.errors import PrefixError
from pairloom.history import History
from pairloom.trainer import train
from pairloom.views.corpus import CorpusPages
from pairloom.views.encoding import EncodingView
from pairloom.views.paging import Page
from pairloom.views.selection import Selection
from pairloom.views.summary import Summary
from pairloom.word_counts import count_words

TEXT = "low low lower lowest"
COUNTS = count_words(TEXT)
MODEL = train(TEXT)
HISTORY = History.of(COUNTS, MODEL)


def test_summary() -> None:
    summary = Summary.of(COUNTS, HISTORY)
    assert (summary.pre_tokens, summary.distinct_pre_tokens) == (4, 3)
    assert summary.base_alphabet == len(MODEL.alphabet)
    assert summary.vocabulary == len(MODEL.alphabet) + summary.merges == len(MODEL.vocabulary)
    assert summary.initial_tokens == MODEL.initial_tokens
    assert summary.final_tokens == MODEL.merges[-1].corpus_tokens
    assert summary.stop_reason == "no_pair"
    assert summary.fingerprint == MODEL.fingerprint


def test_w5_prefix_k_shows_merge_k_minus_1() -> None:
    initial = MODEL.initial_tokens or 0
    assert Selection.of(HISTORY, 0) == Selection(0, len(MODEL.merges), None, initial, initial)
    for merge in MODEL.merges:
        selection = Selection.of(HISTORY, merge.rank + 1)
        assert selection.merge is merge
        assert selection.corpus_tokens == merge.corpus_tokens
    with pytest.raises(PrefixError):
        Selection.of(HISTORY, len(MODEL.merges) + 1)


@given(st.text("lowest x", max_size=60), st.integers(1, 7), st.data())
def test_w9_pages_together_are_the_encoding(text: str, size: int, data: st.DataObject) -> None:
    prefix = data.draw(st.integers(0, len(MODEL.merges)))
    encoding = MODEL.encode(text, prefix)

    def view(page: int) -> EncodingView:
        return EncodingView.of(MODEL, encoding, prefix=prefix, page=page, page_tokens=size)

    count = view(0).page_count
    shown = [token for page in range(count) for token in view(page).tokens]
    assert [(token.text, token.id, token.offset) for token in shown] == list(
        zip(encoding.tokens, encoding.ids, encoding.offsets, strict=True)
    )
    assert all(len(view(page).tokens) <= size for page in range(count))
    assert view(count + 5) == view(count - 1)
    unknown = encoding.unknown_count
    assert view(0).unknown_count == unknown
    assert view(0).unknown_texts == (("x",) if unknown else ())
    assert view(0).decoded == (None if unknown else encoding.normalized)


def test_right_to_left_texts_run_right_to_left() -> None:
    text = "שלום לכולם"
    encoding = train(text).encode(text)
    view = EncodingView.of(train(text), encoding, prefix=0, page=0, page_tokens=9)
    assert view.is_right_to_left
    assert CorpusPages.cut(["▁שלום", "▁abc"], page_tokens=9).is_right_to_left
    assert not CorpusPages.cut(["▁abc", "▁שלום"], page_tokens=9).is_right_to_left


@given(st.text(), st.integers(1, 9))
def test_pages_together_are_the_list(items: str, size: int) -> None:
    count = Page.of(items, 0, size=size).count
    pages = [Page.of(items, index, size=size) for index in range(count)]
    assert "".join("".join(page.rows) for page in pages) == items
    assert [page.first for page in pages] == [index * size for index in range(count)]
    assert all(page.total == len(items) for page in pages)
