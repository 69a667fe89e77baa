"""Answers that are long and the same for everybody, compressed: the document and the texts that come after it.

Fragments about somebody's text are not among them: how well a secret beside chosen text compresses tells of the secret.
"""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response

_LEVEL = 6


def compressed(request: Request, answer: Response) -> Response:
    """Return an answer, compressed where the client takes that; caches are told that it depends on it.

    Cost: about a millisecond for 50 KB.
    """
    if "gzip" in request.headers.get("accept-encoding", ""):
        answer.body = gzip.compress(bytes(answer.body), _LEVEL, mtime=0)
        answer.headers["content-encoding"] = "gzip"
        answer.headers["content-length"] = str(len(answer.body))
    answer.headers["vary"] += ", accept-encoding"
    return answer
