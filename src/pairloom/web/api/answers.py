"""The two shapes that come back: `{"key": …, "data": …}` and `{"error": {"code": …, "message": …, "details": …}}`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from starlette.responses import Response

from pairloom.errors import PairloomError
from pairloom.web.forms import FieldErrors
from pairloom.web.refusals import refusal_body

Data = TypeVar("Data")


@dataclass(frozen=True, slots=True)
class Answer(Generic[Data]):
    """What comes back where all went well.

    Attributes:
        key: of the model that it is about; later requests may name it instead of the inputs. null without a model.
        data: what was asked for.
    """

    key: str | None
    data: Data


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """What went wrong.

    Attributes:
        code: names the kind, for programs; docs/errors.md and docs/http.md list them.
        message: in English: what, where, and what to do.
        details: the facts of the error by name; `field` where it is about one field, and `others`, a list of further
            errors, where there are several.
    """

    code: str
    message: str
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failure:
    """What comes back where something went wrong."""

    error: ErrorBody


def answer(key: str | None, data: object) -> Response:
    """Return an answer of the one shape for what went well."""
    headers = {} if key is None else {"model-key": key}
    return Response(answer_body(key, data), media_type="application/json", headers=headers)


def answer_body(key: str | None, data: object) -> bytes:
    """Return its body, on one line."""
    return msgspec.json.encode(Answer(key, data))


def failure(status: int, error: ErrorBody, *, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer of the one shape for what went wrong."""
    return Response(failure_body(error), status_code=status, media_type="application/json", headers=dict(headers or {}))


def failure_body(error: ErrorBody) -> bytes:
    """Return its body, on one line."""
    return refusal_body(error.code, error.message, error.details)


def described(error: PairloomError, *, field: str | None = None) -> ErrorBody:
    """Return an error of the library as the twin tells it."""
    details = error.details if field is None else {"field": field, **error.details}
    # What may be no JSON (a setting's value of any type) is told as Python writes it.
    return ErrorBody(error.code, str(error), {name: _plain(value) for name, value in details.items()})


def described_all(errors: FieldErrors) -> ErrorBody:
    """Return the first of several objections, with the others in its details."""
    first, *others = (described(error, field=field) for field, error in errors.errors.items())
    if not others:
        return first
    more = [{"code": each.code, "message": each.message, "details": each.details} for each in others]
    return ErrorBody(first.code, first.message, {**first.details, "others": more})


def _plain(value: object) -> object:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return repr(value)
    return value
