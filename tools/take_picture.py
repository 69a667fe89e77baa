#!/usr/bin/env python3
"""Take the picture of the page for the README: `tools/take_picture.py [FILE]`, docs/images/workbench.webp if not said.

The real program serves, a real Chromium looks: a text is trained, the slider is moved, a text is encoded. What has to
be seen is looked at before the picture is taken; a page that does not show it is an error, not a picture.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support import browser as chromium  # noqa: E402  # this is a program: the root is not on the path before

TARGET = ROOT / "docs" / "images" / "workbench.webp"
WIDTH, HEIGHT = 1280, 1180
PREFIX = 20
TEXT = "the lowest loom"
SERVER_S = 30


def main() -> None:
    """Serve, take, write."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    command = [str(Path(sys.executable).with_name("pairloom")), "serve", "--port", "0"]
    with (
        subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8") as server,
        sync_playwright() as playwright,
    ):
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            address = next(word for word in said.split() if word.startswith("http://"))
            target.write_bytes(take(chromium.launch(playwright), address))
        finally:
            server.terminate()
            server.wait(SERVER_S)


def take(browser: Browser, address: str) -> bytes:
    """Return the picture of the workbench at this address, as WebP.

    Raises:
        AssertionError: the page does not show what the picture is to show.
    """
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT}, locale="en", color_scheme="light", reduced_motion="reduce"
    )
    try:
        page = context.new_page()
        page.goto(address)
        _work(page)
        session = context.new_cdp_session(page)
        taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": 70})
        return base64.b64decode(taken["data"])
    finally:
        context.close()


def _work(page: Page) -> None:
    """Train on the sample text, choose a prefix, encode a text, and see that all of it is there."""
    page.locator("#corpus").fill((ROOT / "src/pairloom/web/static/samples/en.txt").read_text("utf-8"))
    page.locator("#train").click()
    expect(page.locator("#workbench")).to_have_attribute("data-state", "trained")
    page.locator("#prefix").fill(str(PREFIX))
    page.locator("#prefix").press("Enter")
    expect(page.locator("#selection [data-prefix]")).to_have_attribute("data-prefix", str(PREFIX))
    page.locator("#text").fill(TEXT)
    page.locator("#encode").click()
    expect(page.locator("#encoding-view .tokens li").first).to_be_visible()
    expect(page.locator("#corpus-view .flow mark").first).to_be_visible()
    expect(page.locator("#curve").first).to_be_visible()
    assert page.locator("[aria-invalid=true], .error:not(:empty)").count() == 0, "the page objects to something"
    page.evaluate("scrollTo(0, 0)")


if __name__ == "__main__":
    main()
