"""Where each rule of docs/conventions lives: its modules, and the tests that cite it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONVENTIONS = ROOT / "docs" / "conventions"
PACKAGE = ROOT / "src" / "pairloom"
TESTS = ROOT / "tests"
RUNNER = "tests/test_vectors.py"

_RULE = re.compile(r"^## ([A-Z]\d*) · (.+)$", re.MULTILINE)
_CODE = re.compile(r"\*Code\*: (.+?)\. \*Tests\*: (.+?)\.$", re.MULTILINE)
_TICKED = re.compile(r"`([^`]+)`")
_RANGE = re.compile(r"\b[A-Z]\d{1,2}[–-][A-Z]?\d{1,2}\b")
_HEADING = re.compile(r"^# -{8,} (.+)$", re.MULTILINE)

HEAD = """\
# Where each rule lives

Generated from [these pages](README.md) and from the tests by `make reference`; a test compares, and another one holds
that nothing which cites a rule is left out. For each rule stands here

- *Code*: what its page names, the main thing first; functions in files that end in `.pxi` are of the
  [compiled kernel](../explain/kernel.md), which does the same as the plain module beside it;
- *Tests*: the files that its page names;
- *also*: every other file of tests that cites the rule by its own number.

A test cites a rule by its name, its docstring or its code, or by the heading that it stands under. In the files that
the page names, a range such as T2–T7 counts as well. Where no single test of a file cites the rule but the file does,
the file's first sentence is quoted: it may be about several rules, and not each of its tests is about this one.

A test that cites no rule is not here, though what it does may need the rule. Files under `tests/vectors/` are expected
values that were worked out elsewhere; the tests that run them on every implementation stand beside them.

Run a test by its name: `.venv/bin/pytest tests/test_encoder.py -k lowest_rank`.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its number, its title, the page it stands on, and what its line *Code* … *Tests* names."""

    number: str
    title: str
    page: str
    code: tuple[str, ...]
    tests: tuple[str, ...]


def rules() -> list[Rule]:
    """Return every documented rule, in the order of the pages' table of contents."""
    found = []
    order = re.findall(r"\]\((\w[\w-]*\.md)\) \|$", (CONVENTIONS / "README.md").read_text("utf-8"), re.MULTILINE)
    for page in order:
        parts = _RULE.split((CONVENTIONS / page).read_text("utf-8"))
        for number, title, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            line = _CODE.search(text)
            if line is None:
                raise ValueError(f"{page}: {number} lacks its line `*Code*: …. *Tests*: ….`")
            found.append(Rule(number, title, page, tuple(_TICKED.findall(line[1])), tuple(_TICKED.findall(line[2]))))
    return found


def cited(text: str) -> set[str]:
    """Return the rules that a text cites; ranges such as N1–N8 are written out.

    Two rules are a letter alone: they count where it says that rules come.

    >>> sorted(cited("Rules: T4, N7–N8, G. Gamma"))
    ['G', 'N7', 'N8', 'T4']
    """
    numbers: set[str] = set()
    for letter, first, last in re.findall(r"\b([A-Z])(\d{1,2})(?:[–-][A-Z]?(\d{1,2}))?\b", text):
        numbers |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    for listed in re.findall(r"\bRules?: ([^.\n]*)", text):
        numbers |= set(re.findall(r"\b[MG]\b", listed))
    return numbers


def cited_itself(text: str) -> set[str]:
    """Return the rules that a text cites by their own numbers, not through a range alone.

    >>> sorted(cited_itself("Rules: T4, N7–N8, G. Gamma"))
    ['G', 'T4']
    """
    return cited(_RANGE.sub("", text))


def citing_tests(source: str, number: str, *, ranges: bool = True) -> list[str] | None:
    r"""Return the tests of a module that cite a rule; None if only the module as a whole does.

    >>> citing_tests('def test_a():\n    "T4"\n\ndef test_t4_b(): ...\n\ndef test_c(): ...', "T4")
    ['test_a', 'test_t4_b']
    >>> citing_tests('def test_a():\n    "T2–T7"', "T4", ranges=False)
    []
    """
    tests, whole = _citations(source, ranges=ranges)
    found = [name for name, own in tests if number in own or re.search(rf"_{number.lower()}(?:_|$)", name)]
    return found if found or number not in whole else None


@cache
def _citations(source: str, *, ranges: bool) -> tuple[list[tuple[str, set[str]]], set[str]]:
    """The tests of a module, each with the rules that it or its heading cites; and those of the module."""
    read = cited if ranges else cited_itself
    lines = source.splitlines()
    headings = [(source.count("\n", 0, each.start()) + 1, read(each[1])) for each in _HEADING.finditer(source)]
    found = []
    for name, first, last in _tests(ast.parse(source)):
        heading = next((rules for line, rules in reversed(headings) if line < first), set[str]())
        found.append((name, heading | read("\n".join(lines[first - 1 : last]))))
    return found, read(source)


def _tests(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """The test functions of a module, each with its first and last line, decorators among them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield node.name, first, node.end_lineno or node.lineno


@cache
def test_modules() -> dict[str, str]:
    """Return every module under tests/ that has tests, with its source."""
    found = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(TESTS.rglob("*.py"))}
    return {
        path: source
        for path, source in found.items()
        # What tests these pages speaks of rules, and tests none.
        if "def test_" in source and not path.startswith("tests/docs/")
    }


def page() -> str:
    """Return docs/conventions/places.md."""
    parts = [HEAD]
    shown = ""
    for rule in rules():
        if rule.page != shown:
            shown = rule.page
            title = (CONVENTIONS / shown).read_text("utf-8").partition("\n")[0].removeprefix("# ").replace(" · ", ": ")
            parts.append(f"\n## {title}\n")
        parts.append(_section(rule))
    return "".join(parts)


def _section(rule: Rule) -> str:
    anchor = re.sub(r"[^\w\- ]", "", f"{rule.number} · {rule.title}".lower()).replace(" ", "-")
    code = ", ".join(_linked_code(name) for name in rule.code)
    lines = [f"**[{rule.number}]({rule.page}#{anchor}) · {rule.title}**", "", f"- *Code*: {code}"]
    lines += [f"- *Tests*: {_linked_tests(file, rule.number)}" for file in rule.tests]
    for file, source in test_modules().items():
        if file not in rule.tests and citing_tests(source, rule.number, ranges=False) != []:
            lines.append(f"- *also* {_linked_tests(file, rule.number, ranges=False)}")
    return "\n" + "\n".join(lines) + "\n"


def _linked_code(name: str) -> str:
    """A module or a name in one, as a link to its file."""
    if name.startswith("kernel/"):
        file, _, function = name.partition(":")
        return f"[`{function or file.rpartition('/')[2]}`](../../src/pairloom/{file})"
    if "/" in name:
        return f"[`{name.rpartition('/')[2]}`](../../src/pairloom/web/{name})"
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            spec = find_spec(".".join(parts[:length]))
        except ModuleNotFoundError:  # its parent is no package
            continue
        if spec is not None and spec.origin is not None:
            file = Path(spec.origin).relative_to(ROOT).as_posix()
            return f"[`{'.'.join(parts[1:])}`](../../{file})"
    raise ValueError(f"{name} names no module")


def _linked_tests(file: str, number: str, *, ranges: bool = True) -> str:
    if file.endswith(".json"):
        return f"{_link(file)}, run by {_link(RUNNER)}: {_ticked(_runs(Path(file).stem))}"
    source = (ROOT / file).read_text("utf-8")
    tests = citing_tests(source, number, ranges=ranges)
    if tests:
        return f"{_link(file)}: {_ticked(tests)}"
    about = " ".join((ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0].split())
    return f"{_link(file)}, as a file: “{about}”"


def _runs(name: str) -> list[str]:
    """The tests that run the vectors of a file, by their decorators."""
    source = test_modules()[RUNNER]
    return [
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
        and any(f"'{name}'" in ast.unparse(decorator) for decorator in node.decorator_list)
        and "vector" in {argument.arg for argument in node.args.args}
    ]


def _link(file: str) -> str:
    return f"[{file.removeprefix('tests/')}](../../{file})"


def _ticked(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
