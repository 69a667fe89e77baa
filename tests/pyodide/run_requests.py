"""Two requests to the web application without a server: its first page, and a training that it streams.

`make test-pythons` runs it in Pyodide, where there are no threads, no processes and no sockets: whatever the
application grew that needs them fails here. It needs no test tool and runs on any Python that has the pages' packages.
"""

import asyncio
import platform
import sys
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message

from pairloom.web.app import create_app
from pairloom.web.scopes import scope_of

TIMEOUT_S = 60
INPUTS = {"corpus": "low low lower", "pre_tokenizer": "whitespace", "merge_limit": "10"}


async def request(app: ASGIApp, method: str, path: str, body: bytes = b"") -> tuple[int, str]:
    """Send one request; return the status and the whole body."""
    form = [("content-type", "application/x-www-form-urlencoded"), ("content-length", str(len(body)))]
    scope = scope_of(method, path, headers=form)
    parts = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        if parts:
            return parts.pop()
        await asyncio.Event().wait()  # the client stays: no disconnect ever comes
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    await asyncio.wait_for(app(scope, receive, send), TIMEOUT_S)
    answer = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    return sent[0]["status"], answer.decode()


async def main() -> int:
    """Ask, compare, count."""
    app = create_app(api=False)
    failed = 0
    for method, path, body, expected in (
        ("GET", "/", b"", "<!doctype html>"),
        ("POST", "/workbench/train", urlencode(INPUTS).encode(), "data: "),
    ):
        status, text = await request(app, method, path, body)
        good = status == 200 and expected in text.lower()
        failed += not good
        if not good:
            print(f"{method} {path}: {status}, {text[:500]!r}")
    print(f"CPython {platform.python_version()} on {sys.platform}: the pages without a server")
    print(f"{2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
