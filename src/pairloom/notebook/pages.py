"""The pages' own program, asked inside this process: no server, no port, nothing leaves the notebook.

The walkthrough of a notebook is the one of the pages: their handlers, views, templates and catalogues answer, and their
limits hold (L). One event loop in a thread of its own runs it, whatever loop the notebook has.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.types import Message

from pairloom.web.app import create_app
from pairloom.web.presets import PRESETS
from pairloom.web.scopes import scope_of
from pairloom.web.services import Services
from pairloom.web.statics import STYLE_SHEETS, package_statics

TIMEOUT_S = 120
"""How long an answer is waited for: a training of the longest text takes a second."""

_SHELL = (
    '{% from "macros.html" import error_slot, finder, paged, text_limits with context %}'
    '{% set views = {"walkthrough": ("", _("Walkthrough"), "")} %}'
    '{% include "sentences.html" %}'
    '<div id="walkthrough" data-state="empty">{% include "walkthrough.html" %}'
    '<p class="unseen" id="live" role="status"></p></div>'
)


class UnknownRequest(ValueError):
    """A request that the walkthrough does not send."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the pages answered: the status of HTTP, and HTML; of a stream its last event."""

    status: int
    html: str


class Pages:
    """The app, the loop that it runs in, and what is asked of it."""

    def __init__(self) -> None:
        self.app: Starlette = create_app(api=False)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="pairloom-pages", daemon=True).start()

    @property
    def services(self) -> Services:
        """What the app works with."""
        found: Services = self.app.state.services
        return found

    def shell(self, language: str) -> str:
        """Return the walkthrough without a text, in a language. Rules: S1–S6, G."""
        renderer = self.services.renderers[language]
        return renderer.environment.from_string(_SHELL).render(presets=PRESETS)

    def ask(self, path: str, fields: Mapping[str, str], *, language: str) -> Answer:
        """Return the answer to a form of the walkthrough. Raises: UnknownRequest, TimeoutError."""
        if not path.startswith("/walkthrough/"):
            raise UnknownRequest(f"{path!r} is no address of the walkthrough")
        asked = _asked(self.app, path, urlencode(fields).encode(), language=language)
        return asyncio.run_coroutine_threadsafe(asked, self._loop).result(TIMEOUT_S)


@cache
def pages() -> Pages:
    """Return the one app of this process: widgets that show the same text share its model."""
    return Pages()


def preset_text(name: str) -> str:
    """Return the text of a preset by its name, "" for one that there is not."""
    return next((preset.text for preset in PRESETS if preset.name == name), "")


def style() -> str:
    """Return the style sheets of the pages, for a part of a page: what is about a window is about that part."""
    whole = package_statics().files["pairloom.css"].body.decode()
    own = (files("pairloom.notebook") / "static" / "walkthrough.css").read_text("utf-8")
    assert STYLE_SHEETS
    for window, part in (
        (":root", ":host"),
        ("html {", ":host {"),
        ("body {", "#walkthrough {"),
        ("@media (min-width", "@container (min-width"),
        ("@media (max-width", "@container (max-width"),
    ):
        whole = whole.replace(window, part)
    return f"{whole}\n{own}"


async def _asked(app: Starlette, path: str, body: bytes, *, language: str) -> Answer:
    """Speak ASGI to the app: one form, one answer."""
    headers = [("content-type", "application/x-www-form-urlencoded"), ("page-language", language)]
    scope = scope_of("POST", path, headers=headers)
    given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        if given:
            return given.pop()
        # Nobody hangs up: the widget waits for its answer.
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]  # never comes

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *rest = sent
    text = b"".join(message.get("body", b"") for message in rest).decode()
    if dict(start["headers"]).get(b"content-type", b"").startswith(b"text/event-stream"):
        text = _last_event(text)
    return Answer(start["status"], text)


def _last_event(stream: str) -> str:
    *_, last = [event for event in stream.split("\n\n") if event.strip()] or [""]
    return "\n".join(line.removeprefix("data: ") for line in last.split("\n"))
