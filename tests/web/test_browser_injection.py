"""Script in every field, file and link is text: no dialog, no report of the policy, and shown as what it is.

Fields are found on the page, so new ones join by themselves.
"""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.web.conftest import OpenPage, Server, Watch
from tests.web.driving import encode, train

pytestmark = pytest.mark.browser

_CALLS = ("alert(1)", "confirm`1`", "prompt(document.cookie)", "top['al'+'ert'](1)", "self.bad=1")
_FRAMES = (
    "<script>{}</script>",
    "<ScRiPt >{}</sCrIpT>",
    "<img src=x onerror={}>",
    "<svg onload={}>",
    "<svg><script>{}</script></svg>",
    "<body onload={}>",
    "<iframe srcdoc='<script>{}</script>'></iframe>",
    "<iframe src=javascript:{}></iframe>",
    "<a href=javascript:{}>x</a>",
    "<form action=javascript:{}><button>x</button></form>",
    "<details open ontoggle={}>x</details>",
    "<input autofocus onfocus={}>",
    "<video><source onerror={}></video>",
    "<math><mtext><script>{}</script></mtext></math>",
    '"><script>{}</script>',
    "'><script>{}</script>",
    '" onmouseover="{}" x="',
    "' autofocus onfocus='{}' x='",
    "</textarea><script>{}</script>",
    "</title><script>{}</script>",
    "</bdi></li><script>{}</script>",
    "<!--><script>{}</script>-->",
    '<hx-partial hx-target="#summary"><script>{}</script></hx-partial>',
    '<b hx-on:load="{}" hx-get="/" hx-trigger="load">x</b>',
    '<div hx-get="/" hx-trigger="load[{}]">x</div>',
    "<template><script>{}</script></template>",
    "<style>@import 'javascript:{}';</style>",
    "<link rel=stylesheet href=//evil.example/{}>",
    "<base href=//evil.example/{}>",
    "<meta http-equiv=refresh content='0;url=javascript:{}'>",
    "<object data=javascript:{}></object>",
    "<embed src=javascript:{}>",
    "{{{{ {} }}}}",
    "{{% {} %}}",
    "${{{}}}",
    "javascript:{}",
    "data: x\n\ndata: <script>{}</script>",
    "\u2028<script>{}</script>\u2029",
    "\ufeff<script>{}</script>",
    "\u0000<script>{}</script>",
)
STRINGS = [frame.format(call) for frame, call in product(_FRAMES, _CALLS)]


def test_there_are_two_hundred_different_ones() -> None:
    assert len(set(STRINGS)) == len(STRINGS) >= 200


@pytest.fixture
def dialogs() -> list[str]:
    return []


def guard(page: Page, dialogs: list[str]) -> None:
    def hear(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", hear)


def is_unharmed(page: Page, dialogs: list[str]) -> None:
    assert dialogs == []
    made = page.evaluate(
        "() => [self.bad,"
        " document.querySelectorAll('iframe, object, embed, base, svg script,'"
        " + 'meta[http-equiv]:not(head > [http-equiv=Content-Security-Policy])').length,"
        " document.querySelectorAll('script:not([src])').length, location.host,"
        " [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length]"
    )
    bad, strange, inline, host, handlers = made
    assert (bad, strange, inline, handlers) == (None, 0, 0, 0)
    assert "evil" not in host


def shown(page: Page, place: str) -> str:
    return str(page.locator(place).evaluate("(e) => e.textContent"))


def test_as_corpus_and_text(page: Page, dialogs: list[str]) -> None:
    """All of them in one corpus: every token of them goes through table, boxes, vocabulary, graph and encoding."""
    guard(page, dialogs)
    train(page, "\n".join(STRINGS) + "\n" + "\n".join(STRINGS))
    encode(page, "\n".join(STRINGS)[:3_900])
    is_unharmed(page, dialogs)
    assert "<script>" in shown(page, "#merges-view") + shown(page, "#vocabulary-view") + shown(page, "#corpus-view")


@pytest.mark.parametrize("part", range(8))
def test_one_by_one(page: Page, dialogs: list[str], part: int) -> None:
    """Each as a corpus of its own, with the words whole, and as the text."""
    guard(page, dialogs)
    for string in STRINGS[part::8]:
        train(page, f"{string} {string} {string}")
        encode(page, string)
        is_unharmed(page, dialogs)
        # What was typed is there, as it was typed.
        assert page.locator("#text").input_value() == string


@pytest.mark.parametrize("path", ["/", "/walkthrough"])
def test_in_every_field(open_page: OpenPage, watch: Watch, dialogs: list[str], path: str) -> None:
    """Whatever can be typed into, hidden or not, is given each of them, as one who types would."""
    watch.expected_statuses |= {400, 409, 422}
    page = open_page(path)
    guard(page, dialogs)
    if path == "/":
        train(page)
        encode(page, "low")
    else:
        expect(page.locator("#walk-key")).to_have_count(1)
    names = page.evaluate(
        "() => [...document.querySelectorAll('input, textarea')]"
        ".filter(e => !['file', 'hidden', 'checkbox', 'radio', 'range', 'number', 'button', 'submit'].includes(e.type))"
        ".map(e => e.id || e.name).filter(Boolean)"
    )
    assert len(names) >= 4
    page.evaluate(
        """async ([names, strings]) => {
          for (const string of strings) for (const name of names) {
            const field = document.getElementById(name) ?? document.querySelector(`[name="${name}"]`);
            if (!field) continue;
            field.value = string;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.dispatchEvent(new Event("change", { bubbles: true }));
          }
          await new Promise((resolve) => setTimeout(resolve, 500));
        }""",
        [names, STRINGS],
    )
    is_unharmed(page, dialogs)


def test_in_links(open_page: OpenPage, server: Server, watch: Watch, dialogs: list[str]) -> None:
    watch.expected_statuses |= {404}
    page = open_page("/")
    guard(page, dialogs)
    for string in STRINGS[::5]:
        for link in ("/?lang={}", "/method#{}", "/walkthrough?{}=1", "/static/{}/x.js", "/{}"):
            target = page.evaluate("(text) => encodeURIComponent(text)", string)
            page.goto(server.address + link.format(target), wait_until="commit")
            is_unharmed(page, dialogs)


def test_in_files(page: Page, dialogs: list[str]) -> None:
    """Names and contents of files that are opened into the corpus."""
    guard(page, dialogs)
    for string in STRINGS[::10]:
        name = string.replace("/", "∕").replace("\x00", "")[:80] + ".txt"
        page.locator("input[type=file]").first.set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": string.replace("\r", "").encode()}
        )
        expect(page.locator("#corpus")).to_have_value(string)
        is_unharmed(page, dialogs)
