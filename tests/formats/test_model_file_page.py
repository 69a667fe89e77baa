"""The page about the model file shows a real one and has every field; its code blocks run with all others."""

import re

from pairloom.formats.json_guard import MAX_BYTES, MAX_CONTAINERS, MAX_DEPTH, MAX_VALUES
from pairloom.formats.model_document import MERGE_KEYS, keys_of
from pairloom.formats.model_file import dumps
from pairloom.trainer import train
from tests.support.repository import ROOT

PAGE = (ROOT / "docs" / "model-file.md").read_text("utf-8")


def test_the_example_is_a_real_file() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert shown == dumps(train("low low lower")).decode("ascii")


def test_every_field_has_its_row() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == keys_of({"left_out": None}) + MERGE_KEYS


def test_the_limits_are_told() -> None:
    assert f"at most {MAX_BYTES // 2**20} MiB" in PAGE
    assert f"at most {MAX_DEPTH} levels" in PAGE
    assert f"at most {MAX_VALUES:,} values, {MAX_CONTAINERS:,} of" in PAGE
