"""The server program around the app: uvicorn, on this machine only unless told otherwise."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import replace

import uvicorn

from pairloom.web.app import create_app
from pairloom.web.settings import Settings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def serve(*, host: str = "127.0.0.1", port: int = 8000, allow_hosts: Sequence[str] = ()) -> None:
    """Serve the pages until interrupted; prints the address on standard error once it answers.

    Args:
        host: address to listen on; anything but loopback means that others on the network can use it.
        port: 0 takes a free one.
        allow_hosts: further host names that are answered, beside loopback's.
    """
    settings = Settings()
    extra = (*allow_hosts, *(() if host in LOOPBACK or host in {"0.0.0.0", "::"} else (host,)))  # noqa: S104  # compared
    settings = replace(settings, allowed_hosts=(*settings.allowed_hosts, *extra))
    config = uvicorn.Config(
        # A full collection looks through every object of every model: measured, 16 to 60 ms in the middle of a step of
        # the slider. Models hold no cycles (a test keeps that), so reference counting frees those that are forgotten,
        # and the collector may leave alone whatever has lived through a training.
        create_app(settings, after_training=gc.freeze),
        host=host,
        port=port,
        log_level="warning",
        # Paths would say nothing about texts, but a slider writes ten lines a second.
        access_log=False,
        server_header=False,
        lifespan="off",
        limit_concurrency=settings.connections_max,
        timeout_keep_alive=settings.keep_alive_s,
        timeout_graceful_shutdown=settings.shutdown_s,
        # An unfinished message larger than this is refused; forms are counted by the app.
        h11_max_incomplete_event_size=64 * 1024,
    )
    _AnnouncingServer(config).run()


class _AnnouncingServer(uvicorn.Server):
    """Say where the pages are, once they are there."""

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # list is invariant
        await super().startup(sockets)  # type: ignore[arg-type]
        for server in self.servers:
            for socket in server.sockets:
                name, port = socket.getsockname()[:2]
                host = f"[{name}]" if ":" in name else name
                print(f"Pairloom is at http://{host}:{port}/ (Ctrl-C ends it)", file=sys.stderr, flush=True)  # noqa: T201
                if name not in LOOPBACK:
                    print("Others on this network can use it; what they type travels unencrypted.", file=sys.stderr)  # noqa: T201
