"""The walkthrough in a real browser, rule by rule: S1–S6, its two explanations, keys, to the workbench and back."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import Page, Request, Route, expect

import pairloom
from pairloom.web.presets import PRESETS
from tests.web.conftest import OpenPage, Server, Watch
from tests.web.driving import hide, set_text, train
from tests.web.test_browser_access import violations
from tests.web.test_walkthrough import COUNTED

pytestmark = pytest.mark.browser

WEAVER = PRESETS[0].text
MODEL = pairloom.train(WEAVER, 40_000, pre_tokenizer="punctuation")
TOTAL = len(MODEL.merges)


@pytest.fixture
def walk(open_page: OpenPage) -> Page:
    """The walkthrough, freshly opened, with its first preset."""
    page = open_page("/walkthrough")
    is_ready(page)
    return page


def is_ready(page: Page) -> None:
    expect(page.locator("#walkthrough")).to_have_attribute("data-state", "trained")


def stands_at(page: Page, prefix: int, total: int = TOTAL) -> None:
    expect(page.locator("#walk-place")).to_have_text(f"{prefix} / {total}")


def type_corpus(page: Page, text: str) -> None:
    page.locator("#walk-corpus").fill(text)
    expect(page.locator("#walk-preset")).to_have_value("")


def step(page: Page, times: int = 1) -> None:
    before = int(page.locator("#walk-next [data-prefix]").get_attribute("data-prefix") or 0)
    for number in range(times):
        page.locator("#walk-step").click()
        expect(page.locator("#walk-next [data-prefix]")).to_have_attribute("data-prefix", str(before + number + 1))


def test_s1_presets_and_own_text_train_by_themselves(walk: Page) -> None:
    expect(walk.locator("#walk-corpus")).to_have_value(WEAVER)
    assert walk.locator("#walk-preset option").count() >= 7
    for preset in PRESETS[1:]:
        walk.locator("#walk-preset").select_option(preset.name)
        expect(walk.locator("#walk-corpus")).to_have_value(preset.text)
        expect(walk.locator("#walk-watch p:visible")).to_contain_text(preset.watch)
        stands_at(walk, 0, len(pairloom.train(preset.text, 40_000, pre_tokenizer="punctuation").merges))
    type_corpus(walk, COUNTED)
    stands_at(walk, 0, 39)
    assert walk.locator("#walk-numbers dd").all_inner_texts() == ["51", "28", "22"]
    # A change begins anew, at 0, and nothing of the old text is seen meanwhile.
    step(walk, 2)
    walk.locator("#walk-corpus").press_sequentially(" weft")
    expect(walk.locator("#walk-pairs-view")).to_be_hidden()
    is_ready(walk)
    expect(walk.locator("#walk-numbers dd").first).to_have_text("52")
    expect(walk.locator("#walk-next [data-prefix]")).to_have_attribute("data-prefix", "0")
    walk.locator("#walk-inputs [name=walk_pre_tokenizer][value=whitespace]").check()
    words = pairloom.train(f"{COUNTED} weft", 40_000)
    stands_at(walk, 0, len(words.merges))
    walk.locator("#walk-inputs [name=walk_lowercase]").check()
    is_ready(walk)


def test_s1_what_cannot_be_trained_is_said_at_the_field(walk: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    for text, said in (("low ▁", "position 4"), ("x" * 40_001, "40,001"), (" ", "no word")):
        walk.locator("#walk-corpus").fill(text)
        expect(walk.locator("#walk-corpus-error")).to_contain_text(said)
        expect(walk.locator("#walk-pairs-view")).to_be_hidden()
    set_text(walk, "walk-corpus", [0x61, 0xD800])
    expect(walk.locator("#walk-corpus-error")).to_contain_text("unpaired surrogate U+D800 at position 1")
    walk.locator("#walk-corpus").fill("low low")
    is_ready(walk)
    expect(walk.locator("#walk-corpus-error")).to_be_empty()


def test_s1_w3_a_late_training_is_dropped(walk: Page, server: Server) -> None:
    server.gate.hold_at = 1
    walk.locator("#walk-corpus").fill("aa bb cc " * 30)
    expect(walk.locator("#walk-training progress")).to_be_visible()
    # Leaving ends it, and coming back begins it anew.
    walk.locator(".views [data-view=workbench]").click()
    expect(walk.locator("#workbench")).to_be_visible()
    scheduler = server.app.state.services.models.scheduler
    for _ in range(200):
        if not len(scheduler):
            break
        walk.wait_for_timeout(10)
    assert len(scheduler) == 0
    server.gate.hold_at = None
    walk.locator(".views [data-view=walkthrough]").click()
    is_ready(walk)
    expect(walk.locator("#walk-numbers dd").first).to_have_text("90")


def test_s2_step_back_reset_slider(walk: Page) -> None:
    stands_at(walk, 0)
    step(walk, 3)
    stands_at(walk, 3)
    walk.locator("#walk-back").click()
    stands_at(walk, 2)
    slider = walk.locator("#walk-slider")
    slider.focus()
    walk.keyboard.press("End")
    stands_at(walk, TOTAL)
    expect(walk.locator("#walk-next")).to_contain_text("No merge is left")
    expect(walk.locator("#walk-step")).to_have_attribute("aria-disabled", "true")
    walk.locator("#walk-step").click(force=True)
    stands_at(walk, TOTAL)
    walk.locator("#walk-reset").click()
    stands_at(walk, 0)
    expect(walk.locator("#walk-back")).to_have_attribute("aria-disabled", "true")
    expect(slider).to_have_value("0")


def test_s2_play_goes_to_the_end_and_begins_anew(walk: Page) -> None:
    walk.locator("#walk-speed").select_option("100")
    play = walk.locator("#walk-play")
    play.click()
    expect(play).to_have_accessible_name("Pause")
    expect(walk.locator("#walk-place")).to_have_text(f"{TOTAL} / {TOTAL}", timeout=60_000)
    expect(play).to_have_accessible_name("Play")
    play.click()
    expect(play).to_have_accessible_name("Pause")
    expect(walk.locator("#walk-place")).to_have_text(re.compile(r"^[1-9] /"))
    play.click()
    expect(play).to_have_accessible_name("Play")


def test_s2_play_waits_for_what_is_shown(walk: Page) -> None:
    """The next step is asked for when the last one is shown, however fast it should go."""
    under_way: set[Request] = set()
    most = 0

    def begin(request: Request) -> None:
        nonlocal most
        if request.url.endswith("/walkthrough/step"):
            under_way.add(request)
            most = max(most, len(under_way))

    walk.on("request", begin)

    def end(request: Request) -> None:
        under_way.discard(request)

    def slow(route: Route) -> None:
        time.sleep(0.15)
        route.continue_()

    walk.on("requestfinished", end)
    walk.route("**/walkthrough/step", slow)
    walk.locator("#walk-speed").select_option("100")
    walk.locator("#walk-play").click()
    expect(walk.locator("#walk-place")).to_have_text(re.compile(r"^[4-9] /"))
    walk.locator("#walk-play").click()
    assert most == 1
    walk.unroute_all(behavior="wait")


@pytest.mark.parametrize("how", ["hide", "leave", "step", "slider", "edit"])
def test_s2_play_pauses(walk: Page, how: str) -> None:
    walk.locator("#walk-speed").select_option("200")
    walk.locator("#walk-play").click()
    expect(walk.locator("#walk-place")).to_have_text(re.compile(r"^[2-9] /"))
    if how == "hide":
        hide(walk)
    elif how == "leave":
        walk.locator(".views [data-view=method]").click()
    elif how == "step":
        walk.locator("#walk-step").click()
    elif how == "slider":
        walk.locator("#walk-slider").focus()
        walk.keyboard.press("ArrowLeft")
    else:
        walk.locator("#walk-corpus").press_sequentially("x")
    expect(walk.locator("#walk-play")).not_to_have_class(re.compile("playing"))
    walk.wait_for_timeout(800 if how == "edit" else 250)
    shown = walk.locator("#walk-place").text_content()
    walk.wait_for_timeout(600)
    assert walk.locator("#walk-place").text_content() == shown
    if how == "leave":
        # What was seen stays (W10).
        walk.locator(".views [data-view=walkthrough]").click()
        expect(walk.locator("#walk-place")).to_have_text(shown or "")


def test_s2_keys(walk: Page) -> None:
    walk.locator("#walkthrough-title").focus()
    for key, prefix in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        walk.keyboard.press(key)
        stands_at(walk, prefix)
    walk.keyboard.press("Space")
    expect(walk.locator("#walk-play")).to_have_accessible_name("Pause")
    walk.keyboard.press("Space")
    expect(walk.locator("#walk-play")).to_have_accessible_name("Play")
    # Play begins with a step at once; its answer is on the way. In a field the keys belong to the field.
    stands_at(walk, 2)
    shown = walk.locator("#walk-place").inner_text()
    walk.locator("#walk-text").focus()
    for key in ("ArrowRight", "ArrowLeft", "Space"):
        walk.keyboard.press(key)
    walk.wait_for_timeout(200)
    expect(walk.locator("#walk-place")).to_have_text(shown)
    expect(walk.locator("#walk-play")).to_have_accessible_name("Play")
    # On a button the space bar presses it, and the focus stays there.
    walk.locator("#walk-reset").focus()
    walk.keyboard.press("Space")
    stands_at(walk, 0)
    expect(walk.locator("#walk-reset")).to_be_focused()


def test_s3_the_next_merge_is_named_and_highlighted_before_it_happens(walk: Page) -> None:
    for merge in MODEL.merges[:6]:
        row = walk.locator("#walk-pairs-view tr.is-next")
        expect(row).to_contain_text("next")
        named = f"Next merge #{merge.rank + 1}: {merge.left} + {merge.right} → {merge.result} ({merge.frequency} times)"
        expect(walk.locator("#walk-next .next")).to_have_text(named)
        expect(row.locator("td").first).to_have_text(f"{merge.left} + {merge.right}")
        assert walk.locator("#walk-pairs-view tbody tr").count() == 12
        step(walk)
        expect(walk.locator("#walk-next .last")).to_contain_text(merge.result)
    walk.locator("#walk-pairs-all").click()
    expect(walk.locator("#walk-pairs-view tbody tr")).to_have_count(40)
    walk.locator("#walk-pairs-next").click()
    expect(walk.locator("#walk-pairs-view tr.is-next")).to_have_count(0)
    walk.locator("#walk-pairs-all").click()
    expect(walk.locator("#walk-pairs-view tbody tr")).to_have_count(12)


def test_s3_why_this_pair(walk: Page) -> None:
    walk.locator("#walk-preset").select_option("ties")
    stands_at(walk, 0, 12)
    why = walk.locator("#walk-why-view")
    expect(why).to_contain_text("A tie: 9 pairs occur 4 times each.")
    expect(why).to_contain_text("The first two pairs have the same left token")
    expect(why).to_contain_text("Runner-up: a + p.")
    expect(why.locator(".rules tbody tr")).to_have_count(4)
    # Counted first: ▁n of “nap”; the largest pair begins with the marker.
    assert why.locator(".rules td").all_inner_texts() == ["▁ + n", "the same", "▁ + t", "the same"]
    walk.locator("#walk-slider").focus()
    walk.keyboard.press("End")
    expect(why).to_contain_text("Training is over")


def test_s4_numbers_and_merges(walk: Page) -> None:
    figures = walk.locator("#walk-figures dd")
    initial = MODEL.initial_tokens or 0
    base = len(MODEL.alphabet)
    expect(walk.locator("#walk-merges-view .friendly")).to_be_visible()
    expect(walk.locator("#walk-alphabet-view li")).to_have_count(base)
    assert [" ".join(each.split()) for each in figures.all_inner_texts()] == [
        f"{base} = {base} base + 0 merged",
        f"{initial} at the start",
        f"1.00 = {initial} at the start ÷ {initial} now, markers counted",
    ]
    step(walk, 4)
    tokens = MODEL.merges[3].corpus_tokens or 1
    expect(figures.nth(0)).to_have_text(f"{base + 4} = {base} base + 4 merged")
    expect(figures.nth(1)).to_contain_text(str(tokens))
    expect(figures.nth(2)).to_have_text(
        f"{initial / tokens:.2f} = {initial} at the start ÷ {tokens} now, markers counted"
    )
    rows = walk.locator("#walk-merges-view tbody tr")
    assert [row.split("\t")[0] for row in rows.all_inner_texts()] == ["1", "2", "3", "4"]


def test_s5_the_corpus_marks_what_was_made_and_what_comes(walk: Page) -> None:
    flow = walk.locator("#walk-corpus-view .flow")
    expect(flow.locator("mark")).to_have_count(0)
    for merge in MODEL.merges[:5]:
        expect(flow.locator("b")).to_have_count(merge.replacements or 0)
        assert set(flow.locator("b").all_inner_texts()) == {merge.result}
        step(walk)
        expect(flow.locator("mark")).to_have_count(merge.replacements or 0)
        assert set(flow.locator("mark").all_inner_texts()) == {merge.result}
    # Marked not by colour alone.
    assert (
        walk.evaluate("() => getComputedStyle(document.querySelector('#walk-corpus-view .flow mark')).outlineStyle")
        == "solid"
    )
    assert (
        walk.evaluate("() => getComputedStyle(document.querySelector('#walk-corpus-view .flow b')).outlineStyle")
        == "dashed"
    )


# Controls, headings and panels; the next pair and the one below it; what is encoded; every word of the corpus.
STANDING = """#walkthrough :is(.panel, h2, h3[id], select, textarea, button[id], #walk-figures div,
    .pairs tr:nth-child(-n + 2), .legend li, .counts, .ids, .flow bdi)"""


def where_all_stands(page: Page) -> dict[str, list[float]]:
    """The left and upper edges of all that should stand still, by its name and number among its like."""
    places: dict[str, list[float]] = page.evaluate(
        """(standing) => {
          const found = {};
          for (const each of document.querySelectorAll(standing)) {
            const { x, y } = each.getBoundingClientRect();
            const name = `${each.closest("[id]").id} ${each.localName}`;
            let number = 0;
            while (`${name} ${number}` in found) number++;
            found[`${name} ${number}`] = [x, y + scrollY];
          }
          return found;
        }""",
        STANDING,
    )
    return places


@pytest.mark.parametrize(
    ("width", "language", "preset"),
    [(360, "de", "ties"), (768, "en", "weaver"), (1440, "de", "run"), (1920, "en", "german")],
)
def test_nothing_jumps(open_page: OpenPage, width: int, language: str, preset: str) -> None:
    """From the first step to the last nothing moves, whatever comes, goes, grows and shrinks."""
    page = open_page(f"/walkthrough?lang={language}", viewport={"width": width, "height": 900})
    is_ready(page)
    text = next(each.text for each in PRESETS if each.name == preset)
    if text != WEAVER:
        page.locator("#walk-preset").select_option(preset)
    total = len(pairloom.train(text, 40_000, pre_tokenizer="punctuation").merges)
    stands_at(page, 0, total)
    is_ready(page)
    before = where_all_stands(page)
    assert len(before) > 40
    for _ in range(total):
        step(page)
        now = where_all_stands(page)
        # Towards the end there are few pairs and then none; their rows and the button for more go, all else stays.
        assert {name.split()[0] for name in before.keys() - now.keys()} <= {
            "walk-pairs-view",
            "walk-pair-list",
            "walk-pairs-all",
        }
        # A glyph may stand a fraction of a pixel elsewhere when it is alone in its box.
        assert [name for name in before if name in now and now[name] != pytest.approx(before[name], abs=1.5)] == []


def test_no_step_is_seen_half_done(open_page: OpenPage) -> None:
    """What an answer brings and the room that is held for it come in one go: nothing is painted in between."""
    page = open_page("/walkthrough", viewport={"width": 1440, "height": 900})
    page.locator("#walk-preset").select_option("run")
    stands_at(page, 0, 11)
    is_ready(page)
    # A message comes before any timer: whatever waits for one is not done yet when the places are looked at.
    page.evaluate(
        """() => {
          globalThis.places = [];
          const view = document.querySelector("#walk-subwords-view");
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => places.push(view.querySelector(".ids").getBoundingClientRect().y + scrollY);
          new MutationObserver(() => port2.postMessage(null)).observe(view, { childList: true });
        }"""
    )
    before = where_all_stands(page)["walk-subwords-view p 1"][1]
    step(page, 11)
    places: list[float] = page.evaluate("() => places")
    assert len(places) >= 11
    assert set(places) == {before}


def test_s5_long_corpora_stand_in_parts_that_begin_alike(walk: Page) -> None:
    type_corpus(walk, " ".join(f"w{number * 37 % 61}" for number in range(400)))
    is_ready(walk)
    walk.locator("#walk-corpus-next").click()
    first = walk.locator("#walk-corpus-view .flow bdi").first
    expect(walk.locator("#walk-corpus-page")).to_have_value("2")
    word = first.inner_text()
    step(walk, 3)
    expect(walk.locator("#walk-corpus-page")).to_have_value("2")
    expect(first).to_have_text(word)
    walk.locator("#walk-upcoming").click()
    expect(walk.locator("#walk-corpus-page")).to_have_value("3")


def test_s6_a_new_text_is_encoded_live_three_ways(walk: Page) -> None:
    text = "The weavers ✓ sleep."
    walk.locator("#walk-text").fill(text)
    boxes = walk.locator("#walk-subwords-view .tokens li")
    for prefix in (0, 5):
        encoding = MODEL.encode(text, prefix)
        expect(boxes).to_have_count(len(encoding.tokens))
        ids = ["UNK" if token_id is None else str(token_id) for token_id in encoding.ids]
        assert boxes.locator("b").all_inner_texts() == ids
        assert boxes.locator("bdi").all_inner_texts() == list(encoding.tokens)
        expect(walk.locator("#walk-subwords-view .ids code")).to_have_text(f"[{', '.join(ids)}]")
        unknown = encoding.unknown_count
        expect(walk.locator("#walk-subwords-view .counts")).to_have_text(f"{len(ids)} tokens · {unknown} unknown")
        characters = MODEL.encode(text, 0)
        expect(walk.locator("#walk-characters-view .counts")).to_have_text(
            f"{len(characters.tokens)} tokens · {characters.unknown_count} unknown"
        )
        expect(walk.locator("#walk-words-view .counts")).to_have_text("5 tokens · 2 unknown")
        expect(walk.locator("#walk-words-view .unk")).to_have_count(2)
        if prefix == 0:
            step(walk, 5)
    # Live: what is typed is encoded without a button.
    walk.locator("#walk-text").fill("weave")
    expect(boxes).to_have_count(len(MODEL.encode("weave", 5).tokens))
    walk.locator("#walk-text").fill("")
    expect(walk.locator("#walk-subwords-view .counts")).to_have_text("0 tokens · 0 unknown")


def test_s6_what_cannot_be_encoded_is_said_and_steps_go_on(walk: Page, watch: Watch) -> None:
    watch.expected_statuses = {422}
    walk.locator("#walk-text").fill("x" * 4_001)
    expect(walk.locator("#walk-text-error")).to_contain_text("4,001 code points, 4,000 are allowed")
    expect(walk.locator("#walk-subwords-view")).to_be_empty()
    step(walk)
    walk.locator("#walk-text").fill("a ▁")
    expect(walk.locator("#walk-text-error")).to_contain_text("position 2")
    step(walk)
    expect(walk.locator("#walk-subwords-view")).to_be_empty()
    walk.locator("#walk-text").fill("weave")
    expect(walk.locator("#walk-subwords-view .tokens li")).not_to_have_count(0)


def test_where_a_token_came_from(walk: Page) -> None:
    step(walk, 6)
    origin = walk.locator("#walk-origin-view")
    # From the corpus, by pointer.
    walk.locator("#walk-corpus-view .flow [data-t]", has_text=re.compile("^▁weave$")).first.click()
    expect(origin.locator("#walk-origin-token")).to_have_text("▁weave")
    leaves = origin.locator(".tree li:not(:has(ul)) button").all_inner_texts()
    assert "".join(leaves) == "▁weave"
    expect(origin).to_contain_text("LATIN SMALL LETTER W")
    places = sum(MODEL.encode(word, 6).tokens.count("▁weave") for word in [WEAVER])
    expect(origin).to_contain_text(f"stands at {places} places")
    expect(walk.locator("#walk-corpus-view .chosen")).to_have_count(places)
    # From the merges, by keyboard; a part of the tree leads on.
    walk.locator("#walk-merges-view [data-token]").first.focus()
    walk.keyboard.press("Enter")
    expect(origin.locator("#walk-origin-token")).to_have_text(MODEL.merges[0].result)
    origin.locator(".tree ul button").first.click()
    expect(origin.locator("#walk-origin-token")).to_have_text(MODEL.merges[0].left)
    # It follows the steps.
    walk.locator("#walk-reset").click()
    walk.locator("#walk-alphabet-view [data-token]").last.click()
    expect(origin.locator("#walk-origin-token")).to_have_text("▁")
    expect(origin).to_contain_text(f"stands at {len(WEAVER.split())} places")
    step(walk)
    expect(walk.locator("#walk-corpus-view .chosen").first).to_have_text("▁")


def test_to_the_workbench_and_back(walk: Page) -> None:
    walk.locator("#walk-preset").select_option("endings")
    stands_at(walk, 0, 21)
    step(walk, 2)
    walk.locator("#open-in-workbench").click()
    expect(walk.locator("#workbench")).to_be_visible()
    expect(walk.locator("#corpus")).to_have_value(PRESETS[1].text)
    expect(walk.locator("#workbench [name=pre_tokenizer][value=punctuation]")).to_be_checked()
    expect(walk.locator("#train")).to_be_focused()
    # What came along is said, and what the walkthrough does not have.
    said = (
        "Text and settings of the walkthrough are here; the merge limit is 40,000, because the walkthrough has none."
        " Press Train."
    )
    expect(walk.locator("#status")).to_have_text(said)
    expect(walk.locator("#live")).to_have_text(said)
    expect(walk.locator("#text")).to_have_value(PRESETS[1].to_encode)
    train(walk, f"{PRESETS[1].text} lowest")
    # Each has inputs of its own (W10): the walkthrough is where it was.
    walk.locator(".views [data-view=walkthrough]").click()
    stands_at(walk, 2, 21)
    walk.go_back()
    expect(walk.locator("#workbench")).to_have_attribute("data-state", "trained")
    walk.locator("#open-in-walkthrough").click()
    expect(walk.locator("#walk-corpus")).to_have_value(f"{PRESETS[1].text} lowest")
    is_ready(walk)
    expect(walk.locator("#walk-numbers dd").first).to_have_text("19")
    expect(walk.locator("#walk-preset")).to_have_value("")
    walk.go_back()
    expect(walk.locator("#workbench")).to_have_attribute("data-state", "trained")


def test_opened_first_with_the_text_of_the_workbench(open_page: OpenPage) -> None:
    """The walkthrough's scripts come only now, and the text is there nevertheless."""
    page = open_page("/")
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    train(page, "over lower over")
    assert not [each for each in fetched if each.endswith("/walk.js")]
    page.locator("#open-in-walkthrough").click()
    is_ready(page)
    expect(page.locator("#walk-corpus")).to_have_value("over lower over")
    expect(page.locator("#walk-preset")).to_have_value("")
    page.locator("#walk-step").click()
    stands_at(page, 1, 4)
    assert len([each for each in fetched if each.endswith("/walk.js")]) == 1


def test_opened_first_by_its_name_it_has_a_text_of_its_own(open_page: OpenPage) -> None:
    page = open_page("/")
    train(page, "over lower over")
    page.locator(".views [data-view=walkthrough]").click()
    is_ready(page)
    expect(page.locator("#walk-corpus")).to_have_value(WEAVER)


def test_typed_while_the_scripts_are_on_their_way(open_page: OpenPage) -> None:
    page = open_page("/method")
    held: list[Route] = []
    page.route("**/js/walk.js", lambda route: held.append(route))  # noqa: PLW0108  # Playwright takes no builtin
    page.locator(".views [data-view=walkthrough]").click()
    expect(page.locator("#walk-corpus")).to_be_visible()
    page.locator("#walk-corpus").press_sequentially("over lower over")
    page.wait_for_timeout(100)
    held[0].continue_()
    is_ready(page)
    expect(page.locator("#walk-corpus")).to_have_value("over lower over")
    expect(page.locator("#walk-preset")).to_have_value("")
    # Kept, as every text of one's own.
    page.locator("#walk-preset").select_option("weaver")
    expect(page.locator("#walk-bring-back")).to_be_visible()


def test_scripts_that_failed_to_come_are_tried_again(open_page: OpenPage, watch: Watch) -> None:
    page = open_page("/")
    watch.expected_statuses = {503}
    page.route("**/js/walk.js", lambda route: route.fulfill(status=503))
    page.locator(".views [data-view=walkthrough]").click()
    expect(page.locator("#trouble")).not_to_be_empty()
    page.unroute("**/js/walk.js")
    page.locator(".views [data-view=walkthrough]").click()
    is_ready(page)


def test_the_text_to_encode_goes_along_unless_one_was_typed_there(walk: Page) -> None:
    text = walk.locator("#text")
    for number, (preset, typed, expected) in enumerate(
        [("weaver", None, PRESETS[0].to_encode), ("endings", None, PRESETS[1].to_encode), ("run", "typed", "typed")]
    ):
        walk.locator("#walk-preset").select_option(preset)
        expect(walk.locator("#walk-corpus")).to_have_value(next(each.text for each in PRESETS if each.name == preset))
        is_ready(walk)
        if typed:
            text.evaluate("(field, typed) => { field.value = typed; }", typed)
        walk.locator("#open-in-workbench").click()
        expect(walk.locator("#corpus")).to_have_value(walk.locator("#walk-corpus").input_value())
        assert text.input_value() == expected, number
        walk.locator(".views [data-view=walkthrough]").click()


def test_a_forgotten_model_is_trained_again_unseen(walk: Page, server: Server, watch: Watch) -> None:
    watch.expected_statuses = {409}
    server.forget()
    step(walk)
    stands_at(walk, 1)


def test_g_the_language_changes_and_everything_stays(walk: Page) -> None:
    step(walk, 5)
    walk.locator("#walk-text").fill("weave ✓")
    walk.locator("#walk-merges-view [data-token]").first.click()
    expect(walk.locator("#walk-origin-token")).to_have_text("ea")
    walk.locator("[data-language=de]").click()
    expect(walk.locator("#walk-next")).to_contain_text("Nächste Verschmelzung, Nr.\u00a06")
    stands_at(walk, 5)
    expect(walk.locator("#walk-watch p:visible")).to_contain_text("Zu beobachten:")
    expect(walk.locator("#walk-origin-view")).to_contain_text("Seine Codepunkte")
    expect(walk.locator("#walk-subwords-view")).to_contain_text("unbekannt")
    expect(walk.locator("#walk-text")).to_have_value("weave ✓")
    expect(walk.locator("#walk-figures dd").nth(2)).to_contain_text(",")
    step(walk)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(open_page: OpenPage, watch: Watch, language: str, theme: str) -> None:
    watch.expected_statuses = {422}
    page = open_page(f"/walkthrough?lang={language}", color_scheme=theme)
    is_ready(page)
    assert violations(page) == []
    step(page, 7)
    page.locator("#walk-merges-view [data-token]").last.click()
    expect(page.locator("#walk-origin-token")).to_be_visible()
    page.locator("#walk-text").fill("weave ✓ עברית")
    page.locator("#walk-pairs-all").click()
    expect(page.locator("#walk-pairs-view tbody tr")).to_have_count(40)
    assert violations(page) == []
    page.locator("#walk-corpus").fill("▁")
    expect(page.locator("#walk-corpus-error")).not_to_be_empty()
    assert violations(page) == []


@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
@pytest.mark.parametrize("preset", ["run", "arabic", "emoji"])
def test_nothing_is_wider_than_the_window(open_page: OpenPage, width: int, preset: str) -> None:
    page = open_page("/walkthrough", viewport={"width": width, "height": 800})
    is_ready(page)
    page.locator("#walk-preset").select_option(preset)
    expect(page.locator("#walk-corpus")).to_have_value(next(each.text for each in PRESETS if each.name == preset))
    is_ready(page)
    page.locator("#walk-slider").focus()
    page.keyboard.press("End")
    expect(page.locator("#walk-next")).to_contain_text("No merge is left")
    page.locator("#walk-merges-view [data-token]").last.click()
    expect(page.locator("#walk-origin-token")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_the_controls_leave_room_to_read(open_page: OpenPage, language: str) -> None:
    page = open_page(f"/walkthrough?lang={language}", viewport={"width": 360, "height": 740})
    is_ready(page)
    height: float = page.locator(".transport").evaluate("(each) => each.offsetHeight")
    assert height <= 740 / 4


@pytest.mark.parametrize("width", [360, 700, 900, 1280, 1440, 1920])
def test_the_panels_are_read_in_the_order_of_the_document(open_page: OpenPage, width: int) -> None:
    """Down a column, then on to the next one: the numbers in front of the headings, and what Tab reaches."""
    page = open_page("/walkthrough", viewport={"width": width, "height": 900})
    is_ready(page)
    places: list[list[float]] = page.evaluate(
        "() => [...document.querySelectorAll('#walkthrough .stack > .panel')].map((each) => {"
        " const { left, top } = each.getBoundingClientRect(); return [Math.round(left), Math.round(top)]; })"
    )
    assert len(places) == 6
    assert places == sorted(places)


def test_a_token_chosen_in_the_corpus_leaves_the_reader_there(walk: Page) -> None:
    way = walk.locator("#walk-to-origin")
    expect(way).to_be_hidden()
    walk.locator("#walk-corpus-title").scroll_into_view_if_needed()
    before = walk.evaluate("() => scrollY")
    box = walk.locator("#walk-corpus-view .flow [data-t]").nth(5)
    box.click()
    expect(walk.locator("#walk-origin-token")).to_have_text(box.inner_text())
    expect(box).to_have_class(re.compile("chosen"))
    expect(walk.locator("#live")).to_contain_text("Now it stands at")
    assert walk.evaluate("() => scrollY") == before
    expect(walk.locator("#walk-origin-token")).not_to_be_in_viewport()
    way.click()
    expect(walk.locator("#walk-origin-token")).to_be_in_viewport()
    expect(walk.locator("#walk-origin-token")).to_be_focused()


def test_on_paper_it_is_a_handout(walk: Page) -> None:
    """The state that was shown, whole and without controls; no panel lies over another."""
    step(walk, 12)
    walk.locator("#walk-merges-view [data-token]").last.click()
    expect(walk.locator("#walk-origin-token")).to_be_visible()
    walk.emulate_media(media="print")
    walk.set_viewport_size({"width": 690, "height": 1000})
    for gone in ("#walk-step", "#walk-slider", "#walk-speed", "#walk-pairs-all", "#walk-place-of-token"):
        expect(walk.locator(gone)).to_be_hidden()
    for kept in ("#walk-next .next", "#walk-place", "#walk-corpus", "#walk-why-view", "#walk-origin-view .tree"):
        expect(walk.locator(kept)).to_be_visible()
    for list_ in (".pairs", ".learned"):
        assert walk.locator(list_).evaluate("(each) => each.scrollHeight <= each.clientHeight + 1"), list_
    edges: list[list[float]] = walk.evaluate(
        "() => [...document.querySelectorAll('#walkthrough .panel')].filter((each) => each.checkVisibility())"
        ".map((each) => { const { top, bottom } = each.getBoundingClientRect(); return [top, bottom]; })"
    )
    assert len(edges) == 7
    for (_, bottom), (top, _) in pairwise(edges):
        assert bottom <= top + 1


def test_the_frame_of_the_next_places_covers_no_neighbour(walk: Page) -> None:
    """A dashed frame stands inside of its boxes; around them only where a solid one is inside already."""
    step(walk, 6)
    offsets = walk.locator("#walk-corpus-view .flow b").evaluate_all(
        "(all) => all.map((each) => [each.querySelector('mark') !== null, getComputedStyle(each).outlineOffset])"
    )
    assert {tuple(each) for each in offsets} <= {(True, "1px"), (False, "-1px")}
    assert (True, "1px") in {tuple(each) for each in offsets}
