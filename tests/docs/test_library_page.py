"""docs/library.md has every public name, and of each class every public attribute."""

from __future__ import annotations

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
    assert public - told - {"merge_table"} == set()  # the kernel's own view of the merges is no promise
