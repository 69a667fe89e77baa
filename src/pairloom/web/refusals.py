"""What is refused before a handler is reached → an answer: JSON under `/api/`, a line of text elsewhere.

Needs nothing but the standard library and Starlette, so that the middlewares work where the JSON twin is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

API = "/api/"


class ClientGone(Exception):
    """Whoever asked has hung up."""


def is_api(scope: Scope) -> bool:
    """Whether a request is for the JSON twin."""
    path: str = scope["path"]
    return path.startswith(API)


def refusal(
    scope: Scope,
    status: int,
    code: str,
    message: str,
    *,
    details: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an answer that says why, in the shape of the twin or as text."""
    if is_api(scope):
        body = refusal_body(code, message, details or {})
        return Response(body, status_code=status, media_type="application/json", headers=dict(headers or {}))
    return PlainTextResponse(f"{message}\n", status_code=status, headers=dict(headers or {}))


def refusal_body(code: str, message: str, details: Mapping[str, object]) -> bytes:
    """Return the twin's one error shape, on one line; unpaired surrogates are escaped."""
    return json.dumps({"error": {"code": code, "message": message, "details": details}}).encode("ascii")
