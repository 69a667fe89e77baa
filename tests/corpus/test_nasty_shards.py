"""Shards that go wrong in practice, counted in this process and in others; `on_ray` does the same on a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairloom.corpus.processes import Processes
from tests.corpus.nasty import NASTY, Nasty, check, check_long_word


@pytest.mark.parametrize("nasty", NASTY, ids=str)
def test_in_this_process(nasty: Nasty, tmp_path: Path) -> None:
    check(nasty, tmp_path)


def test_in_other_processes(tmp_path: Path) -> None:
    """One of each kind of error: it comes through the pipe as it is."""
    for number, nasty in enumerate(NASTY[::6]):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(nasty, folder, engine=Processes(2))


def test_a_word_of_200_megabytes(tmp_path: Path) -> None:
    check_long_word(tmp_path)
