"""docs/errors.md tells of every error class: its code, its attributes, the built-in class beside it."""

from __future__ import annotations

import builtins
import pkgutil
import re
from importlib import import_module

import pytest

import pairloom
from pairloom import errors
from pairloom.errors import PairloomError
from tests.docs.markdown import ROOT

_SECTION = re.compile(r"^##+ `(\w+)`\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
_FACTS = re.compile(r"^Codes: (.+?)\. Attributes: (.+?)\.$", re.MULTILINE)
_PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
_SECTIONS = dict(_SECTION.findall(_PAGE))
_ROW = re.compile(r"^\| `([^`]+)` \| `([\w.]+)` \| ([^|]+) \|", re.MULTILINE)


def _tree(kind: type[PairloomError]) -> list[type[PairloomError]]:
    return [kind, *(descendant for child in kind.__subclasses__() for descendant in _tree(child))]


# One of each kind: what `code` and `details` are can only be seen on an error that was made.
_MADE: list[PairloomError] = [
    errors.NotText(type_name="bytes"),
    errors.ForbiddenCodePoint(kind="marker", position=0, code_point=0x2581),
    errors.ForbiddenCodePoint(kind="surrogate", position=0, code_point=0xD800),
    errors.TextTooLong(stage="raw", length=2, limit=1),
    errors.TextTooLong(stage="normalized", length=2, limit=1),
    errors.EmptyCorpus(),
    errors.CorpusTooLarge(size=2, limit=1),
    errors.InvalidUtf8(source="<stdin>", byte_offset=0),
    errors.SettingError(setting="merge_limit", value=-1, allowed="a whole number"),
    errors.PrefixError(value=-1, maximum=1),
    errors.ModelError(reason="no reason"),
    errors.UnsupportedVersion(what="format", version=9, supported="1"),
    errors.InvalidMerge(rank=0, reason="no reason"),
    errors.UnknownTokenId(token_id=-1, position=0, vocabulary_size=1),
    errors.UnknownTokens(positions=(0,), tokens=("x",)),
    errors.CountError(word="a", count=0, reason="no reason"),
    errors.CountOverflow(word="a", count=2**63),
    errors.NothingToAsk(kind="tie", words=1),
    errors.WorkUnfinished(work="training", reason="interrupted"),
    errors.KernelUnavailable(requested="compiled", reason="no reason"),
]
_NEVER_RAISED = {errors.PairloomError, errors.TextError}


def _facts(kind: type[PairloomError]) -> tuple[set[str], list[str]]:
    """The codes and the attributes that the page gives for a class."""
    found = _FACTS.search(_SECTIONS[kind.__name__])
    assert found is not None, f"a line `Codes: …. Attributes: ….` is missing at {kind.__name__}"
    return set(re.findall(r"`([^`]+)`", found[1])), re.findall(r"`(\w+)`", found[2])


def test_the_page_has_every_class_and_no_other() -> None:
    assert set(_SECTIONS) == {kind.__name__ for kind in _tree(PairloomError) if kind.__module__ == errors.__name__}


def test_every_class_that_is_raised_is_looked_at() -> None:
    ours = {kind for kind in _tree(PairloomError) if kind.__module__ == errors.__name__}
    assert {type(error) for error in _MADE} == ours - _NEVER_RAISED


@pytest.mark.parametrize("error", _MADE, ids=lambda error: error.code)
def test_the_page_gives_code_and_attributes(error: PairloomError) -> None:
    codes, attributes = _facts(type(error))
    assert any(re.fullmatch(code.replace(".", r"\.").replace("*", r"\w+"), error.code) for code in codes)
    assert attributes == list(error.details)


@pytest.mark.parametrize("kind", list(dict.fromkeys(type(error) for error in _MADE)))
def test_the_page_names_the_built_in_class(kind: type[PairloomError]) -> None:
    own = [base for base in kind.__bases__ if base.__module__ == builtins.__name__]
    for base in own:
        assert f"`{base.__name__}`" in _SECTIONS[kind.__name__]


def _of_edges() -> dict[str, type[PairloomError]]:
    """Every class of the pages, the command line and the formats by its name, whoever has imported it so far."""
    for module in pkgutil.walk_packages(pairloom.__path__, "pairloom."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    kinds = (kind for kind in _tree(PairloomError) if kind.__module__ != errors.__name__)
    return {
        f"{kind.__module__}.{kind.__qualname__}".removeprefix("pairloom."): kind
        for kind in kinds
        if kind.__module__.startswith("pairloom.")
    }


def test_the_page_has_the_errors_of_pages_and_command_line() -> None:
    rows = {name: (code, re.findall(r"`(\w+)`", attributes)) for code, name, attributes in _ROW.findall(_PAGE)}
    kinds = _of_edges()
    assert "web.handlers.classroom.NoWord" in kinds
    assert set(rows) == set(kinds)
    for name, kind in kinds.items():
        code, attributes = rows[name]
        assert attributes == list(kind.attributes), name
        # The code of a setting is that of its name, on each error that is made.
        assert code == kind.code or (issubclass(kind, errors.SettingError) and code.startswith("setting.")), name


def test_the_tree_at_the_top_of_the_module_is_complete() -> None:
    assert errors.__doc__ is not None
    drawn = set(re.findall(r"[A-Z]\w+", errors.__doc__))
    assert {kind.__name__ for kind in _tree(PairloomError) if kind.__module__ == errors.__name__} <= drawn
