"""Every rule is documented, carried by code that exists, held by tests that exist, and cited where it is carried."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT

CONVENTIONS = ROOT / "docs" / "conventions"

# The letters and how many rules each has. A rule more than here is a change of the contract, and begins here.
LETTERS = {"N": 9, "P": 4, "T": 10, "V": 4, "E": 8, "D": 2, "L": 3}
RULES = [f"{letter}{number}" for letter, last in LETTERS.items() for number in range(1, last + 1)]

# Rules that the code does not carry yet, with the reason; they are documented all the same.
CARRIED_LATER: dict[str, str] = {}

_RULE = re.compile(r"^## ([A-Z]\d+) · (.+)$", re.MULTILINE)
_CODE = re.compile(r"\*Code\*: (.+?)\. \*Tests\*: (.+?)\.$", re.MULTILINE)
_TICKED = re.compile(r"`([^`]+)`")


def _sections() -> dict[str, str]:
    """The text of each rule, by its number."""
    sections: dict[str, str] = {}
    for page in sorted(CONVENTIONS.glob("*.md")):
        parts = _RULE.split(page.read_text(encoding="utf-8"))
        for number, title, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            assert number not in sections, f"{number} stands twice"
            sections[number] = f"{title}\n{text}"
    return sections


SECTIONS = _sections()


def cited(text: str) -> set[str]:
    """The rules that a text cites, ranges such as N1–N8 written out."""
    rules: set[str] = set()
    for letter, first, last in re.findall(r"\b([A-Z])(\d{1,2})(?:[–-][A-Z]?(\d{1,2}))?\b", text):
        rules |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    return rules


def test_the_documented_rules_are_the_known_ones() -> None:
    assert {rule for rule in SECTIONS if rule[0] in LETTERS} == set(RULES)


@pytest.mark.parametrize("letter", sorted({rule[0] for rule in SECTIONS}))
def test_no_number_of_a_letter_is_left_out(letter: str) -> None:
    numbers = sorted(int(rule[1:]) for rule in SECTIONS if rule[0] == letter)
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("rule", SECTIONS)
def test_a_rule_names_its_code_and_its_tests(rule: str) -> None:
    found = _CODE.search(SECTIONS[rule])
    assert found is not None, "a line `*Code*: …. *Tests*: ….` is missing"
    names, files = _TICKED.findall(found[1]), _TICKED.findall(found[2])
    assert names
    assert files
    for path in files:
        assert (ROOT / path).exists(), path
    for code in names:
        if "/" in code:
            assert (ROOT / "src" / "pairloom" / "web" / code).is_file(), code
        else:
            _resolve(code)


@pytest.mark.parametrize("rule", sorted(set(RULES) - set(CARRIED_LATER)))
def test_a_rule_is_cited_by_a_docstring_and_by_a_test(rule: str) -> None:
    source = {path.name: cited(path.read_text(encoding="utf-8")) for path in (ROOT / "src" / "pairloom").rglob("*.py")}
    assert any(rule in rules for rules in source.values()), f"no file under src cites {rule}"
    own = Path(__file__).parent
    tests = [path for path in (ROOT / "tests").rglob("*.py") if own not in path.parents]
    assert any(rule in cited(path.read_text(encoding="utf-8")) for path in tests), f"no test cites {rule}"


@pytest.mark.parametrize("rule", RULES)
def test_one_of_the_named_tests_cites_the_rule(rule: str) -> None:
    found = _CODE.search(SECTIONS[rule])
    assert found is not None
    modules = [ROOT / path for path in _TICKED.findall(found[2]) if path.endswith(".py")]
    assert any(rule in cited(module.read_text(encoding="utf-8")) for module in modules)


def test_nothing_is_carried_later_that_does_not_exist() -> None:
    assert set(CARRIED_LATER) <= set(RULES)


def test_the_code_cites_no_rule_that_is_not_documented() -> None:
    for path in (ROOT / "src" / "pairloom").rglob("*.py"):
        rules = {rule for rule in cited(path.read_text(encoding="utf-8")) if rule[0] in LETTERS}
        assert rules <= set(RULES), path


def test_citations_are_read_with_their_ranges() -> None:
    assert cited("Rules: T1, N7–N9 (but not U+00A0), E2.") == {"T1", "N7", "N8", "N9", "E2"}


def _resolve(dotted: str) -> object:
    """Import what a dotted name means: the longest module in it, then its attributes."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[length:]:
            value = getattr(value, attribute)
        return value
    raise AssertionError(f"{dotted} names nothing")
