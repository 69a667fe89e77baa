"""Whatever stands where a number or a list belongs: an error of the tree, never an accident. Rules: V4, D2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import pairloom
from pairloom import History, Model, Trainer, count_words, train, train_from_word_counts


class Refuses:
    """Claims to be a whole number, and fails when asked which."""

    def __index__(self) -> int:
        raise RuntimeError("no number today")


class Answers:
    """Has every attribute that it is asked for, and means none."""

    def __getattr__(self, name: str) -> object:
        raise OSError(name)


class NoInteger:
    """Says that it is a whole number, and gives a string."""

    def __index__(self) -> Any:
        answer: Any = "1"
        return answer


class NoRepr:
    """Cannot even be shown in the message."""

    def __index__(self) -> int:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise ZeroDivisionError


ODD = (Refuses(), Answers(), NoInteger(), NoRepr(), object(), 1.0, Fraction(1), "1", b"1", [1], True, -1, 10**400, int)
MODEL = train("low low lower")
COUNTS = count_words("low low lower")
HISTORY = History.of(COUNTS, MODEL)

NUMBERS: dict[str, Callable[[Any], object]] = {
    "train merge_limit": lambda odd: train("low low", odd),
    "train min_frequency": lambda odd: train("low low", min_frequency=odd),
    "word counts merge_limit": lambda odd: train_from_word_counts({"low": 2}, odd),
    "word counts min_frequency": lambda odd: train_from_word_counts({"low": 2}, min_frequency=odd),
    "word counts count": lambda odd: train_from_word_counts({"low": odd}),
    "Trainer merge_limit": lambda odd: Trainer(COUNTS, odd),
    "Trainer min_frequency": lambda odd: Trainer(COUNTS, min_frequency=odd),
    "Trainer max_merges": lambda odd: Trainer(COUNTS).run(odd),
    "Trainer max_operations": lambda odd: Trainer(COUNTS).run(max_operations=odd),
    "HistoryBuilder max_operations": lambda odd: pairloom.HistoryBuilder(COUNTS, MODEL).run(max_operations=odd),
    "encode prefix": lambda odd: MODEL.encode("low", odd),
    "encode_batch prefix": lambda odd: MODEL.encode_batch(["low"], odd),
    "check_prefix": MODEL.check_prefix,
    "decode ID": lambda odd: MODEL.decode([odd]),
    "segment prefix": lambda odd: HISTORY.segment("▁low", odd),
    "segments prefix": HISTORY.segments,
    "pair_counts prefix": HISTORY.pair_counts,
    "top_pairs prefix": HISTORY.top_pairs,
    "top_pairs limit": lambda odd: HISTORY.top_pairs(0, odd),
    "TextHistory prefix": lambda odd: pairloom.TextHistory.of("low", MODEL).encoding(odd),
}
LISTS: dict[str, Callable[[Any], object]] = {
    "from_merges alphabet": lambda odd: Model.from_merges(odd, []),
    "from_merges merges": lambda odd: Model.from_merges("ab", odd, marker=False),
    "from_merges a merge": lambda odd: Model.from_merges("ab", [odd], marker=False),
    "encode_batch texts": MODEL.encode_batch,
    "decode": MODEL.decode,
    "count_words": count_words,
    "train": train,
    "word counts": train_from_word_counts,
}
NO_LISTS = (None, *(odd for odd in ODD if not isinstance(odd, (str, bytes, list))))


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_of_the_range(name: str, odd: object) -> None:
    with pytest.raises(pairloom.PairloomError) as caught:
        NUMBERS[name](odd)
    # The message can be made whatever the value, and says more than that something is wrong.
    assert len(str(caught.value)) > 20


@pytest.mark.parametrize("odd", NO_LISTS, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("name", LISTS)
def test_what_is_no_list(name: str, odd: object) -> None:
    with pytest.raises(pairloom.PairloomError) as caught:
        LISTS[name](odd)
    assert len(str(caught.value)) > 20


@pytest.mark.parametrize("name", [name for name in LISTS if name not in {"from_merges a merge", "word counts"}])
def test_an_error_of_the_list_itself_stays_what_it_is(name: str) -> None:
    """Whoever reads a corpus from a file wants to hear of the file."""

    def broken() -> Iterator[Any]:
        yield from ()
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        LISTS[name](broken())


def test_model_errors_say_which_argument() -> None:
    for alphabet, merges, where in ((None, [], "alphabet"), ("ab", None, "merges")):
        with pytest.raises(pairloom.ModelError) as caught:
            Model.from_merges(alphabet, merges, marker=False)  # type: ignore[arg-type]  # what is tested
        assert caught.value.where == where
        assert "NoneType" in caught.value.reason
