"""The pages that are written from the source are those of this source: `make reference` writes them anew."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.docs.markdown import ROOT
from tools import reference
from tools.rule_places import Rule, rules


@pytest.mark.parametrize("name", reference.PAGES)
def test_a_page_is_what_is_written(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == reference.PAGES[name](), "make reference"


PLACES = reference.PAGES["docs/conventions/places.md"]()
SECTIONS = {text[: text.index("]")]: text for text in PLACES.split("\n**[")[1:]}


@cache
def _sources() -> dict[str, tuple[str, dict[str, str]]]:
    """Every file with tests, without the ranges in it, and its tests: parted at each line that begins one."""
    found = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = re.sub(r"\b[A-Z]\d+[–-][A-Z]?\d+", "", path.read_text("utf-8"))
        parts = re.split(r"^(?:async )?def (test_\w+)", source, flags=re.MULTILINE)
        if len(parts) > 1 and "docs" not in path.parts:
            # A test's text ends where a line begins at the margin that is none of its own.
            bodies = (re.split(r"\n(?=[^\s)])", body)[0] for body in parts[2::2])
            found[path.relative_to(ROOT).as_posix()] = (source, dict(zip(parts[1::2], bodies, strict=True)))
    return found


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.number)
def test_every_test_that_cites_a_rule_stands_at_its_place(rule: Rule) -> None:
    """Whoever looks for a rule finds every file with a test of it, and the test's name, none hidden behind a number."""
    lines = {line.partition("](../../")[2].partition(")")[0]: line for line in SECTIONS[rule.number].splitlines()}
    cites = re.compile(rf"\b{rule.number}\b" if len(rule.number) > 1 else rf"\bRules?: (?:[^.\n]*\W)?{rule.number}\b")
    seen = 0
    for path, (source, tests) in _sources().items():
        if cites.search(source):
            assert path in lines
        for name, body in tests.items():
            if cites.search(body) or f"_{rule.number.lower()}_" in name:
                assert f"`{name}`" in lines[path]
                seen += 1
    assert seen or any(lines[path] for path in rule.tests)
    assert not re.search(r" and \d+ more", SECTIONS[rule.number])
    for code in rule.code:
        assert f"`{re.split('[:/]', code)[-1].removeprefix('pairloom.')}`" in SECTIONS[rule.number]
