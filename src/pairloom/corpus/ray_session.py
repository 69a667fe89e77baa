"""Joining a Ray cluster for one command, or starting one of this machine alone."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from pairloom.corpus.libraries import library
from pairloom.errors import SettingError

LOCAL: Final = "local"

WHAT_LOCAL_OPENS: Final = (
    "starting a Ray on this machine: until this command ends it listens on all network interfaces, on ports that it "
    "chooses, and takes only who has the token of this user (Ray keeps it in ~/.ray/auth_token); --workers N does the "
    "same work and opens nothing"
)


_SECONDS_TO_ANSWER: Final = 10


@contextmanager
def joined_ray(address: str, *, workers: int | None = None) -> Iterator[None]:
    """Join the cluster at an address, or start a local one, for the block; leave it, or end it, afterwards.

    A local one is never started without token authentication.

    Args:
        address: as `ray.init` takes it, such as `auto` or `ray://host:10001`; `LOCAL` starts one.
        workers: how many CPUs a local one has; None takes what the machine has.

    Raises:
        SettingError: token authentication is turned off; nobody answers at the address; or whatever Ray says about it.
        MissingPeer.
    """
    # Ray reads it when it is imported.
    if address == LOCAL and os.environ.setdefault("RAY_AUTH_MODE", "token") != "token":
        allowed = "token, or nothing: a local Ray listens on all interfaces, so it must ask who comes"
        raise SettingError(setting="RAY_AUTH_MODE", value=os.environ["RAY_AUTH_MODE"], allowed=allowed)
    _check_answers(address)
    ray = library("ray")
    options = {"num_cpus": workers, "include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
    except Exception as error:  # what Ray raises has no type of its own
        allowed = f"the address of a Ray cluster, auto or local ({error})"
        raise SettingError(setting="ray", value=address, allowed=allowed) from error
    try:
        yield
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Try a host and port before Ray does, which goes on for ten minutes and more."""
    try:
        place = urlsplit(address if "://" in address else f"//{address}")
        if place.hostname and place.port:
            socket.create_connection((place.hostname, place.port), timeout=_SECONDS_TO_ANSWER).close()
    except (OSError, ValueError) as error:
        allowed = f"the address of a Ray cluster that answers, auto or local ({error})"
        raise SettingError(setting="ray", value=address, allowed=allowed) from error
