"""Laws of encoding and decoding, with trained and with imported models, on every implementation."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pairloom
from pairloom import educational
from pairloom.kernel import pure_merging
from pairloom.unicode_data import MARKER, WHITESPACE
from tests.support.implementations import CORE, EDUCATIONAL, Implementation, Trained, on_every_implementation
from tests.support.strategies import Imported, Training, imported_lists, texts, trainings, words_over


def train(implementation: Implementation, training: Training) -> Trained:
    return implementation.train(
        training.corpus,
        training.merge_limit,
        min_frequency=training.min_frequency,
        lowercase=training.lowercase,
        pre_tokenizer=training.pre_tokenizer,
    )


@on_every_implementation
@given(training=trainings(), data=st.data())
def test_decoding_gives_the_normalized_text(
    implementation: Implementation, training: Training, data: st.DataObject
) -> None:
    trained = train(implementation, training)
    text = data.draw(st.one_of(st.sampled_from(training.corpus), texts()))
    encoding = trained.encode(text, data.draw(st.integers(0, len(trained.merges))))
    known = [token_id for token_id in encoding.ids if token_id is not None]
    if encoding.unknown_count == 0:
        assert trained.decode(known) == implementation.normalize(text, lowercase=training.lowercase)
    if text in training.corpus:
        assert encoding.unknown_count == 0


@on_every_implementation
@given(training=trainings(), text=texts(), data=st.data())
def test_tokens_ids_and_counts(
    implementation: Implementation, training: Training, text: str, data: st.DataObject
) -> None:
    """E3, E5, E6, P4."""
    trained = train(implementation, training)
    encoding = trained.encode(text, data.draw(st.integers(0, len(trained.merges))))
    normalized = implementation.normalize(text, lowercase=training.lowercase)
    pre_tokens = implementation.pre_tokenize(normalized, training.pre_tokenizer, marker=True)
    assert encoding.normalized == normalized
    assert encoding.code_points == len(normalized)
    assert "".join(encoding.tokens) == "".join(pre_tokens)
    for token, token_id in zip(encoding.tokens, encoding.ids, strict=True):
        if token_id is None:
            assert len(token) == 1
            assert token not in trained.vocabulary
        else:
            assert trained.vocabulary[token_id] == token
    assert encoding.unknown_count == encoding.ids.count(None)
    assert encoding.unknown_count == sum(char not in trained.alphabet for char in "".join(pre_tokens))
    if encoding.tokens:
        assert encoding.code_points_per_token == len(normalized) / len(encoding.tokens)
    else:
        assert encoding.code_points_per_token is None
    ends = {sum(map(len, pre_tokens[: i + 1])) for i in range(len(pre_tokens))}
    assert ends <= {sum(map(len, encoding.tokens[: i + 1])) for i in range(len(encoding.tokens))}


@on_every_implementation
@given(training=trainings(), text=texts(), data=st.data())
@example(
    training=Training(["i\u0307 i\u0307"], 5, 2, lowercase=True, pre_tokenizer="whitespace"),
    text=" \u0130x\ufeff\u0130 ",
    data=None,  # all prefixes are tried instead
)
def test_places_cover_what_the_symbols_come_from(
    implementation: Implementation, training: Training, text: str, data: st.DataObject | None
) -> None:
    """E8, derived from the raw text alone: the pieces, in order, are the text without its whitespace."""
    trained = train(implementation, training)
    count = len(trained.merges)
    for prefix in range(count + 1) if data is None else [data.draw(st.integers(0, count))]:
        check_places(implementation, trained, text, prefix, lowercase=training.lowercase)


def check_places(implementation: Implementation, trained: Trained, text: str, prefix: int, *, lowercase: bool) -> None:
    encoding = trained.encode(text, prefix)
    reached = 0  # the end of the raw text that the tokens so far have covered
    for (start, end), token in zip(encoding.offsets, encoding.tokens, strict=True):
        bare = token.removeprefix(MARKER)
        if not bare:
            assert start == end
            assert not text[reached:start].strip(WHITESPACE)  # a marker alone stands at its word's start
            assert text[start] not in WHITESPACE
            continue
        # Between two tokens lies whitespace; the two halves of a grown İ share the one code point.
        second_half = start == reached - 1 and text[start] == "İ" and bare[0] == "\u0307"
        assert second_half or not text[reached:start].strip(WHITESPACE)
        raw = text[start:end]
        assert raw.strip(WHITESPACE) == raw != ""
        if not lowercase:
            assert raw == bare
        elif "Σ" not in raw:  # whose form depends on its neighbours
            whole = implementation.normalize(raw, lowercase=True)
            assert bare in (whole, whole[1:], whole[:-1], whole[1:-1])
            assert len(bare) == len(whole) or "İ" in (raw[0], raw[-1])
        reached = end
    assert not text[reached:].strip(WHITESPACE)


@given(listed=imported_lists(), data=st.data())
def test_imported_lists_equal_the_plain_algorithm(listed: Imported, data: st.DataObject) -> None:
    """V2, T8, E2 on lists that make strings twice: every prefix."""
    plain = EDUCATIONAL.from_merges(listed.alphabet, listed.merges, marker=False)
    core = CORE.from_merges(listed.alphabet, listed.merges, marker=False)
    assert core.facts() == plain.facts()
    word = data.draw(words_over(listed.alphabet))
    for prefix in range(len(listed.merges) + 1):
        assert core.encode(word, prefix) == plain.encode(word, prefix)


@given(listed=imported_lists("ab"), data=st.data())
def test_imported_lists_with_markers(listed: Imported, data: st.DataObject) -> None:
    """The marker is a symbol like any other, at the front of every word."""
    alphabet = (*listed.alphabet, MARKER)
    merges = [(left.replace("b", MARKER), right.replace("b", MARKER)) for left, right in listed.merges]
    plain = EDUCATIONAL.from_merges(alphabet, merges)
    core = CORE.from_merges(alphabet, merges)
    assert core.facts() == plain.facts()
    text = " ".join(data.draw(st.lists(words_over(("a",), 6), max_size=4)))
    for prefix in range(len(merges) + 1):
        encoding = core.encode(text, prefix)
        assert encoding == plain.encode(text, prefix)
        if encoding.unknown_count == 0:
            ids = [token_id for token_id in encoding.ids if token_id is not None]
            assert core.decode(ids) == text == plain.decode(ids)


@given(listed=imported_lists(), data=st.data())
def test_any_ids_decode_as_in_the_plain_algorithm(listed: Imported, data: st.DataObject) -> None:
    """D1: also for ID lists that no text encodes to."""
    marker = data.draw(st.booleans())
    alphabet = (*listed.alphabet, MARKER) if marker else listed.alphabet
    merges = [*listed.merges, (MARKER, listed.alphabet[0]), (MARKER, MARKER)] if marker else listed.merges
    plain = EDUCATIONAL.from_merges(alphabet, merges, marker=marker)
    core = CORE.from_merges(alphabet, merges, marker=marker)
    ids = data.draw(st.lists(st.integers(0, len(plain.vocabulary) - 1), max_size=8))
    assert core.decode(ids) == plain.decode(ids)


# Where the core changes from looking at all ranks to keeping a heap; whatever it is, both sides are tried.
SWITCH = pure_merging.SHORT_WORD
LENGTHS = sorted({1, 2, 3, 63, 64, 65, 66, *range(SWITCH - 2, SWITCH + 4), 130})


@pytest.mark.parametrize("length", LENGTHS)
@given(data=st.data())
def test_short_and_long_words_are_merged_alike(length: int, data: st.DataObject) -> None:
    listed = data.draw(imported_lists())
    seed = data.draw(st.integers(0, 2**32))
    drawn = random.Random(seed)
    unit = "".join(drawn.choices(listed.alphabet, k=drawn.choice([1, 2, 3, 5, length])))
    word = (unit * length)[:length]
    ranks = {pair: listed.merges.index(pair) for pair in listed.merges}
    model = pairloom.Model.from_merges(listed.alphabet, listed.merges, marker=False)
    assert list(model.encode(word).tokens) == educational.encode_word(word, ranks)
    prefix = drawn.randint(0, len(listed.merges))
    few = {pair: rank for pair, rank in ranks.items() if rank < prefix}
    assert list(model.encode(word, prefix).tokens) == educational.encode_word(word, few)


@given(training=trainings(), several=st.lists(texts(), max_size=4), data=st.data())
def test_a_batch_is_each_text_on_its_own(training: Training, several: list[str], data: st.DataObject) -> None:
    model = pairloom.train(training.corpus, training.merge_limit, lowercase=training.lowercase)
    prefix = data.draw(st.one_of(st.none(), st.integers(0, len(model.merges))))
    assert list(model.encode_batch(several, prefix)) == [model.encode(text, prefix) for text in several]
