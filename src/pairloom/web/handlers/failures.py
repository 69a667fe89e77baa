"""What went wrong → an answer in the reader's language. The one place where errors become text."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pairloom.web.forms import FieldErrors, MalformedForm
from pairloom.web.models import ClientGone, ModelGone
from pairloom.web.scheduler import Busy
from pairloom.web.services import services


async def _at_fields(request: Request, error: Exception) -> Response:
    assert isinstance(error, FieldErrors)
    renderer = services(request).renderer(request)
    messages = {name.replace("_", "-"): renderer.error(each) for name, each in error.errors.items()}
    return renderer.answer("field_errors.html", status_code=422, messages=messages)


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


HANDLERS = {
    FieldErrors: _at_fields,
    ModelGone: _forgotten,
    Busy: _busy,
    MalformedForm: _malformed,
    ClientGone: _nobody,
}
