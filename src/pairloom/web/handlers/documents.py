"""The document itself, its static files and the health check."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pairloom.web.example import worked_example
from pairloom.web.services import services

_FOREVER = "public, max-age=31536000, immutable"


async def workbench(request: Request) -> Response:
    """Return the one document, with the workbench in view."""
    own = services(request)
    return own.renderer(request).answer("page.html", example=worked_example())


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
