"""The Chromium that the tests drive, and the flags that it is started with."""

import os
import shutil

from playwright.sync_api import Browser, Playwright

from tests.support.others import variables_of_others

# No GPU on test machines, and no talk with anybody but the page: without these flags every start asks the
# maker's servers for components, updates and experiments.
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def executable() -> str | None:
    """Return the Chromium to use, or None for the one that Playwright downloaded; see tools/browser.sh."""
    names = (os.environ.get("PAIRLOOM_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), None)


def launch(playwright: Playwright) -> Browser:
    """Start Chromium without a window. Its sandbox is given up for root only, who could not use it."""
    arguments = [*QUIET, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    variables: dict[str, str | float | bool] = {**variables_of_others()}
    return playwright.chromium.launch(executable_path=executable(), args=arguments, env=variables)
