"""docs/pages.md is what the pages are."""

import dataclasses
import inspect
import re
from pathlib import Path

from starlette.routing import Route

from pairloom.web.api.handlers import ROUTES as API_ROUTES
from pairloom.web.app import ROUTES
from pairloom.web.settings import Settings

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "pages.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    section = DOCUMENT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    table = re.findall(r"^\| (`.*) \|$", section, re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for row in table]


def shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"`{each}`" for each in value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def test_every_limit_is_documented_with_its_default_and_meaning() -> None:
    source = inspect.getsource(Settings)
    expected = []
    for field in dataclasses.fields(Settings):
        meaning = re.search(rf"    {field.name}: [^\n]*\n    \"\"\"(.*?)\"\"\"", source, re.DOTALL)
        assert meaning, field.name
        expected.append([f"`{field.name}`", shown(field.default), " ".join(meaning[1].split())])
    assert rows("Limits") == expected


def test_every_limit_is_used() -> None:
    source = "".join(
        each.read_text(encoding="utf-8")
        for each in Path(inspect.getfile(Settings)).parent.rglob("*")
        if each.suffix in {".py", ".html"} and each.name != "settings.py"
    )
    assert [each.name for each in dataclasses.fields(Settings) if f"settings.{each.name}" not in source] == []


def test_every_route_is_documented() -> None:
    expected = [[f"`{route.path}`", ", ".join(sorted((route.methods or set()) - {"HEAD"}))] for route in ROUTES]
    assert all(isinstance(route, Route) for route in ROUTES)
    assert [row[:2] for row in rows("Requests")] == expected


HTTP = (Path(__file__).resolve().parents[2] / "docs" / "http.md").read_text(encoding="utf-8")


def test_every_address_of_the_twin_is_documented() -> None:
    section = HTTP.partition("## Addresses\n")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `(/api/[^`]*)` \| (\w+) \|", section, re.MULTILINE)
    assert dict(told) == {route.path: ", ".join((route.methods or set()) - {"HEAD"}) for route in API_ROUTES}


def test_every_code_of_the_twin_is_documented() -> None:
    folder = Path(inspect.getfile(Settings)).parent
    source = "".join(each.read_text(encoding="utf-8") for each in folder.rglob("*.py"))
    codes = set(re.findall(r"\"((?:request|server|model|search)\.[a-z_]+)\"", source))
    # No answer has the first; the second is the name of a file.
    codes -= {"request.refused", "model.json"}
    assert len(codes) > 10
    assert codes <= set(re.findall(r"`([a-z]+\.[a-z_]+)`", HTTP))
