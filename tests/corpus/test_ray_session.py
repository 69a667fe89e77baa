"""Joining a cluster: an address at which nobody answers is told at once, in place of Ray's many tries."""

from __future__ import annotations

import socket

import pytest

from pairloom.corpus.ray_session import joined_ray
from pairloom.errors import SettingError


def _unused_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1:{port}", "refused"),
        ("ray://127.0.0.1:{port}", "refused"),
        ("nowhere.invalid:6379", ""),
        ("127.0.0.1:99999", "out of range"),
    ],
)
def test_an_address_at_which_nobody_answers(address: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(name: str) -> None:
        raise AssertionError(f"{name} was asked for")

    monkeypatch.setattr("pairloom.corpus.ray_session.library", never)
    given = address.format(port=_unused_port())
    with pytest.raises(SettingError, match="a Ray cluster that answers") as caught, joined_ray(given):
        pass
    assert caught.value.value == given
    assert why in str(caught.value)
