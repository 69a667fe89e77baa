"""The pages at every width: nothing cut, nothing overlapping, nothing beside the window; and on paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Watch
from tests.web.driving import encode, train
from tests.web.test_browser_access import violations

pytestmark = pytest.mark.browser

LONG = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
SIGNS = "\u0301\u0301 שלום שלום \u202eabc \u202eabc 漢字漢字"
CORPUS = f"{LONG} {LONG}e {LONG} {LONG}e die Weberin webte {SIGNS} low lower lowest"

# Whatever is wider than its place, by its id or class: the document itself, tables in their windows, panels.
CUT = """() => [document.documentElement, ...document.querySelectorAll('main *:not(.unseen):not(.unseen *)')]
  .filter((each) => each.matches('html, .scroll, .panel, table, .line, .top, dl, p, form, .tokens li')
    && each.checkVisibility() && !each.closest('.method thead')
    && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')
  .map((each) => each.id || `${each.localName}.${each.className}`)"""

# Buttons, fields and labels in the same form that lie on each other.
OVERLAPPING = """() => {
  const seen = [...document.querySelectorAll('main :is(button, input, textarea, select, h2, h3, .error:not(:empty))')]
    .filter((each) => each.checkVisibility() && !each.closest('.unseen, .scroll') && !each.matches('.unseen'));
  const boxes = seen.map((each) => [each, each.getBoundingClientRect()]).filter(([, box]) => box.width > 1);
  const found = [];
  for (const [a, x] of boxes) for (const [b, y] of boxes) {
    if (a === b || a.contains(b) || b.contains(a)) continue;
    if (a.closest('form, .panel') !== b.closest('form, .panel')) continue;
    const wide = Math.min(x.right, y.right) - Math.max(x.left, y.left);
    const high = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
    if (wide > 1 && high > 1) found.push(`${a.id || a.textContent} / ${b.id || b.textContent}`);
  }
  return found;
}"""


def looks_right(page: Page, state: str) -> None:
    assert page.evaluate(CUT) == [], state
    assert page.evaluate(OVERLAPPING) == [], state


@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
def test_the_workbench_fits_every_window(
    open_page: OpenPage, watch: Watch, width: int, language: str, forced: str
) -> None:
    watch.expected_statuses.add(422)
    page = open_page(f"/?lang={language}", viewport={"width": width, "height": 900}, forced_colors=forced)
    looks_right(page, "empty")
    page.locator("#corpus").fill("a ▁ b")
    page.locator("#merge-limit").fill("many")
    page.locator("#train").click()
    expect(page.locator("#merge-limit-error")).not_to_be_empty()
    looks_right(page, "objections before training")
    page.locator("#merge-limit").fill("1000")
    train(page, CORPUS)
    looks_right(page, "trained")
    encode(page, f"{CORPUS} 🧵 naïv {LONG.upper()}")
    looks_right(page, "encoded, some unknown")
    for field, value in [("prefix", "9999"), ("rank", "9999"), ("token-id", "9999"), ("text", "▁")]:
        page.locator(f"#{field}").fill(value)
        if field != "prefix":
            page.locator(f"#{field}").evaluate("(field) => field.form.requestSubmit()")
        expect(page.locator(f"#{field}-error")).not_to_be_empty()
    looks_right(page, "objections")
    page.locator("#corpus").fill("something else")
    expect(page.locator("#discarded")).to_be_visible()
    looks_right(page, "discarded")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
def test_m_nothing_is_cut(open_page: OpenPage, width: int, language: str) -> None:
    page = open_page(f"/method?lang={language}", viewport={"width": width, "height": 900})
    looks_right(page, "method")


def test_w5_every_number_of_a_merge_is_seen_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 360, "height": 640})
    train(page, CORPUS)
    row = page.locator("#merges-view tbody tr").nth(40)
    row.scroll_into_view_if_needed()
    window = page.locator("#merges-view .scroll").bounding_box()
    assert window
    for cell in row.locator("td").all():
        box = cell.bounding_box()
        assert box
        assert window["x"] <= box["x"]
        assert box["x"] + box["width"] <= window["x"] + window["width"]
    # It remains a table for those who hear it.
    assert 'columnheader "Frequency"' in page.locator("#merges-view").aria_snapshot().replace("\xad", "")
    assert violations(page) == []


PRINTED_CONTROLS = """() => [...document.querySelectorAll('button, a.skip, nav, #slider')]
  .filter((each) => !each.matches('td button, #selection button'))
  .filter((each) => each.checkVisibility() && !each.closest('.toc') && !each.matches('.toc'))
  .map((each) => each.id || each.textContent)"""


def test_on_paper_the_workbench_is_a_handout(page: Page) -> None:
    train(page, CORPUS)
    encode(page, "die Weberin 🧵")
    page.emulate_media(media="print")
    assert page.evaluate(PRINTED_CONTROLS) == []
    for place in (
        "#corpus",
        "#summary",
        "#curve",
        "#corpus-view .flow",
        "#encoding-view .tokens",
        "#merges-view table",
    ):
        expect(page.locator(place)).to_be_visible()
    # Tables and texts stand whole, without windows of their own.
    for place in ("#merges-view .scroll", "#vocabulary-view .scroll", "#corpus", "#text"):
        assert page.locator(place).evaluate("(box) => box.scrollHeight <= box.clientHeight + 1"), place
    # Without colours, boxes have an outline; with them, the colour is printed.
    box = page.locator("#corpus-view .flow i").first
    assert box.evaluate("(box) => getComputedStyle(box).outlineStyle") == "solid"
    assert box.evaluate("(box) => getComputedStyle(box).printColorAdjust") == "exact"


def test_on_paper_there_is_no_text_to_encode_that_was_not_encoded(page: Page) -> None:
    train(page, CORPUS)
    page.locator("#text").fill("typed and left")
    page.emulate_media(media="print")
    expect(page.locator("#encode-form")).to_be_hidden()
    page.emulate_media(media="screen")
    encode(page, "die Weberin")
    page.emulate_media(media="print")
    expect(page.locator("#encode-form")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rows_of_the_example_are_no_higher_than_their_text(open_page: OpenPage, language: str) -> None:
    page = open_page(f"/?lang={language}", viewport={"width": 1280, "height": 800})
    heights: list[float] = page.locator(".example tbody tr").evaluate_all(
        "(all) => all.map((each) => each.offsetHeight)"
    )
    assert max(heights) < 40


@pytest.mark.parametrize("path", ["/", "/walkthrough"])
def test_a_frame_leaves_the_foot_of_its_box_to_the_marker(open_page: OpenPage, path: str) -> None:
    """The marker stands at the very foot of the text; the frame is drawn below it, inside of the box."""
    page = open_page(path)
    if path == "/":
        train(page, CORPUS)
    slider = page.locator("#slider, #walk-slider").locator("visible=true")
    slider.press("Home")
    slider.press("ArrowRight")
    room: list[float] = page.locator(".flow mark:visible").first.evaluate(
        "(box) => { const style = getComputedStyle(box);"
        " return [parseFloat(style.paddingBottom), parseFloat(style.outlineWidth)]; }"
    )
    assert room[0] >= room[1] + 2


def test_on_paper_a_text_breaks_between_its_lines(page: Page) -> None:
    page.locator("#corpus").fill("one\ntwo <b>three</b>")
    page.emulate_media(media="print")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#corpus")).to_be_hidden()
    expect(page.locator("#corpus + .printed")).to_be_visible()
    assert page.locator("#corpus + .printed").evaluate("(copy) => copy.textContent") == "one\ntwo <b>three</b>"
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".printed")).to_have_count(0)
    page.emulate_media(media="screen")
    expect(page.locator("#corpus")).to_be_visible()


def test_on_paper_the_method_keeps_what_its_tables_are_about(open_page: OpenPage) -> None:
    page = open_page("/method")
    page.emulate_media(media="print")
    expect(page.locator("#method th .try").first).to_be_visible()
    expect(page.locator("#method dd .try").first).to_be_hidden()
    assert page.evaluate(PRINTED_CONTROLS) == []
    heading = page.locator("#method h3").first
    assert heading.evaluate("(heading) => getComputedStyle(heading).breakAfter") == "avoid"
