"""What looks at every word or token of a model works beside the event loop, so that others have their turns."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import pytest
from starlette.applications import Starlette

from pairloom.views import boundaries, raw_changes, second_curve, stop_report, token_report, usage
from pairloom.views.lesson import worksheet
from pairloom.web import offload
from pairloom.web.api import lesson as api_lesson
from pairloom.web.api.description import DESCRIBED
from pairloom.web.api.handlers import ROUTES as API_ROUTES
from pairloom.web.app import create_app
from pairloom.web.handlers import classroom, training, walkthrough
from pairloom.web.training import LastTexts
from tests.web.asgi import Answer, ask

if TYPE_CHECKING:
    from pairloom.history import TextHistory

CORPUS = "low low lower newest widest"
FORM = {"corpus": CORPUS, "merge_limit": "10", "prefix": "3", "text": "lowest", "inspect_token": "lo"}
SPIED: list[tuple[str, object, str]] = [
    ("/workbench/inspect/stop", stop_report.StopReport, "of"),
    ("/workbench/inspect/usage", usage.Usage, "of"),
    ("/workbench/inspect/changes", raw_changes.RawChanges, "of"),
    ("/workbench/inspect/token", token_report.TokenReport, "of"),
    ("/workbench/inspect/curve", second_curve.SecondCurve, "of"),
    ("/workbench/inspect/compare", boundaries.Comparison, "of"),
    ("/workbench/train", training, "everything"),
    ("/walkthrough/train", walkthrough, "_everything"),
    ("/walkthrough/program", classroom, "listing"),
    ("/lesson/worksheet", worksheet.Worksheet, "key"),
    ("/api/stop", stop_report.StopReport, "of"),
    ("/api/usage", usage.Usage, "of"),
    ("/api/changes", raw_changes.RawChanges, "of"),
    ("/api/inspect", token_report.TokenReport, "of"),
    ("/api/second_curve", second_curve.SecondCurve, "of"),
    ("/api/compare", boundaries.Comparison, "of"),
    ("/api/program", api_lesson, "listing"),
]
MORE = {
    "/api/inspect": {"token": "lo"},
    "/api/second_curve": {"text": "lowest"},
    "/api/compare": {"text": "lowest"},
}


async def asked(app: Starlette, path: str) -> Answer:
    if path == "/lesson/worksheet":
        return await ask(app, "GET", path)
    if not path.startswith("/api/"):
        return await ask(app, "POST", path, form=FORM)
    body = json.dumps({"inputs": {"corpus": CORPUS}, **MORE.get(path, {})}).encode()
    return await ask(app, "POST", path, body=[body], headers=[("content-type", "application/json")])


@pytest.mark.parametrize(("path", "owner", "name"), SPIED)
def test_others_have_their_turns_meanwhile(
    path: str, owner: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    work: Callable[..., object] = getattr(owner, name)

    def spy(*given: object, **more: object) -> object:
        threads.append(threading.get_ident())
        return work(*given, **more)

    monkeypatch.setattr(owner, name, spy)
    answer = asyncio.run(asked(create_app(), path))
    assert answer.status == 200
    assert threads
    assert threading.get_ident() not in threads


def test_every_inspector_is_spied_on() -> None:
    paths = {path for path, _, _ in SPIED}
    assert {each for each in paths if each.startswith("/api/")} <= {route.path for route in API_ROUTES}
    assert len(DESCRIBED) > 30
    assert {path for path in paths if path.startswith("/workbench/inspect/")} == {
        f"/workbench/inspect/{name}" for name in ("stop", "usage", "changes", "token", "curve", "compare")
    }


def test_without_threads_it_is_done_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """As inside Pyodide."""
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert asyncio.run(offload.beside(threading.get_ident)) == threading.get_ident()


class Counted:
    """A history that somebody asks about another text just as it is counted."""

    def __init__(self, texts: LastTexts) -> None:
        self.texts = texts
        self.others: list[threading.Thread] = []

    @property
    def estimated_bytes(self) -> int:
        other = threading.Thread(target=self.texts.put, args=(f"text {len(self.others)}", self))
        self.others.append(other)
        other.start()
        other.join(0.05)
        return 1


def test_texts_are_counted_while_others_remember_more() -> None:
    texts = LastTexts()
    history = Counted(texts)
    texts.put("first", cast("TextHistory", history))
    assert texts.estimated_bytes == 4 * len("first") + 1
    for other in history.others:
        other.join()
    assert texts.get("text 0") is not None
