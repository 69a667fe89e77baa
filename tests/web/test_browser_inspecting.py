"""What is looked at more closely, in a browser: each inspector, by pointer and by keyboard, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import pairloom
from pairloom.formats.model_file import dumps
from tests.web.conftest import OpenPage, Server, Watch
from tests.web.driving import LOW, choose_prefix, encode, press_train, shows_prefix, train
from tests.web.test_browser_access import LANGUAGES, THEMES, reach, violations

pytestmark = pytest.mark.browser

CORPUS = "The Slow weaver  lowers the slowest loom; caf\u00e9 cafe\u0301 c\u0430fe ΑΣ İstanbul " * 8
IMPORTED = pairloom.Model.from_merges("▁abc", [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc"), ("a", "b")])


def look_deeper(page: Page) -> None:
    page.locator("#inspect > summary").click()
    expect(page.locator("details.tool")).not_to_have_count(0)


def open_tool(page: Page, name: str) -> Locator:
    if page.locator("#inspect").get_attribute("open") is None:
        look_deeper(page)
    tool = page.locator(f"[data-tool={name}]")
    tool.locator("summary").first.click()
    return tool


def test_stop_report(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#merge-limit").fill("2")
    train(page, "low low lower lower")
    tool = open_tool(page, "stop")
    expect(tool).to_contain_text("The merge limit was reached after 2 merges.")
    expect(tool).to_contain_text("with a higher limit, training would go on")
    following = pairloom.train("low low lower lower").merges[2]
    expect(tool.locator("tbody tr").first).to_contain_text(f"{following.left}{following.right}{following.result}")
    # Another training is another report, without a touch; meanwhile nothing of the old one stays.
    page.locator("#merge-limit").fill("99")
    expect(tool.locator("tbody tr")).to_have_count(0)
    page.locator("#train").click()
    expect(tool).to_contain_text("every pre-token has become one token")


def test_a_pager_stands_in_one_line(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#load-sample").click()
    expect(page.locator("#corpus")).not_to_have_value("")
    press_train(page)
    for name in ("stop", "usage"):
        pager = open_tool(page, name).locator(".pager")
        expect(pager).to_be_visible()
        tops = pager.evaluate("(all) => [...all.children].map((each) => each.getBoundingClientRect().top)")
        assert max(tops) - min(tops) < 12


def test_vocabulary_in_use(open_page: OpenPage) -> None:
    page = open_page()
    train(page)
    choose_prefix(page, 2)
    tool = open_tool(page, "usage")
    model = pairloom.train(LOW)
    used = {model.vocabulary[token_id] for token_id in model.encode(LOW, 2).known_ids()}
    expect(tool.locator("tbody tr")).to_have_count(len(used))
    assert {row.locator("td").nth(1).inner_text() for row in tool.locator("tbody tr").all()} == used
    tool.locator("select[name=only]").select_option("unused")
    expect(tool.locator("tbody tr")).to_have_count(len(model.alphabet) + 2 - len(used))
    tool.locator("select[name=order]").focus()
    tool.locator("select[name=order]").select_option("id")
    expect(tool.locator("[name=shown_order]")).to_have_value("id")
    expect(tool.locator("select[name=order]")).to_be_focused()
    # It follows the slider once that rests, with what was chosen.
    choose_prefix(page, len(model.merges))
    unused = len(model.vocabulary) - len(set(model.encode(LOW).ids))
    expect(tool.locator("tbody tr")).to_have_count(unused)
    expect(tool.locator("select[name=only]")).to_have_value("unused")


def test_what_normalization_changed(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#lowercase").check()
    train(page, CORPUS)
    tool = open_tool(page, "changes")
    expect(tool).to_contain_text("final sigma")
    expect(tool).to_contain_text("grown: two for one")
    row = tool.locator("tbody").first.locator("tr", has_text="final sigma")
    row.get_by_role("button").click()
    expect(tool).to_contain_text("Only Σ → ς.")
    expect(tool.locator("tbody").nth(1).locator("tr")).to_have_count(8)
    position = CORPUS.index("Σ")
    expect(tool.locator("tbody").nth(1).locator("tr").first.locator("td").first).to_have_text(str(position))
    tool.get_by_role("button", name="Show all places").click()
    expect(tool).not_to_contain_text("Only Σ → ς.")
    # The encoded text has changes of its own.
    encode(page, "A  B")
    expect(tool.locator("select")).to_have_count(1)
    tool.locator("select").select_option("text")
    expect(tool).to_contain_text("Normalization changed 3 places: 4 code points became 3.")
    # Once it is edited they are gone.
    page.locator("#text").press_sequentially("x")
    expect(tool).not_to_contain_text("4 code points")


def test_any_token_by_pointer(open_page: OpenPage) -> None:
    page = open_page()
    train(page, CORPUS)
    card = page.locator("#token-card")
    box = page.locator("#corpus-view .flow :is(i, mark)").nth(1)
    token = box.inner_text()
    box.click()
    expect(card.locator("h3").first).to_have_text(token)
    expect(card).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    encode(page, "Ж weaver")
    page.locator("#encoding-view li", has_text="Ж").click()
    expect(card).to_contain_text("CYRILLIC CAPITAL LETTER ZHE")
    expect(card).to_contain_text("In the encoded text")
    page.locator("#vocabulary-view tbody tr").nth(5).locator("bdi").click()
    expect(card).to_contain_text("ID 5")
    # It follows the prefix; of a part its own report can be had.
    merge = pairloom.train(CORPUS).merges[0]
    choose_prefix(page, 1)
    page.locator("#selection bdi").nth(2).click()
    expect(card.locator("h3").first).to_have_text(merge.result)
    choose_prefix(page, 0)
    expect(card).to_contain_text("Not active at this prefix.")
    card.locator(".tree button").nth(1).click()
    expect(card.locator("h3").first).to_have_text(merge.left)
    card.get_by_role("button", name="Next page of the corpus with it").click()
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()
    # With the model everything that was said of it goes.
    box.click()
    expect(card).to_be_visible()
    page.locator("#corpus").press_sequentially("x")
    expect(card).to_be_hidden()


def test_a_token_chosen_while_the_card_catches_up(open_page: OpenPage, watch: Watch) -> None:
    """What is chosen last is shown, whenever the resting slider lets the card follow."""
    page = open_page()
    train(page, CORPUS)
    card = page.locator("#token-card")
    page.locator("#vocabulary-view tbody tr").nth(5).locator("bdi").click()
    expect(card).to_contain_text("ID 5")
    held: list[Route] = []
    page.route("**/workbench/inspect/token", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    choose_prefix(page, 1)
    page.locator("#selection bdi").nth(2).click()
    page.wait_for_timeout(500)
    assert held
    held.pop().continue_()
    page.unroute("**/workbench/inspect/token")
    merge = pairloom.train(CORPUS).merges[0]
    expect(card.locator("h3").first).to_have_text(merge.result)
    # One that fails takes nothing away: the card goes on with the token it shows.
    page.route("**/workbench/inspect/token", lambda route: route.abort())
    page.locator("#selection bdi").nth(0).click()
    expect(page.locator("#trouble")).to_be_visible()
    page.unroute("**/workbench/inspect/token")
    choose_prefix(page, 0)
    expect(card).to_contain_text("Not active at this prefix.")
    expect(card.locator("h3").first).to_have_text(merge.result)
    watch.complaints = [each for each in watch.complaints if "Failed" not in each and "htmx:error" not in each]


def test_a_card_closed_while_it_waits_stays_closed(open_page: OpenPage) -> None:
    page = open_page()
    train(page, CORPUS)
    card = page.locator("#token-card")
    rows = page.locator("#vocabulary-view tbody tr")
    rows.nth(5).locator("bdi").click()
    expect(card).to_contain_text("ID 5")
    held: list[Route] = []
    page.route("**/workbench/inspect/token", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    rows.nth(6).locator("bdi").click()
    page.wait_for_timeout(100)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    held.pop().continue_()
    page.unroute("**/workbench/inspect/token")
    page.wait_for_timeout(500)
    expect(card).to_be_hidden()


def test_a_page_asked_for_while_its_part_catches_up(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#load-sample").click()
    expect(page.locator("#corpus")).not_to_have_value("")
    press_train(page)
    tool = open_tool(page, "usage")
    pager = tool.locator(".pager")
    expect(pager).to_contain_text("entries 1\u201350")
    held: list[Route] = []
    page.route("**/workbench/inspect/usage", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    choose_prefix(page, 200)
    pager.get_by_role("button", name="Next page").click()
    page.wait_for_timeout(500)
    held.pop().continue_()
    page.unroute("**/workbench/inspect/usage")
    expect(pager).to_contain_text("entries 51\u2013")
    expect(tool.locator("[data-at]")).to_have_attribute("data-at", "200")


def test_any_token_by_keyboard_and_its_look_alikes(open_page: OpenPage) -> None:
    page = open_page()
    train(page, CORPUS)
    reach(page, "#merges-view tr")
    page.keyboard.press("i")
    card = page.locator("#token-card")
    expect(card).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#merges-view tr:focus")).to_have_count(1)
    open_tool(page, "token")
    page.locator("#inspect-token").fill("\u00e9")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("U+0065 U+0301")
    expect(card).to_contain_text("the same text to Unicode, composed differently")
    page.keyboard.press("Escape")
    expect(page.locator("#inspect-token")).to_be_focused()
    page.locator("#inspect-token").fill("a")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("letters of another script, drawn alike")


def test_an_empty_token_is_objected_to(open_page: OpenPage, watch: Watch) -> None:
    watch.expected_statuses = {422}
    page = open_page()
    train(page)
    open_tool(page, "token")
    page.locator("#inspect-typed button").click()
    expect(page.locator("#inspect-token-error")).to_contain_text("Type a token")
    expect(page.locator("#token-card")).to_be_hidden()


def test_second_curve(open_page: OpenPage) -> None:
    page = open_page()
    train(page, CORPUS)
    tool = open_tool(page, "curve")
    expect(tool).to_contain_text("Encode a text first")
    encode(page, "the slower weaver")
    graph = page.locator("#second-curve")
    expect(graph).to_be_visible()
    merges = len(pairloom.train(CORPUS).merges)
    graph.focus()
    page.keyboard.press("ArrowLeft")
    shows_prefix(page, merges - 1)
    expect(graph).to_have_attribute("aria-valuenow", str(merges - 1))
    expect(graph).to_be_focused()
    page.keyboard.press("Home")
    shows_prefix(page, 0)
    expect(graph).to_have_attribute("aria-valuenow", "0")
    box = graph.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 10.2 / merges, box["y"] + 20)
    shows_prefix(page, 10)
    # The same in words and as a table.
    expect(tool).to_contain_text("tokens per code point")
    tool.locator("details > summary").click()
    model = pairloom.train(CORPUS)
    row = tool.locator("details tbody tr").last
    expect(row.locator("td").first).to_have_text(f"{model.merges[-1].corpus_tokens:,}")
    expect(row.locator("td").nth(2)).to_have_text(str(len(model.encode("the slower weaver").tokens)))


def test_two_prefixes_on_one_text(open_page: OpenPage, watch: Watch) -> None:
    watch.expected_statuses = {422}
    page = open_page()
    train(page, CORPUS)
    encode(page, "the slower weaver")
    tool = open_tool(page, "compare")
    tool.locator("#other-prefix").fill("0")
    tool.locator("#other-prefix").press("Tab")
    model = pairloom.train(CORPUS)
    counts = [len(model.encode("the slower weaver", prefix).tokens) for prefix in (0, len(model.merges))]
    cells = tool.locator("tbody tr td:nth-child(2)")
    expect(cells.first).to_have_text(str(counts[0]))
    expect(cells.last).to_have_text(str(counts[1]))
    own = tool.locator(".compared u")
    expect(own).to_have_count(counts[0] - counts[1])
    choose_prefix(page, 0)
    expect(tool).to_contain_text("Both cut the text alike.")
    tool.locator("#other-prefix").fill("x")
    tool.locator("#other-prefix").press("Tab")
    expect(tool.locator("#other-prefix-error")).to_contain_text("Give a whole number from 0 to")


def test_model_and_trace_as_files(open_page: OpenPage, server: Server, watch: Watch) -> None:
    watch.expected_statuses = {409}
    page = open_page()
    train(page)
    tool = open_tool(page, "files")
    model = pairloom.train(LOW)
    for end in ("model.json", "trace.json", "merges.csv"):
        # A model that the server has forgotten is trained again, unseen.
        server.forget()
        with page.expect_download() as downloading:
            tool.locator(f"[data-file='{end}']").click()
        assert downloading.value.suggested_filename == f"pairloom-{model.fingerprint[:8]}-{end}"
        content = Path(downloading.value.path()).read_bytes()
        if end == "model.json":
            assert content == dumps(model)
        elif end == "trace.json":
            assert [each["result"] for each in json.loads(content)["rounds"]] == [each.result for each in model.merges]
        else:
            assert len(content.decode("utf-8-sig").splitlines()) == len(model.merges) + 1


def test_a_model_file_is_opened(open_page: OpenPage, server: Server, watch: Watch, tmp_path: Path) -> None:
    watch.expected_statuses = {409, 422}
    page = open_page()
    tool = open_tool(page, "opened")
    file = tmp_path / "list.json"
    file.write_bytes(dumps(IMPORTED))
    page.locator("#model-file").set_input_files(file)
    expect(tool).to_contain_text("The file holds together.")
    expect(tool.locator("tr.reused")).to_have_count(2)
    expect(tool.locator("tr.reused").first).to_contain_text("reused, never acts")
    page.locator("#file-text").fill("abc x")
    expect(page.locator("#file-text-count")).to_have_text("5")
    # The server may have forgotten the file as well: it is sent again, and the request repeated.
    server.app.state.services.opened.__init__(max_bytes=2**20)
    page.locator("#file-encode").click()
    expect(tool.locator("#opened-encoding li")).to_have_count(len(IMPORTED.encode("abc x").tokens))
    page.locator("#file-text").fill("a ▁")
    expect(tool.locator("#opened-encoding li")).to_have_count(0)
    page.locator("#file-encode").click()
    expect(page.locator("#file-text-error")).to_contain_text("▁")
    # Beside a model that is trained here, both forgotten.
    train(page)
    encode(page, "low abc")
    server.forget()
    server.app.state.services.opened.__init__(max_bytes=2**20)
    page.locator("#file-text").fill("")
    page.locator("#file-compare").click()
    here = pairloom.train(LOW).encode("low abc")
    expect(tool.locator("#opened-compare tbody tr").first.locator("td").first).to_have_text(str(len(here.tokens)))
    # What is no model, and what is too large, is said.
    file.write_text("{}")
    page.locator("#model-file").set_input_files(file)
    expect(tool).to_contain_text("The file holds no model that can be shown.")
    file.write_bytes(b" " * (2**20 + 1))
    page.locator("#model-file").set_input_files(file)
    expect(page.locator("#opened-error")).to_contain_text("1,048,577 bytes; the page takes up to 1,024 KiB")
    expect(tool).not_to_contain_text("The file holds")


def everything_open(page: Page) -> None:
    page.locator("#lowercase").check()
    train(page, CORPUS)
    choose_prefix(page, 9)
    encode(page, "The slower  caf\u00e9 Ж")
    look_deeper(page)
    for name in ("stop", "usage", "changes", "token", "curve", "compare", "files", "opened"):
        open_tool(page, name)
    page.locator("#model-file").set_input_files(
        {"name": "list.json", "mimeType": "application/json", "buffer": dumps(IMPORTED)}
    )
    expect(page.locator("#opened-view .checks li")).to_have_count(6)
    expect(page.locator("#second-curve")).to_be_visible()
    expect(page.locator("#inspect-compare .compared")).to_be_visible()
    expect(page.locator("#inspect-stop p").first).to_be_visible()
    expect(page.locator("#inspect-changes table")).to_have_count(2)
    expect(page.locator("#inspect-usage table")).to_have_count(1)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_any_inspector(open_page: OpenPage, language: str, theme: str) -> None:
    page = open_page(f"/?lang={language}", color_scheme=theme)
    everything_open(page)
    assert violations(page) == []
    page.locator("#corpus-view .flow :is(i, mark)").first.click()
    expect(page.locator("#token-card")).to_be_visible()
    assert violations(page) == []


def test_nothing_is_wider_than_a_small_screen(open_page: OpenPage) -> None:
    page = open_page("/?lang=de", viewport={"width": 360, "height": 740})
    everything_open(page)
    # What unfolds within a tool, too.
    inner = page.locator("#inspect-tools details details > summary")
    assert inner.count()
    for each in inner.all():
        each.click()
    page.locator("#corpus-view .flow :is(i, mark)").first.click()
    expect(page.locator("#token-card")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    card = page.locator("#token-card").bounding_box()
    assert card
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= 360


def test_the_language_is_switched_with_everything_open(open_page: OpenPage) -> None:
    page = open_page("/?lang=en")
    everything_open(page)
    page.locator("#other-prefix").fill("3")
    page.locator("#other-prefix").press("Tab")
    page.locator("#corpus-view .flow :is(i, mark)").first.click()
    expect(page.locator("#token-card")).to_be_visible()
    page.locator("[data-language=de]").click()
    expect(page.locator("[data-tool=stop] h3")).to_have_text("Warum das Training endete")
    expect(page.locator("#inspect-usage")).to_contain_text("Aktive Einträge")
    expect(page.locator("#opened-view")).to_contain_text("Die Datei ist in sich stimmig.")
    expect(page.locator("#token-card")).to_contain_text("Kategorie")
    expect(page.locator("#inspect-compare")).to_contain_text("nach")


def test_what_is_closed_costs_nothing(open_page: OpenPage) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    train(page, CORPUS)
    choose_prefix(page, 3)
    page.wait_for_timeout(400)
    assert not [url for url in asked if "inspect" in url]
    look_deeper(page)
    choose_prefix(page, 4)
    page.wait_for_timeout(400)
    assert [url.rpartition("/workbench/")[2] for url in asked if "/workbench/inspect" in url] == ["inspect"]
