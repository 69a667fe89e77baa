"""The plain algorithm itself: short, alone, its listing runs, and its tie rules are those of the named tools."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import pairloom
from pairloom import educational

SOURCE = Path(inspect.getfile(educational))

LISTING = """
from collections import Counter
from collections.abc import Callable

Pair = tuple[str, str]
Choose = Callable[[list[Pair]], Pair]

"""


def test_it_is_one_page() -> None:
    assert len(SOURCE.read_text("utf-8").splitlines()) <= 200


def test_it_needs_unicode_data_and_little_of_the_standard_library() -> None:
    imported = set()
    for node in ast.walk(ast.parse(SOURCE.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            imported |= names if node.module == "pairloom" else {str(node.module)}
    assert imported == {"collections", "collections.abc", "typing", "pairloom.unicode_data"}


def test_the_listing_runs_on_its_own(tmp_path: Path) -> None:
    """`count_pairs`, `merge` and `train`, copied with two names: plain Python gives our merges."""
    functions = (educational.count_pairs, educational.merge, educational.train)
    source = LISTING + "\n\n".join(inspect.getsource(function) for function in functions)
    source += "\nwords = {'▁low': 5, '▁lower': 2, '▁newest': 6, '▁widest': 3, '▁aaaa': 1}\n"
    source += "for row in train(words, 100):\n    print(ascii(row))\n"
    listing = tmp_path / "listing.py"
    listing.write_text(source, "utf-8")
    run = subprocess.run([sys.executable, "-I", "-S", str(listing)], check=True, capture_output=True, text=True)
    model = pairloom.train_from_word_counts({"low": 5, "lower": 2, "newest": 6, "widest": 3, "aaaa": 1}, 100)
    expected = [(m.left, m.right, m.frequency, m.replacements, m.corpus_tokens) for m in model.merges]
    assert run.stdout.splitlines() == [ascii(row) for row in expected]


# ---------------------------------------------------------------- tie rules

RULES = ("ours", "first_seen", "smallest_ids", "largest_pair", "sentencepiece")


def merged(table: dict[str, int], rule: str, limit: int = 1000) -> list[str]:
    rows = educational.train(table, limit, choose=educational.tie_rule(rule, table))
    return [f"{left}+{right}" for left, right, *_ in rows]


@pytest.mark.parametrize(
    ("rule", "first"),
    [
        ("ours", "a+z"),  # the smallest left symbol
        ("first_seen", "m+n"),  # the first word of the table
        ("smallest_ids", "a+z"),  # IDs of base symbols are in code-point order
        ("largest_pair", "m+n"),
        ("sentencepiece", "a+z"),  # all pieces have two code points: the smaller string
    ],
)
def test_ties_of_base_symbols(rule: str, first: str) -> None:
    """mn, az, bc: each twice."""
    assert merged({"mn": 2, "az": 2, "bc": 2}, rule, 1) == [first]


@pytest.mark.parametrize(
    ("rule", "second"),
    [
        ("ours", "ab+c"),  # "ab" is smaller than "b"
        ("first_seen", "ab+c"),  # abc comes first in the table
        ("smallest_ids", "b+d"),  # b is a base symbol, so its ID is smaller than that of ab
        ("largest_pair", "b+d"),
        ("sentencepiece", "b+d"),  # two code points, abc has three
    ],
)
def test_ties_of_merged_symbols(rule: str, second: str) -> None:
    """ab is 5 and comes first in every tool; then abc leaves ab+c twice, and bd is b+d twice."""
    assert merged({"abc": 2, "bd": 2, "ab": 3}, rule, 2) == ["a+b", second]


def test_first_seen_counts_anew_each_round() -> None:
    """The pair whose first position comes first now, not the one that was entered first at the start.

    xy is 5. After it, in the order of the words: w+xy (twice, in wxy), then c+d (twice).
    """
    table = {"wxy": 2, "cd": 2, "xy": 3}
    assert merged(table, "first_seen", 2) == ["x+y", "w+xy"]
    assert merged({"cd": 2, "wxy": 2, "xy": 3}, "first_seen", 2) == ["x+y", "c+d"]


def test_first_seen_within_a_word_goes_from_left_to_right() -> None:
    assert merged({"zyx": 2}, "first_seen") == ["z+y", "zy+x"]
    assert merged({"zyx": 2}, "ours") == ["y+x", "z+yx"]


def test_all_rules_agree_where_there_is_no_tie() -> None:
    table = {"aab": 5, "ab": 4, "b": 1}
    assert {tuple(merged(table, rule)) for rule in RULES} == {("a+b", "a+ab")}


def test_rules_that_there_are_not() -> None:
    with pytest.raises(KeyError):
        educational.tie_rule("alphabetical", {"ab": 2})
