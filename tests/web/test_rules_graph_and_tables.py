"""Rules W5–W9, W13 and E7 in a real browser: the graph, one selection, the tables, the corpus, the encoding."""

from __future__ import annotations

import math
import random
import re
from functools import cache

import pytest
from playwright.sync_api import Page, Route, expect

import pairloom
from pairloom.history import History
from pairloom.model import Model
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.views.corpus import CorpusPages
from pairloom.word_counts import count_words
from tests.support.numbers import two_decimals
from tests.support.prose import real_text
from tests.web.conftest import OpenPage, Watch
from tests.web.test_browser_workbench import shows_prefix, train

pytestmark = pytest.mark.browser

WORDS = 3_000


@cache
def corpus() -> str:
    return real_text(WORDS)


@cache
def model() -> Model:
    made = pairloom.train(corpus())
    assert len(made.merges) > 700  # so that the line is thinned
    return made


def tokens_at(prefix: int) -> int:
    return (model().merges[prefix - 1].corpus_tokens if prefix else model().initial_tokens) or 0


def everything_is_at(page: Page, prefix: int) -> None:
    """See that slider, field, graph, table, corpus and the line of facts show one prefix."""
    shows_prefix(page, prefix)
    expect(page.locator("#slider")).to_have_value(str(prefix))
    expect(page.locator("#prefix")).to_have_value(str(prefix))
    graph = page.locator("#curve")
    expect(graph).to_have_attribute("aria-valuenow", str(prefix))
    maximum = len(model().merges)
    point = page.locator("#curve-point circle")
    expect(point).to_have_attribute("cx", f"{100 * prefix / maximum:.2f}%")
    expect(point).to_have_attribute("cy", f"{100 - 100 * tokens_at(prefix) / tokens_at(0):.2f}%")
    expect(page.locator("#corpus-view .flow")).to_have_attribute("data-at", str(prefix))
    facts = page.locator("#selection")
    expect(facts).to_contain_text(f"corpus tokens {tokens_at(prefix):,}")
    current = page.locator("#merges-view tr[aria-current]")
    if prefix == 0:
        expect(current).to_have_count(0)
        expect(facts).to_contain_text("the initial tokens")
        return
    merge = model().merges[prefix - 1]
    expect(current).to_have_count(1)
    expect(current).to_have_attribute("data-r", str(merge.rank))
    expect(current).to_be_visible()
    for name, number in (("frequency", merge.frequency), ("replacements", merge.replacements)):
        expect(facts).to_contain_text(f"{name} {number:,}")
    assert facts.locator(".pair bdi").all_inner_texts() == [merge.left, merge.right, merge.result]


def click_graph(page: Page, share: float) -> None:
    box = page.locator("#curve").bounding_box()
    assert box
    page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)


def one_selection(page: Page, prefix: int) -> None:
    """See that slider, field, graph, line of facts and corpus have one prefix, and the table its row if it is there."""
    maximum = len(model().merges)
    for control in ("#slider", "#prefix"):
        expect(page.locator(control)).to_have_value(str(prefix))
    expect(page.locator("#curve")).to_have_attribute("aria-valuenow", str(prefix))
    expect(page.locator("#curve-point circle")).to_have_attribute("cx", f"{100 * prefix / maximum:.2f}%")
    expect(page.locator("#selection [data-prefix]")).to_have_attribute("data-prefix", str(prefix))
    expect(page.locator("#corpus-view .flow")).to_have_attribute("data-at", str(prefix))
    there = page.locator("#merges-view tr[data-r]").evaluate_all("(rows) => rows.map((row) => Number(row.dataset.r))")
    current = page.locator("#merges-view tr[aria-current]")
    expect(current).to_have_count(int(prefix - 1 in there))
    if prefix - 1 in there:
        expect(current).to_have_attribute("data-r", str(prefix - 1))


def test_w5_training_jumps_and_languages_keep_one_selection(page: Page) -> None:
    """After training all merges are active: the table begins where the last of them is, and not somewhere else."""
    train(page, corpus())
    maximum = len(model().merges)
    everything_is_at(page, maximum)
    one_selection(page, maximum)
    box = page.locator("#merges-view .scroll").bounding_box()
    row = page.locator("#merges-view tr[aria-current]").bounding_box()
    assert box
    assert row
    assert box["y"] <= row["y"]
    assert row["y"] + row["height"] <= box["y"] + box["height"] + 1
    # A look at another rank is no choice: only the table turns.
    page.locator("#rank").fill("3")
    page.locator("#rank").press("Enter")
    expect(page.locator("#merges-view tr.found")).to_have_attribute("data-r", "3")
    one_selection(page, maximum)
    page.locator("a[data-language=de]").click()
    expect(page.locator("#merges-view th").first).to_have_text("Rang")
    expect(page.locator('#merges-view tr[data-r="3"]')).to_have_count(1)
    one_selection(page, maximum)
    page.locator('#merges-view tr[data-r="3"]').click()
    expect(page.locator("#selection [data-prefix]")).to_have_attribute("data-prefix", "4")
    one_selection(page, 4)
    page.locator("a[data-language=en]").click()
    expect(page.locator("#merges-view th").first).to_have_text("Rank")
    everything_is_at(page, 4)
    one_selection(page, 4)
    # Trained anew, everything is at the end again.
    page.locator("#corpus").press("End")
    page.locator("#corpus").type(" ")
    page.locator("#train").click()
    everything_is_at(page, maximum)


def test_w5_one_choice_everywhere(page: Page) -> None:
    train(page, corpus())
    shows_prefix(page, len(model().merges))
    page.locator("#prefix").fill("250")
    everything_is_at(page, 250)
    page.locator("#merges-view tr[data-r='203']").click()
    everything_is_at(page, 204)
    page.locator("#slider").focus()
    page.keyboard.press("ArrowLeft")
    everything_is_at(page, 203)
    click_graph(page, 0.4)
    everything_is_at(page, round(len(model().merges) * 0.4))
    page.locator("#slider").press("Home")
    everything_is_at(page, 0)
    page.locator("#prefix").fill("1")
    everything_is_at(page, 1)


def test_w5_the_keys_of_the_table_move_the_selection(page: Page) -> None:
    train(page, corpus())
    page.locator("#prefix").fill("99")
    everything_is_at(page, 99)
    # One row is a stop of the Tab key, and it is the selected one.
    rows = page.locator("#merges-view tr[tabindex='0']")
    expect(rows).to_have_count(1)
    rows.focus()
    for prefix in (100, 101, 102):
        page.keyboard.press("ArrowDown")
        everything_is_at(page, prefix)
        # Over the end of the page too, the focus goes along.
        expect(page.locator(f"#merges-view tr[data-r='{prefix - 1}']")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    everything_is_at(page, 100)
    expect(page.locator("#merges-view tr[data-r='99']")).to_be_focused()
    page.keyboard.press("Home")
    everything_is_at(page, 1)
    page.keyboard.press("End")
    everything_is_at(page, len(model().merges))
    page.keyboard.press("PageUp")
    everything_is_at(page, len(model().merges) - (100 if len(model().merges) > 1000 else 10))
    # A row that is not selected, reached after turning a page, is chosen by Enter or the space bar.
    page.locator("#merges-first").click()
    first = page.locator("#merges-view tr[data-r='0']")
    expect(first).to_have_attribute("tabindex", "0")
    first.focus()
    page.keyboard.press("Enter")
    everything_is_at(page, 1)
    page.keyboard.press("Tab")
    page.locator("#merges-view tr[data-r='7']").focus()
    page.keyboard.press("Space")
    everything_is_at(page, 8)


def test_w5_fast_keys_over_the_end_of_a_page_lose_no_step(page: Page) -> None:
    train(page, corpus())
    page.locator("#prefix").fill("98")
    everything_is_at(page, 98)
    page.locator("#merges-view tr[tabindex='0']").focus()
    for _ in range(8):
        page.keyboard.press("ArrowDown")
    everything_is_at(page, 106)
    expect(page.locator("#merges-view tr[data-r='105']")).to_be_focused()


def test_w5_the_table_follows_a_step_that_had_to_wait(page: Page) -> None:
    train(page, corpus())
    page.locator("#prefix").fill("50")
    everything_is_at(page, 50)
    held: list[Route] = []
    page.route("**/workbench/prefix", lambda route: held.append(route), times=1)  # noqa: PLW0108  # Playwright marks its handlers
    # To another page of the table, and back before the answer has come.
    page.locator("#prefix").fill("350")
    page.locator("#prefix").fill("40")
    page.wait_for_timeout(50)
    assert len(held) == 1
    held[0].continue_()
    everything_is_at(page, 40)


def test_w5_a_merge_is_found_by_rank_and_by_token(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    train(page, corpus())
    page.locator("#rank").fill("321")
    page.locator("#rank").press("Enter")
    found = page.locator("#merges-view tr.found")
    expect(found).to_have_attribute("data-r", "321")
    expect(found).to_be_in_viewport()
    # Looking is not choosing.
    shows_prefix(page, len(model().merges))
    # By token: a space stands for the marker; the very token first, then those that contain it, going round.
    typed, token = " the", "▁the"
    exact = [merge.rank for merge in model().merges if merge.result == token]
    within = [merge.rank for merge in model().merges if token in merge.result and merge.result != token]
    assert exact
    assert within
    page.locator("#merges-token").fill(typed)
    for number, rank in enumerate([*exact, *within, *exact]):
        page.locator("#merges-token").press("Enter")
        expect(found).to_have_attribute("data-r", str(rank))
        of = len(exact) + len(within)
        expect(page.locator("#merges-found")).to_contain_text(f"Match {number % of + 1} of {of}, rank {rank:,}")
    page.locator("#merges-token").fill("nowhere 7 7")
    page.locator("#merges-token").press("Enter")
    expect(page.locator("#merges-token-error")).to_contain_text("No token here is this text or contains it")
    expect(page.locator("#merges-token")).to_have_value("nowhere 7 7")
    expect(page.locator("#merges-token")).to_be_focused()
    page.locator("#merges-token").fill("")
    page.locator("#merges-token").press("Enter")
    expect(page.locator("#merges-token-error")).to_contain_text("Type a token")
    page.locator("#rank").fill("999999")
    page.locator("#rank").press("Enter")
    expect(page.locator("#rank-error")).to_contain_text(f"from 0 to {len(model().merges) - 1:,}")


def test_w6_the_graph_shows_corpus_tokens_at_every_prefix(page: Page) -> None:
    train(page, corpus())
    graph = page.locator("#curve")
    points = graph.locator("polyline").get_attribute("points") or ""
    drawn = [tuple(map(int, point.split(","))) for point in points.split()]
    assert len(drawn) <= 600
    assert drawn[0] == (0, -tokens_at(0))
    assert drawn[-1] == (len(model().merges), -tokens_at(len(model().merges)))
    assert all(-height == tokens_at(prefix) for prefix, height in drawn)
    # What it shows is said, and what it does not.
    expect(page.locator(".graph h2")).to_have_text("Corpus tokens at every prefix")
    expect(page.locator(".graph")).to_contain_text("not bytes; it is no compression ratio")
    # It stands on the slider's axis: the slider's thumb is 16 pixels wide.
    left, right = graph.bounding_box(), page.locator("#slider").bounding_box()
    assert left
    assert right
    assert abs(left["x"] - right["x"] - 8) < 1
    assert abs(left["width"] - right["width"] + 16) < 1


def test_w6_every_prefix_can_be_selected_by_keyboard(page: Page) -> None:
    train(page, corpus())
    graph = page.locator("#curve")
    points = graph.locator("polyline").get_attribute("points") or ""
    drawn = {int(point.partition(",")[0]) for point in points.split()}
    maximum = len(model().merges)
    undrawn = next(prefix for prefix in range(maximum // 2, maximum) if prefix not in drawn)
    expect(graph).to_have_attribute("role", "slider")
    page.locator("#prefix").fill(str(undrawn - 1))
    everything_is_at(page, undrawn - 1)
    graph.focus()
    page.keyboard.press("ArrowRight")
    everything_is_at(page, undrawn)
    merge = model().merges[undrawn - 1]
    words = (
        f"After {undrawn:,} merges: {merge.corpus_tokens:,} corpus tokens. Last merge: {merge.left} + {merge.right}, "
        f"frequency {merge.frequency:,}, replacements {merge.replacements:,}."
    )
    expect(graph).to_have_attribute("aria-valuetext", words)
    expect(page.locator("#slider")).to_have_attribute("aria-valuetext", words)
    page_step = 100 if maximum > 1000 else 10
    for key, prefix in (
        ("ArrowUp", undrawn + 1),
        ("ArrowDown", undrawn),
        ("ArrowLeft", undrawn - 1),
        ("PageDown", undrawn - 1 - page_step),
        ("PageUp", undrawn - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", maximum),
        ("ArrowRight", maximum),
    ):
        page.keyboard.press(key)
        everything_is_at(page, prefix)
        expect(graph).to_be_focused()
    # The slider beside it takes the same steps.
    page.locator("#slider").focus()
    page.keyboard.press("PageDown")
    everything_is_at(page, maximum - page_step)


def test_w6_the_pointer_chooses_the_nearest_prefix(page: Page) -> None:
    train(page, corpus())
    maximum = len(model().merges)
    click_graph(page, 0.25)
    everything_is_at(page, math.floor(maximum / 4 + 0.5))
    expect(page.locator("#curve")).to_be_focused()
    box = page.locator("#curve").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.25, middle)
    page.mouse.down()
    for share in (0.3, 0.5, 0.7):
        page.mouse.move(box["x"] + box["width"] * share, middle)
    page.mouse.move(box["x"] + box["width"] * 0.6, middle)
    everything_is_at(page, math.floor(maximum * 0.6 + 0.5))
    # Beyond the end the end is meant; let go, the pointer means nothing.
    page.mouse.move(box["x"] + box["width"] + 40, middle + 300)
    everything_is_at(page, maximum)
    page.mouse.up()
    page.mouse.move(box["x"] + 20, middle)
    page.wait_for_timeout(100)
    everything_is_at(page, maximum)


def test_w7_slider_and_number_field(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    train(page)
    maximum = len(pairloom.train("low low lower lowest").merges)
    slider, number = page.locator("#slider"), page.locator("#prefix")
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("0", str(maximum))
    slider.fill("2")
    shows_prefix(page, 2)
    expect(number).to_have_value("2")
    number.fill("3")
    shows_prefix(page, 3)
    expect(slider).to_have_value("3")
    for wrong in (str(maximum + 1), "-1", ""):
        number.fill(wrong)
        expect(page.locator("#prefix-error")).to_contain_text(f"from 0 to {maximum}")
        expect(number).to_have_value(wrong)
        shows_prefix(page, 3)
        expect(slider).to_have_value("3")
        number.fill("3")
        expect(page.locator("#prefix-error")).to_be_empty()
    for key, prefix in (("ArrowUp", 4), ("ArrowDown", 3), ("ArrowDown", 2)):
        number.press(key)
        shows_prefix(page, prefix)
        expect(number).to_have_value(str(prefix))


@pytest.mark.parametrize(("locale", "sign", "other"), [("en-GB", ",", "."), ("de-DE", ".", ",")])
def test_g_numbers_are_typed_as_the_page_writes_them(
    open_page: OpenPage, watch: Watch, locale: str, sign: str, other: str
) -> None:
    watch.expected_statuses = {422}
    page = open_page(locale=locale)
    page.locator("#merge-limit").fill(f"40{sign}000")
    train(page, " ".join("".join(random.Random(seed % 450).choices("abcdefgh", k=9)) for seed in range(900)))
    # In its field it is plain digits now, which mean the same in every language.
    expect(page.locator("#merge-limit")).to_have_value("40000")
    number = page.locator("#prefix")
    number.fill(f"1{sign}200")
    shows_prefix(page, 1200)
    expect(page.locator("#slider")).to_have_value("1200")
    number.press("Tab")
    expect(number).to_have_value("1200")
    number.fill(f"1{other}100")
    expect(page.locator("#prefix-error")).to_contain_text(re.compile(rf"0 (to|bis) 1\{sign}\d\d\d"))
    shows_prefix(page, 1200)
    page.locator("#rank").fill(f"1{sign}234")
    page.locator("#rank").press("Enter")
    expect(page.locator("#merges-view tr.found td").first).to_have_text(f"1{sign}234")
    page.locator("#selection-id").click()
    expect(page.locator("#token-id")).to_have_value("1208")
    expect(page.locator("#vocabulary-view tr.found td").first).to_have_text(f"1{sign}208")


def vocabulary_row(page: Page, token_id: int) -> list[str]:
    row = page.locator("#vocabulary-view tbody tr").filter(
        has=page.locator("td:first-child", has_text=re.compile(f"^{token_id}$"))
    )
    return [text.strip() for text in row.locator("td").all_inner_texts()]


def test_w8_the_vocabulary_is_whole_and_says_what_is_active(page: Page) -> None:
    train(page, corpus())
    base, merges = len(model().alphabet), len(model().merges)
    page.locator("#prefix").fill("5")
    shows_prefix(page, 5)
    expect(page.locator("#vocabulary-view .where")).to_contain_text(f"of {len(model().vocabulary):,}")
    page.locator("#token-id").fill(str(base + 5))
    page.locator("#token-id").press("Enter")
    expect(page.locator("#vocabulary-view tr.found")).to_be_visible()
    for token_id, kind, state in (
        (base - 1, "base", "active"),
        (base + 4, "merge of rank 4", "active"),
        (base + 5, "merge of rank 5", "not active"),
    ):
        assert vocabulary_row(page, token_id) == [str(token_id), model().vocabulary[token_id], kind, state]
    page.locator("#prefix").fill("6")
    shows_prefix(page, 6)
    assert vocabulary_row(page, base + 5)[3] == "active"
    page.locator("#vocabulary-last").click()
    expect(page.locator("#vocabulary-view tbody tr").last).to_contain_text(model().vocabulary[-1])
    last = page.locator("#vocabulary-view tbody tr").last.locator("td").all_inner_texts()
    assert last[2:] == [f"merge of rank {merges - 1:,}", "not active"]


@pytest.mark.parametrize(("prefix", "said"), [(0, ""), (1, "(rank 0)"), (2, "(ranks 0 to 1)"), (8, "(ranks 0 to 7)")])
def test_w7_active_merges_are_named_by_their_ranks(page: Page, prefix: int, said: str) -> None:
    train(page, corpus())
    last = len(model().merges)
    expect(page.locator("#active-ranks")).to_have_text(f"(ranks 0 to {last - 1:,})")
    page.locator("#prefix").fill(str(prefix))
    shows_prefix(page, prefix)
    expect(page.locator("#active-ranks")).to_have_text(said)


def test_w8_from_a_token_to_its_merge_and_back(page: Page) -> None:
    train(page, corpus())
    base = len(model().alphabet)
    page.locator("#prefix").fill("400")
    shows_prefix(page, 400)
    page.locator("#token-id").fill(str(base + 150))
    page.locator("#token-id").press("Enter")
    page.locator("#vocabulary-view tr.found button").click()
    row = page.locator("#merges-view tr.found")
    expect(row).to_have_attribute("data-r", "150")
    expect(row).to_be_focused()
    shows_prefix(page, 400)
    page.keyboard.press("Enter")
    shows_prefix(page, 151)
    page.locator("#prefix").fill("171")
    shows_prefix(page, 171)
    page.locator("#selection-id").click()
    entry = page.locator("#vocabulary-view tr.found")
    expect(entry.locator("td").first).to_have_text(str(model().merges[170].id))
    expect(entry).to_be_focused()
    # By keyboard: the rows of the vocabulary, too, are one stop; Enter goes to the merge.
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#merges-view tr[data-r='171']")).to_be_focused()


def test_w8_a_token_is_found_as_it_is_typed(page: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    train(page, "a\u200bb a\u200bb low low slow")
    made = pairloom.train("a\u200bb a\u200bb low low slow")
    field, found = page.locator("#vocabulary-token"), page.locator("#vocabulary-view tr.found td:first-child")
    for typed, token in ((r"\u200b", "\u200b"), (" ", "▁"), ("▁low", "▁low"), (" low", "▁low"), ("w", "w")):
        field.fill(typed)
        field.press("Enter")
        expect(found).to_have_text(str(made.token_id(token)))
        expect(page.locator("#vocabulary-found")).to_contain_text("this very token")
        expect(field).to_have_value(typed)
    field.fill("lo")
    field.press("Enter")
    # Finding again goes on from what was found: its answer has to be there.
    expect(found).to_have_text(str(made.token_id("lo")))
    field.press("Enter")
    expect(page.locator("#vocabulary-found")).to_contain_text("contains it")
    field.fill("xyz")
    field.press("Enter")
    expect(page.locator("#vocabulary-token-error")).to_contain_text("No token here")
    expect(field).to_have_value("xyz")


def test_w9_tokens_with_their_ids_a_hundred_a_page(page: Page) -> None:
    train(page, corpus())
    text = " ".join(corpus().split()[:120])
    page.locator("#prefix").fill("0")
    shows_prefix(page, 0)
    page.locator("#text").fill(text)
    # Explicit: nothing before the button is pressed.
    page.wait_for_timeout(100)
    expect(page.locator("#encoding-view")).to_be_empty()
    page.locator("#encode").click()
    encoding = model().encode(text, 0)
    boxes = page.locator("#encoding-view .tokens li")
    expect(boxes).to_have_count(100)
    pages = -(-len(encoding.tokens) // 100)
    for index in (0, 1, pages - 1):
        page.locator("#encoding-page").fill(str(index + 1))
        page.locator("#encoding-page").press("Enter")
        expect(page.locator("#encoding-view .where")).to_contain_text(f"tokens {index * 100 + 1:,}–")
        part = slice(index * 100, index * 100 + 100)
        expect(boxes).to_have_count(len(encoding.tokens[part]))
        assert boxes.locator("bdi").all_inner_texts() == list(encoding.tokens[part])
        assert boxes.locator("b").all_inner_texts() == [str(each) for each in encoding.ids[part]]
        expect(boxes.locator("b").first).to_be_visible()
    # The other lists of tokens with IDs.
    for view in ("merges", "vocabulary"):
        assert page.locator(f"#{view}-view tbody tr").count() <= 100
        page.locator(f"#{view}-page").fill("3")
        page.locator(f"#{view}-page").press("Enter")
        expect(page.locator(f"#{view}-view .where")).to_contain_text("200–299")
        page.locator(f"#{view}-page").fill("x")
        page.locator(f"#{view}-page").press("Enter")
        expect(page.locator(f"#{view}-page")).to_have_value("3")


def figures(page: Page) -> dict[str, str]:
    parts = page.locator("#encoding-view .figures")
    return dict(zip(parts.locator("dt").all_inner_texts(), parts.locator("dd").all_inner_texts(), strict=True))


def test_w9_counts_unknowns_and_the_decoded_text(page: Page) -> None:
    train(page)
    page.locator("#text").fill("  low\n🧵 \u200b slow")
    page.locator("#encode").click()
    made = pairloom.train("low low lower lowest")
    encoding = made.encode("  low\n🧵 \u200b slow")
    unknown = page.locator("#encoding-view .unk")
    expect(unknown).to_have_count(encoding.unknown_count)
    assert set(unknown.locator("b").all_inner_texts()) == {"UNK"}
    # Named, an invisible one by its escape; not by colour alone.
    expect(page.locator("#encoding-view .unknown")).to_contain_text("🧵")
    expect(page.locator("#encoding-view .unknown")).to_contain_text("\\u200b")
    assert figures(page) == {
        "Tokens": str(len(encoding.tokens)),
        "Code points": str(encoding.code_points),
        "Code points per token": two_decimals(encoding.code_points, len(encoding.tokens)),
        "Unknown": str(encoding.unknown_count),
    }
    expect(page.locator("#decoded-view")).to_contain_text("cannot be decoded")
    page.locator("#text").fill("  low \n lowest")
    expect(page.locator("#decoded-view")).to_be_empty()
    page.locator("#encode").click()
    expect(page.locator("#decoded-view .decoded")).to_have_text("low lowest")
    page.locator("#text").fill(" \n")
    page.locator("#encode").click()
    expect(page.locator("#encoding-view")).to_contain_text("The text is empty")
    assert figures(page) == {"Tokens": "0", "Code points": "0", "Code points per token": "—", "Unknown": "0"}
    expect(page.locator("#decoded-view")).to_be_empty()


def test_e7_an_unedited_text_follows_the_prefix_in_the_same_answer(page: Page) -> None:
    train(page, corpus())
    text = " ".join(corpus().split()[40:48])
    page.locator("#text").fill(text)
    page.locator("#encode").click()
    boxes = page.locator("#encoding-view .tokens li bdi")
    expect(boxes).to_have_text(list(model().encode(text).tokens))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    for prefix in (0, 17, 300):
        page.locator("#prefix").fill(str(prefix))
        expect(boxes).to_have_text(list(model().encode(text, prefix).tokens))
        expect(page.locator("#decoded-view .decoded")).to_have_text(text)
    assert set(sent) == {"prefix"}
    page.locator("#text").press_sequentially("x")
    expect(boxes).to_have_count(0)
    page.locator("#prefix").fill("5")
    shows_prefix(page, 5)
    page.wait_for_timeout(100)
    expect(page.locator("#encoding-view")).to_be_empty()
    expect(page.locator("#decoded-view")).to_be_empty()


def test_e7_an_encoding_that_arrives_after_a_step_catches_up(page: Page) -> None:
    train(page, corpus())
    text = " ".join(corpus().split()[:9])
    held: list[Route] = []
    page.route("**/workbench/encode", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handlers
    page.locator("#text").fill(text)
    page.locator("#encode").click()
    page.locator("#prefix").fill("7")
    shows_prefix(page, 7)
    assert len(held) == 1
    held[0].continue_()
    boxes = page.locator("#encoding-view .tokens li bdi")
    expect(boxes).to_have_text(list(model().encode(text, 7).tokens))


def test_w13_the_next_place_of_the_merge(page: Page) -> None:
    train(page, corpus())
    # A rare one, with places on three pages.
    history = History.of(count_words(corpus()), model())
    pages = CorpusPages.cut(pre_tokenize(corpus()), page_tokens=300)
    merge = next(
        each
        for each in model().merges[200:]
        if each.replacements == 3
        and sum(pages.page(page, history, each.rank + 1).made_here == 1 for page in range(len(pages.starts))) == 3
        and not pages.page(0, history, each.rank + 1).made_here
    )
    page.locator("#prefix").fill(str(merge.rank + 1))
    shows_prefix(page, merge.rank + 1)
    marks = page.locator("#corpus-view .flow mark")
    seen = 0
    places: list[str] = []
    before = page.locator("#corpus-view .where").inner_text()
    while seen < 3:
        page.locator("#corpus-place").click()
        expect(page.locator("#corpus-view .where")).not_to_have_text(before)
        expect(marks.first).to_be_in_viewport()
        before = page.locator("#corpus-view .where").inner_text()
        places.append(before)
        here = marks.count()
        assert set(marks.all_inner_texts()) == {merge.result}
        expect(page.locator("#corpus-view .places")).to_contain_text(f"{here} of 3 places on this page")
        seen += here
    assert seen == 3
    assert len(places) == 3
    # It goes round, and the button keeps the focus.
    page.locator("#corpus-place").click()
    expect(page.locator("#corpus-view .where")).to_have_text(places[0])
    expect(page.locator("#corpus-place")).to_be_focused()


def test_w13_the_text_stays_put_while_the_prefix_moves(page: Page) -> None:
    train(page, corpus())
    where = page.locator("#corpus-view .where")
    words = page.locator("#corpus-view .flow bdi")
    first = where.inner_text()
    page.locator("#corpus-page").fill("4")
    page.locator("#corpus-page").press("Enter")
    expect(where).not_to_have_text(first)
    expect(page.locator("#corpus-page")).to_have_value("4")
    before, shown = where.inner_text(), words.all_inner_texts()
    for prefix in (0, 50, 51, 700):
        page.locator("#prefix").fill(str(prefix))
        shows_prefix(page, prefix)
        expect(where).to_have_text(before)
        assert words.all_inner_texts() == shown
    assert page.locator("#corpus-view .flow i, #corpus-view .flow mark").count() <= 300
    # The same token has the same colour, here and in the encoding.
    token = page.locator("#corpus-view .flow i").first
    page.locator("#text").fill(words.first.inner_text().lstrip("▁"))
    page.locator("#encode").click()
    box = page.locator("#encoding-view .tokens li").first
    assert box.get_attribute("class") == token.get_attribute("class")
    # At the start there is no merge, so no place of it.
    page.locator("#prefix").fill("0")
    shows_prefix(page, 0)
    expect(page.locator("#corpus-place")).to_have_count(0)
    expect(page.locator("#corpus-view mark")).to_have_count(0)


def test_w13_a_page_turned_during_a_step_stays_turned(page: Page) -> None:
    train(page, corpus())
    held: list[Route] = []
    page.route("**/workbench/prefix", lambda route: held.append(route), times=1)  # noqa: PLW0108  # as above
    page.locator("#prefix").fill("9")
    page.locator("#corpus-next").click()
    expect(page.locator("#corpus-page")).to_have_value("2")
    held[0].continue_()
    everything_is_at(page, 9)
    expect(page.locator("#corpus-page")).to_have_value("2")
    # And the other way round: a page that comes after the step is of the new prefix.
    page.route("**/workbench/corpus", lambda route: held.append(route), times=1)  # noqa: PLW0108  # as above
    page.locator("#corpus-next").click()
    page.locator("#prefix").fill("500")
    shows_prefix(page, 500)
    held[1].continue_()
    expect(page.locator("#corpus-page")).to_have_value("3")
    everything_is_at(page, 500)
