"""The slider under any latency: what is shown last is right, nothing comes late, nothing starves (rules W3, W7)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.prose import real_text
from tests.web.test_browser_workbench import shows_prefix, train

pytestmark = pytest.mark.browser

# Answers take a random time more, the same in every run.
DELAY = """
(most) => {
  const real = window.fetch;
  let seed = 7;
  window.fetch = async (...request) => {
    const answer = await real(...request);
    seed = (seed * 1103515245 + 12345) % 2147483648;
    await new Promise((resolve) => setTimeout(resolve, (seed / 2147483648) * most));
    return answer;
  };
}
"""

# Move the slider at a steady pace; return which prefixes were seen, and how many requests were under way at once.
MOVE = """
async ([prefixes, pace]) => {
  const slider = document.getElementById("slider");
  const selection = document.getElementById("selection");
  const seen = [];
  new MutationObserver(() => {
    const prefix = Number(selection.querySelector("[data-prefix]").dataset.prefix);
    if (seen.at(-1) !== prefix) seen.push(prefix);
  }).observe(selection, { childList: true });
  const real = window.fetch;
  let [underWay, most] = [0, 0];
  window.fetch = async (...request) => {
    most = Math.max(most, ++underWay);
    try { return await real(...request); } finally { underWay--; }
  };
  for (const prefix of prefixes) {
    slider.value = prefix;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, pace));
  }
  const last = prefixes.at(-1);
  for (let waited = 0; seen.at(-1) !== last && waited < 200; waited++) await new Promise((go) => setTimeout(go, 20));
  await new Promise((resolve) => setTimeout(resolve, 600));
  return [seen, most];
}
"""


@pytest.mark.parametrize(
    ("most_ms", "pace_ms", "at_least"),
    [
        (0, 100, 20),  # as Play steps: nearly every step is seen
        (60, 100, 12),
        (400, 30, 3),  # a fast drag over a slow network still shows something on the way
    ],
)
def test_what_is_shown_last_is_right_and_nothing_starves(page: Page, most_ms: int, pace_ms: int, at_least: int) -> None:
    train(page, real_text(1_500))
    page.evaluate(DELAY, most_ms)
    # To and fro, over pages of the table, and back to where it began.
    prefixes = [5 * step if step % 3 else 150 - step for step in range(1, 31)] + [77]
    seen, under_way = page.evaluate(MOVE, [prefixes, pace_ms])
    assert seen[-1] == 77
    # A late answer never follows a later one: what is seen comes in the order in which it was chosen.
    order = iter(prefixes)
    assert all(prefix in order for prefix in seen)
    assert len(seen) >= at_least
    assert under_way == 1
    shows_prefix(page, 77)
    expect(page.locator("#prefix")).to_have_value("77")
    expect(page.locator("#curve")).to_have_attribute("aria-valuenow", "77")
    expect(page.locator("#merges-view tr[aria-current]")).to_have_attribute("data-r", "76")
    expect(page.locator("#corpus-view .flow")).to_have_attribute("data-at", "77")
