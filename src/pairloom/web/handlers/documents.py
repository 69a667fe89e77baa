"""The document itself, its static files and the health check."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from pairloom.web.compression import compressed
from pairloom.web.example import worked_example
from pairloom.web.method_example import method_example
from pairloom.web.presets import PRESETS
from pairloom.web.services import chosen_language, services

_A_YEAR_S = 365 * 24 * 3600
_FOREVER = "public, max-age=31536000, immutable"


async def workbench(request: Request) -> Response:
    """Return the one document, with the workbench in view."""
    return _document(request, "workbench")


async def lesson(request: Request) -> Response:
    """Return the one document, with the lesson in view and the walkthrough beside it. Rule: S7."""
    return _document(request, "lesson")


async def walkthrough(request: Request) -> Response:
    """Return the one document, with the walkthrough in view. Rule: S1."""
    return _document(request, "walkthrough")


async def method(request: Request) -> Response:
    """Return the one document, with the Method page in view and, here alone, its text. Rule: M."""
    return _document(request, "method", method=method_example())


async def method_text(request: Request) -> Response:
    """Return the text of the Method page, for its place in a document that came without it. Rule: M."""
    answer = services(request).renderer(request).answer("method.html", method=method_example())
    return compressed(request, answer)


async def without_slash(request: Request) -> Response:
    """Lead a view's address with a slash too many to the right one, for good."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(request.url.path.rstrip("/") + query, status_code=308)


def _document(request: Request, view: str, **more: object) -> Response:
    own = services(request)
    renderer = own.renderer(request)
    context = {"view": view, "example": worked_example(), "presets": PRESETS, **more}
    answer = renderer.answer("page.html", context=context)
    language = chosen_language(request)
    if language in own.renderers:
        # For the next visit; nobody but the server needs to read it.
        answer.set_cookie("lang", language, max_age=_A_YEAR_S, samesite="lax", httponly=True)
    return compressed(request, answer)


async def health(request: Request) -> Response:
    """Say that the server answers, and how many trainings are under way."""
    return PlainTextResponse(f"ok {len(services(request).models.scheduler)}\n")


async def static(request: Request) -> Response:
    """Return a static file, compressed where the client takes that; its address names its content."""
    own = services(request)
    found = own.statics.files.get(request.path_params["path"])
    if found is None or request.path_params["version"] != own.statics.version:
        return PlainTextResponse("Not found\n", status_code=404)
    headers = {"etag": found.etag, "cache-control": _FOREVER, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == found.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(found.compressed, media_type=found.media_type, headers=headers)
    return Response(found.body, media_type=found.media_type, headers=headers)
