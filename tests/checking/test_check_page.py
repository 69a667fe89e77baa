"""docs/check.md shows requests with their right answers, and no field that the protocol does not have."""

from __future__ import annotations

import json
import re

from pairloom.checking.protocol import PROTOCOL, objection_to, right_answer
from tests.support.repository import ROOT

PAGE = (ROOT / "docs" / "check.md").read_text("utf-8")
SHOWN = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_each_request_is_followed_by_its_right_answer() -> None:
    pairs = list(zip(SHOWN[:-1:2], SHOWN[1:-1:2], strict=True))
    assert [request["op"] for request, _ in pairs] == ["train", "encode", "normalize"]
    for request, answer in pairs:
        assert objection_to(answer, right_answer(request)) is None
    assert SHOWN[-1] == {"error": {"kind": "marker", "position": 3}}


def test_the_version() -> None:
    assert f"Version {PROTOCOL}." in PAGE
