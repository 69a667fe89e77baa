"""The training vectors as models with their histories, for tests of what is shown of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pairloom.history import History
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.word_counts import count_words

FOLDER = Path(__file__).resolve().parents[1] / "vectors"


@dataclass(frozen=True)
class TrainedVector:
    """A vector and what the library makes of it."""

    data: dict[str, Any]
    model: Model
    history: History


@cache
def trained_vectors() -> dict[str, TrainedVector]:
    """Return every training vector by its name."""
    made: dict[str, TrainedVector] = {}
    for name in ("training", "reports"):
        for data in json.loads((FOLDER / f"{name}.json").read_text("ascii")):
            settings = {"lowercase": data["lowercase"], "pre_tokenizer": data["pretokenizer"]}
            model = train(data["corpus"], data["merge_limit"], **settings)
            made[data["name"]] = TrainedVector(data, model, History.of(count_words(data["corpus"], **settings), model))
    assert made
    return made


def on_every_vector() -> pytest.MarkDecorator:
    """Call a test with every training vector."""
    return pytest.mark.parametrize("vector", trained_vectors().values(), ids=trained_vectors().keys())
