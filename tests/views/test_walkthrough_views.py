"""What the walkthrough shows, before how: numbers at a prefix, merges made, places marked, words. Rules: S1–S6."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom import educational
from pairloom.errors import PrefixError
from pairloom.history import History
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.trainer import train
from pairloom.views.corpus import CorpusPages, pair_places
from pairloom.views.granularity import WordLevel, words_and_marks
from pairloom.views.walkthrough import CorpusFigures, Step, learned_page
from pairloom.word_counts import count_words
from tests.support.strategies import Training, texts, trainings


@given(training=trainings())
def test_s1_s4_the_numbers_at_every_prefix(training: Training) -> None:
    model = train(training.corpus, 40_000, pre_tokenizer="punctuation")
    counts = count_words(training.corpus, pre_tokenizer="punctuation")
    history = History.of(counts, model)
    figures = CorpusFigures.of(counts, history)
    pre_tokens = [
        pre_token
        for text in training.corpus
        for pre_token in educational.pre_tokenize(
            "".join(char for char, _, _ in educational.normalize(text)), "punctuation"
        )
    ]
    assert (figures.pre_tokens, figures.distinct_pre_tokens) == (len(pre_tokens), len(set(pre_tokens)))
    assert figures.characters == len(set("".join(pre_tokens)))
    tokens = sum(map(len, pre_tokens))
    for prefix in range(len(model.merges) + 1):
        step = Step.of(history, prefix)
        now = model.merges[prefix - 1].corpus_tokens if prefix else tokens
        assert now is not None
        assert (step.initial_tokens, step.corpus_tokens) == (tokens, now)
        assert step.characters_per_token == tokens / now
        assert step.vocabulary == figures.characters + prefix
        assert step.last == (model.merges[prefix - 1] if prefix else None)
        assert step.upcoming == (model.merges[prefix] if prefix < len(model.merges) else None)
        made = learned_page(history, prefix, None, size=3)
        assert [merge.rank for merge in made.rows] == list(range(prefix))[made.first :]
        assert made.total == prefix
    with pytest.raises(PrefixError):
        Step.of(history, len(model.merges) + 1)


@given(training=trainings())
def test_s1_no_merge_limit_is_ever_reached(training: Training) -> None:
    """A merge takes away at least one token, and a text of n code points has at most n to lose."""
    model = train(training.corpus, 40_000)
    code_points = sum(map(len, training.corpus))
    assert len(model.merges) <= code_points
    assert model.stop_reason == "no_pair"


@given(st.lists(st.text("ab", min_size=1, max_size=12), min_size=1, max_size=8), st.integers(1, 9), st.data())
def test_s5_the_places_of_the_next_pair_are_marked_page_after_page(
    words: list[str], size: int, data: st.DataObject
) -> None:
    text = " ".join(words)
    history = History.of(count_words(text), train(text))
    pages = CorpusPages.cut(pre_tokenize(text), page_tokens=size)
    prefix = data.draw(st.integers(0, max(0, len(history.model.merges) - 1)))
    if not history.model.merges:
        return
    merge = history.model.merges[prefix]
    pair = merge.left, merge.right
    shown = [pages.page(index, history, prefix, upcoming=pair) for index in range(len(pages.starts))]
    assert sum(page.upcoming_here for page in shown) == merge.replacements
    for page in shown:
        for piece in page.pieces:
            assert all(piece.tokens[place].text == merge.left for place in piece.upcoming)
    here = [page.index for page in shown if page.upcoming_here]
    after = data.draw(st.integers(0, len(shown) - 1))
    expected = next((index for index in here if index > after), here[0])
    assert pages.next_page_with(pair, history, prefix, after=after) == expected
    assert pages.next_page_with(("x", "y"), history, prefix, after=after) is None


@given(st.lists(st.sampled_from("ab"), max_size=12))
def test_pair_places_are_where_the_plain_algorithm_merges(symbols: list[str]) -> None:
    for pair in (("a", "a"), ("a", "b")):
        places = pair_places(pair, symbols)
        assert len(places) == len(symbols) - len(educational.merge(symbols, *pair))
        assert all(tuple(symbols[place : place + 2]) == pair for place in places)


@given(training=trainings(), text=texts())
def test_s6_words_and_marks(training: Training, text: str) -> None:
    model = train(training.corpus, 5, pre_tokenizer=training.pre_tokenizer, lowercase=training.lowercase)
    counts = count_words(training.corpus, pre_tokenizer=training.pre_tokenizer, lowercase=training.lowercase)
    known = words_and_marks(counts.counts, model)
    marks = count_words(training.corpus, pre_tokenizer="punctuation", lowercase=training.lowercase)
    assert set(known) == set(marks.counts)
    normalized = "".join(char for char, _, _ in educational.normalize(text, lowercase=training.lowercase))
    expected = educational.pre_tokenize(normalized, "punctuation")
    level = WordLevel.of(text, model, known, page=0, page_tokens=10_000)
    assert [word.text for word in level.page.rows] == expected
    assert [word.is_known for word in level.page.rows] == [word in marks.counts for word in expected]
    assert (level.token_count, level.unknown_count) == (
        len(expected),
        sum(word not in marks.counts for word in expected),
    )
