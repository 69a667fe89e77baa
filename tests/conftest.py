"""What all tests share: how Hypothesis runs, and a browser."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.support import browser as support

# Nothing is timed in a test: no example has a deadline, and drawing one may take as long as it does. On CI the same
# examples are tried every time: a change is not blamed for a fault that was there before. On a developer's machine new
# ones are. `--hypothesis-profile=soak` tries many more.
settings.register_profile("developer", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("developer"), derandomize=True, database=None)
settings.register_profile("soak", settings.get_profile("developer"), max_examples=5000)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "developer")

# The kernel that is installed counts no allocations and sees no leaks; the one that `make test-sanitized` builds does.
collect_ignore = [] if os.environ.get("PAIRLOOM_SANITIZED") else ["kernel/test_allocation.py", "kernel/test_leaks.py"]

# Started in a shell's background, a process and its children ignore Ctrl-C; a test of Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window.

    One a module, not one a session: while Playwright's plain interface is open an event loop counts as running, and
    `asyncio.run` in another module's tests would be refused.
    """
    with sync_playwright() as playwright:
        try:
            chromium = support.launch(playwright)
        except PlaywrightError as error:
            pytest.skip(f"Chromium does not start (tools/browser.sh installs it): {str(error).splitlines()[0]}")
        yield chromium
        chromium.close()
