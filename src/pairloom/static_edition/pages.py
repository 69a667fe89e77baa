"""The documents and fragments that the app answers to plain GETs, rendered beforehand in every language."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.types import Message, Scope

from pairloom.static_edition.addresses import SiteAddresses
from pairloom.web.app import create_app
from pairloom.web.catalogue import SOURCE_LANGUAGE, load_catalogues
from pairloom.web.security import CONTENT_SECURITY_POLICY
from pairloom.web.services import Services

VIEWS = ("/", "/lesson", "/walkthrough", "/method")
"""The views of the one document: each has a folder with a document of its own."""
PRINTED = ("/lesson/print",)
"""Documents without scripts."""
SHEET = "/lesson/worksheet"
"""The document that Python fills when it is opened: what it holds depends on its address."""
FRAGMENTS = ("/lesson/text", "/lesson/tools", "/method/text", "/workbench/inspect")
"""What the document fetches when it is needed, the same for everybody."""

# A meta element cannot say who may show the page in a frame; the worker and WebAssembly are what Python needs.
_POLICY = CONTENT_SECURITY_POLICY.replace("; frame-ancestors 'none'", "").replace(
    "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """What was rendered: documents by their addresses, fragments by their paths among the static files."""

    documents: Mapping[str, str]
    fragments: Mapping[str, str]


def languages() -> tuple[str, ...]:
    """Return the languages that there are, the source language first."""
    return tuple(load_catalogues())


def configuration(
    addresses: SiteAddresses, names: Mapping[str, str], *, lock: Mapping[str, object], size: int
) -> dict[str, object]:
    """Return what the scripts have to know of this folder.

    Args:
        addresses: of views and files.
        names: of what is loaded to start Python: what for → address.
        lock: what Pyodide asks to know of itself.
        size: bytes of all that, as they come out of the network.
    """
    pages = (*VIEWS, *PRINTED, SHEET)
    return {
        "base": addresses.base,
        "version": addresses.version,
        "source": addresses.source,
        "languages": languages(),
        "languageKey": "pairloom.language.1",
        "views": [{each: addresses.folder(page, each) for each in languages()} for page in pages],
        "fragments": FRAGMENTS,
        "asked": [SHEET],
        "files": names,
        "lock": lock,
        "bytes": size,
    }


def render_pages(addresses: SiteAddresses, site: Mapping[str, object]) -> Rendered:
    """Render everything in every language."""
    app = create_app(api=False, statics=addresses)
    services: Services = app.state.services
    documents: dict[str, str] = {}
    fragments: dict[str, str] = {}
    for language, renderer in services.renderers.items():
        renderer.environment.globals["site"] = {"config": site}
        for path in (*VIEWS, *PRINTED):
            documents[addresses.folder(path, language)] = with_policy(_answer(app, path, language))
        sheet = renderer.render("site/sheet.html")
        documents[addresses.folder(SHEET, language)] = with_policy(sheet)
        for path in FRAGMENTS:
            fragments[f"{language}{path}.html"] = _answer(app, path, language)
    return Rendered(documents, fragments)


def with_policy(document: str) -> str:
    """Return a document with its content security policy, and what a server would say of it in headers."""
    first = '<meta charset="utf-8">\n'
    assert document.count(first) == 1
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    return document.replace(first, f'{first}{policy}<meta name="referrer" content="no-referrer">\n')


def _answer(app: Starlette, path: str, language: str) -> str:
    """Return what the app answers to a GET."""
    sent: list[Message] = []
    scope: Scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"page-language", language.encode())],
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 200, path
    return b"".join(_bodies(sent)).decode()


def _bodies(messages: Iterable[Message]) -> Iterable[bytes]:
    return (message.get("body", b"") for message in messages if message["type"] == "http.response.body")


def source_language() -> str:
    """Return the language whose documents lie right under the base."""
    return SOURCE_LANGUAGE
