"""Pages of the corpus: the text stays put while the prefix moves (W13)."""

from hypothesis import given
from hypothesis import strategies as st

from pairloom.history import History
from pairloom.trainer import train
from pairloom.views.corpus import CorpusPage, CorpusPages
from pairloom.word_counts import count_words

WORDS = st.lists(st.text("abc", min_size=1, max_size=12), min_size=1, max_size=12)
SIZES = st.integers(1, 9)


def pages_of(words: list[str], size: int) -> tuple[History, CorpusPages]:
    text = " ".join(words)
    history = History.of(count_words(text), train(text))
    return history, CorpusPages.cut([f"▁{word}" for word in words], page_tokens=size)


def all_pages(history: History, pages: CorpusPages, prefix: int) -> list[CorpusPage]:
    return [pages.page(index, history, prefix) for index in range(len(pages.starts))]


@given(WORDS, SIZES, st.data())
def test_pages_together_are_the_corpus_at_every_prefix(words: list[str], size: int, data: st.DataObject) -> None:
    history, pages = pages_of(words, size)
    prefix = data.draw(st.integers(0, len(history.model.merges)))
    shown = [token for page in all_pages(history, pages, prefix) for piece in page.pieces for token in piece.tokens]
    whole = [token for word in words for token in history.model.encode(word, prefix).tokens]
    assert [token.text for token in shown] == whole
    assert [token.id for token in shown] == [history.model.token_id(token) for token in whole]
    assert len(shown) == history.token_counts[prefix]


@given(WORDS, SIZES)
def test_a_page_begins_with_the_same_pre_token_at_every_prefix(words: list[str], size: int) -> None:
    history, pages = pages_of(words, size)
    first = [(page.first, page.last, page.count) for page in all_pages(history, pages, 0)]
    last = [(page.first, page.last, page.count) for page in all_pages(history, pages, len(history.model.merges))]
    assert first == last


@given(WORDS, SIZES)
def test_no_page_has_more_tokens_than_asked_for(words: list[str], size: int) -> None:
    history, pages = pages_of(words, size)
    for page in all_pages(history, pages, 0):
        assert 1 <= sum(len(piece.tokens) for piece in page.pieces) <= size


@given(WORDS, SIZES)
def test_the_page_of_a_pre_token_shows_its_begin(words: list[str], size: int) -> None:
    history, pages = pages_of(words, size)
    for place in range(len(words)):
        page = pages.page(pages.page_of(place), history, 0)
        assert page.first <= place <= page.last
        assert not page.pieces[place - page.first].is_cut_before


def test_a_long_token_belongs_to_the_window_where_it_begins() -> None:
    history, pages = pages_of(["a" * 16, "b"], 5)
    prefix = len(history.model.merges)
    tokens = [
        [token.text for piece in page.pieces for token in piece.tokens] for page in all_pages(history, pages, prefix)
    ]
    assert (
        tokens == [["▁aaaaaaaaaaaaaaaa"], [], [], ["▁", "b"]] or "".join(map("".join, tokens)) == "▁" + "a" * 16 + "▁b"
    )
    cuts = [(piece.is_cut_before, piece.is_cut_after) for page in all_pages(history, pages, 0) for piece in page.pieces]
    assert cuts == [(False, True), (True, True), (True, True), (True, False), (False, False)]


def test_an_index_out_of_range_means_the_nearest_page() -> None:
    history, pages = pages_of(["ab"] * 9, 5)
    assert pages.page(-1, history, 0) == pages.page(0, history, 0)
    assert pages.page(10**9, history, 0) == pages.page(len(pages.starts) - 1, history, 0)


@given(WORDS, SIZES, st.data())
def test_w13_the_boxes_of_the_merge_are_found_page_after_page(words: list[str], size: int, data: st.DataObject) -> None:
    history, pages = pages_of(words, size)
    prefix = data.draw(st.integers(0, len(history.model.merges)))
    shown = all_pages(history, pages, prefix)
    if prefix == 0:
        assert all((page.made, page.made_here) == (None, 0) for page in shown)
        return
    merge = history.model.merges[prefix - 1]
    assert {page.made for page in shown} == {merge.result}
    assert sum(page.made_here for page in shown) == merge.replacements
    here = [page.index for page in shown if page.made_here]
    after = data.draw(st.integers(0, len(shown) - 1))
    expected = next((index for index in here if index > after), here[0])
    assert pages.next_page_with(merge.result, history, prefix, after=after) == expected
    assert pages.next_page_with("x", history, prefix, after=after) is None
