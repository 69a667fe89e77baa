"""Our dataclasses are those of the standard library to whoever asks, and load it only then."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys

import pytest

import pairloom
from pairloom.normalizer import NormalizedText
from pairloom.values import NamedTuple
from pairloom.vocabulary import Vocabulary
from pairloom.word_counts import WordCounts

MADE = (pairloom.Encoding, pairloom.Merge, pairloom.Model, pairloom.TokenIds, NormalizedText, Vocabulary, WordCounts)


@dataclasses.dataclass(frozen=True, slots=True)
class _Counts:
    """What the standard library makes of the declarations of `WordCounts`."""

    counts: dict[str, int]
    _: dataclasses.KW_ONLY
    lowercase: bool = False
    pre_tokenizer: str = "whitespace"
    marker: bool = True


def test_nothing_of_it_is_loaded_by_training_and_encoding() -> None:
    heavy = "{'dataclasses', 'typing'}"
    program = f"import sys, pairloom; pairloom.train('low low').encode('low'); print({heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_named_tuple_needs_no_docstring() -> None:
    class Bare(NamedTuple):
        first: int

    assert Bare(1).first == 1
    assert str(Bare.__doc__).startswith("Bare(first")


@pytest.mark.parametrize("made", MADE)
def test_they_are_dataclasses(made: type) -> None:
    assert dataclasses.is_dataclass(made)
    names = [field.name for field in dataclasses.fields(made)]
    assert made.__slots__ == tuple(names)  # type: ignore[attr-defined]  # slotted classes have it
    assert [name for name in made.__annotations__ if name != "_"] == names


def test_fields_and_signature_are_those_of_the_standard_library() -> None:
    ours, theirs = dataclasses.fields(WordCounts), dataclasses.fields(_Counts)
    assert [(f.name, f.default, f.kw_only, f.init, f.compare) for f in ours] == [
        (f.name, f.default, f.kw_only, f.init, f.compare) for f in theirs
    ]
    signature = [(p.name, p.kind, p.default) for p in inspect.signature(WordCounts).parameters.values()]
    assert signature == [(p.name, p.kind, p.default) for p in inspect.signature(_Counts).parameters.values()]
    with pytest.raises(TypeError):
        WordCounts({"a": 1}, True)  # type: ignore[call-arg]  # what is tested
    assert [f.name for f in dataclasses.fields(pairloom.Model) if not f.compare or not f.init] == [
        "_ids",
        "_encoder",
        "_cached_fingerprint",
    ]


def test_values_behave_like_values() -> None:
    merge = pairloom.Merge(0, "a", "b", "ab", 3, 2, 5, 2, is_new=True)
    numbers = "frequency=3, replacements=2, corpus_tokens=5, id=2, is_new=True"
    assert repr(merge) == f"Merge(rank=0, left='a', right='b', result='ab', {numbers})"
    again = dataclasses.replace(merge, rank=0)
    for same in (again, copy.deepcopy(merge), pickle.loads(pickle.dumps(merge))):
        assert (same, hash(same), same is merge) == (merge, hash(merge), False)
    other = dataclasses.replace(merge, rank=1)
    assert other != merge
    values: object = dataclasses.astuple(merge)
    assert merge != values
    assert dataclasses.asdict(other)["rank"] == 1
    match merge:
        case pairloom.Merge(rank, left):
            assert (rank, left) == (0, "a")
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'rank'"):
        merge.rank = 1  # type: ignore[misc]  # what is tested
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'rank'"):
        del merge.rank


def test_named_tuples() -> None:
    from pairloom.kernel import LearnedPair, MergedWord

    learned = LearnedPair("a", "b", "ab", 3, 2, 5)
    assert learned == ("a", "b", "ab", 3, 2, 5)
    assert LearnedPair._fields == tuple(LearnedPair.__annotations__)
    assert pickle.loads(pickle.dumps(learned)) == learned
    assert "One round" in str(LearnedPair.__doc__)
    assert MergedWord([0], []).starts == [0]
