"""Findings about merge lists: duplicates, strings made twice, and merges that no text can bring to act."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pairloom.formats.findings import KINDS, Findings
from pairloom.formats.merge_list import EncodingSettings, ListedMerge, model_of_list
from pairloom.model import Model
from tests.support.strategies import Imported, imported_lists

PLAIN = EncodingSettings(marker=False)


def found_in(
    pairs: list[tuple[str, str]], *, alphabet: str = "abc", settings: EncodingSettings = PLAIN
) -> list[tuple[str, int | None]]:
    findings = Findings()
    listed = [ListedMerge(left, right, line=number) for number, (left, right) in enumerate(pairs, start=1)]
    model_of_list(listed, alphabet=alphabet, settings=settings, findings=findings)
    return [(finding.kind, finding.line) for finding in findings.found]


def test_a_list_without_surprises() -> None:
    assert found_in([("a", "b"), ("ab", "c")]) == []


def test_each_surprise_has_its_line() -> None:
    assert found_in([("a", "b"), ("a", "b")]) == [("duplicate", 2)]
    assert found_in([("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")]) == [("made-twice", 4), ("unreachable", 4)]
    assert found_in([("a", "b"), ("ab", "x")]) == [("nothing-makes", 2)]
    assert found_in([("a", "")]) == [("parts", 1)]
    assert found_in([("a", "b c")]) == [("whitespace", 1)]
    assert found_in([], alphabet="a\u2028") == [("whitespace", None)]


def test_text_that_cannot_be_is_no_reach() -> None:
    with_marker = EncodingSettings()
    assert found_in([("a", "▁")], settings=with_marker) == [("unreachable", 1)]
    assert found_in([("▁", "a")], settings=with_marker) == []
    assert found_in([("A", "b")], alphabet="Ab", settings=EncodingSettings(lowercase=True)) == [("unreachable", 1)]
    cutting = EncodingSettings(pre_tokenizer="punctuation")
    assert found_in([("a", ".")], alphabet="a.", settings=cutting) == [("unreachable", 1)]
    assert found_in([("\u0301", ".")], alphabet="\u0301.", settings=cutting) == []


@given(imported_lists())
def test_unreachable_means_in_no_text(drawn: Imported) -> None:
    """Against every word of the alphabet up to a length: the findings say neither too much nor too little."""
    alphabet = "".join(drawn.alphabet)
    pairs = [pair for pair in drawn.merges if len("".join(pair)) <= 5]
    known = set(alphabet)
    kept = []
    for left, right in pairs:
        if {left, right} <= known:
            kept.append((left, right))
            known.add(left + right)
    unreachable = {line for kind, line in found_in(kept, alphabet=alphabet) if kind in ("unreachable", "duplicate")}
    model = Model.from_merges(alphabet, kept, marker=False)
    acting = set()
    for length in range(1, 7):
        for letters in product(alphabet, repeat=length):
            steps = model.merge_table.merge("".join(letters), prefix=len(kept)).steps
            acting |= {rank + 1 for _, rank in steps}
    assert unreachable == set(range(1, len(kept) + 1)) - acting


def test_every_kind_is_explained() -> None:
    assert all(meaning for meaning in KINDS.values())


@given(st.sampled_from(sorted(KINDS)))
def test_a_finding_names_its_place(kind: str) -> None:
    findings = Findings()
    findings.error(kind, "why", line=3, where="model.merges[0]")
    assert findings.found[0].place == "line 3 (model.merges[0])"
    assert findings.has_errors
