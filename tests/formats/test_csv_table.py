"""CSV that no spreadsheet executes, and that gives every text back."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.formats.csv_table import BOM, MERGE_COLUMNS, as_read, csv_portions, harmless, merges_csv
from pairloom.model import Model
from tests.support.vectors import TrainedVector, on_every_vector

EXECUTED = "=+-@\t\r\n＝＋－＠"


def read(data: bytes) -> list[list[str]]:
    assert data.startswith(BOM)
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@given(text=st.text(st.sampled_from(EXECUTED + "'\",;a\0"), max_size=6))
def test_no_cell_begins_with_what_is_executed_and_all_come_back(text: str) -> None:
    data = b"".join(csv_portions(["text"], [[text, "end"]]))
    cell = read(data)[1][0]
    assert not cell.startswith(tuple(EXECUTED))
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
