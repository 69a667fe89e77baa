"""The lesson in a real browser: every element of S7, links that drive the walkthrough, problems, the listing, paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

import pairloom
from pairloom.web.presets import PRESETS
from pairloom.web.scenes import scenes
from tests.web.conftest import OpenPage, Watch
from tests.web.test_browser_access import reach, violations
from tests.web.test_browser_copying import ALLOWED, KEEP_READING, NO_CLIPBOARD
from tests.web.test_browser_walkthrough import WEAVER, is_ready
from tests.web.test_lesson import lines_of, printed_by

pytestmark = pytest.mark.browser

MODEL = pairloom.train(WEAVER, 40_000, pre_tokenizer="punctuation")
CORPORA = {preset.name: preset.text for preset in PRESETS}


def opened(open_page: OpenPage, path: str = "/lesson", **options: object) -> Page:
    page = open_page(path, **options)  # type: ignore[arg-type]  # handed on as they are
    expect(page.locator("#lesson-practice")).to_be_attached()
    expect(page.locator("#walk-predict")).to_be_attached()
    is_ready(page)
    return page


@pytest.fixture
def lesson(open_page: OpenPage) -> Page:
    """The lesson, freshly opened, on a wide screen."""
    return opened(open_page, viewport={"width": 1440, "height": 900})


def section(page: Page, name: str) -> str:
    return " ".join(page.locator(f"#lesson-{name}").inner_text().split())


def test_s7_stands_beside_the_walkthrough(lesson: Page) -> None:
    text, walk = (lesson.locator(each).bounding_box() for each in ("#lesson-text", "#walkthrough"))
    assert text
    assert walk
    assert text["x"] + text["width"] <= walk["x"] + 20
    assert abs(text["y"] - walk["y"]) < 40
    lesson.locator(".views [data-view=walkthrough]").click()
    expect(lesson.locator("#lesson")).to_be_hidden()
    lesson.locator("#walk-to-lesson").click()
    expect(lesson.locator("#lesson-title")).to_be_focused()
    expect(lesson.locator("#walkthrough")).to_be_visible()
    assert lesson.title() == "Pairloom · lesson"


def test_s7_five_numbered_panels(lesson: Page) -> None:
    headings = [
        each.split("·")[0].strip() for each in lesson.locator("#walkthrough h2").all_inner_texts() if "·" in each
    ]
    assert sorted(headings) == ["1", "2", "3", "4", "5"]
    panels = lesson.locator("#lesson-panels .panels > li")
    expect(panels).to_have_count(5)
    panel = lesson.locator("#walkthrough .pointed")
    names = ("Corpus", "Pair counts", "Vocabulary", "The corpus after the merges so far", "Encode new text")
    for number, name in enumerate(names, 1):
        item = panels.nth(number - 1)
        expect(item.locator("b")).to_have_text(name)
        item.locator(".go").click()
        expect(panel).to_have_count(1)
        expect(panel.locator("h2").first).to_have_text(f"{number} · {name}")
        expect(panel).to_be_in_viewport()
    # Whoever goes on has looked.
    lesson.locator("#walk-back").click()
    expect(panel).to_have_count(0)


def test_s7_the_words_and_figures(lesson: Page) -> None:
    expect(lesson.locator("#lesson-use ol li")).to_have_count(5)
    assert "Language models never see letters or words" in section(lesson, "why")
    rows = [row.split("\t") for row in lesson.locator(".grains tr").all_inner_texts()]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["", "Character", "Word", "Subword"],
        ["Vocabulary", "tiny, about 100; for Chinese thousands", "huge, 100,000 and more", "chosen, 30,000 to 200,000"],
        ["Sequences", "very long", "short", "medium"],
        [
            "Unknown tokens",
            "none, if the alphabet is complete; here only characters that the corpus lacks",
            "common; every typo is one",
            "rare",
        ],
        [
            "What that means",
            "spelling must be learned before anything else",
            "each form of a word is learned on its own",
            "frequent words whole, rare ones in pieces",
        ],
    ]
    expect(lesson.locator("#lesson-algorithm ol li")).to_have_count(5)
    assert "vocabulary size = base alphabet + merges" in section(lesson, "size")
    marker = section(lesson, "marker")
    for said in ("▁run", "overrun", "SentencePiece", "GPT-2"):
        assert said in marker
    works = section(lesson, "works")
    for said in ("Frequent words become one token", "Rare and new words still work", "deterministic", "dial"):
        assert said in works
    real = section(lesson, "real")
    for said in (
        "GPT, Llama",
        "bytes",
        "nothing is ever unknown",
        "regular expression",
        "tie",
        "not the tokenizer of any",
    ):
        assert said in real
    badly = lesson.locator("#lesson-badly dt").all_inner_texts()
    assert badly == ["Word structure", "Numbers", "Other scripts", "Spelling"]


def test_s7_the_formula_is_mathml(lesson: Page) -> None:
    formula = lesson.locator("#lesson-choice math.formula")
    assert re.sub(r"\s", "", formula.text_content() or "") == "(a,b)*=argmax(a,b)∑wf(w)·count(w,ab)"
    box = formula.bounding_box()
    assert box
    assert box["height"] > 20
    # Built as mathematics: the pair stands under argmax, the word under the sum.
    expect(formula.locator("munder")).to_have_count(2)
    over, under = lesson.evaluate(
        "() => [...document.querySelector('#lesson-choice .formula munder').children]"
        ".map((each) => each.getBoundingClientRect().y)"
    )
    assert under > over
    expect(lesson.locator("#lesson-choice .terms dt")).to_have_count(4)


@pytest.mark.parametrize("name", list(scenes()))
def test_s7_a_link_sets_text_prefix_and_highlight(lesson: Page, name: str) -> None:
    scene = scenes()[name]
    corpus = scene.corpus or CORPORA[scene.preset]
    total = len(pairloom.train(corpus, 40_000, pre_tokenizer="punctuation").merges)
    lesson.locator(f"#lesson-text .go[data-scene={name}]").first.click()
    expect(lesson.locator("#walk-place")).to_have_text(f"{scene.prefix} / {total}")
    expect(lesson.locator("#walk-corpus")).to_have_value(corpus)
    expect(lesson.locator("#walk-preset")).to_have_value(scene.preset)
    expect(lesson.locator("#walk-text")).to_have_value(scene.text)
    pointed = lesson.locator("#walkthrough .pointed")
    expect(pointed.locator(f"#{scene.panel}").or_(lesson.locator(f"#{scene.panel}.pointed"))).to_have_count(1)
    expect(lesson.locator(f"#{scene.panel}")).to_be_in_viewport()
    expect(lesson.locator(f"#lesson-text .go[data-scene={name}]").first).to_have_attribute("aria-current", "true")
    tokens = pairloom.train(corpus, 40_000, pre_tokenizer="punctuation").encode(scene.text, scene.prefix).tokens
    expect(lesson.locator("#walk-subwords-view .tokens li")).to_have_count(len(tokens))


def test_s7_a_text_of_ones_own_can_be_brought_back(lesson: Page) -> None:
    lesson.locator("#walk-corpus").fill("mine mine mine")
    expect(lesson.locator("#walk-place")).to_have_text("0 / 4")
    lesson.locator("#walk-step").click()
    expect(lesson.locator("#walk-place")).to_have_text("1 / 4")
    lesson.locator(".go[data-scene=tie]").click()
    expect(lesson.locator("#walk-place")).to_have_text("0 / 12")
    lesson.locator("#walk-bring-back").click()
    expect(lesson.locator("#walk-corpus")).to_have_value("mine mine mine")
    expect(lesson.locator("#walk-place")).to_have_text("0 / 4")
    expect(lesson.locator("#walk-bring-back")).to_be_hidden()


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_s7_the_listing_copied_and_run_prints_the_pages_merges(open_page: OpenPage, has_clipboard: bool) -> None:
    script = KEEP_READING if has_clipboard else NO_CLIPBOARD
    page = opened(open_page, script=script, permissions=ALLOWED)
    page.locator("[data-copy=lesson-program]").click()
    expect(page.locator("[data-copy-word]")).to_have_text("The program is copied.")
    expect(page.locator("#live")).to_have_text("The program is copied.")
    assert printed_by(page.evaluate("() => window.read()")) == lines_of(MODEL)
    # What the walkthrough shows, merge for merge.
    page.locator("#walk-slider").focus()
    page.keyboard.press("End")
    expect(page.locator("#walk-place")).to_have_text(f"{len(MODEL.merges)} / {len(MODEL.merges)}")
    shown = page.locator("#walk-merges-view tbody tr").last.inner_text().split("\t")
    last = MODEL.merges[-1]
    assert [each.strip() for each in shown] == [
        str(len(MODEL.merges)),
        f"{last.left} + {last.right} → {last.result}",
        str(last.frequency),
        str(last.replacements),
    ]
    page.locator("#walk-preset").select_option("run")
    expect(page.locator("#walk-place")).to_have_text("0 / 11")
    page.locator("[data-program]").click()
    expect(page.locator("#lesson-program")).to_contain_text("▁aaaaaaaaaaaaaaaa")
    page.locator("[data-copy=lesson-program]").click()
    expect(page.locator("[data-copy-word]")).to_have_text("The program is copied.")
    assert printed_by(page.evaluate("() => window.read()")) == lines_of(
        pairloom.train(CORPORA["run"], 40_000, pre_tokenizer="punctuation")
    )


def test_s7_practice_problems_with_solutions_on_request(lesson: Page) -> None:
    problem = lesson.locator("#problem-hug-merges")
    expect(problem.locator(".given")).to_contain_text("hug 10, pug 5, pun 12, bun 4, hugs 5")
    assert "u + g" not in problem.inner_text()
    field = problem.locator("input.answer")
    field.fill("u+g, h+ug, u+n")
    field.press("Enter")
    verdict = problem.locator(".verdict")
    expect(verdict).to_contain_text("Not yet.")
    expect(verdict).to_contain_text("h + ug occurs 15 times, the most frequent pair, u + n, 16 times")
    expect(lesson.locator("#live")).to_contain_text("Not yet.")
    expect(field).to_be_focused()
    field.fill("u+g, u+n, h+ug")
    problem.get_by_role("button", name="Check").click()
    expect(verdict).to_contain_text("Right.")
    button = problem.get_by_role("button", name="Show the solution")
    expect(problem.locator(".solution")).to_be_empty()
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(problem.locator(".solution")).to_contain_text("Pair counts before merge #1")
    assert [each.strip() for each in problem.locator(".counted").first.locator("td:last-child").all_inner_texts()] == [
        "20", "17", "16", "15", "5", "4",
    ]  # fmt: skip  # one column
    expect(problem.locator(".remarks")).to_contain_text("marker")
    button.click()
    expect(problem.locator(".solution")).to_be_empty()
    for name, answer in (("hug-bug", "b ug"), ("hug-thugs", "t hug s")):
        other = lesson.locator(f"#problem-{name}")
        other.locator("input.answer").fill(answer)
        other.locator("input.answer").press("Enter")
        expect(other.locator(".verdict")).to_contain_text("Right.")


def test_s7_problems_without_end(lesson: Page) -> None:
    form = lesson.locator(".generator")
    form.locator("[name=seed]").fill("loom")
    form.locator("[name=level]").select_option("2")
    form.locator("[name=seed]").press("Enter")
    made = lesson.locator("#problem-endless")
    expect(made).to_be_visible()
    first = made.inner_text()
    expect(lesson.locator("#live")).to_have_text(made.locator(".question").inner_text())
    form.locator("[data-next]").click()
    expect(form.locator("[name=number]")).to_have_value("2")
    expect(made).not_to_have_text(first, use_inner_text=True)
    form.locator("[name=number]").fill("1")
    form.locator("[name=number]").press("Enter")
    expect(made).to_have_text(first, use_inner_text=True)
    made.locator("input.answer").fill("?")
    made.locator("input.answer").press("Enter")
    expect(made.locator(".verdict .wrong")).to_be_visible()
    made.locator("[data-solve]").click()
    expect(made.locator(".solution")).to_contain_text("Answer:")
    href = lesson.locator("#lesson-worksheet").get_attribute("href")
    assert str(href).replace("/?", "?") == "/lesson/worksheet?seed=loom&level=2&kind=mixed&lang=en"


def test_s7_a_link_gives_a_class_the_same_problem(lesson: Page, open_page: OpenPage) -> None:
    form = lesson.locator(".generator")
    form.locator("[name=seed]").fill("loom & co")
    form.locator("[name=level]").select_option("2")
    form.locator("[name=kind]").select_option("tie")
    form.locator("[data-next]").click()
    made = lesson.locator("#problem-endless")
    expect(made).to_be_visible()
    href = lesson.locator("#lesson-problem-link").get_attribute("href") or ""
    assert href.replace("/?", "?") == "/lesson?lang=en#problem?kind=tie&level=2&seed=loom+%26+co&number=2"
    other = opened(open_page, href)
    expect(other.locator("#problem-endless")).to_have_text(made.inner_text(), use_inner_text=True)
    expect(other.locator(".generator [name=seed]")).to_have_value("loom & co")


def test_s7_a_number_that_names_no_problem_is_said(lesson: Page, watch: object) -> None:
    watch.expected_statuses = {400}  # type: ignore[attr-defined]  # the fixture of conftest
    lesson.locator(".generator [name=number]").fill("x")
    lesson.locator(".generator [name=number]").press("Enter")
    expect(lesson.locator("#lesson-endless-error")).to_contain_text("from 1 to 9,999")
    expect(lesson.locator("#lesson-generated")).to_be_empty()


def test_s7_another_language_keeps_what_is_open(lesson: Page) -> None:
    problem = lesson.locator("#problem-tie")
    problem.locator("input.answer").fill("q + q")
    problem.locator("input.answer").press("Enter")
    expect(problem.locator(".verdict")).to_contain_text("Read as:")
    problem.locator("[data-solve]").click()
    expect(problem.locator(".solution")).to_contain_text("Answer:")
    lesson.locator("#walk-predict").select_option("merge")
    expect(lesson.locator("#walk-answer")).to_be_visible()
    lesson.locator("#walk-word").fill("weaver")
    lesson.locator("#walk-word").press("Enter")
    # With a question open, a word's life would give the answer away.
    expect(lesson.locator("#walk-life-view")).to_contain_text("This tells of merges to come")
    lesson.locator("a[data-language=de]").click()
    expect(lesson.locator("#lesson-title")).to_have_text("Wie aus Text Tokens werden")
    expect(problem.locator(".verdict")).to_contain_text("Gelesen als:")
    expect(problem.locator(".solution")).to_contain_text("Antwort:")
    expect(problem.locator("input.answer")).to_have_value("q + q")
    expect(lesson.locator("#walk-predict")).to_have_value("merge")
    expect(lesson.locator("#walk-ask")).to_contain_text("Antwort")
    # The question opens anew, and what waits for its answer still says so, whichever of the two comes first.
    waits = "Das verrät kommende Verschmelzungen: zuerst die Frage beantworten."
    expect(lesson.locator("#walk-life-view")).to_have_text(waits)
    for place in ("#lesson-text", "#walk-tools", "#walk-more"):
        shown = lesson.locator(place).inner_text()
        assert not re.search(
            r"\b(the|and|merge|Copy|answer)\b", re.sub(r"def .*", "", shown.split("from collections")[0])
        ), place


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_s7_axe_finds_nothing(open_page: OpenPage, language: str, theme: str) -> None:
    page = opened(open_page, f"/lesson?lang={language}", color_scheme=theme)
    problem = page.locator("#problem-hug-merges")
    problem.locator("input.answer").fill("a + b")
    problem.locator("input.answer").press("Enter")
    expect(problem.locator(".judged")).to_be_visible()
    problem.locator("[data-solve]").click()
    expect(problem.locator(".counted")).to_have_count(3)
    page.locator(".go[data-scene=typo]").click()
    page.locator("#walk-word").fill("weaver")
    page.locator("#walk-word").press("Enter")
    expect(page.locator("#walk-life-view h3")).to_be_visible()
    page.locator("#walk-rule").select_option("largest_pair")
    page.locator("#walk-rule-form button").click()
    expect(page.locator("#walk-rule-view .compared").first).to_be_visible()
    assert violations(page) == []
    page.locator("#walk-reset").click()
    page.locator("#walk-predict").select_option("merge")
    expect(page.locator("#walk-answer")).to_be_visible()
    page.locator("#walk-answer").fill("q + q")
    page.locator("#walk-answer").press("Enter")
    expect(page.locator("#walk-verdict .judged")).to_be_visible()
    assert violations(page) == []
    page.goto("/lesson/print")
    assert violations(page) == []
    page.goto("/lesson/worksheet?seed=1&level=3")
    assert violations(page) == []


def test_s7_by_keyboard_alone_from_the_front_page_to_a_solved_problem(open_page: OpenPage) -> None:
    page = open_page("/")
    keys = page.keyboard
    reach(page, ".views [data-view=lesson]")
    keys.press("Enter")
    expect(page.locator("#lesson-title")).to_be_focused()
    expect(page.locator("#lesson-practice")).to_be_attached()
    is_ready(page)
    reach(page, ".go[data-scene=corpus]")
    keys.press("Enter")
    expect(page.locator("#walk-place")).to_have_text("0 / 33")
    reach(page, ".go[data-scene=vocabulary]")
    keys.press("Enter")
    expect(page.locator("#walk-place")).to_have_text("4 / 33")
    expect(page.locator(".go[data-scene=vocabulary]").first).to_be_focused()
    page.locator("#answer-hug-merges").focus()
    keys.type("u g, u n, h ug")
    keys.press("Enter")
    expect(page.locator("#problem-hug-merges .right")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_s7_fits_a_phone(open_page: OpenPage, language: str) -> None:
    page = opened(open_page, f"/lesson?lang={language}", viewport={"width": 360, "height": 740})
    page.locator(".go[data-scene=typo]").click()
    pointed = page.locator(".pointed")
    expect(pointed.locator("h2")).to_be_in_viewport()
    # There is a way back to the very line.
    page.locator("#lesson-back").click()
    expect(page.locator(".go[data-scene=typo]")).to_be_focused()
    expect(page.locator(".go[data-scene=typo]")).to_be_in_viewport()
    expect(page.locator("#lesson-back")).to_be_hidden()
    page.locator("#problem-hug-merges [data-solve]").click()
    expect(page.locator("#problem-hug-merges .counted").first).to_be_visible()
    page.locator("#walk-predict").select_option("merge")
    expect(page.locator("#walk-ask")).not_to_be_empty()
    wide = page.evaluate(
        "() => [...document.querySelectorAll('#lesson *, #walk-tools *, #walk-more *, #walk-ask *')]"
        ".filter((each) => each.checkVisibility() && !each.closest('.scroll, .listing, .formula, .unseen')"
        " && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML.slice(0, 80))"
    )
    assert wide == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_s7_nothing_jumps_while_the_lesson_comes(open_page: OpenPage) -> None:
    """The walkthrough stands where it will stand before the lesson's text is there."""
    page = open_page("/walkthrough")
    expect(page.locator("#walk-predict")).to_be_attached()
    is_ready(page)
    held: list[Route] = []
    page.route("**/lesson/text", lambda route: held.append(route))  # noqa: PLW0108  # as above
    page.locator(".views [data-view=lesson]").click()
    expect(page.locator("#lesson-text")).to_have_attribute("aria-busy", "true")
    place = "() => { const { x, y } = document.querySelector('.transport').getBoundingClientRect(); return [x, y]; }"
    before = page.evaluate(place)
    held[0].continue_()
    expect(page.locator("#lesson-practice")).to_be_attached()
    assert page.evaluate(place) == before


def test_s7_another_language_keeps_its_style(lesson: Page) -> None:
    styled = "() => [...document.styleSheets].filter((sheet) => sheet.href.endsWith('/lesson.css')).length"
    assert lesson.evaluate(styled) == 1
    size = "(heading) => getComputedStyle(heading).fontSize"
    before = lesson.locator("#lesson-title").evaluate(size)
    for language in ("de", "en"):
        lesson.locator(f"a[data-language={language}]").click()
        expect(lesson.locator("html")).to_have_attribute("lang", language)
        assert lesson.evaluate(styled) == 1
        assert lesson.locator("#lesson-title").evaluate(size) == before
    assert (
        lesson.evaluate(
            "() => performance.getEntriesByType('resource').filter((each) => /htmx/.test(each.name)).length"
        )
        == 2
    )


def test_s7_a_failure_is_said_where_the_reader_is(lesson: Page, watch: Watch) -> None:
    watch.expected_statuses.add(500)
    lesson.route("**/lesson/solution", lambda route: route.fulfill(status=500, body=""))
    lesson.locator("#problem-hug-merges [data-solve]").click()
    expect(lesson.locator("#trouble")).to_contain_text("did not answer as it should")
    expect(lesson.locator("#trouble")).to_be_in_viewport(ratio=1)


def test_s7_on_paper(open_page: OpenPage) -> None:
    page = opened(open_page)
    page.emulate_media(media="print")
    expect(page.locator("#walkthrough")).to_be_hidden()
    expect(page.locator("#lesson-title")).to_be_visible()
    for hidden in (".go", ".generator", "form.answer", "#lesson-text .toc"):
        expect(page.locator(hidden).first).to_be_hidden()
    page.goto("/lesson/print")
    page.emulate_media(media="print")
    expect(page.locator("#lesson-solutions")).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.getElementById('lesson-solutions')).breakBefore") == "page"
    page.goto("/lesson/worksheet?seed=1&level=2")
    page.emulate_media(media="print")
    # In the static edition, Python has to start for it.
    expect(page.locator(".sheet").first).to_be_attached(timeout=60_000)
    assert page.evaluate("() => getComputedStyle(document.querySelectorAll('.sheet')[1]).breakBefore") == "page"
    # On a server none; in the static edition what chooses the language and what starts Python.
    assert page.evaluate("() => document.scripts.length") in {0, 2}
