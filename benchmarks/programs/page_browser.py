"""Move the slider in a real browser: `page_browser FILE`. From the event of the input to the painted answer, wall time.

The server is a process of its own, as for a user; the browser is headless Chromium.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import sync_playwright

from benchmarks.programs import Figures
from tests.support.browser import launch

STEPS = 60

# One step: choose, wait until the answer is in the page, then for the frame after it to be painted.
STEP = """
(prefix) => new Promise((resolve) => {
  const slider = document.getElementById("slider");
  const selection = document.getElementById("selection");
  const watch = new MutationObserver(() => {
    if (selection.querySelector(`[data-prefix="${prefix}"]`) === null) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - begin);
      port2.postMessage(null);
    });
  });
  watch.observe(selection, { childList: true, subtree: true });
  const begin = performance.now();
  slider.value = prefix;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})
"""


def measure(address: str, text: str) -> list[float]:
    """Return the milliseconds of each step."""
    with sync_playwright() as playwright:
        page = launch(playwright).new_page(base_url=address, viewport={"width": 1280, "height": 800})
        page.goto("/")
        page.locator("#corpus").fill(text)
        page.locator("#merge-limit").fill("40000")
        page.locator("#train").click()
        page.locator("#slider").wait_for(timeout=60_000)
        page.locator("#text").fill(text[:400])
        page.locator("#encode").click()
        page.locator("#encoding-view .tokens li").first.wait_for()
        last = int(page.locator("#slider").get_attribute("max") or 0)
        return [page.evaluate(STEP, 1 + last * step // STEPS) for step in range(STEPS)]


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    command = [sys.executable, "-m", "pairloom", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            address = next(part for part in server.stderr.readline().split() if part.startswith("http"))
            spent = measure(address, text)
        finally:
            server.terminate()
    figures = Figures()
    figures.values |= {"painted_ms": median(spent), "painted_p95_ms": quantiles(spent, n=20)[-1]}
    figures.print()


main()
