"""Traces: every round as a file, replayed to the very model, numbers included."""

from __future__ import annotations

import csv
import json

from hypothesis import given
from hypothesis import strategies as st

from pairloom.formats.exchange import export_files, import_files
from pairloom.formats.hugging_face import settings_of_model
from pairloom.formats.trace import COLUMNS, CSV, JSON
from pairloom.model import Model
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.trainer import train
from tests.support.strategies import Imported as List
from tests.support.strategies import corpora, imported_lists


@given(
    corpora().filter(lambda texts: any(text.strip() for text in texts)), st.booleans(), st.sampled_from(PRE_TOKENIZERS)
)
def test_a_training_comes_back_with_all_its_numbers(texts: list[str], lowercase: bool, pre_tokenizer: str) -> None:
    try:
        model = train(texts, 50, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    except ValueError:  # whitespace alone
        return
    assert import_files(JSON, export_files(model, JSON)).model == model
    read = import_files(CSV, export_files(model, CSV), settings=settings_of_model(model), alphabet=model.alphabet)
    assert read.model.fingerprint == model.fingerprint


@given(imported_lists())
def test_a_list_made_by_hand_comes_back(drawn: List) -> None:
    model = Model.from_merges(drawn.alphabet, drawn.merges, marker=False)
    assert import_files(JSON, export_files(model, JSON)).model == model
    read = import_files(CSV, export_files(model, CSV), settings=settings_of_model(model), alphabet=model.alphabet)
    assert read.model.fingerprint == model.fingerprint


def test_a_row_for_each_prefix() -> None:
    model = train("low low lower", 10)
    rows = list(csv.DictReader(export_files(model, CSV)[CSV].decode("utf-8").splitlines()))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["prefix"], row["result"], row["corpus_tokens"]) for row in rows] == [
        ("0", "", "14"),
        ("1", "lo", "11"),
        ("2", "low", "8"),
        ("3", "▁low", "5"),
    ]


def test_the_rounds_alone_rebuild_the_training() -> None:
    """Replayed by hand, with nothing of this package: the words, and the pairs in their order."""
    text = "low low lower newest newest"
    trace = json.loads(export_files(train(text, 100), JSON)[JSON])
    words = [["▁", *word] for word in text.split()]
    assert sum(map(len, words)) == trace["initial_tokens"]
    for each in trace["rounds"]:
        replacements = 0
        for word in words:
            place = 0
            while place < len(word) - 1:
                if word[place : place + 2] == [each["left"], each["right"]]:
                    word[place : place + 2] = [each["result"]]
                    replacements += 1
                place += 1
        assert replacements == each["replacements"]
        assert sum(map(len, words)) == each["corpus_tokens"]
