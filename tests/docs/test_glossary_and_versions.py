"""The glossary uses the catalogue's German, has the house's words, and the numbers of versions are the code's."""

from __future__ import annotations

import re

from pairloom.checking.protocol import PROTOCOL
from pairloom.fingerprint import CONVENTIONS
from pairloom.formats import model_document, trace
from tests.docs.markdown import ROOT
from tools.release_check import version

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
VERSIONS = (ROOT / "docs" / "versions.md").read_text("utf-8")
ROWS = re.findall(r"^\| (.+?) \| (.*?) ?\| (.+) \|$", GLOSSARY, re.MULTILINE)[2:]
GERMAN = (ROOT / "src" / "pairloom" / "web" / "locale" / "de.po").read_text("utf-8").lower()


def test_the_words_of_the_house_are_explained() -> None:
    told = {word for words, _, _ in ROWS for word in re.split(r", | and ", words)}
    wanted = {"code point", "pre-token", "word counts", "base alphabet", "symbol", "pair", "frequency", "replacements"}
    wanted |= {"merge", "rank", "vocabulary", "token ID", "encoding", "unknown", "prefix", "active merges", "marker"}
    assert wanted <= told
    assert len(told) == sum(len(re.split(r", | and ", words)) for words, _, _ in ROWS)


def test_the_german_words_are_those_of_the_pages() -> None:
    german = [word for _, words, _ in ROWS for word in words.split(", ") if word]
    assert len(german) > 25
    assert [word for word in german if word.lower() not in GERMAN] == []


def test_the_versions_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| (the .+?) \| (\S+) \|", VERSIONS, re.MULTILINE))
    assert rows == {
        "the package": version(),
        "the conventions": str(CONVENTIONS),
        "the model file": str(model_document.VERSION),
        "the trace": str(trace.VERSION),
        "the protocol of `pairloom check`": str(PROTOCOL),
    }
