"""The server program around the app: uvicorn, on this machine only unless told otherwise."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Sequence
from dataclasses import replace

import uvicorn

from pairloom.web.app import create_app
from pairloom.web.connections import Connections
from pairloom.web.logs import LOGGING, quiet_asyncio
from pairloom.web.services import Services
from pairloom.web.settings import Settings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104  # compared with


def serve(*, host: str = "127.0.0.1", port: int = 8000, allow_hosts: Sequence[str] = ()) -> None:
    """Serve the pages until interrupted; prints the address on standard error once it answers.

    Args:
        host: address to listen on; anything but loopback means that others on the network can use it.
        port: 0 takes a free one.
        allow_hosts: further host names that are answered, beside loopback's.
    """
    settings = Settings()
    extra = (*allow_hosts, *(() if host in LOOPBACK or host in EVERY_ADDRESS else (host,)))
    settings = replace(settings, allowed_hosts=(*settings.allowed_hosts, *extra))
    config = configuration(settings, host=host, port=port)
    spare_the_collector()
    _AnnouncingServer(config, allow_hosts=allow_hosts).run()


def configuration(settings: Settings, *, host: str, port: int) -> uvicorn.Config:
    """Return how uvicorn serves the pages; all limits come from the settings."""
    app = create_app(settings, after_training=_set_aside)
    services: Services = app.state.services
    for renderer in services.renderers.values():
        # Each takes some milliseconds, once: better now than in front of somebody.
        renderer.prepare()
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        # A function where uvicorn expects a class: it is only called.
        http=Connections(settings).protocol,  # type: ignore[arg-type]
        ws="none",
        loop="asyncio",
        backlog=settings.backlog_max,
        log_config=LOGGING,
        # Paths would say nothing about texts, but a slider writes ten lines a second.
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        timeout_keep_alive=settings.keep_alive_s,
        timeout_graceful_shutdown=settings.shutdown_s,
        # An unfinished message larger than this is refused; forms are counted by the app.
        h11_max_incomplete_event_size=64 * 1024,
    )


def spare_the_collector() -> None:
    """Keep the garbage collector from long breaks, for the rest of this process.

    A full collection looks through every object of every model: measured, 20 to 60 ms in the middle of a slice, again
    and again while forty people train. Models and trainings hold no cycles (a test keeps that), so reference counting
    frees them; what does have cycles is short-lived and found among the young: ten thousand objects at most, some
    milliseconds.
    """
    gc.set_threshold(2_000, 5, 1_000_000_000)


def _set_aside() -> None:
    """Let the collector leave alone whatever has lived through a training, once the young garbage is gone."""
    gc.collect(1)
    gc.freeze()


class _AnnouncingServer(uvicorn.Server):
    """Say where the pages are, once they are there, and where goes what is typed into them."""

    def __init__(self, config: uvicorn.Config, *, allow_hosts: Sequence[str]) -> None:
        super().__init__(config)
        self.allow_hosts = allow_hosts

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # list is invariant
        asyncio.get_running_loop().set_exception_handler(quiet_asyncio)
        await super().startup(sockets)  # type: ignore[arg-type]
        for server in self.servers:
            for socket in server.sockets:
                name, port = socket.getsockname()[:2]
                host = f"[{name}]" if ":" in name else name
                say(f"Pairloom is at http://{host}:{port}/ (Ctrl-C ends it)")
                if name not in LOOPBACK:
                    for line in warning(self.allow_hosts, is_every_address=name in EVERY_ADDRESS):
                        say(line)


def say(line: str) -> None:
    """Print a line on standard error."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201  # the server program talks to whoever started it


def warning(allow_hosts: Sequence[str], *, is_every_address: bool) -> list[str]:
    """Return what to know before others are invited: who can use it, and where goes what they type."""
    lines = [
        "Others on this network can use it: what they type goes over the network to this machine, unencrypted, and is",
        "kept in this program's memory, not on disk. Whoever can read along on the network reads it.",
    ]
    if allow_hosts:
        lines.append(f"It answers under these names, and its own: {', '.join(allow_hosts)}")
    elif is_every_address:
        lines.append("It answers under localhost only; name what others type in their browser: --allow-host NAME")
    return lines
