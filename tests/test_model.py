"""Models by rule: V1 to V4, D1, D2, imported lists, immutability."""

from __future__ import annotations

import copy
import hashlib
import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import pairloom
from pairloom.errors import InvalidMerge, ModelError, NotText, PrefixError, SettingError, UnknownTokenId

CLASSIC = "low low low low low lower lower newest newest newest newest newest newest widest widest widest"


@pytest.fixture(scope="module")
def model() -> pairloom.Model:
    return pairloom.train(CLASSIC)


class WholeNumber:
    """An integer of another kind, as numpy has them."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


# ---------------------------------------------------------------- V4: prefixes


@pytest.mark.parametrize("offset", [1, 2, 10**30])
def test_a_prefix_beyond_all_merges_is_an_error(model: pairloom.Model, offset: int) -> None:
    prefix = len(model.merges) + offset
    with pytest.raises(PrefixError) as caught:
        model.encode("low", prefix)
    assert (caught.value.value, caught.value.minimum, caught.value.maximum) == (prefix, 0, len(model.merges))
    assert f"0 to {len(model.merges)}" in str(caught.value)


@pytest.mark.parametrize("prefix", [-1, -(10**30), True, False, 1.5, 1.0, "1", b"1", [1], Fraction(1), float("nan")])
def test_what_is_no_prefix(model: pairloom.Model, prefix: object) -> None:
    with pytest.raises(PrefixError) as caught:
        model.encode("low", prefix)  # type: ignore[arg-type]  # what is tested
    assert caught.value.value is prefix
    assert (caught.value.minimum, caught.value.maximum) == (0, len(model.merges))
    with pytest.raises(PrefixError):
        model.check_prefix(prefix)
    with pytest.raises(PrefixError):
        model.encode_batch(["low"], prefix)  # type: ignore[arg-type]  # what is tested


def test_a_prefix_is_objected_to_though_the_text_is_empty(model: pairloom.Model) -> None:
    with pytest.raises(PrefixError):
        model.encode("", -1)
    with pytest.raises(PrefixError):
        model.encode_batch([], -1)


def test_every_prefix_from_none_to_all(model: pairloom.Model) -> None:
    count = len(model.merges)
    assert model.encode("lowest", 0).tokens == ("▁", *"lowest")
    assert model.encode("lowest", count) == model.encode("lowest") == model.encode("lowest", None)
    assert model.encode("lowest", WholeNumber(2)) == model.encode("lowest", 2)  # type: ignore[arg-type]  # as numpy
    assert model.check_prefix(None) == count
    assert [model.check_prefix(prefix) for prefix in range(count + 1)] == list(range(count + 1))


def test_the_vocabulary_is_whole_at_every_prefix(model: pairloom.Model) -> None:
    """V3: an ID is the same at every prefix, and every learned token keeps one."""
    assert len(model.vocabulary) == len(model.alphabet) + len(model.merges)
    assert [merge.id for merge in model.merges] == list(range(len(model.alphabet), len(model.vocabulary)))
    for merge in model.merges:
        assert model.vocabulary[merge.id] == merge.result == merge.left + merge.right
        assert model.token_id(merge.result) == merge.id
    assert model.token_id("nothing") is None


def test_a_model_without_merges_has_one_prefix() -> None:
    model = pairloom.train("ab", 0)
    assert model.check_prefix(0) == 0
    for prefix in (1, -1):
        with pytest.raises(PrefixError) as caught:
            model.encode("ab", prefix)
        assert caught.value.maximum == 0


# ---------------------------------------------------------------- D1, D2: decoding


@pytest.mark.parametrize("token_id", [-1, -10, True, False, 1.0, 0.5, "1", None, [], float("inf"), 10**30])
@pytest.mark.parametrize("position", [0, 2])
def test_what_is_no_token_id(model: pairloom.Model, token_id: object, position: int) -> None:
    ids: list[object] = [0, 1, 2]
    ids.insert(position, token_id)
    with pytest.raises(UnknownTokenId) as caught:
        model.decode(ids)  # type: ignore[arg-type]  # what is tested
    assert caught.value.token_id is token_id
    assert caught.value.position == position
    assert caught.value.vocabulary_size == len(model.vocabulary)


def test_the_first_id_outside_the_vocabulary(model: pairloom.Model) -> None:
    last = len(model.vocabulary) - 1
    assert model.decode([last]) == model.vocabulary[last].replace("▁", "")
    with pytest.raises(UnknownTokenId):
        model.decode([last + 1])
    assert model.decode([WholeNumber(last)]) == model.decode([last])  # type: ignore[list-item]  # as numpy


def test_decoding_drops_one_leading_space_and_no_other() -> None:
    model = pairloom.Model.from_merges(["a", "▁"], [("▁", "▁"), ("▁", "a")])
    marker, a, two, marked_a = (model.token_id(token) for token in ("▁", "a", "▁▁", "▁a"))
    for ids, text in (
        ([], ""),
        ([marker], ""),
        ([marker, marker], " "),
        ([two, marked_a], "  a"),
        ([two], " "),
        ([marked_a, a], "aa"),
        ([a, marked_a], "a a"),
        ([marked_a, marker], "a "),
    ):
        assert model.decode([i for i in ids if i is not None]) == text


def test_without_marker_decoding_concatenates() -> None:
    model = pairloom.Model.from_merges("ab", [("a", "b")], marker=False)
    assert model.decode([2, 0, 2]) == "abaab"
    assert model.decode(model.encode("ab ab").known_ids()) == "abab"


def test_decoding_gives_back_no_capitals_and_no_tabs() -> None:
    model = pairloom.train("low lower", lowercase=True)
    assert model.decode(model.encode("\tLOW \n\n Lower ").known_ids()) == "low lower"


def test_ids_may_be_any_iterable(model: pairloom.Model) -> None:
    ids = model.encode("low newest").known_ids()
    assert model.decode(iter(ids)) == model.decode(list(ids)) == "low newest"


# ---------------------------------------------------------------- V2, T8: imported lists


def test_a_string_made_twice_has_one_id() -> None:
    model = pairloom.Model.from_merges("abc", [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")], marker=False)
    assert model.vocabulary == ("a", "b", "c", "ab", "bc", "abc")
    assert [(merge.id, merge.is_new) for merge in model.merges] == [(3, True), (4, True), (5, True), (5, False)]
    assert [merge.rank for merge in model.merges] == [0, 1, 2, 3]


def test_a_pair_listed_twice_has_its_lower_rank() -> None:
    """(b, c) again at rank 2 never acts: with or without it a+b comes first."""
    model = pairloom.Model.from_merges("abc", [("a", "b"), ("b", "c"), ("a", "b")], marker=False)
    assert model.encode("abc").tokens == ("ab", "c")
    assert model.encode("abc", 1).tokens == ("ab", "c")
    assert [(merge.id, merge.is_new) for merge in model.merges] == [(3, True), (4, True), (3, False)]


def test_an_imported_model_has_no_numbers() -> None:
    model = pairloom.Model.from_merges("ab▁", [("a", "b")])
    assert model.is_trained is False
    assert (model.initial_tokens, model.stop_reason, model.min_frequency) == (None, None, None)
    for merge in model.merges:
        assert (merge.frequency, merge.replacements, merge.corpus_tokens) == (None, None, None)


def test_the_alphabet_is_put_in_code_point_order() -> None:
    model = pairloom.Model.from_merges(["\U00010000", "b", "▁", "\uffff", "a"], [])
    assert model.alphabet == ("a", "b", "▁", "\uffff", "\U00010000")


@pytest.mark.parametrize(
    ("alphabet", "marker"),
    [
        (["ab", "▁"], True),
        (["", "▁"], True),
        (["a", "a", "▁"], True),
        (["a"], True),  # the marker is missing
        (["a", "▁"], False),  # it can never occur
        (["a", " "], False),
        (["a", "\ufeff"], False),
        (["a", "\ud800"], False),
        (["a", 1], False),
        ([None], False),
    ],
)
def test_alphabets_that_are_refused(alphabet: list[str], marker: bool) -> None:
    with pytest.raises(ModelError) as caught:
        pairloom.Model.from_merges(alphabet, [], marker=marker)
    assert caught.value.where is not None
    assert caught.value.where.startswith("alphabet")


@pytest.mark.parametrize(
    ("merges", "rank"),
    [
        ([("a", "c")], 0),
        ([("a", "b"), ("ab", "ba")], 1),
        ([("ab", "a"), ("a", "b")], 0),  # made, but later
        ([("a", "b"), ("a", "")], 1),
        ([("", "a")], 0),
        ([("a", "b"), ("ab", "a"), ("abab", "a")], 2),
    ],
)
def test_a_merge_of_a_part_that_nothing_makes(merges: list[tuple[str, str]], rank: int) -> None:
    with pytest.raises(InvalidMerge) as caught:
        pairloom.Model.from_merges("ab", merges, marker=False)
    assert caught.value.rank == rank
    assert isinstance(caught.value, ModelError)


@pytest.mark.parametrize("merge", ["ab", ("a",), ("a", "b", "c"), 3, None, (), ("a", 1), (1, 2), {"a", "b"}])
def test_what_is_no_pair(merge: object) -> None:
    with pytest.raises(ModelError) as caught:
        pairloom.Model.from_merges("ab", [("a", "b"), merge], marker=False)  # type: ignore[list-item]  # what is tested
    assert caught.value.where == "merges[1]"


def test_settings_of_imported_models() -> None:
    for setting, value in (("lowercase", 1), ("pre_tokenizer", "words"), ("marker", "yes")):
        with pytest.raises(SettingError) as caught:
            pairloom.Model.from_merges("ab▁", [], **{setting: value})  # type: ignore[arg-type]  # what is tested
        assert caught.value.setting == setting


# ---------------------------------------------------------------- fingerprints, equality, copies


def test_the_fingerprint_is_of_what_decides_an_encoding() -> None:
    base = pairloom.Model.from_merges("ab▁", [("a", "b")])
    assert len(base.fingerprint) == 64
    assert set(base.fingerprint) <= set("0123456789abcdef")
    others = [
        pairloom.Model.from_merges("abc▁", [("a", "b")]),
        pairloom.Model.from_merges("ab▁", []),
        pairloom.Model.from_merges("ab▁", [("b", "a")]),
        pairloom.Model.from_merges("ab▁", [("a", "b"), ("a", "b")]),
        pairloom.Model.from_merges("ab▁", [("a", "b")], lowercase=True),
        pairloom.Model.from_merges("ab▁", [("a", "b")], pre_tokenizer="punctuation"),
        pairloom.Model.from_merges("ab", [("a", "b")], marker=False),
    ]
    assert len({base.fingerprint, *(other.fingerprint for other in others)}) == len(others) + 1
    assert pairloom.Model.from_merges(["▁", "b", "a"], [("a", "b")]).fingerprint == base.fingerprint


def test_the_numbers_of_training_are_not_in_the_fingerprint() -> None:
    """The same merges from another corpus encode alike."""
    trained = pairloom.train_from_word_counts({"ab": 2})
    again = pairloom.train_from_word_counts({"ab": 3})
    imported = pairloom.Model.from_merges(trained.alphabet, [(m.left, m.right) for m in trained.merges])
    assert trained != again != imported
    assert trained.fingerprint == again.fingerprint == imported.fingerprint


def test_the_fingerprint_stays_what_it_was() -> None:
    """Saved fingerprints are compared over years: whatever changes this raises `conventions`."""
    canonical = (
        '{"alphabet":["e","l","o","r","w","\\u2581"],"conventions":1,"lowercase":false,"marker":true,'
        '"merges":[["l","o"],["lo","w"],["\\u2581","low"]],"pre_tokenizer":"whitespace","unicode":"17.0.0"}'
    )
    expected = "90f63b7d3a926758e2b9ae8adedb246575b0efbb4b553408bc887c1a5fcdc498"
    assert hashlib.sha256(canonical.encode("ascii")).hexdigest() == expected
    assert pairloom.train("low low lower").fingerprint == expected


def test_models_are_values(model: pairloom.Model) -> None:
    again = pairloom.train(CLASSIC)
    assert again == model
    assert hash(again) == hash(model)
    assert pickle.loads(pickle.dumps(model)) == model
    assert copy.deepcopy(model) == model
    assert pickle.loads(pickle.dumps(model)).encode("lowest") == model.encode("lowest")
    assert model.encode("lowest") == again.encode("lowest")
    assert "merges" in repr(model)


def test_saving_and_loading(model: pairloom.Model, tmp_path: Path) -> None:
    for path in (tmp_path / "m.json", str(tmp_path / "n.json")):
        model.save(path)
        assert pairloom.load(path) == model


def test_a_batch_is_a_list_of_texts(model: pairloom.Model) -> None:
    assert list(model.encode_batch(["low", "", "newest"])) == [model.encode(t) for t in ("low", "", "newest")]
    assert list(model.encode_batch(iter(["low"]), 1)) == [model.encode("low", 1)]
    with pytest.raises(NotText):
        model.encode_batch("low")
