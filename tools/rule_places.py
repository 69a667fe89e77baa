"""Where each rule of docs/conventions lives: its modules, and the tests that cite it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONVENTIONS = ROOT / "docs" / "conventions"
PACKAGE = ROOT / "src" / "pairloom"
# So many tests of a rule are named in a file; how many more there are is said.
NAMED = 4

_RULE = re.compile(r"^## ([A-Z]\d*) · (.+)$", re.MULTILINE)
_CODE = re.compile(r"\*Code\*: (.+?)\. \*Tests\*: (.+?)\.$", re.MULTILINE)
_TICKED = re.compile(r"`([^`]+)`")
_HEADING = re.compile(r"^# -{8,} (.+)$", re.MULTILINE)

HEAD = """\
# Where each rule lives

Generated from [these pages](README.md) and from the tests by `make reference`; a test compares. A test stands here
because its name, its docstring or its code cites the rule, or because it stands under a heading that does; *whole file*
where that is what the file is about. Files under `tests/vectors/` are expected values that were worked out elsewhere.

Run the tests of one rule by the names here: `.venv/bin/pytest tests/test_encoder.py -k lowest_rank`.
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


def citing_tests(source: str, number: str) -> list[str] | None:
    r"""Return the tests of a module that cite a rule; None if only the module as a whole does.

    >>> citing_tests('def test_a():\n    "T4"\n\ndef test_t4_b(): ...\n\ndef test_c(): ...', "T4")
    ['test_a', 'test_t4_b']
    """
    lines = source.splitlines()
    headings = [(source.count("\n", 0, each.start()) + 1, cited(each[1])) for each in _HEADING.finditer(source)]
    found = []
    for node, first, last in _tests(ast.parse(source)):
        heading = next((rules for line, rules in reversed(headings) if line < first), set())
        named = re.search(rf"_{number.lower()}(?:_|$)", node)
        if named or number in heading or number in cited("\n".join(lines[first - 1 : last])):
            found.append(node)
    return found if found or number not in cited(source) else None


def _tests(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """The test functions of a module, each with its first and last line, decorators among them."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield node.name, first, node.end_lineno or node.lineno


def page() -> str:
    """Return docs/conventions/places.md."""
    parts = [HEAD]
    shown = ""
    for rule in rules():
        if rule.page != shown:
            shown = rule.page
            title = (CONVENTIONS / shown).read_text("utf-8").partition("\n")[0].removeprefix("# ").replace(" · ", ": ")
            parts.append(f"\n## {title}\n\n| rule | what | code | tests |\n| --- | --- | --- | --- |\n")
        anchor = re.sub(r"[^\w\- ]", "", f"{rule.number} · {rule.title}".lower()).replace(" ", "-")
        code = ", ".join(_linked_code(name) for name in rule.code)
        tests = "; ".join(_linked_tests(file, rule.number) for file in rule.tests)
        parts.append(f"| [{rule.number}]({rule.page}#{anchor}) | {rule.title} | {code} | {tests} |\n")
    return "".join(parts)


def _linked_code(name: str) -> str:
    """A module or a name in one, as a link to its file."""
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


def _linked_tests(file: str, number: str) -> str:
    link = f"[{file.removeprefix('tests/')}](../../{file})"
    if not file.endswith(".py"):
        return link
    tests = citing_tests((ROOT / file).read_text("utf-8"), number)
    if tests is None:
        return f"{link}: whole file"
    if not tests:
        return link
    more = f" and {len(tests) - NAMED} more" if len(tests) > NAMED else ""
    return f"{link}: {', '.join(f'`{test}`' for test in tests[:NAMED])}{more}"
