"""Keys and the bounded memory behind them."""

import gc
import tracemalloc
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.history import TextHistory
from pairloom.model import Model
from pairloom.portions import in_one_go
from pairloom.web.forms import Inputs, check_inputs
from pairloom.web.model_cache import ModelCache
from pairloom.web.settings import Settings
from pairloom.web.training import Trained, train_in_portions

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
INPUTS = Inputs("low low", lowercase=False, pre_tokenizer="whitespace", merge_limit=10)


def trained(corpus: str) -> Trained:
    checked = check_inputs({"corpus": corpus, "merge_limit": "5"}, Settings())
    return in_one_go(train_in_portions(checked, Settings()))


ONE, TWO, THREE = (trained(word * 2) for word in ("ab ", "cd ", "ef "))


def test_equal_inputs_have_one_key_in_one_process() -> None:
    cache = ModelCache(max_bytes=1)
    assert cache.key(INPUTS) == cache.key(replace(INPUTS, corpus="low" + " low"))
    assert cache.key(INPUTS) != ModelCache(max_bytes=1).key(INPUTS)


@given(st.builds(Inputs, TEXT, st.booleans(), st.sampled_from(["whitespace", "punctuation"]), st.integers(0, 40_000)))
def test_different_inputs_have_different_keys(inputs: Inputs) -> None:
    cache = ModelCache(max_bytes=1)
    assert (cache.key(inputs) == cache.key(INPUTS)) is (inputs == INPUTS)


def test_the_least_recently_used_goes_first() -> None:
    cache = ModelCache(max_bytes=ONE.estimated_bytes + TWO.estimated_bytes)
    cache.put("1", ONE)
    cache.put("2", TWO)
    assert cache.get("1") is ONE
    cache.put("3", THREE)
    assert cache.get("2") is None
    assert cache.get("1") is ONE
    assert cache.get("3") is THREE
    assert cache.size_bytes == ONE.estimated_bytes + THREE.estimated_bytes


def test_putting_again_counts_once() -> None:
    cache = ModelCache(max_bytes=10**9)
    for _ in range(3):
        cache.put("1", ONE)
    assert len(cache) == 1
    assert cache.size_bytes == ONE.estimated_bytes


def test_one_that_is_too_large_stays_alone() -> None:
    cache = ModelCache(max_bytes=1)
    cache.put("1", ONE)
    cache.put("2", TWO)
    assert cache.get("1") is None
    assert cache.get("2") is TWO


def text_of(code_points: int, letters: int, word: int) -> str:
    random = Random(7)
    words = ("".join(chr(0x4E00 + random.randrange(letters)) for _ in range(word)) for _ in range(code_points // word))
    return " ".join(words)[:code_points]


@pytest.mark.parametrize(
    "corpus",
    [
        text_of(12_000, 20, 12_000),
        text_of(12_000, 3_000, 12_000),
        text_of(12_000, 60, 5),
        "".join(map(chr, range(0x10000, 0x10384))) * 2,
    ],
    ids=["one long word", "many letters", "short words", "one half twice"],
)
def test_the_estimate_is_what_is_measured(corpus: str) -> None:
    checked = check_inputs({"corpus": corpus, "merge_limit": "40000"}, Settings())
    gc.collect()
    tracemalloc.start()
    try:
        made = in_one_go(train_in_portions(checked, Settings()))
        gc.collect()
        measured, _ = tracemalloc.get_traced_memory()
        assert 0.7 <= made.estimated_bytes / (measured + 4 * len(corpus)) <= 1.4
        for start in range(0, 4_000, 1_000):
            text = corpus[start : start + 1_000] + "  "
            made.texts.put(text, TextHistory.of(text, made.model))
        with_texts, _ = tracemalloc.get_traced_memory()
        assert 0.6 <= made.texts.estimated_bytes / (with_texts - measured) <= 1.6
    finally:
        tracemalloc.stop()


def test_what_a_model_remembers_later_counts() -> None:
    made = trained("abc def " * 50)
    cache = ModelCache(max_bytes=made.estimated_bytes + ONE.estimated_bytes)
    cache.put("1", ONE)
    cache.put("2", made)
    assert len(cache) == 2
    made.texts.put("abc" * 1_000, TextHistory.of("abc" * 1_000, made.model))
    assert cache.get("2") is made
    assert len(cache) == 1


def test_a_forgotten_model_needs_no_collector() -> None:
    # The server exempts models from the collector: a cycle in one would never be freed.
    def models() -> int:
        return sum(type(each) is Model for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = models()
        made = trained("low lower lowest " * 9)
        made.corpus.page(0, made.history, 3)
        made.history.pair_counts(3)
        made.model.encode("low")
        assert models() == before + 1
        del made
        assert models() == before
    finally:
        gc.enable()
