"""docs/library.md has every public name, and of each class every public attribute."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

import pairloom
from tests.docs.markdown import ROOT

_PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
_SECTION = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
_SECTIONS = dict(_SECTION.findall(_PAGE))
_CLASSES = [name for name in _SECTIONS if isinstance(getattr(pairloom, name), type)]


def test_every_public_name_is_on_the_page() -> None:
    assert [name for name in pairloom.__all__ if f"`{name}`" not in _PAGE] == []


def test_every_section_is_about_a_public_name() -> None:
    assert set(_SECTIONS) <= set(pairloom.__all__)


@pytest.mark.parametrize("name", _CLASSES)
def test_every_public_attribute_of_a_class_is_in_its_section(name: str) -> None:
    kind = getattr(pairloom, name)
    public = {attribute for attribute in (*vars(kind), *getattr(kind, "__annotations__", ())) if attribute[0] != "_"}
    told = set(re.findall(r"`(?:\w+\.)?(\w+)[`(]", _SECTIONS[name]))
    assert public - told - {"merge_table", "text_encoder"} == set()  # the kernel's own views of a model are no promise


_CALL = re.compile(r"`(?:(\w+)\.)?(\w+)\(([^`]*?)\)(?: -> [^`]*)?`")


def _signatures() -> list[tuple[str, str, object]]:
    """The calls that its sections show: `Class.method`, the arguments as written there, and what it is about."""
    found: list[tuple[str, str, object]] = []
    for section, text in _SECTIONS.items():
        for holder, name, arguments in _CALL.findall(text):
            owner = getattr(pairloom, section)
            if name == section:
                found.append((name, arguments, owner))
            elif isinstance(owner, type) and holder in {"", section} and name in vars(owner):
                found.append((f"{section}.{name}", arguments, getattr(owner, name)))
    return found


@pytest.mark.parametrize(("name", "arguments", "about"), _signatures())
def test_every_call_is_shown_as_it_is(name: str, arguments: str, about: object) -> None:
    assert callable(about)
    parameters = [value for key, value in inspect.signature(about).parameters.items() if key != "self"]
    definition = ast.parse(f"def shown({arguments}): ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    shown = definition.args
    by_name = [value.name for value in parameters if value.kind is inspect.Parameter.KEYWORD_ONLY]
    assert [argument.arg for argument in shown.args + shown.kwonlyargs] == [value.name for value in parameters]
    assert [argument.arg for argument in shown.kwonlyargs] == by_name
    defaults = [ast.literal_eval(default) for default in (*shown.defaults, *shown.kw_defaults) if default is not None]
    assert defaults == [value.default for value in parameters if value.default is not inspect.Parameter.empty]


def test_the_page_shows_calls() -> None:
    assert len(_signatures()) >= 20


def test_settings_are_given_by_name() -> None:
    # "Arguments after the second, and all flags, are given by name."
    for name, _, about in _signatures():
        assert callable(about)
        parameters = [value for key, value in inspect.signature(about).parameters.items() if key != "self"]
        free = [value for value in parameters if value.kind is not inspect.Parameter.KEYWORD_ONLY]
        assert len(free) <= 2, name
