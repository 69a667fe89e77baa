"""Training by rule: T1 to T10, P3, V1, V2, at the edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

import pairloom
from pairloom.errors import CountError, CountOverflow, EmptyCorpus, ForbiddenCodePoint, NotText, SettingError
from pairloom.trainer import Trainer
from pairloom.word_counts import WordCounts, count_words
from tests.support.implementations import Implementation, on_every_implementation

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def rows(model: pairloom.Model) -> list[tuple[str, str, int | None, int | None]]:
    return [(merge.left, merge.right, merge.frequency, merge.replacements) for merge in model.merges]


# ---------------------------------------------------------------- the two examples everyone knows


@on_every_implementation
def test_aaaa(implementation: Implementation) -> None:
    """Three positions, two replacements (T2, T5); then `▁`+`aa` and `aa`+`aa` stand once each, below 2 (T3)."""
    trained = implementation.train("aaaa", 1000)
    assert trained.merges == (("a", "a", 3, 2, 3, 2, True),)
    assert trained.stop_reason == "no_pair"
    assert trained.initial_tokens == 5


@on_every_implementation
def test_hug_pug_pun_bun_hugs(implementation: Implementation) -> None:
    """u+g 10 + 5 + 5 = 20; u+n 12 + 4 = 16; then h+ug 10 + 5 = 15, over p+un 12 and p+ug 5."""
    trained = implementation.train_from_word_counts(HUGS, 3, marker=False)
    assert [row[:3] for row in trained.merges] == [("u", "g", 20), ("u", "n", 16), ("h", "ug", 15)]
    assert trained.stop_reason == "merge_limit"

    assert trained.encode("bug", None).tokens == ("b", "ug")
    thugs = trained.encode("thugs", None)
    assert thugs.tokens == ("t", "hug", "s")
    assert [trained.vocabulary[i] if i is not None else None for i in thugs.ids] == [None, "hug", "s"]


@on_every_implementation
def test_hug_pug_pun_bun_hugs_with_markers_is_another_training(implementation: Implementation) -> None:
    """Pasted as a text, words begin with the marker: ▁+p is 17, which is more than u+n's 16."""
    text = " ".join(" ".join([word] * count) for word, count in HUGS.items())
    trained = implementation.train(text, 3)
    assert [row[:3] for row in trained.merges] == [("u", "g", 20), ("▁", "p", 17), ("u", "n", 16)]


# ---------------------------------------------------------------- T3: where training ends


@pytest.mark.parametrize("pre_tokenizer", ["whitespace", "punctuation"])
def test_no_merges_at_all(pre_tokenizer: str) -> None:
    model = pairloom.train("low low", 0, pre_tokenizer=pre_tokenizer)
    assert model.merges == ()
    assert model.stop_reason == "merge_limit"
    assert model.vocabulary == model.alphabet == ("l", "o", "w", "▁")
    assert model.initial_tokens == 8
    assert model.encode("low").tokens == ("▁", "l", "o", "w")


def test_reaching_the_limit_exactly_is_the_limit() -> None:
    """`aaaa` yields one merge: with a limit of one it is the limit that ended it, though no pair was left."""
    assert pairloom.train("aaaa", 1).stop_reason == "merge_limit"
    assert pairloom.train("aaaa", 2).stop_reason == "no_pair"
    assert pairloom.train("ab", 0).stop_reason == "merge_limit"
    assert pairloom.train("ab", 1).stop_reason == "no_pair"


@pytest.mark.parametrize("min_frequency", [1, 2, 3, 4])
def test_min_frequency(min_frequency: int) -> None:
    """aaaa: a+a 3, then ▁+aa and aa+aa once each."""
    model = pairloom.train("aaaa", min_frequency=min_frequency)
    assert [row[:2] for row in rows(model)] == {
        1: [("a", "a"), ("aa", "aa"), ("▁", "aaaa")],
        2: [("a", "a")],
        3: [("a", "a")],
        4: [],
    }[min_frequency]
    assert model.min_frequency == min_frequency


# ---------------------------------------------------------------- T4: ties


@pytest.mark.parametrize(
    ("table", "first"),
    [
        # Twice each; the order of the table says nothing, the smallest left symbol wins, then the smallest right one.
        ({"cb": 2, "bc": 2, "ac": 2, "ab": 2, "ba": 2}, ("a", "b")),
        # U+FFFF is smaller than U+10000, although its UTF-16 unit is larger than a surrogate.
        ({"\U00010000b": 2, "\uffffb": 2}, ("\uffff", "b")),
        ({"b\U00010000": 2, "b\uffff": 2}, ("b", "\uffff")),
        # A capital is smaller than a small letter, é larger than z: code points, no locale.
        ({"éx": 2, "zx": 2, "Zx": 2}, ("Z", "x")),
        ({"éx": 2, "zx": 2}, ("z", "x")),
        # Frequency comes first.
        ({"zz": 3, "ab": 2}, ("z", "z")),
    ],
)
def test_ties_go_by_code_point(table: dict[str, int], first: tuple[str, str]) -> None:
    merge = pairloom.train_from_word_counts(table, marker=False).merges[0]
    assert (merge.left, merge.right) == first


def test_a_prefix_is_smaller_in_a_tie() -> None:
    """After a+b: (a, c) and (ab, c) twice each. "a" is a prefix of "ab" and so the smaller left symbol."""
    model = pairloom.train_from_word_counts({"abc": 2, "ac": 2, "ab": 5}, marker=False)
    assert [row[:3] for row in rows(model)] == [("a", "b", 7), ("a", "c", 2), ("ab", "c", 2)]
    # And of two right symbols: (x, a) before (x, ab).
    model = pairloom.train_from_word_counts({"xab": 2, "xa": 2, "ab": 5}, marker=False)
    assert [row[:3] for row in rows(model)] == [("a", "b", 7), ("x", "a", 2), ("x", "ab", 2)]


# ---------------------------------------------------------------- T10: corpora


@pytest.mark.parametrize("corpus", ["", "   ", "\n\t\u3000\ufeff", [], [""], ["", " ", "\u2028"], ()])
@pytest.mark.parametrize("pre_tokenizer", ["whitespace", "punctuation"])
def test_a_corpus_without_a_word_is_an_error(corpus: str | list[str], pre_tokenizer: str) -> None:
    with pytest.raises(EmptyCorpus):
        pairloom.train(corpus, pre_tokenizer=pre_tokenizer)
    with pytest.raises(EmptyCorpus):
        pairloom.train(corpus, 0, pre_tokenizer=pre_tokenizer)
    with pytest.raises(EmptyCorpus):
        Trainer(count_words(corpus))


def test_an_empty_table_is_an_error() -> None:
    for marker in (True, False):
        with pytest.raises(EmptyCorpus):
            pairloom.train_from_word_counts({}, marker=marker)
        with pytest.raises(EmptyCorpus):
            pairloom.train_from_word_counts(WordCounts({}, marker=marker))


def test_texts_do_not_run_across() -> None:
    """As one text `a` `b` would be `ab`; each on its own they are two words without a pair that stands twice."""
    assert pairloom.train(["a", "b", "a", "b"], min_frequency=2).merges[0].result == "▁a"
    assert "ab" not in pairloom.train(["xa", "bx"] * 3).vocabulary
    assert pairloom.train(["low", "lower"]) == pairloom.train("low lower")


@pytest.mark.parametrize("as_iterable", [list, tuple, iter, lambda texts: (text for text in texts)])
def test_any_iterable_of_texts(as_iterable: Callable[[list[str]], Iterable[str]]) -> None:
    texts = ["low low", "", "lower", " \n"]
    assert pairloom.train(as_iterable(texts)) == pairloom.train("low low lower")


def test_an_error_names_the_text() -> None:
    with pytest.raises(ForbiddenCodePoint) as caught:
        pairloom.train(["fine", "", "ab▁c"])
    assert (caught.value.text_index, caught.value.position, caught.value.kind) == (2, 2, "marker")
    with pytest.raises(ForbiddenCodePoint) as caught:
        pairloom.train(["fine", "\U0001f600\ud83d"])
    assert (caught.value.text_index, caught.value.position, caught.value.kind) == (1, 1, "surrogate")
    with pytest.raises(ForbiddenCodePoint) as caught:
        pairloom.train("ab▁c")
    assert (caught.value.text_index, caught.value.position) == (None, 2)


@pytest.mark.parametrize("corpus", [None, 7, b"low", ["low", b"low"], ["low", None], [["low"]], {"low": 1, 2: 3}])
def test_what_is_no_text(corpus: object) -> None:
    with pytest.raises(NotText):
        pairloom.train(corpus)  # type: ignore[arg-type]  # what is tested


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize("value", [-1, 1.0, 1.5, "1", True, False, None, float("nan"), [1]])
def test_merge_limits_that_are_none(value: object) -> None:
    with pytest.raises(SettingError) as caught:
        pairloom.train("low low", value)  # type: ignore[arg-type]  # what is tested
    assert (caught.value.setting, caught.value.value) == ("merge_limit", value)
    with pytest.raises(SettingError):
        Trainer(count_words("low low"), value)  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize("value", [0, -1, 2.0, "2", True, None])
def test_min_frequencies_that_are_none(value: object) -> None:
    with pytest.raises(SettingError) as caught:
        pairloom.train("low low", min_frequency=value)  # type: ignore[arg-type]  # what is tested
    assert caught.value.setting == "min_frequency"


@pytest.mark.parametrize("value", ["", "Whitespace", "words", None, 1, ["whitespace"], True])
def test_pre_tokenizers_that_there_are_not(value: object) -> None:
    with pytest.raises(SettingError) as caught:
        pairloom.train("low low", pre_tokenizer=value)  # type: ignore[arg-type]  # what is tested
    assert caught.value.setting == "pre_tokenizer"


@pytest.mark.parametrize("value", [0, 1, "yes", None])
def test_lowercase_is_true_or_false(value: object) -> None:
    with pytest.raises(SettingError) as caught:
        pairloom.train("low low", lowercase=value)  # type: ignore[arg-type]  # what is tested
    assert caught.value.setting == "lowercase"


def test_a_setting_is_objected_to_before_the_corpus_is_read() -> None:
    corpus = iter(["low low"])
    with pytest.raises(SettingError):
        pairloom.train(corpus, -1)
    with pytest.raises(SettingError):
        pairloom.train(corpus, min_frequency=0)
    with pytest.raises(SettingError):
        pairloom.train(corpus, pre_tokenizer="none")
    assert next(corpus) == "low low"


def test_the_library_has_no_limits_of_the_pages() -> None:
    """L1, L3 are the pages': 40,000 code points, 40,000 merges."""
    model = pairloom.train("ab " * 20_000, 10**9)
    assert model.initial_tokens == 60_000
    assert model.encode("ab " * 3_000).code_points == 8_999


# ---------------------------------------------------------------- P3: tables of word counts


def test_the_marker_is_put_before_each_key() -> None:
    assert pairloom.train_from_word_counts({"low": 2, "lower": 1}) == pairloom.train("low lower low")
    without = pairloom.train_from_word_counts({"low": 2, "lower": 1}, marker=False)
    assert "▁" not in "".join(without.vocabulary)
    assert without.initial_tokens == 11
    assert without.marker is False
    assert without.encode("low lower").tokens == ("low", "low", "e", "r")
    assert without.decode(without.encode("low lower").known_ids()) == "lowlower"


def test_a_table_that_carries_markers() -> None:
    """N8's refusal does not apply to it: the markers are in place. A second one in front would be another word."""
    table = WordCounts({"▁low": 2, "▁lower": 1})
    assert pairloom.train_from_word_counts(table) == pairloom.train("low lower low")
    pieces = WordCounts({"▁don": 2, "'": 2, "t": 2}, pre_tokenizer="punctuation")
    assert pairloom.train_from_word_counts(pieces) == pairloom.train("don't don't", pre_tokenizer="punctuation")


@pytest.mark.parametrize("marker", [True, False])
def test_a_marker_given_twice_is_an_error(marker: bool) -> None:
    with pytest.raises(CountError) as caught:
        pairloom.train_from_word_counts({"low": 1, "▁low": 2}, marker=marker)
    assert (caught.value.word, caught.value.count) == ("▁low", 2)
    with pytest.raises(CountError):
        WordCounts({"▁▁low": 2})
    with pytest.raises(CountError):
        WordCounts({"▁lo▁w": 2})
    with pytest.raises(CountError):
        WordCounts({"▁low": 2}, marker=False)


@pytest.mark.parametrize("word", ["", " ", "lo w", "low ", "\tlow", "lo\u3000w", "\ufeff", "lo\u2028w"])
def test_whitespace_in_a_key_is_an_error(word: str) -> None:
    for marker in (True, False):
        with pytest.raises(CountError) as caught:
            pairloom.train_from_word_counts({"low": 1, word: 2}, marker=marker)
        assert caught.value.word == word


@pytest.mark.parametrize("word", ["lo\x85w", "lo\x1cw", "lo\u180ew", "\u200b", "\x00"])
def test_what_is_no_whitespace_may_stand_in_a_key(word: str) -> None:
    """N4 has the list; Python's `str.split` and `str.isspace` have others."""
    model = pairloom.train_from_word_counts({word: 2})
    assert model.decode(model.encode(word).known_ids()) == word


@pytest.mark.parametrize("word", ["\ud800", "a\udfff", "\ud83d\ude00"])
def test_a_surrogate_in_a_key_is_an_error(word: str) -> None:
    with pytest.raises(CountError):
        pairloom.train_from_word_counts({word: 1}, marker=False)


@pytest.mark.parametrize("count", [0, -1, True, False, 1.0, 2.5, "3", None])
def test_counts_that_are_none(count: object) -> None:
    for marker in (True, False):
        with pytest.raises(CountError) as caught:
            pairloom.train_from_word_counts({"low": count}, marker=marker)  # type: ignore[dict-item]  # what is tested
        assert (caught.value.word, caught.value.count) == ("low", count)


@pytest.mark.parametrize("word", [1, b"low", None, ("low",)])
def test_words_that_are_none(word: object) -> None:
    with pytest.raises(CountError):
        pairloom.train_from_word_counts({word: 1})  # type: ignore[dict-item]  # what is tested


@pytest.mark.parametrize("word", ["Low", "loW", "İ", "ΑΣ", "\u1c89", "\ua7cb"])
def test_a_key_that_is_not_lower_case_is_an_error_with_lowercase(word: str) -> None:
    with pytest.raises(CountError) as caught:
        pairloom.train_from_word_counts({word: 1}, lowercase=True)
    assert caught.value.word == word
    assert pairloom.train_from_word_counts({word: 1}).lowercase is False


def test_a_lower_case_key_is_fine_with_lowercase() -> None:
    table = {"ας": 2, "ß": 1, "i\u0307": 1, "low": 2}
    model = pairloom.train_from_word_counts(table, lowercase=True)
    assert model.lowercase is True
    assert model == pairloom.train("ΑΣ ας ẞ İ LOW low", lowercase=True)


def test_a_key_that_the_pre_tokenizer_would_split_is_an_error() -> None:
    with pytest.raises(CountError):
        pairloom.train_from_word_counts({"don't": 1}, pre_tokenizer="punctuation")
    pairloom.train_from_word_counts({"don't": 1})
    pairloom.train_from_word_counts({"don": 1, "'": 1}, pre_tokenizer="punctuation", marker=False)


def test_settings_beside_a_table_must_be_the_tables() -> None:
    table = count_words("Low low.", lowercase=True, pre_tokenizer="punctuation")
    model = pairloom.train_from_word_counts(table)
    assert (model.lowercase, model.pre_tokenizer, model.marker) == (True, "punctuation", True)
    assert pairloom.train_from_word_counts(table, lowercase=True, pre_tokenizer="punctuation") == model
    for setting in ({"lowercase": False}, {"pre_tokenizer": "whitespace"}, {"marker": False}):
        with pytest.raises(SettingError) as caught:
            pairloom.train_from_word_counts(table, **setting)
        assert caught.value.setting == next(iter(setting))


@pytest.mark.parametrize(
    ("table", "marker"),
    [
        ({"a": 2**63 - 1}, False),
        ({"a": 2**62 - 1}, True),
        ({"ab": 2**62 - 1, "b": 1}, False),
        ({"a": 2**62, "b": 2**62 - 1}, False),
    ],
)
def test_the_largest_corpora_are_exact(table: dict[str, int], marker: bool) -> None:
    model = pairloom.train_from_word_counts(table, marker=marker)
    assert model.initial_tokens == sum((len(word) + marker) * count for word, count in table.items())
    for merge in model.merges:
        assert merge.frequency == merge.replacements == max(table.values())


@pytest.mark.parametrize(
    ("table", "marker"),
    [
        ({"a": 2**63}, False),
        ({"a": 2**62}, True),
        ({"ab": 2**62}, False),
        ({"a": 2**62, "b": 2**62}, False),
        ({"a": 10**40}, False),
    ],
)
def test_more_than_64_bits_is_an_error(table: dict[str, int], marker: bool) -> None:
    with pytest.raises(CountOverflow):
        pairloom.train_from_word_counts(table, marker=marker)


def test_the_order_of_a_table_changes_nothing() -> None:
    words = list(HUGS.items())
    expected = pairloom.train_from_word_counts(HUGS, marker=False)
    for start in range(len(words)):
        assert pairloom.train_from_word_counts(dict(words[start:] + words[:start]), marker=False) == expected


def test_a_table_is_copied() -> None:
    """What is done to the mapping afterwards does not reach the training."""
    table = dict(HUGS)
    counts = WordCounts(table, marker=False)
    trainer = Trainer(counts, 3)
    table["zzz"] = 100
    table.pop("hug")
    trainer.run()
    assert trainer.model() == pairloom.train_from_word_counts(HUGS, 3, marker=False)


# ---------------------------------------------------------------- the trainer


def test_a_trainer_takes_word_counts_only() -> None:
    with pytest.raises(SettingError):
        Trainer({"low": 1})  # type: ignore[arg-type]  # what is tested


def test_a_portion_of_nothing_does_nothing() -> None:
    trainer = Trainer(count_words("low low"))
    assert trainer.run(0) == 0
    for bound in (-1, True, 1.5, "3"):
        with pytest.raises(pairloom.SettingError):
            trainer.run(bound)  # type: ignore[arg-type]  # what is tested
    # A portion of no work would make a loop until `is_done` endless.
    for bound in (0, -1, True, 1.5):
        with pytest.raises(pairloom.SettingError):
            trainer.run(max_operations=bound)  # type: ignore[arg-type]  # what is tested
    assert trainer.merge_count == 0
    assert not trainer.is_done


def test_a_model_of_an_unfinished_training_says_so() -> None:
    trainer = Trainer(count_words("low low lower"), 5)
    assert trainer.model().merges == ()
    assert trainer.model().stop_reason is None
    trainer.step()
    model = trainer.model()
    assert len(model.merges) == 1
    assert model.stop_reason is None
    assert model.encode("low").tokens == ("▁", "lo", "w")
    trainer.run()
    assert trainer.model().stop_reason == "no_pair"
    assert len(model.merges) == 1
