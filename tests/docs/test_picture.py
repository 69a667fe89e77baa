"""The picture of the page in the README: the script that takes it works, and sees what the picture is to show."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.docs.markdown import ROOT, links
from tests.web.conftest import serving
from tools import take_picture

pytestmark = pytest.mark.browser


def size(webp: bytes) -> tuple[int, int]:
    """Width and height of a WebP, from the head of the container that Chromium writes."""
    assert (webp[:4], webp[8:16]) == (b"RIFF", b"WEBPVP8X")
    return int.from_bytes(webp[24:27], "little") + 1, int.from_bytes(webp[27:30], "little") + 1


def test_the_script_takes_a_picture_like_the_one_that_is_there(browser: Browser) -> None:
    with serving() as server:
        taken = take_picture.take(browser, server.address)
    committed = take_picture.TARGET.read_bytes()
    assert size(taken) == size(committed) == (take_picture.WIDTH, take_picture.HEIGHT)
    # Fonts differ between machines, so pixels are not compared; an empty page would be a tenth of it.
    assert 0.5 < len(taken) / len(committed) < 2
    assert len(committed) < 150_000


def test_what_the_page_does_not_show_is_no_picture(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(take_picture, "TEXT", "a text with a literal ▁")
    with serving() as server, pytest.raises(AssertionError):
        take_picture.take(browser, server.address)


def test_the_readme_shows_it() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert take_picture.TARGET.relative_to(ROOT).as_posix() in links(readme)
    assert f"{take_picture.PREFIX} of 249 merges" in readme
