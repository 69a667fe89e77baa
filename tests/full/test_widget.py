"""The widget in a real Chromium, inside of marimo and of JupyterLab: steps, keys, play, languages, hostile tokens.

Run by `make test-full`; `make test` has the rest of the notebooks' tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.full import programs

pytestmark = pytest.mark.browser

SLOW_MS = 90_000
MERGES = 33  # of the preset that it begins with


@pytest.fixture(scope="module")
def marimo(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder, port = tmp_path_factory.mktemp("marimo"), programs.free_port()
    (folder / "shown.py").write_text(programs.marimo_notebook(), "utf-8")
    address = f"http://127.0.0.1:{port}"
    options = ["--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port)]
    with programs.running(["marimo", "run", "shown.py", *options], f"{address}/health", folder=folder):
        yield from opened(browser, address)


@pytest.fixture(scope="module")
def jupyter(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder, port = tmp_path_factory.mktemp("jupyter"), programs.free_port()
    (folder / "shown.ipynb").write_text(programs.jupyter_notebook(), "utf-8")
    address = f"http://127.0.0.1:{port}"
    options = ["--no-browser", "--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token=", "--allow-root"]
    command = [
        "jupyter-lab",
        *options,
        f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with programs.running(command, f"{address}/api", folder=folder):
        yield from opened(browser, f"{address}/lab/tree/shown.ipynb")


def opened(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1500, "height": 1200}, locale="en")
    page = context.new_page()
    page.set_default_timeout(SLOW_MS)
    page.goto(address)
    yield page
    context.close()


@pytest.fixture(params=["marimo", "jupyter"], scope="module")
def page(request: pytest.FixtureRequest) -> Page:
    found: Page = request.getfixturevalue(request.param)
    if request.param == "jupyter":
        # The menu runs the notebook that has the focus, once it is there.
        found.locator(".jp-Notebook .jp-InputArea-editor").first.click()
        found.get_by_role("menuitem", name="Run", exact=True).click()
        found.locator('[data-command="runmenu:run-all"]').click()
    expect(found.locator("#walk-place")).to_have_text(f"0 / {MERGES}", timeout=SLOW_MS)
    return found


def test_hostile_tokens_are_text(page: Page) -> None:
    """Whatever stands in a corpus is read in the displays, and does nothing."""
    expect(page.locator(".pairloom").first).to_be_visible()
    assert page.locator(".pairloom").count() >= len(programs.SHOWN)
    text = " ".join(page.locator(".pairloom").all_inner_texts())
    assert "script>" in text
    assert "\u202e" not in text
    assert page.locator(".pairloom script, .pairloom img").count() == 0
    assert "taken" not in page.title()


def test_steps_by_button_and_key(page: Page) -> None:
    """Rules: S2, S3."""
    place = page.locator("#walk-place")
    page.locator("#walk-step").click()
    expect(place).to_have_text(f"1 / {MERGES}")
    expect(page.locator("#walk-next .next")).to_contain_text("Next merge #2")
    expect(page.locator("#live")).to_contain_text("Next merge #2")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(f"2 / {MERGES}")
    page.keyboard.press("ArrowLeft")
    expect(place).to_have_text(f"1 / {MERGES}")
    page.locator("#walk-reset").click()
    expect(place).to_have_text(f"0 / {MERGES}")
    expect(page.locator("#walk-back")).to_have_attribute("aria-disabled", "true")


def test_the_slider_and_play(page: Page) -> None:
    slider = page.locator("#walk-slider")
    slider.fill("30")
    expect(page.locator("#walk-place")).to_have_text(f"30 / {MERGES}")
    page.locator("#walk-speed").select_option("100")
    # The space bar plays where it does not press a button.
    page.locator("#walkthrough").evaluate("(board) => board.focus()")
    page.keyboard.press(" ")
    expect(page.locator("#walk-place")).to_have_text(f"{MERGES} / {MERGES}")
    expect(page.locator("#walk-play")).not_to_have_class(re.compile("playing"))
    expect(page.locator("#walk-next .next")).to_contain_text("No merge is left")


def test_a_token_and_where_it_came_from(page: Page) -> None:
    page.locator("#walk-corpus-view .flow [data-t]").first.click()
    expect(page.locator("#walk-origin-token")).to_be_visible()
    expect(page.locator("#walk-origin-view .tree")).to_be_visible()
    expect(page.locator("#walk-corpus-view .chosen").first).to_be_visible()


def test_a_text_of_ones_own_trains_by_itself(page: Page) -> None:
    """Rules: S1, S6, N8, N9."""
    page.locator("#walk-corpus").fill("<b>low</b> <b>low</b> <script>document.title='taken'</script>")
    expect(page.locator("#walk-place")).to_contain_text("0 / ")
    page.locator("#walk-text").fill("<b>slow</b>")
    expect(page.locator("#walk-subwords-view .tokens")).to_contain_text("UNK")
    expect(page.locator("#walk-words-view")).to_contain_text("unknown")
    assert page.locator("#walkthrough script").count() == 0
    assert "taken" not in page.title()
    page.locator("#walk-corpus").fill("a ▁")
    expect(page.locator("#walk-corpus-error")).to_contain_text("literal ▁")
    expect(page.locator("#walkthrough")).to_have_attribute("data-state", "empty")


def test_a_preset_and_its_pages_of_pairs(page: Page) -> None:
    page.locator("#walk-preset").select_option("weaver")
    expect(page.locator("#walk-place")).to_have_text(f"0 / {MERGES}")
    rows = page.locator("#walk-pairs-view tbody tr")
    expect(rows).to_have_count(12)
    page.locator("#walk-pairs-all").click()
    expect(page.locator("#walk-pairs-all")).to_have_attribute("aria-expanded", "true")
    assert rows.count() > 12


def test_other_cells_go_along_in_marimo(marimo: Page) -> None:
    for prefix in (4, 9):
        marimo.locator("#walk-slider").fill(str(prefix))
        expect(marimo.get_by_text(f"the prefix is {prefix}", exact=True)).to_be_visible()


def test_python_sets_prefix_and_language_in_jupyter(jupyter: Page, tmp_path: Path) -> None:
    """Rule: G: the words change, the place stays."""
    jupyter.keyboard.press("Escape")
    last = jupyter.locator(".jp-CodeCell").last
    last.locator(".jp-InputArea-editor").click()
    jupyter.keyboard.press("Control+End")
    jupyter.keyboard.press("Alt+Enter")
    jupyter.keyboard.type("walk.prefix = 7; walk.language = 'de'")
    jupyter.keyboard.press("Shift+Enter")
    expect(jupyter.locator("#walk-step")).to_have_text("Schritt")
    expect(jupyter.locator("#walk-place")).to_have_text(f"7 / {MERGES}")
    expect(jupyter.locator("#walk-next .next")).to_contain_text("Nächste Verschmelzung, Nr. 8")
