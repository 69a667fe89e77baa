"""What a count leaves out on purpose stays known: in word counts, models, model files and tables."""

import json
import pickle
from pathlib import Path

import pytest

import pairloom
from pairloom import WordCounts
from pairloom.formats.model_file import checksum_of, dumps, loads
from pairloom.formats.word_counts_file import added_up, dumps_parquet, loads_parquet
from pairloom.left_out import LeftOut, with_record
from tests.support.command_line import run

COUNTS = {"▁low": 9, "▁lower": 5}
LEFT_OUT = LeftOut(sample=0.25, min_word_count=5, skipped_texts=3)


def test_a_model_has_what_its_word_counts_say() -> None:
    model = pairloom.train_from_word_counts(with_record(WordCounts(COUNTS), LEFT_OUT))
    whole = pairloom.train_from_word_counts(WordCounts(COUNTS))
    assert (model.left_out, whole.left_out) == (LEFT_OUT, None)
    assert model.fingerprint == whole.fingerprint
    assert model != whole


def test_it_travels_in_files_and_between_processes() -> None:
    table = with_record(WordCounts(COUNTS), LEFT_OUT)
    model = pairloom.train_from_word_counts(table)
    assert loads(dumps(model)) == model
    assert pickle.loads(pickle.dumps(table)) == table
    assert loads_parquet(dumps_parquet(table)) == table


def test_a_sum_of_tables_lacks_what_each_lacks() -> None:
    whole = WordCounts(COUNTS)
    tables = [with_record(whole, LEFT_OUT), whole, with_record(whole, LeftOut(skipped_texts=2))]
    assert added_up(tables).left_out == LeftOut(sample=0.25, min_word_count=5, skipped_texts=5)
    assert added_up([whole] * 2).left_out is None


def test_the_file_of_a_whole_corpus_says_nothing_of_it() -> None:
    assert b"left_out" not in dumps(pairloom.train("low low lower"))


def test_an_imported_list_has_none() -> None:
    assert pairloom.Model.from_merges("ab", [("a", "b")], marker=False).left_out is None


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ([], "left_out"),
        ({"sample": 0.5, "min_word_count": 1}, "left_out.skipped_texts"),
        ({"sample": 0.5, "min_word_count": 1, "skipped_texts": 0, "more": 1}, "left_out.more"),
        ({"sample": 0, "min_word_count": 1, "skipped_texts": 0}, "left_out.sample"),
        ({"sample": True, "min_word_count": 1, "skipped_texts": 1}, "left_out.sample"),
        ({"sample": "1", "min_word_count": 1, "skipped_texts": 1}, "left_out.sample"),
        ({"sample": 0.5, "min_word_count": 0, "skipped_texts": 0}, "left_out.min_word_count"),
        ({"sample": 0.5, "min_word_count": 1.0, "skipped_texts": 0}, "left_out"),
        ({"sample": 0.5, "min_word_count": 1, "skipped_texts": -1}, "left_out.skipped_texts"),
        ({"sample": 1, "min_word_count": 1, "skipped_texts": 0}, "left_out"),
    ],
)
def test_a_file_with_another_record_is_refused(value: object, where: str) -> None:
    document = json.loads(dumps(pairloom.train("low low lower"))) | {"left_out": value}
    document["checksum"] = checksum_of(document)
    with pytest.raises(pairloom.ModelError) as refused:
        loads(json.dumps(document).encode())
    assert refused.value.where == where


def test_a_list_that_was_not_trained_here_cannot_have_one() -> None:
    model = pairloom.Model.from_merges("ab", [("a", "b")], marker=False)
    document = json.loads(dumps(model)) | {"left_out": {"sample": 0.5, "min_word_count": 1, "skipped_texts": 0}}
    with pytest.raises(pairloom.ModelError) as refused:
        loads(json.dumps(document).encode())
    assert refused.value.where == "left_out"


@pytest.mark.parametrize(
    "given", [{"sample": 0}, {"sample": float("nan")}, {"min_word_count": 0}, {"skipped_texts": -1}]
)
def test_what_cannot_be_left_out(given: dict[str, float]) -> None:
    with pytest.raises(pairloom.SettingError):
        LeftOut(**given)  # type: ignore[arg-type]


def test_the_command_line_records_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text("".join(f'{{"text": "low lower word{n}"}}\n' for n in range(9)))
    assert run("train", "corpus.jsonl", "--min-word-count", "2", "-o", "direct.json").code == 0
    assert pairloom.load("direct.json").left_out == LeftOut(min_word_count=2)
    assert run("count", "corpus.jsonl", "--min-word-count", "2", "--to", "parquet", "-o", "counts.parquet").code == 0
    assert run("train", "--counts", "counts.parquet", "-o", "from-table.json").code == 0
    assert Path("from-table.json").read_bytes() == Path("direct.json").read_bytes()
    assert run("train", "corpus.jsonl", "-o", "whole.json").code == 0
    assert pairloom.load("whole.json").left_out is None
