"""Encoding datasets on a local Ray of two workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.libraries import library
from tests.corpus.corpora import KINDS, write
from tests.corpus.test_encoding_datasets import MODEL, TEXTS, contents

pytestmark = pytest.mark.usefixtures("two_workers")


def test_the_files_are_those_of_one_process(tmp_path: Path) -> None:
    for kind in KINDS[::4]:
        paths = [write(tmp_path / f"{number}{kind}", TEXTS * 20) for number in range(3)]
        corpus.encode(paths, MODEL, output=tmp_path / f"one{kind}")
        corpus.encode(paths, MODEL, output=tmp_path / f"ray{kind}", engine="ray")
        assert contents(tmp_path / f"one{kind}") == contents(tmp_path / f"ray{kind}")


def test_a_dataset_keeps_its_rows_in_order_and_its_columns() -> None:
    data = library("ray.data")
    data.DataContext.get_current().enable_progress_bars = False
    texts = ["low lower", "newest", "widest low low"] * 100
    rows = data.from_items([{"n": n, "text": text} for n, text in enumerate(texts)], override_num_blocks=5)
    dataset: Any = corpus.encode(rows, MODEL, column="text")
    encoded = dataset.take_all()
    assert [(row["n"], row["text"]) for row in encoded] == list(enumerate(texts))
    assert [list(row["ids"]) for row in encoded] == [list(MODEL.encode(text).ids) for text in texts]
    with pytest.raises(errors.ShardError, match="no column"):
        corpus.encode(rows, MODEL, column="other")
