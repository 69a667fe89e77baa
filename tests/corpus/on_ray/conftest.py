"""A local Ray for the cases of this folder, which run in a network namespace of their own (see test_ray.py)."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator

import pytest

from pairloom.corpus.libraries import library
from tests.support.loopback_only import interfaces

# A token of its own: none is left in anybody's home.
os.environ["RAY_AUTH_MODE"] = "token"
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
# A machine that is busy with other tests takes its time.
os.environ["RAY_raylet_start_wait_time_s"] = "200"  # noqa: SIM112  # as Ray spells it


@pytest.fixture(scope="session", autouse=True)
def _alone() -> None:
    """Refuse to start anything where somebody else could reach it."""
    assert interfaces() == ["lo"]


@pytest.fixture(scope="session")
def two_workers() -> Iterator[None]:
    """A Ray of two workers."""
    ray = library("ray")
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    yield
    ray.shutdown()
