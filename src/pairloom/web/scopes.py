"""A request as ASGI says it, for those who ask the app without a server: the static edition and the widget."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.types import Scope


def scope_of(method: str, path: str, *, query: str = "", headers: Iterable[tuple[str, str]] = ()) -> Scope:
    """Return the scope of a request to the app; its host is localhost, since there is nobody else to be meant."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), *((name.lower().encode(), value.encode()) for name, value in headers)],
        "client": None,
        "server": ("localhost", 80),
        "state": {},
    }
