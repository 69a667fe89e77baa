"""Every rule is documented, carried by code that exists, held by tests that exist, and cited where it is carried."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT
from tools.rule_places import Rule, cited, citing_tests, rules

CONVENTIONS = ROOT / "docs" / "conventions"

# The letters and how many rules each has. A rule more than here is a change of the contract, and begins here.
LETTERS = {"N": 9, "P": 4, "T": 10, "V": 4, "E": 8, "D": 2, "L": 3, "W": 14, "S": 7}
RULES = [f"{letter}{number}" for letter, last in LETTERS.items() for number in range(1, last + 1)] + ["M", "G"]

_RULE = re.compile(r"^## ([A-Z]\d*) · (.+)$", re.MULTILINE)
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


def test_the_documented_rules_are_the_known_ones() -> None:
    assert set(SECTIONS) == set(RULES)


@pytest.mark.parametrize("letter", sorted({rule[0] for rule in SECTIONS if len(rule) > 1}))
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
        if code.startswith("kernel/"):
            file, _, function = code.partition(":")
            source = (ROOT / "src" / "pairloom" / file).read_text("utf-8")
            assert re.search(rf"^ *(?:cdef|def) .*\b{function}\(", source, re.MULTILINE), code
        elif "/" in code:
            assert (ROOT / "src" / "pairloom" / "web" / code).is_file(), code
        else:
            _resolve(code)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_cited_by_a_docstring_and_by_a_test(rule: str) -> None:
    own_source = [*(ROOT / "src" / "pairloom").rglob("*.py"), *(ROOT / "src" / "pairloom" / "web").rglob("*.js")]
    assert any(rule in cited(path.read_text(encoding="utf-8")) for path in own_source), (
        f"no file under src cites {rule}"
    )
    own = Path(__file__).parent
    tests = [path for path in (ROOT / "tests").rglob("*.py") if own not in path.parents]
    assert any(rule in cited(path.read_text(encoding="utf-8")) for path in tests), f"no test cites {rule}"


@pytest.mark.parametrize("rule", RULES)
def test_one_of_the_named_tests_cites_the_rule(rule: str) -> None:
    found = _CODE.search(SECTIONS[rule])
    assert found is not None
    modules = [ROOT / path for path in _TICKED.findall(found[2]) if path.endswith(".py")]
    assert any(rule in cited(module.read_text(encoding="utf-8")) for module in modules)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.number)
def test_every_test_file_that_a_rule_names_says_so(rule: Rule) -> None:
    """docs/conventions/places.md names the tests: a file that never cites the rule would send a reader on a search."""
    for file in rule.tests:
        if file.endswith(".py"):
            assert citing_tests((ROOT / file).read_text("utf-8"), rule.number) != [], file


@pytest.mark.parametrize("folder", ["src/pairloom", "tests"])
def test_nothing_cites_a_rule_that_is_not_documented(folder: str) -> None:
    own = Path(__file__).resolve()
    for path in [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.js"), *(ROOT / folder).rglob("*.html")]:
        if path != own and "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8")
            # Where it says that rules come, every letter is one; elsewhere V8 or S3 may be somebody else's.
            said = {
                rule for listed in re.findall(r"\b[Rr]ules?:? ([A-Z]\d.*?)(?:[.)\n]|$)", text) for rule in cited(listed)
            }
            assert said <= set(RULES), path
            if path.suffix == ".py" and folder.startswith("src"):
                assert {rule for rule in cited(text) if rule[0] in LETTERS} <= set(RULES), path


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
