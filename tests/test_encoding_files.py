"""Texts that are read block by block: the same IDs and the same errors as for the whole, in memory for a few blocks."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest

import pairloom
from pairloom import encoding_files
from pairloom.errors import ForbiddenCodePoint, InvalidUtf8
from tests.support.kernels import on_every_kernel, running
from tests.support.random_texts import text as any_text


class Halting(io.RawIOBase):
    """A file that gives a few bytes at a time, as a pipe does."""

    def __init__(self, data: bytes, drawn: random.Random) -> None:
        self.data = data
        self.drawn = drawn
        self.largest = 0

    def read(self, size: int = -1) -> bytes:
        self.largest = max(self.largest, size)
        part = self.data[: min(size, self.drawn.randint(1, 9))]
        self.data = self.data[len(part) :]
        return part


def outcome(call: Any) -> Any:
    try:
        return call()
    except (InvalidUtf8, ForbiddenCodePoint) as error:
        return type(error), error.details


@on_every_kernel
@pytest.mark.parametrize("seed", range(25))
def test_blocks_together_are_the_whole(kernel_name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = random.Random(seed)
    with running(kernel_name):
        model = pairloom.train([any_text(drawn) + " x" for _ in range(9)], lowercase=seed % 2 == 0)
        for _ in range(12):
            monkeypatch.setattr(encoding_files, "BLOCK_BYTES", drawn.choice([1, 3, 8, 50, 1 << 20]))
            data = "".join(any_text(drawn) for _ in range(drawn.randint(0, 5))).encode()
            for _ in range(drawn.choice([0, 0, 0, 1, 2])):
                at = drawn.randint(0, len(data))
                data = data[:at] + drawn.choice(["▁".encode(), b"\xff", b"\xe3\x80"]) + data[at:]
            prefix = drawn.randint(0, len(model.merges))
            for file in (io.BytesIO(data), Halting(data, drawn)):
                blocks = model.encode_file(file, prefix, name="a file", threads=drawn.choice([1, 2]))  # type: ignore[arg-type]  # a raw file is one
                ours = outcome(lambda: [token_id for block in blocks for token_id in block])  # noqa: B023  # called at once
                assert ours == outcome(lambda: list(model.encode_utf8(data, prefix, name="a file")))  # noqa: B023


def test_only_a_block_is_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding_files, "BLOCK_BYTES", 100)
    model = pairloom.train("low low lower")
    file = Halting(b"low lower " * 200, random.Random(0))
    blocks = model.encode_file(file)  # type: ignore[arg-type]  # a raw file is one
    next(blocks)
    assert file.largest == 100
    assert len(file.data) > 1_900
    assert max(len(block) for block in blocks) <= 20


def test_settings_are_checked_before_anything_is_read() -> None:
    model = pairloom.train("low low lower")
    for settings in ({"prefix": 9}, {"threads": 0}, {"threads": True}):
        with pytest.raises(pairloom.SettingError):
            model.encode_file(io.BytesIO(b"low"), **settings)


def test_a_file_that_gives_nothing_now() -> None:
    class Waiting(io.RawIOBase):
        def read(self, size: int = -1) -> None:  # noqa: ARG002  # its signature
            return None

    with pytest.raises(BlockingIOError):
        list(pairloom.train("low low lower").encode_file(Waiting()))  # type: ignore[arg-type]  # a raw file is one
