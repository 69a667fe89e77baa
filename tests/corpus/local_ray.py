"""A Ray of this machine for tests. Ray gives up when its processes are not there in 30 s; a busy machine is slower."""

from __future__ import annotations

import logging
from typing import Any

from pairloom.corpus.libraries import library

_ATTEMPTS = 5


def start(**options: Any) -> None:
    """Start a local Ray, or join one at `address`."""
    ray = library("ray")
    given = {"address": "local", "num_cpus": 2, "include_dashboard": False} | options
    for attempt in range(_ATTEMPTS):
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **given)
        except Exception as error:
            ray.shutdown()
            if "timed out during startup" not in str(error) or attempt == _ATTEMPTS - 1:
                raise
        else:
            return
