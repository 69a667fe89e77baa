"""CSV that no spreadsheet executes, and that gives every text back."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.formats.csv_table import (
    BOM,
    MERGE_COLUMNS,
    TRACE_COLUMNS,
    as_read,
    csv_portions,
    harmless,
    loads,
    merges_csv,
    trace_csv,
)
from pairloom.formats.hugging_face import settings_of_model
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.display import visible
from tests.support.strategies import Imported, Training, imported_lists, trainings
from tests.support.vectors import TrainedVector, on_every_vector

EXECUTED = "=+-@\t\r\n＝＋－＠"


def read(data: bytes) -> list[list[str]]:
    assert data.startswith(BOM)
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@given(text=st.text(st.sampled_from(EXECUTED + "'\",;a\0\\u{}1\u202e\u0301"), max_size=6))
def test_no_cell_begins_with_what_is_executed_and_all_come_back(text: str) -> None:
    data = b"".join(csv_portions(["text"], [[text, "end"]]))
    cell = read(data)[1][0]
    assert not cell.startswith(tuple(EXECUTED))
    assert not [span for span in visible(cell) if span.kind == "escape"]
    assert cell == harmless(text)
    assert as_read(cell) == text


@on_every_vector()
def test_the_merge_table_of_the_vectors(vector: TrainedVector) -> None:
    rows = read(b"".join(merges_csv(vector.model.merges)))
    assert tuple(rows[0]) == MERGE_COLUMNS
    expected = vector.data["merges"]
    assert len(rows) == len(expected) + 1
    for rank, (row, (left, right, *numbers, token_id, is_new)) in enumerate(zip(rows[1:], expected, strict=True)):
        assert row[0] == str(rank)
        assert [as_read(cell) for cell in row[1:4]] == [left, right, left + right]
        assert row[4:7] == [str(number) for number in numbers]
        assert row[7:9] == [str(token_id), "true" if is_new else "false"]
        assert "".join(chr(int(each.removeprefix("U+"), 16)) for each in row[9].split()) == left + right


@pytest.mark.parametrize("sign", "=+-@")
def test_a_merge_of_signs_is_harmless(sign: str) -> None:
    model = Model.from_merges([sign, "1"], [(sign, "1")], marker=False)
    (row,) = read(b"".join(merges_csv(model.merges)))[1:]
    assert row[1:4] == [f"'{sign}", "1", f"'{sign}1"]
    assert row[4:7] == ["", "", ""]


@pytest.mark.parametrize("cell", ["\\", "\\x", "\\u12", "\\u{110000}", "a\\"])
def test_what_is_no_escape_is_said(cell: str) -> None:
    with pytest.raises(ValueError, match="no escape of this format"):
        as_read(cell)


def test_a_row_for_each_prefix() -> None:
    model = train("low low lower", 10)
    head, *rows = read(b"".join(trace_csv(model)))
    assert tuple(head) == TRACE_COLUMNS
    named = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["prefix"], row["result"], row["corpus_tokens"]) for row in named] == [
        ("0", "", "14"),
        ("1", "lo", "11"),
        ("2", "low", "8"),
        ("3", "▁low", "5"),
    ]
    assert [row[1:] for row in rows[1:]] == read(b"".join(merges_csv(model.merges)))[1:]


def check_both_tables(model: Model) -> None:
    for data in (b"".join(trace_csv(model)), b"".join(merges_csv(model.merges))):
        imported = loads(data, settings=settings_of_model(model), alphabet=model.alphabet)
        assert imported.errors == ()
        assert "line-ends" not in imported.counts
        assert imported.model.fingerprint == model.fingerprint


@given(trainings())
def test_a_training_comes_back_from_both_tables(training: Training) -> None:
    check_both_tables(train(training.corpus, 30, min_frequency=1, lowercase=training.lowercase))


@given(imported_lists())
def test_a_list_made_by_hand_comes_back(drawn: Imported) -> None:
    check_both_tables(Model.from_merges(drawn.alphabet, drawn.merges, marker=False))


def test_what_a_spreadsheet_or_an_editor_saved_is_read() -> None:
    """Without the mark, with line feeds alone, with a column beside."""
    model = train("low low lower", 10)
    lines = b"".join(trace_csv(model)).decode("utf-8-sig").splitlines()
    data = "".join([f"{line},mine\n" for line in lines]).encode()
    assert loads(data, alphabet=model.alphabet).model.fingerprint == model.fingerprint


def test_a_symbol_longer_than_the_standard_library_takes() -> None:
    word = "a" * 140_000
    model = train(f"{word} {word}", 40)
    longest = max(map(len, model.vocabulary))
    assert longest > 131_072
    before = csv.field_size_limit()
    data = b"".join(trace_csv(model))
    assert loads(data, alphabet=model.alphabet).model.fingerprint == model.fingerprint
    assert csv.field_size_limit() == before
