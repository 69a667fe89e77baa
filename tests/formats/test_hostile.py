"""Every hostile token string survives every format; in the other tools' libraries, too, where they read it."""

from __future__ import annotations

import csv
import json

import pytest

from pairloom.formats.csv_table import TRACE_NAME as CSV
from pairloom.formats.exchange import FORMATS, export_files, import_files
from pairloom.formats.hugging_face import TOKENIZER_JSON, VOCAB_MERGES, settings_of_model
from pairloom.formats.verifying import disagreements
from pairloom.formats.word_counts_file import dumps_parquet, dumps_tsv, loads_parquet, loads_tsv
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.display import visible
from pairloom.word_counts import WordCounts, count_words
from tests.support.hostile import HOSTILE


def model_of(words: str) -> Model:
    """A model in which each word is a token, with its marker and in pieces."""
    return train(words, 1000, min_frequency=1)


ALL = " ".join(HOSTILE)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("word", [*HOSTILE, ALL], ids=ascii)
def test_there_and_back(form: str, word: str) -> None:
    model = model_of(word)
    files = export_files(model, form)
    imported = import_files(form, files, settings=settings_of_model(model), alphabet=model.alphabet)
    assert imported.errors == ()
    assert imported.model.fingerprint == model.fingerprint


@pytest.mark.parametrize("form", [TOKENIZER_JSON, VOCAB_MERGES])
@pytest.mark.parametrize("word", [*HOSTILE, ALL], ids=ascii)
def test_in_the_library_of_hugging_face(form: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    model = model_of(word)
    found = list(disagreements(model, form, export_files(model, form), [word, f"{word} {word}", f"x{word}"]))
    skipped = form == VOCAB_MERGES and any("#version" in limit for limit in FORMATS[form].limits(model))
    if not skipped:
        assert [each.reason for each in found if each.text < 2] == []
        assert {each.reason for each in found} <= {"unknown"}


@pytest.mark.parametrize("word", HOSTILE, ids=ascii)
def test_in_subword_nmt(word: str) -> None:
    model = model_of(word)
    said = any("</w>" in limit or "without merges" in limit for limit in FORMATS["subword-nmt"].limits(model))
    if not said:
        assert list(disagreements(model, "subword-nmt", export_files(model, "subword-nmt"), [word])) == []


@pytest.mark.parametrize("pre_tokenizer", ["whitespace", "punctuation"])
def test_word_counts_there_and_back(pre_tokenizer: str) -> None:
    table = count_words(ALL, pre_tokenizer=pre_tokenizer)
    for dumps, loads in ((dumps_tsv, loads_tsv), (dumps_parquet, loads_parquet)):
        read: WordCounts = loads(dumps(table), pre_tokenizer=pre_tokenizer)
        assert list(read.counts.items()) == list(table.counts.items())
        assert read == table


def test_nothing_invisible_and_no_formula_is_in_a_csv() -> None:
    text = export_files(model_of(ALL), CSV)[CSV].decode("utf-8-sig")
    for row in csv.reader(text.splitlines()):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row)
        assert not [span for cell in row for span in visible(cell) if span.kind == "escape"]


def test_json_is_ascii() -> None:
    for form in (TOKENIZER_JSON, "trace.json"):
        data = export_files(model_of(ALL), form)[form]
        assert data.isascii()
        json.loads(data)
