"""Requests → answers: body in, model found or trained, operation called, one of the two shapes out."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import iscoroutinefunction
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pairloom.errors import PairloomError
from pairloom.views.summary import Summary
from pairloom.web.api import operations
from pairloom.web.api.answers import ErrorBody, Failure, answer, answer_body, described, described_all, failure
from pairloom.web.api.description import DESCRIBED, Operation, describe
from pairloom.web.api.requests import Asked, ModelInputs, NotJson, OfModel, read_request
from pairloom.web.event_stream import EventStream
from pairloom.web.forms import CheckedInputs, FieldErrors, check_inputs
from pairloom.web.models import ModelGone, Models, unless_gone
from pairloom.web.offload import beside
from pairloom.web.refusals import ClientGone
from pairloom.web.scheduler import Busy
from pairloom.web.services import Services, services
from pairloom.web.settings import Settings

Endpoint = Callable[[Request], Awaitable[Response]]

_BUSY = ErrorBody("server.busy", "the server is training as many models as it can: ask again in a moment", {})
_UNKNOWN_KEY = ErrorBody("model.unknown_key", "no model is remembered under this key: send its inputs", {})
_NO_MODEL = ErrorBody("request.no_model", "say which model: by its key or by its inputs", {})
_NOT_JSON_TYPE = ErrorBody("request.content_type", "send JSON, with the content type application/json", {})


@dataclass(frozen=True, slots=True)
class Line:
    """A line of progress: how far a training has come."""

    stage: Literal["counting", "merging", "looking back"]
    merges: int
    merge_limit: int


class JsonLines(EventStream):
    """Send each text as one line."""

    media_type = "application/x-ndjson"

    @staticmethod
    def framed(data: str) -> bytes:
        """Return the line."""
        return data.encode() + b"\n"


def told(endpoint: Endpoint) -> Endpoint:
    """Turn everything that an endpoint may raise on purpose into an answer of the one shape for failures."""

    @wraps(endpoint)
    async def telling(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (FieldErrors, PairloomError) as error:
            body = described_all(error) if isinstance(error, FieldErrors) else described(error)
            return failure(400 if isinstance(error, NotJson) else 422, body)
        except ModelGone:
            return failure(409, _UNKNOWN_KEY)
        except Busy:
            return busy(services(request).settings)
        except ClientGone:
            return Response(status_code=204)

    return telling


def busy(settings: Settings) -> Response:
    """Return what is answered while as many models are being trained as may be."""
    return failure(503, _BUSY, headers={"retry-after": str(settings.retry_after_s)})


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def on_model(operation: Operation) -> Endpoint:
    """Return the endpoint of an operation on a model."""

    @told
    async def endpoint(request: Request) -> Response:
        if not _is_json(request):
            return failure(415, _NOT_JSON_TYPE)
        own = services(request)
        asked = read_request(await request.body(), operation.asked)
        assert isinstance(asked, OfModel)
        if asked.key is None and asked.inputs is None:
            return failure(422, _NO_MODEL)
        fields = {"key": asked.key or ""} | ({} if asked.inputs is None else fields_of(asked.inputs, own.settings))
        key, trained = await own.models.get(request, fields)
        return answer(key, await _done(request, operation, trained, asked, own.settings))

    return endpoint


def on_text(operation: Operation) -> Endpoint:
    """Return the endpoint of an operation that needs no model."""

    @told
    async def endpoint(request: Request) -> Response:
        if not _is_json(request):
            return failure(415, _NOT_JSON_TYPE)
        asked = read_request(await request.body(), operation.asked)
        return answer(None, await _done(request, operation, asked, services(request).settings))

    return endpoint


def on_nothing(operation: Operation) -> Endpoint:
    """Return the endpoint of what is only read."""

    @told
    async def endpoint(request: Request) -> Response:
        return answer(None, operation.function(services(request).settings))

    return endpoint


async def _done(request: Request, operation: Operation, *given: object) -> object:
    """Return what an operation returns, with turns for everybody else meanwhile.

    Raises: ClientGone, and then an operation that takes portions has ended.
    """
    if iscoroutinefunction(operation.function):
        data: object = await unless_gone(request.receive, operation.function(*given))
        return data
    return await beside(lambda: operation.function(*given))


def fields_of(inputs: ModelInputs, settings: Settings) -> dict[str, str]:
    """Return inputs as the fields of the pages' form, so that one place checks both."""
    limit = settings.corpus_max_code_points if inputs.merge_limit is None else inputs.merge_limit
    return {
        "corpus": inputs.corpus,
        "pre_tokenizer": inputs.pre_tokenizer,
        "merge_limit": str(limit),
    } | ({"lowercase": "on"} if inputs.lowercase else {})


async def _checked(request: Request, own: Services) -> CheckedInputs:
    asked = read_request(await request.body(), ModelInputs)
    return check_inputs(fields_of(asked, own.settings), own.settings)


@told
async def train(request: Request) -> Response:
    """Train, or answer at once with what is still in memory (T)."""
    if not _is_json(request):
        return failure(415, _NOT_JSON_TYPE)
    own = services(request)
    asked = read_request(await request.body(), ModelInputs)
    key, trained = await own.models.get(request, fields_of(asked, own.settings))
    return answer(key, operations.Training(Summary.of(trained.word_counts, trained.history)))


@told
async def progress(request: Request) -> Response:
    """Train and tell how far it is: lines of progress, then one line that is an answer or a failure (W2)."""
    if not _is_json(request):
        return failure(415, _NOT_JSON_TYPE)
    own = services(request)
    checked = await _checked(request, own)
    if own.models.remembered(checked) is None:
        own.models.scheduler.check_room(own.models.key(checked))
    return JsonLines(_lines(own.models, checked))


async def _lines(models: Models, checked: CheckedInputs) -> AsyncGenerator[str, None]:
    trained = models.remembered(checked)
    if trained is None:
        interval_s = models.settings.progress_interval_ms / 1000
        try:
            with models.training(checked) as job:
                while not await job.is_over_within(interval_s):
                    yield msgspec.json.encode({"progress": job.latest}).decode()
                trained = job.result()
        except Busy:
            yield msgspec.json.encode(Failure(_BUSY)).decode()
            return
        except FieldErrors as error:
            yield msgspec.json.encode(Failure(described_all(error))).decode()
            return
    data = operations.Training(Summary.of(trained.word_counts, trained.history))
    yield answer_body(models.key(checked), data).decode()


async def openapi(_request: Request) -> Response:
    """Return the description of all this, OpenAPI 3.1."""
    return Response(describe(), media_type="application/json")


_ENDPOINTS: Mapping[str, Callable[[Operation], Endpoint]] = {
    "model": on_model,
    "text": on_text,
    "nothing": on_nothing,
}


def _route(operation: Operation) -> Route:
    method = "GET" if operation.asked is Asked else "POST"
    return Route(operation.path, _ENDPOINTS[operation.about](operation), methods=[method])


ROUTES = (
    Route("/api/openapi.json", openapi, methods=["GET"]),
    Route("/api/train", train, methods=["POST"]),
    Route("/api/train/progress", progress, methods=["POST"]),
    *(_route(operation) for operation in DESCRIBED),
)
