"""Laws of every training, on every implementation."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairloom
from pairloom import educational
from pairloom.errors import CountOverflow
from pairloom.formats.model_file import dumps, loads
from pairloom.word_counts import WordCounts, count_words
from tests.support.implementations import CORES, EDUCATIONAL, Implementation, Trained, on_every_implementation, outcome
from tests.support.strategies import Training, corpora, forbidden_texts, tables, tables_near_the_edges, texts, trainings

Corpus = list[tuple[list[str], int]]


def train(implementation: Implementation, training: Training) -> Trained:
    return implementation.train(
        training.corpus,
        training.merge_limit,
        min_frequency=training.min_frequency,
        lowercase=training.lowercase,
        pre_tokenizer=training.pre_tokenizer,
    )


def word_counts_of(training: Training) -> dict[str, int]:
    return EDUCATIONAL.count_words(training.corpus, lowercase=training.lowercase, pre_tokenizer=training.pre_tokenizer)


def after_each_merge(trained: Trained, counts: dict[str, int]) -> list[Corpus]:
    """The corpus after 0, 1, … all merges, each replaced literally (T5)."""
    corpus = [(list(word), count) for word, count in counts.items()]
    states = [corpus]
    for left, right, *_ in trained.merges:
        corpus = [(educational.merge(symbols, left, right), count) for symbols, count in corpus]
        states.append(corpus)
    return states


def tokens(corpus: Corpus) -> int:
    return sum(len(symbols) * count for symbols, count in corpus)


def replaced(before: Corpus, left: str, right: str) -> int:
    """Replacements counted one by one (T5), not by what became shorter."""
    total = 0
    for symbols, count in before:
        i = 0
        while i < len(symbols) - 1:
            found = (symbols[i], symbols[i + 1]) == (left, right)
            total += count * found
            i += 2 if found else 1
    return total


@on_every_implementation
@given(training=trainings())
def test_every_merge_is_what_a_fresh_count_says(implementation: Implementation, training: Training) -> None:
    """T2–T7: the choice, the three numbers (weighted, markers counted), and why training ended."""
    trained = train(implementation, training)
    states = after_each_merge(trained, word_counts_of(training))
    assert trained.initial_tokens == tokens(states[0])
    for merge, before, after in zip(trained.merges, states, states[1:], strict=False):
        left, right, frequency, replacements, corpus_tokens, _, _ = merge
        fresh = educational.count_pairs(before)
        assert frequency == fresh[left, right] == max(fresh.values()) >= training.min_frequency
        assert (left, right) == min(pair for pair in fresh if fresh[pair] == frequency)
        assert replacements == replaced(before, left, right) <= frequency
        assert corpus_tokens == tokens(after) == tokens(before) - replacements
    if len(trained.merges) == training.merge_limit:
        assert trained.stop_reason == "merge_limit"
    else:
        assert trained.stop_reason == "no_pair"
        left_over = educational.count_pairs(states[-1])
        assert max(left_over.values(), default=0) < training.min_frequency


@on_every_implementation
@given(training=trainings())
def test_a_frequency_never_rises_after_its_first_round(implementation: Implementation, training: Training) -> None:
    """What makes the lazy heap right: a pair is most frequent when its younger symbol has just been made."""
    trained = train(implementation, training)
    last_seen: dict[tuple[str, str], int] = {}
    born = dict.fromkeys(trained.alphabet, 0)
    for prefix, corpus in enumerate(after_each_merge(trained, word_counts_of(training))):
        if prefix:
            born["".join(trained.merges[prefix - 1][:2])] = prefix
        for pair, frequency in educational.count_pairs(corpus).items():
            first_round = max(born[pair[0]], born[pair[1]])
            assert prefix == first_round or frequency <= last_seen[pair]
            last_seen[pair] = frequency


@on_every_implementation
@given(training=trainings())
def test_no_pair_and_no_string_is_learned_twice(implementation: Implementation, training: Training) -> None:
    """T8, and so V1: an ID is the size of the alphabet plus the rank."""
    trained = train(implementation, training)
    assert list(trained.alphabet) == sorted(set("".join(word_counts_of(training))))
    results = [left + right for left, right, *_ in trained.merges]
    assert len(set(results)) == len(results)
    assert len({row[:2] for row in trained.merges}) == len(results)
    assert not set(results) & set(trained.alphabet)
    assert trained.vocabulary == (*trained.alphabet, *results)
    for rank, row in enumerate(trained.merges):
        assert row[5:] == (len(trained.alphabet) + rank, True)


@given(training=trainings())
def test_no_two_pairs_of_a_round_make_one_string(training: Training) -> None:
    """T8 at work: `a`+`bc` and `ab`+`c` never stand there together, so SentencePiece's tie rule needs no third part."""
    counts = educational.count_words(training.corpus, lowercase=False, pre_tokenizer=training.pre_tokenizer)
    corpus = [(list(word), count) for word, count in counts.items()]
    for left, right, *_ in educational.train(counts, 40_000, min_frequency=1):
        pairs = educational.count_pairs(corpus)
        assert len(set(map("".join, pairs))) == len(pairs)
        corpus = [(educational.merge(symbols, left, right), count) for symbols, count in corpus]


@on_every_implementation
@given(training=trainings(), data=st.data())
def test_encoding_a_training_word_gives_its_segmentation(
    implementation: Implementation, training: Training, data: st.DataObject
) -> None:
    trained = train(implementation, training)
    counts = word_counts_of(training)
    states = after_each_merge(trained, counts)
    prefix = data.draw(st.integers(0, len(trained.merges)))
    segmented = dict(zip(counts, (symbols for symbols, _ in states[prefix]), strict=True))
    for text in training.corpus:
        normalized = implementation.normalize(text, lowercase=training.lowercase)
        pre_tokens = implementation.pre_tokenize(normalized, training.pre_tokenizer, marker=True)
        expected = [symbol for word in pre_tokens for symbol in segmented[word]]
        assert list(trained.encode(text, prefix).tokens) == expected


@given(training=trainings(), data=st.data())
def test_the_core_equals_the_plain_algorithm(training: Training, data: st.DataObject) -> None:
    plain = train(EDUCATIONAL, training)
    text = data.draw(st.one_of(texts(), st.sampled_from(training.corpus)))
    prefix = data.draw(st.integers(0, len(plain.merges)))
    for core in CORES:
        trained = train(core, training)
        assert trained.facts() == plain.facts()
        assert trained.encode(text, prefix) == plain.encode(text, prefix)


@given(texts_=st.lists(st.one_of(texts(), forbidden_texts()), max_size=3), lowercase=st.booleans())
def test_the_core_refuses_what_the_plain_algorithm_refuses(texts_: list[str], lowercase: bool) -> None:
    def result(implementation: Implementation) -> object:
        return outcome(lambda: implementation.train(texts_, 50, lowercase=lowercase).facts())

    for core in CORES:
        assert result(core) == result(EDUCATIONAL)


@on_every_implementation
@given(table=tables(), marker=st.booleans(), min_frequency=st.integers(1, 5))
def test_tables_of_word_counts(
    implementation: Implementation, table: dict[str, int], marker: bool, min_frequency: int
) -> None:
    """P3: the same merges as from the literal algorithm, and as from a text that has these words so often."""
    trained = implementation.train_from_word_counts(table, 1000, marker=marker, min_frequency=min_frequency)
    plain = EDUCATIONAL.train_from_word_counts(table, 1000, marker=marker, min_frequency=min_frequency)
    assert trained.facts() == plain.facts()
    if marker:
        text = " ".join(word for word, count in table.items() for _ in range(count))
        assert implementation.train(text, 1000, min_frequency=min_frequency).facts() == trained.facts()


@given(table=tables_near_the_edges(), marker=st.booleans())
def test_counts_are_exact_or_refused(table: dict[str, int], marker: bool) -> None:
    """Up to 2**63 - 1 tokens in all every number is exact; beyond that there is an error, never a wrong number."""
    total = sum((len(word) + marker) * count for word, count in table.items())
    for core in CORES:
        if total > 2**63 - 1:
            with pytest.raises(CountOverflow):
                core.train_from_word_counts(table, 1000, marker=marker)
        else:
            plain = EDUCATIONAL.train_from_word_counts(table, 1000, marker=marker)
            assert core.train_from_word_counts(table, 1000, marker=marker).facts() == plain.facts()


@given(
    corpus=corpora(),
    lowercase=st.booleans(),
    pre_tokenizer=st.sampled_from(pairloom.pre_tokenizer.PRE_TOKENIZERS),
    seed=st.integers(0, 2**32),
)
def test_counting_does_not_depend_on_order_or_portions(
    corpus: list[str], lowercase: bool, pre_tokenizer: str, seed: int
) -> None:
    whole = count_words(corpus, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    shuffled = random.Random(seed).sample(corpus, len(corpus))
    assert count_words(shuffled, lowercase=lowercase, pre_tokenizer=pre_tokenizer) == whole
    added: Counter[str] = Counter()
    for text in corpus:
        added.update(count_words(text, lowercase=lowercase, pre_tokenizer=pre_tokenizer).counts)
    assert added == whole.counts
    other_order = dict(random.Random(seed).sample(list(added.items()), len(added)))
    table = WordCounts(other_order, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    model = pairloom.train(corpus, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    assert pairloom.train_from_word_counts(table) == model
    assert pairloom.train_from_word_counts(table).fingerprint == model.fingerprint


@given(training=trainings(), data=st.data())
def test_saving_and_loading_is_identity(training: Training, data: st.DataObject) -> None:
    model = pairloom.train(
        training.corpus,
        training.merge_limit,
        min_frequency=training.min_frequency,
        lowercase=training.lowercase,
        pre_tokenizer=training.pre_tokenizer,
    )
    saved = dumps(model)
    loaded = loads(saved)
    assert loaded == model
    assert loaded.fingerprint == model.fingerprint
    assert dumps(loaded) == saved
    json.loads(saved)
    text = data.draw(texts())
    prefix = data.draw(st.integers(0, len(model.merges)))
    assert loaded.encode(text, prefix) == model.encode(text, prefix)
