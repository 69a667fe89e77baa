"""What went wrong → an answer in the reader's language. The one place where errors become text."""

from __future__ import annotations

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pairloom.web.forms import FieldErrors, MalformedForm
from pairloom.web.models import ModelGone
from pairloom.web.refusals import ClientGone, refusal
from pairloom.web.rendering import Renderer
from pairloom.web.scheduler import Busy
from pairloom.web.services import services


async def _at_fields(request: Request, error: Exception) -> Response:
    assert isinstance(error, FieldErrors)
    renderer = services(request).renderer(request)
    return renderer.answer("field_errors.html", status_code=422, messages=messages_of(error, renderer))


def messages_of(error: FieldErrors, renderer: Renderer) -> dict[str, Markup]:
    """Return the message of each field by its name on the page, as `field_errors.html` takes them."""
    return {name.replace("_", "-"): renderer.error(each) for name, each in error.errors.items()}


async def _forgotten(_request: Request, _: Exception) -> Response:
    # Never seen: the page asks again with its inputs.
    return PlainTextResponse("No model is remembered under this key; send the inputs.\n", status_code=409)


async def _busy(request: Request, _: Exception) -> Response:
    own = services(request)
    answer = own.renderer(request).answer("busy.html", status_code=503)
    answer.headers["retry-after"] = str(own.settings.retry_after_s)
    return answer


async def _malformed(_request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"Malformed form: {error}\n", status_code=400)


async def _nobody(_request: Request, _: Exception) -> Response:
    return Response(status_code=204)


async def _by_status(request: Request, error: Exception) -> Response:
    """What Starlette refuses by itself: no such address, no such method."""
    assert isinstance(error, HTTPException)
    codes = {404: "request.no_address", 405: "request.method"}
    code = codes.get(error.status_code, "request.refused")
    return refusal(request.scope, error.status_code, code, error.detail, headers=error.headers)


HANDLERS = {
    HTTPException: _by_status,
    FieldErrors: _at_fields,
    ModelGone: _forgotten,
    Busy: _busy,
    MalformedForm: _malformed,
    ClientGone: _nobody,
}
