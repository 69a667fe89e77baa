"""Laws of histories: every prefix is what encoding anew and counting anew give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairloom
from pairloom import educational
from pairloom.history import History, HistoryBuilder, TextHistory
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import Imported, Training, imported_lists, tables, texts, trainings, words_over
from tests.test_vectors import FOLDER, Vector, load

Pair = tuple[str, str]


def model_of(training: Training) -> pairloom.Model:
    return pairloom.train(
        training.corpus,
        training.merge_limit,
        min_frequency=training.min_frequency,
        lowercase=training.lowercase,
        pre_tokenizer=training.pre_tokenizer,
    )


def check_history(history: History, counts: dict[str, int], merges: list[Pair]) -> None:
    """Compare every prefix with the plain algorithm."""
    assert len(history.token_counts) == len(merges) + 1
    for prefix in range(len(merges) + 1):
        ranks = {pair: merges.index(pair) for pair in merges[:prefix]}
        segmented = {word: educational.encode_word(word, ranks) for word in counts}
        corpus = [(segmented[word], count) for word, count in counts.items()]
        assert {word: list(history.segment(word, prefix)) for word in counts} == segmented
        assert history.token_counts[prefix] == sum(len(symbols) * count for symbols, count in corpus)
        fresh = educational.count_pairs(corpus)
        assert history.pair_counts(prefix) == fresh
        ordered = sorted(fresh.items(), key=lambda item: (-item[1], item[0]))
        assert list(history.top_pairs(prefix)) == ordered[:12]
        assert list(history.top_pairs(prefix, limit=len(fresh) + 1)) == ordered
        for word, symbols in segmented.items():
            # A word is cut where the number of the boundary is at least the prefix.
            numbers = history.boundaries(word)
            cuts = [place for place, number in enumerate(numbers, 1) if number >= prefix]
            assert cuts == [sum(map(len, symbols[:i])) for i in range(1, len(symbols))]


@given(training=trainings())
def test_the_history_of_a_training(training: Training) -> None:
    model = model_of(training)
    word_counts = count_words(training.corpus, lowercase=training.lowercase, pre_tokenizer=training.pre_tokenizer)
    history = History.of(word_counts, model)
    check_history(history, dict(word_counts.counts), [(merge.left, merge.right) for merge in model.merges])
    assert list(history.token_counts) == [model.initial_tokens, *(merge.corpus_tokens for merge in model.merges)]


@given(listed=imported_lists(), data=st.data())
def test_the_history_of_an_imported_list(listed: Imported, data: st.DataObject) -> None:
    words = data.draw(st.dictionaries(words_over(listed.alphabet, 14), st.integers(1, 9), min_size=1, max_size=5))
    model = pairloom.Model.from_merges(listed.alphabet, listed.merges, marker=False)
    history = History.of(WordCounts(words, marker=False), model)
    check_history(history, words, list(listed.merges))


@pytest.mark.parametrize("vector", load(FOLDER, "ranks"), ids=range(len(load(FOLDER, "ranks"))))
def test_the_history_of_the_rank_vectors(vector: Vector) -> None:
    """Lists in which a merge wakes one of a lower rank: there a boundary's number is not the rank that took it."""
    merges = [(left, right) for left, right in vector["merges"]]
    model = pairloom.Model.from_merges(vector["alphabet"], merges, marker=False)
    words = {vector["word"]: 2, vector["word"][1:]: 1, vector["word"][:-1]: 3}
    history = History.of(WordCounts(words, marker=False), model)
    check_history(history, words, merges)


@given(trained_on=tables(), seen=tables())
def test_the_history_of_a_second_corpus(trained_on: dict[str, int], seen: dict[str, int]) -> None:
    """The weights are those of the table that is looked at, unknown code points and all."""
    model = pairloom.train_from_word_counts(trained_on, marker=False)
    history = History.of(WordCounts(seen, marker=False), model)
    check_history(history, seen, [(merge.left, merge.right) for merge in model.merges])


@given(training=trainings(), portion=st.integers(1, 40))
def test_a_history_in_portions_is_the_same(training: Training, portion: int) -> None:
    model = model_of(training)
    word_counts = count_words(training.corpus, lowercase=training.lowercase, pre_tokenizer=training.pre_tokenizer)
    builder = HistoryBuilder(word_counts, model)
    turns = 0
    while not builder.run(max_operations=portion):
        turns += 1
        assert turns < 10_000
    assert builder.run(max_operations=portion)
    parts, whole = builder.history(), History.of(word_counts, model)
    assert parts.token_counts == whole.token_counts
    for prefix in range(len(model.merges) + 1):
        assert parts.pair_counts(prefix) == whole.pair_counts(prefix)
        assert all(parts.segment(word, prefix) == whole.segment(word, prefix) for word in word_counts.counts)


@given(training=trainings(), text=texts())
def test_the_history_of_a_text(training: Training, text: str) -> None:
    model = model_of(training)
    history = TextHistory.of(text, model)
    encodings = [model.encode(text, prefix) for prefix in range(len(model.merges) + 1)]
    assert [history.encoding(prefix) for prefix in range(len(model.merges) + 1)] == encodings
    assert list(history.token_counts) == [len(encoding.tokens) for encoding in encodings]
