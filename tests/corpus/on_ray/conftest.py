"""A local Ray for the cases of this folder, which run in a network namespace of their own (see test_ray.py)."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

import pytest

from pairloom.corpus.libraries import library
from tests.corpus import local_ray
from tests.support.loopback_only import interfaces

# A token of its own: none is left in anybody's home.
os.environ["RAY_AUTH_MODE"] = "token"
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


@pytest.fixture(scope="session", autouse=True)
def _alone() -> None:
    """Refuse to start anything where somebody else could reach it."""
    assert interfaces() == ["lo"]


@pytest.fixture(scope="session")
def two_workers() -> Iterator[None]:
    """A Ray of two workers."""
    local_ray.start()
    yield
    library("ray").shutdown()
