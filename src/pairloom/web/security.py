"""What stands before routing: pure ASGI middlewares that look at the raw scope, so that no route is left out.

From the outside in: `AnswerHeaders`, `QuietErrors`, `HostCheck`, `CrossSiteCheck`, `WholeBody`.

A page on this machine's loopback address is within reach of every site that the same browser has open. Names are
checked against rebinding (a foreign name that resolves to 127.0.0.1), origins against requests that another site sends.
"""

from __future__ import annotations

import asyncio
import logging
import re

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pairloom.web.logs import told
from pairloom.web.refusals import ClientGone, refusal

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ANSWER_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(?::(?P<port>[1-9][0-9]{0,4}))?")
_MAX_PORT = 65_535
SAFE_METHODS = frozenset({"GET", "HEAD"})
_log = logging.getLogger("pairloom.web")


def _values(scope: Scope, name: bytes) -> list[str]:
    """Return every value of a header, in order: a second Host or Origin must not hide behind the first."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _host_name(host: str) -> str | None:
    """Return the name in a Host header, lower-case, an IPv6 address with its brackets; None if it is no `name[:port]`.

    The whole header must be one: what only begins like a name on the list is another name. A dot at the end makes
    another name too, and a browser would count it as another site.
    """
    found = _HOST.fullmatch(host)
    if found is None or int(found["port"] or 1) > _MAX_PORT:
        return None
    return found["name"].lower()


def _bracketed(name: str) -> str:
    """Return a name as a Host header writes it: an IPv6 address in brackets."""
    return f"[{name}]" if ":" in name and not name.startswith("[") else name


class AnswerHeaders:
    """Put the headers that protect the reader on every answer, refusals and failures too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers added."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ANSWER_HEADERS.items():
                    headers.setdefault(name, value)
                # Pages hold what somebody typed; what may be kept (static files) says so itself.
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class QuietErrors:
    """Turn an unforeseen failure into a 500, and log where it happened but no value: values are people's texts."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or log and answer 500."""
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception as error:  # noqa: BLE001  # the outermost edge: whatever it was, the reader gets an answer
            _log.error("failure of %s %s: %s", scope.get("method"), _known(scope), told(error))
            if not started and scope["type"] == "http":
                failure = refusal(scope, 500, "server.failure", "The server failed. What went wrong is in its log.")
                await failure(scope, receive, send)


def _known(scope: Scope) -> str:
    """Return the address of a route of ours; one that somebody typed is not told: it may hold anything."""
    route = scope.get("route")
    return getattr(route, "path", "an unknown address")


class HostCheck:
    """Refuse with 421 what is not addressed to one of the allowed names, whatever the method and the route."""

    def __init__(self, app: ASGIApp, *, allowed_hosts: tuple[str, ...]) -> None:
        self.app = app
        self.allowed = frozenset(_bracketed(name.lower()) for name in allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on or refuse."""
        if scope["type"] == "http":
            hosts = _values(scope, b"host")
            if len(hosts) != 1 or _host_name(hosts[0]) not in self.allowed:
                refused = refusal(scope, 421, "request.host", "This server does not answer to that host name.")
                return await refused(scope, receive, send)
        return await self.app(scope, receive, send)


class CrossSiteCheck:
    """Refuse with 403 every request that could change or cost something and that another site sent.

    Over plain HTTP on a LAN browsers send no `Sec-Fetch-Site`; then `Origin` decides alone. A request with neither
    comes from no page of a browser (scripts, curl) and passes.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on or refuse."""
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS and _is_cross_site(scope):
            refused = refusal(scope, 403, "request.cross_site", "Requests from other sites are refused.")
            return await refused(scope, receive, send)
        return await self.app(scope, receive, send)


def _is_cross_site(scope: Scope) -> bool:
    if any(site not in {"same-origin", "none"} for site in _values(scope, b"sec-fetch-site")):
        return True
    own = {f"{scheme}://{host}".lower() for host in _values(scope, b"host") for scheme in ("http", "https")}
    return any(origin.lower() not in own for origin in _values(scope, b"origin"))


class WholeBody:
    """Take the body in before the app sees the request: 413 past the limit, 408 past the deadline.

    Bytes are counted as they arrive, so neither a missing nor a lying Content-Length helps. Handlers read whole
    forms anyway; after the body they get what the connection says next, which is how they learn of a disconnect.
    """

    def __init__(self, app: ASGIApp, *, max_bytes: int, deadline_s: float) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.deadline_s = deadline_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on with the body at hand, or refuse."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        announced = _values(scope, b"content-length")
        if any(not value.isdecimal() or int(value[:20]) > self.max_bytes for value in announced):
            return await self._too_large(scope)(scope, receive, send)
        try:
            async with asyncio.timeout(self.deadline_s):
                body = await _read(receive, self.max_bytes)
        except TimeoutError:
            return await self._too_late(scope)(scope, receive, send)
        except ClientGone:
            return None
        if body is None:
            return await self._too_large(scope)(scope, receive, send)
        first: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def replay() -> Message:
            nonlocal first
            if first is None:
                return await receive()
            message, first = first, None
            return message

        return await self.app(scope, replay, send)

    def _too_large(self, scope: Scope) -> Response:
        why = f"The request body is larger than {self.max_bytes} bytes."
        details = {"max_bytes": self.max_bytes}
        return refusal(scope, 413, "request.too_large", why, details=details, headers={"connection": "close"})

    def _too_late(self, scope: Scope) -> Response:
        why = f"The request body was not there after {self.deadline_s:g} seconds."
        details = {"deadline_s": self.deadline_s}
        return refusal(scope, 408, "request.too_slow", why, details=details, headers={"connection": "close"})


async def _read(receive: Receive, max_bytes: int) -> bytes | None:
    """Return the whole body, or None as soon as it is longer than allowed. Raises: ClientGone before its end."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGone
        body += message.get("body", b"")
        if len(body) > max_bytes:
            return None
        if not message.get("more_body", False):
            return bytes(body)
