"""What a model file holds and what in it does not hold together. Rules: V2, E2, T8."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.errors import ModelError
from pairloom.formats.model_file import dumps, loads
from pairloom.formats.model_report import ModelReport, report_on
from pairloom.model import Model
from pairloom.trainer import train
from tests.support.vectors import FOLDER, TrainedVector, on_every_vector

IMPORTED = json.loads((Path(FOLDER) / "imported.json").read_text("ascii"))


def outcome(report: ModelReport) -> dict[str, bool | None]:
    return {check.name: check.passed for check in report.checks}


def changed(model: Model, **values: Any) -> bytes:
    return json.dumps(json.loads(dumps(model)) | values).encode()


@on_every_vector()
def test_a_trained_model_holds_together(vector: TrainedVector) -> None:
    data = dumps(vector.model)
    report = report_on(data)
    assert report.is_sound
    assert all(outcome(report).values())
    assert report.model == vector.model
    # T8: nothing is made twice, and every merge that was learned acts on what it was learned from.
    assert (report.reused, report.repeated, report.idle) == ((), (), ())
    assert report.size_bytes == len(data)


@pytest.mark.parametrize("vector", IMPORTED)
def test_imported_lists_of_the_vectors(vector: dict[str, Any]) -> None:
    merges = [(left, right) for left, right in vector["merges"]]
    model = Model.from_merges(vector["alphabet"], merges, marker=False)
    report = report_on(dumps(model))
    assert report.is_sound
    assert outcome(report)["merges"] is outcome(report)["numbers"] is None
    strings = [left + right for left, right in merges]
    known = [*vector["alphabet"], *strings]
    reused = [rank for rank, each in enumerate(strings) if each in known[: len(vector["alphabet"]) + rank]]
    assert list(report.reused) == reused
    assert list(report.repeated) == [rank for rank, pair in enumerate(merges) if pair in merges[:rank]]
    assert set(report.repeated) <= set(report.idle)


@given(
    merges=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=9),
    words=st.lists(st.text("abc", min_size=1, max_size=14), max_size=6),
)
def test_idle_merges_act_in_no_word(merges: list[tuple[int, int]], words: list[str]) -> None:
    made = ["a", "b", "c"]
    pairs = []
    for left, right in merges:
        pairs.append((made[left % len(made)], made[right % len(made)]))
        made.append("".join(pairs[-1]))
    model = Model.from_merges("abc", pairs, marker=False)
    report = report_on(dumps(model))
    acted = {
        rank
        for word in [*words, *model.vocabulary]
        for _, rank in model.merge_table.merge(word, prefix=len(pairs)).steps
    }
    assert acted.isdisjoint(report.idle)
    # And those that are not idle do act, on what they make.
    assert acted | set(report.idle) == set(range(len(pairs)))


@pytest.mark.parametrize(
    ("data", "failed", "where"),
    [
        (b"", "json", None),
        (b"[x]", "json", "line 1, column 2"),
        (b'{"a": 1, "a": 2}', "json", None),
        (b"\xff", "json", None),
        (b"[]", "model", None),
        (changed(train("low low"), merges=[{}]), "model", "merge_count"),
        (changed(train("low low"), fingerprint="0" * 64), "fingerprint", "fingerprint"),
        (changed(train("low low"), checksum="0" * 64), "checksum", "checksum"),
        (changed(train("low low"), initial_tokens=1), "numbers", "initial_tokens"),
    ],
)
def test_what_does_not_hold_together_is_named(data: bytes, failed: str, where: str | None) -> None:
    report = report_on(data)
    assert not report.is_sound
    (first,) = [check for check in report.checks if check.passed is False][:1]
    assert first.name == failed
    assert isinstance(first.objection, ModelError)
    if where:
        assert first.objection.where == where
    assert [check.name for check in report.checks] == ["json", "model", "merges", "numbers", "fingerprint", "checksum"]
    with pytest.raises(ModelError):
        loads(data)


def test_what_does_not_hold_together_is_shown_all_the_same() -> None:
    report = report_on(changed(train("low low lower"), checksum="x"))
    assert report.model is not None
    assert [merge.result for merge in report.model.merges] == [merge.result for merge in train("low low lower").merges]
    assert outcome(report) == {
        **dict.fromkeys(("json", "model", "merges", "numbers", "fingerprint"), True),
        "checksum": False,
    }


@given(data=st.binary(max_size=200))
def test_it_never_raises(data: bytes) -> None:
    assert report_on(data).model is None


@given(place=st.integers(0, 10**6), byte=st.integers(0, 255))
def test_a_damaged_file_is_reported_as_the_library_judges_it(place: int, byte: int) -> None:
    data = bytearray(dumps(train("low low lower newest newest")))
    data[place % len(data)] = byte
    try:
        loads(bytes(data))
        sound = True
    except ModelError:
        sound = False
    assert report_on(bytes(data)).is_sound == sound
