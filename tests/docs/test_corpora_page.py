"""docs/corpora.md has every error of corpora, and what it says of limits is so."""

from __future__ import annotations

import re

import pytest

from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.memory import merging_needs
from pairloom.errors import NotText, PairloomError
from tests.docs.markdown import ROOT

PAGE = (ROOT / "docs" / "corpora.md").read_text("utf-8")
MADE: list[PairloomError] = [
    errors.ShardError(shard="a", reason="none"),
    errors.BadText(shard="a", where="row 1", error=NotText(type_name="null")),
    errors.NoText(reason="none"),
    errors.NoInput(path="a", reason="none"),
    errors.WorkFolderError(folder="a", reason="none"),
    errors.WorkLost(work="a", attempts=4, reason="none"),
    errors.VersionsDiffer(worker="a", differing="none"),
    errors.NotEnoughMemory(words=1, needed=2, available=1),
]


def test_every_error_is_looked_at() -> None:
    ours = {kind for kind in vars(errors).values() if isinstance(kind, type) and kind.__module__ == errors.__name__}
    assert {type(error) for error in MADE} == ours
    assert all(kind.__name__ in (errors.__doc__ or "") for kind in ours)
    assert {kind.__name__ for kind in ours} <= set(corpus.__all__)


@pytest.mark.parametrize("error", MADE, ids=lambda error: error.code)
def test_the_page_gives_code_and_attributes(error: PairloomError) -> None:
    row = re.search(rf"^\| `{type(error).__name__}` \| `([^`]+)` \| (.+?) \|", PAGE, re.MULTILINE)
    assert row is not None
    assert row[1] == error.code
    assert re.findall(r"`(\w+)`", row[2]) == list(error.details)
    assert str(error)


def test_every_public_name_is_on_the_page_or_an_errors() -> None:
    told = {name for name in corpus.__all__ if re.search(rf"\b{name}\b", PAGE)}
    assert set(corpus.__all__) - told <= {"CorpusCounts", "Encoded", "Engine", "Manifest", "Progress"}


def test_the_table_follows_from_the_law_and_the_measured_rates() -> None:
    # 1 TB: words and distinct words by the fit of English, and the memory of merging at its 13.4 bytes a word.
    words = 1e12 / (99_999_800 / 14_322_989)
    distinct = 3.9207 * words**0.757715
    assert (round(words / 1e12, 2), round(distinct / 1e9, 1)) == (0.14, 1.1)
    assert 150 <= merging_needs(int(distinct), int(distinct * 16)) / 1e9 <= 185
    assert round(1e12 / 24e6 / 3600) == 12
