"""Every table of `pairloom.unicode_data`, over all code points: against committed digests, and against Node.js.

Rule N2: lower case and classes are those of Unicode 17, whichever Python runs.
"""

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pairloom import unicode_data
from tests.support.node import ask_node, require_node

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DIGESTS: dict[str, dict[str, Any]] = json.loads((HERE / "digests.json").read_text(encoding="utf-8"))
ALL_CODE_POINTS = range(sys.maxunicode + 1)

PREDICATES: dict[str, Callable[[int], bool]] = {
    "white_space": unicode_data.is_whitespace,
    "word": unicode_data.is_word,
    "mark": unicode_data.is_mark,
    "cased": unicode_data.is_cased,
    "case_ignorable": unicode_data.is_case_ignorable,
    "format": unicode_data.is_format,
    "default_ignorable": unicode_data.is_default_ignorable,
    "bidi_control": unicode_data.is_bidi_control,
    "variation_selector": unicode_data.is_variation_selector,
    "noncharacter": unicode_data.is_noncharacter,
}


@cache
def members(name: str) -> list[int]:
    predicate = PREDICATES[name]
    return [code_point for code_point in ALL_CODE_POINTS if predicate(code_point)]


@cache
def node_says() -> Any:
    return ask_node(str(ROOT / "tools" / "unicode_properties.mjs"))


def digest_of_set(code_points: Iterable[int]) -> str:
    lines = "".join(f"{code_point:04X}\n" for code_point in code_points)
    return hashlib.sha256(lines.encode()).hexdigest()


def digest_of_mappings(mappings: Mapping[int, str]) -> str:
    lines = "".join(
        f"{code_point:04X}: {' '.join(f'{ord(part):04X}' for part in lowered)}\n"
        for code_point, lowered in sorted(mappings.items())
    )
    return hashlib.sha256(lines.encode()).hexdigest()


def generator() -> ModuleType:
    spec = util.spec_from_file_location("generate_unicode_data", ROOT / "tools" / "generate_unicode_data.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Against what is committed: these need nothing but Python.


def test_every_table_has_its_digest() -> None:
    assert set(DIGESTS["sets"]) == set(PREDICATES)


@pytest.mark.parametrize("name", PREDICATES)
def test_a_predicate_answers_as_its_digest_says(name: str) -> None:
    expected = DIGESTS["sets"][name]
    assert (len(members(name)), digest_of_set(members(name))) == (expected["count"], expected["sha256"])


def test_lower_case_is_as_its_digest_says() -> None:
    expected = DIGESTS["lowercase"]
    mappings = unicode_data.LOWERCASE
    assert (len(mappings), digest_of_mappings(mappings)) == (expected["count"], expected["sha256"])


@pytest.mark.parametrize(
    ("character_class", "name"), [(unicode_data.WORD_CLASS, "word"), (unicode_data.MARK_CLASS, "mark")]
)
def test_a_character_class_holds_what_its_predicate_says(character_class: str, name: str) -> None:
    everything = "".join(map(chr, ALL_CODE_POINTS))
    assert [ord(found) for found in re.findall(f"[{character_class}]", everything)] == members(name)


def test_only_what_changes_is_mapped_and_only_one_code_point_grows() -> None:
    assert all(lowered != chr(code_point) for code_point, lowered in unicode_data.LOWERCASE.items())
    assert {chr(cp): low for cp, low in unicode_data.LOWERCASE.items() if len(low) != 1} == {"İ": "i\u0307"}


@pytest.mark.parametrize(
    ("upper", "lower"),
    [
        ("A", "a"),
        ("ẞ", "ß"),
        ("Σ", "σ"),  # the final form is the normalizer's to decide
        ("Ω", "ω"),  # U+2126 OHM SIGN
        ("K", "k"),  # U+212A KELVIN SIGN
        ("Ა", "ა"),  # Georgian: the capitals came in Unicode 11
        ("\u1c89", "\u1c8a"),  # Unicode 16
        ("\ua7cb", "\u0264"),  # Unicode 16
        ("\ua7ce", "\ua7cf"),  # Unicode 17
        ("\U00010d50", "\U00010d70"),  # Garay, Unicode 16
        ("\U00016ea0", "\U00016ebb"),  # Beria Erfe, Unicode 17
    ],
)
def test_well_known_and_new_mappings(upper: str, lower: str) -> None:
    assert unicode_data.LOWERCASE[ord(upper)] == lower


def test_whitespace_is_the_list_of_the_rule() -> None:
    # Rule N4, written out.
    listed = [
        *range(0x09, 0x0E),
        0x20,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
        0xFEFF,
    ]
    assert [ord(space) for space in unicode_data.WHITESPACE] == listed == members("white_space")
    for other in (0x85, 0x1C, 0x1D, 0x1E, 0x1F, 0x180E, 0x200B):
        assert not unicode_data.is_whitespace(other)


def test_the_marker_and_the_version() -> None:
    assert unicode_data.MARKER == "▁"
    assert unicode_data.UNICODE_VERSION == "17.0.0"


# Against Node.js with Unicode 17.


@pytest.mark.node
@pytest.mark.parametrize("name", PREDICATES)
def test_node_agrees_with_a_predicate_on_every_code_point(name: str) -> None:
    require_node()
    told = [code_point for first, last in node_says()["sets"][name] for code_point in range(first, last + 1)]
    assert members(name) == told
    assert digest_of_set(told) == DIGESTS["sets"][name]["sha256"]


@pytest.mark.node
def test_node_lower_cases_every_code_point_alike() -> None:
    require_node()
    told = {code_point: "".join(map(chr, lowered)) for code_point, lowered in node_says()["lowercase"]}
    assert told == unicode_data.LOWERCASE
    assert digest_of_mappings(told) == DIGESTS["lowercase"]["sha256"]


@pytest.mark.node
def test_the_committed_tables_are_what_the_generator_writes() -> None:
    require_node()
    written = generator().module_text(node_says())
    assert (ROOT / "src" / "pairloom" / "unicode_tables.py").read_text(encoding="utf-8") == written


def test_the_generator_refuses_another_unicode_version(monkeypatch: pytest.MonkeyPatch) -> None:
    module = generator()

    class Finished:
        stdout = b'{"unicode": "16.0", "source": "an engine", "sets": {}, "lowercase": []}'

    monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: Finished)
    with pytest.raises(SystemExit, match=r"carries Unicode 16\.0"):
        module.ask_node()
