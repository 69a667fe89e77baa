"""docs/formats.md has every format and every kind of finding, in the words of the code."""

from __future__ import annotations

import re

from pairloom.formats.exchange import FORMATS
from pairloom.formats.findings import KINDS
from tests.support.repository import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")


def test_every_kind_of_finding() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", PAGE, re.MULTILINE))
    assert list(rows.items()) == list(KINDS.items())


def test_every_format() -> None:
    assert str(list(FORMATS)) in PAGE
