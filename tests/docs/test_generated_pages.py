"""The pages that are written from the source are those of this source: `make reference` writes them anew."""

from __future__ import annotations

import pytest

from tests.docs.markdown import ROOT
from tools import reference


@pytest.mark.parametrize("name", reference.PAGES)
def test_a_page_is_what_is_written(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == reference.PAGES[name](), "make reference"


def test_the_places_of_five_rules() -> None:
    """What a stranger looks for: where a rule is carried, and which tests hold it."""
    rows = {
        line.split("|")[1].strip().partition("]")[0][1:]: line
        for line in reference.PAGES["docs/conventions/places.md"]().splitlines()
        if line.startswith("| [")
    }
    for rule, module, test in (
        ("N3", "normalizer.py", "test_lower_case"),
        ("T4", "kernel/pure_training.py", "test_ties_go_by_code_point"),
        ("E2", "kernel/pure_merging.py", "test_the_lowest_rank_and_then_the_leftmost"),
        ("W3", "static/js/jobs.js", "test_w3_what_comes_late_is_dropped"),
        ("S6", "views/granularity.py", "test_s6_a_new_text_is_encoded_live_three_ways"),
    ):
        assert module in rows[rule]
        assert test in rows[rule]
