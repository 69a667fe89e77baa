"""The OpenAPI 3.1 document, made of the types and docstrings of the operations themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from inspect import getdoc
from typing import Any, get_type_hints

import msgspec

from pairloom.web.api import files, inspecting, lesson, operations
from pairloom.web.api.answers import Answer, Failure
from pairloom.web.api.requests import Asked, ModelInputs

_REF = "#/components/schemas/{name}"


@dataclass(frozen=True, slots=True)
class Operation:
    """An address of the twin.

    Attributes:
        path: its address.
        about: "model", "text" or "nothing".
        function: what it does.
        asked: type of the request; the root of all requests where there is none.
        data: type of what comes back.
    """

    path: str
    about: str
    function: Callable[..., object]
    asked: type[Asked]
    data: Any

    @classmethod
    def of(cls, function: Callable[..., object], about: str) -> Operation:
        """Return the operation that a function is; its types are taken from its annotations."""
        hints = get_type_hints(function)
        data = hints.pop("return")
        asked = [each for each in hints.values() if isinstance(each, type) and issubclass(each, Asked)]
        return cls(f"/api/{function.__name__}", about, function, asked[0] if asked else Asked, data)


_ON_MODELS = (operations, inspecting, files, lesson)
_ON_TEXTS = (operations, files, lesson)

DESCRIBED = (
    *(Operation.of(function, "model") for module in _ON_MODELS for function in module.OF_MODELS),
    *(Operation.of(function, "text") for module in _ON_TEXTS for function in module.OF_TEXTS),
    *(Operation.of(function, "nothing") for function in operations.OF_NOTHING),
)

_REFUSALS = {
    "403": "another site sent it",
    "408": "the body was not there in time",
    "413": "the body is too large, counted as it arrives",
    "421": "addressed to a name that is not on the list",
    "503": "too much is under way; Retry-After says when to ask again",
}
_OF_BODIES = {
    "400": "the body is not taken as JSON",
    "415": "another content type than application/json",
    "422": "a field of another type, a text or a number that a rule refuses",
}
_OF_MODELS = {"409": "no model is remembered under the key, and no inputs came along"}


@cache
def describe() -> bytes:
    """Return the document as JSON; made once."""
    types = [Failure, Answer[operations.Training], ModelInputs]
    for each in DESCRIBED:
        types += [_answer_with(each.data), *([] if each.asked is Asked else [each.asked])]
    references, schemas = msgspec.json.schema_components(types, ref_template=_REF)
    reference = dict(zip(map(str, types), references, strict=True))
    failure = reference[str(Failure)]
    paths: dict[str, object] = {
        "/healthz": {"get": _healthz()},
        "/api/openapi.json": {"get": _openapi()},
        "/api/train": {
            "post": _described(
                "train",
                "Train, or answer at once with what is still in memory (T).",
                reference[str(ModelInputs)],
                reference[str(Answer[operations.Training])],
                failure=failure,
                refusals=_OF_BODIES,
            )
        },
    }
    streamed = _described(
        "progress",
        "Train and tell how far it is: lines of JSON, `progress` any number of times, then one of the shapes.",
        reference[str(ModelInputs)],
        {"type": "string"},
        failure=failure,
        refusals=_OF_BODIES,
        media_type="application/x-ndjson",
    )
    paths["/api/train/progress"] = {"post": streamed}
    for each in DESCRIBED:
        asked = None if each.asked is Asked else reference[str(each.asked)]
        refusals = ({} if asked is None else _OF_BODIES) | (_OF_MODELS if each.about == "model" else {})
        name = each.function.__name__
        summary = getdoc(each.function) or ""
        operation = _described(
            name, summary, asked, reference[str(_answer_with(each.data))], failure=failure, refusals=refusals
        )
        paths[each.path] = {"get" if asked is None else "post": operation}
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Pairloom",
            "version": version("pairloom"),
            "description": "Everything that the pages show, as JSON. Rules in parentheses are in docs/conventions.",
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }
    return _with_plain_names(json.dumps(document, ensure_ascii=False)).encode()


_QUALIFIED = re.compile(r"pairloom\.(?:[a-z_]+\.)*([a-z_]+)\.([A-Z][A-Za-z]*)")


def _with_plain_names(document: str) -> str:
    """Return the document with plain names of types.

    Where a type is generic over a generic one, or two have one name, their names hold modules: the last one stays if
    it is needed to tell types apart.
    """
    modules: dict[str, set[str]] = {}
    for module, name in _QUALIFIED.findall(document):
        modules.setdefault(name, set()).add(module)
    return _QUALIFIED.sub(lambda found: found[2] if len(modules[found[2]]) == 1 else f"{found[1]}_{found[2]}", document)


def _answer_with(data: Any) -> Any:
    return Answer[data]


def _described(
    name: str,
    summary: str,
    asked: object,
    answered: object,
    *,
    failure: object,
    refusals: dict[str, str],
    media_type: str = "application/json",
) -> dict[str, object]:
    """Return the description of one operation."""
    why = _REFUSALS | refusals
    responses = {"200": {"description": "what was asked for", "content": {media_type: {"schema": answered}}}} | {
        status: {"description": why[status], "content": {"application/json": {"schema": failure}}}
        for status in sorted(why)
    }
    made: dict[str, object] = {"operationId": name, "summary": summary, "responses": responses}
    if asked is not None:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": asked}}}
    return made


def _text(description: str, media_type: str, schema: object) -> dict[str, object]:
    return {"200": {"description": description, "content": {media_type: {"schema": schema}}}}


def _healthz() -> dict[str, object]:
    responses = _text("`ok` and the number of trainings under way", "text/plain", {"type": "string"})
    return {"operationId": "healthz", "summary": "Say that the server answers.", "responses": responses}


def _openapi() -> dict[str, object]:
    responses = _text("this document", "application/json", {"type": "object"})
    return {"operationId": "openapi", "summary": "Return this document.", "responses": responses}
