"""The lesson's requests: its text, listing, scenes and problems; predictions that hide what they ask. Rule: S7."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from html import unescape

import pytest
from starlette.applications import Starlette

import pairloom
from pairloom import educational
from pairloom.history import History
from pairloom.views.lesson.fixed import FIXED, HUGS
from pairloom.views.lesson.problems import KINDS, split
from pairloom.views.lesson.wording import answer_text
from pairloom.web.app import create_app
from pairloom.web.asking import fixed, generated
from pairloom.web.handlers.lesson import first_listing
from pairloom.web.listing import FUNCTIONS, functions, listing
from pairloom.web.predicting import ASKED_FOR, question_at
from pairloom.web.presets import PRESETS
from pairloom.web.scenes import RUN, scenes
from tests.web.asgi import Answer, ask, ask_now
from tests.web.test_page_budget import CORPORA, STEP_BYTES
from tests.web.test_walkthrough import form, key_in, text, train

WEAVER = pairloom.train(PRESETS[0].text, 40_000, pre_tokenizer="punctuation")


def words(markup: str) -> str:
    """The text of a fragment, its cells and lines apart."""
    return text(re.sub(r"<(?!/?(?:bdi|i|b|span|samp)\b)", " <", markup))


def printed_by(program: str) -> list[str]:
    """What a plain Python prints that knows nothing of Pairloom."""
    ran = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", program],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout.splitlines()


def lines_of(model: pairloom.Model) -> list[str]:
    return [
        f"{each.rank + 1} {each.left!r} {each.right!r} {each.frequency} {each.replacements} {each.corpus_tokens}"
        for each in model.merges
    ]


def test_the_listing_is_the_files_own() -> None:
    source = educational.__loader__.get_source("pairloom.educational")  # type: ignore[union-attr]  # has one: a file
    shown = functions()
    for name in FUNCTIONS:
        body = re.search(rf"^def {name}\(.*?(?=\n\n\n)", source, re.DOTALL | re.MULTILINE)
        assert body
        assert body[0] in shown
    assert "pairloom" not in shown


def test_the_listing_prints_the_merges_of_the_first_preset() -> None:
    assert printed_by(first_listing()) == lines_of(WEAVER)


@pytest.mark.parametrize(
    "corpus", [each.text for each in PRESETS] + [RUN, "it's \"so\" \\ a\u200db a\u200db \x00x \x00x 'q' 'q'"]
)
def test_the_listing_prints_the_merges_of_any_corpus(corpus: str) -> None:
    model = pairloom.train(corpus, 40_000, pre_tokenizer="punctuation")
    counts = educational.count_words(corpus, lowercase=False, pre_tokenizer="punctuation")
    assert printed_by(listing(counts)) == lines_of(model)


def test_scenes_are_what_the_text_says() -> None:
    by_name = scenes()

    def model_of(name: str) -> pairloom.Model:
        scene = by_name[name]
        texts = {preset.name: preset.text for preset in PRESETS}
        return pairloom.train(scene.corpus or texts[scene.preset], 40_000, pre_tokenizer="punctuation")

    def tokens(name: str, of: str | None = None) -> tuple[str, ...]:
        return model_of(name).encode(of or by_name[name].text, by_name[name].prefix).tokens

    # One stem at the beginning and at the end of a word: two tokens.
    assert tokens("marker") == ("▁run", "▁", "o", "v", "e", "r", "run")
    assert len(set(model_of("marker").encode("run overrun", by_name["marker"].prefix).known_ids())) == 7
    # Two letters swapped: unknown as a word, and still the stem in one piece.
    assert "weavnig" in by_name["typo"].text
    assert model_of("typo").encode("weavnig").tokens == ("▁weav", "n", "i", "g")
    assert "weavnig" not in PRESETS[0].text
    assert "weaving" in PRESETS[0].text
    first = model_of("overlap").merges[0]
    assert (first.frequency or 0) > (first.replacements or 0)
    tied = educational.count_pairs([(list(word), 1) for word in ("▁nap", "▁pan", "▁tap", "▁pat", "▁nat", "▁tan")])
    assert len({count for _, count in tied.most_common(9)}) == 1
    assert tokens("stems", "lower") == ("▁lo", "wer")
    assert tokens("numbers", "2000") == ("▁2000",)
    assert tokens("numbers", "2001") == ("▁200", "1")
    assert any(token[0] == "ु" for token in model_of("hindi").vocabulary if len(token) > 1)
    assert tokens("emoji")[0] == "▁👩‍👩‍👧"
    assert len(tokens("emoji")) > 2
    assert tokens("spelling") == ("▁weaver",)
    assert model_of("foreign").encode(by_name["foreign"].text).unknown_count > 3
    assert "unweaving" not in by_name["rare"].corpus
    assert model_of("rare").encode("unweaving").tokens[-1] == "ing"


def solved(name: str) -> str:
    return words(ask_now(create_app(), "POST", "/lesson/solution", form={"fixed": name}).text)


def test_s7_the_intermediate_counts_of_the_first_three_merges() -> None:
    shown = solved("hug_merges")
    for counts in (
        "Pair Frequency u + g 20 p + u 17 u + n 16 h + u 15 g + s 5 b + u 4",
        "Pair Frequency u + n 16 h + ug 15 p + u 12 p + ug 5 ug + s 5 b + u 4",
        "Pair Frequency h + ug 15 p + un 12 p + ug 5 ug + s 5 b + un 4",
    ):
        assert counts in shown
    assert "Answer: u + g, u + n, h + ug" in shown
    assert "the answer is another one: there every word begins with the marker" in shown
    merges = educational.train(dict(HUGS.counts), 3)
    assert [each[:2] for each in merges] == [("u", "g"), ("u", "n"), ("h", "ug")]


def test_s7_bug_and_thugs() -> None:
    assert "Answer: bug At the start" in solved("hug_bug")
    assert "has the lowest rank: bug." in solved("hug_bug")
    assert "tokenizer on bytes would have no unknown" in solved("hug_thugs")


@pytest.mark.parametrize("name", FIXED)
def test_no_answer_is_sent_before_it_is_asked_for(name: str) -> None:
    app = create_app()
    asked = fixed(name)
    answer = answer_text(asked.problem)
    page = ask_now(app, "GET", "/lesson/text").text
    problem = page[page.index(f'id="problem-{asked.id}"') :].partition("</article>")[0]
    assert f">{answer}<" not in problem
    assert "Answer:" not in problem
    right = ask_now(app, "POST", "/lesson/answer", form={"fixed": name, "answer": answer})
    assert "judged right" in right.text
    wrong = ask_now(app, "POST", "/lesson/answer", form={"fixed": name, "answer": "q + q, q + q, q + q"})
    assert "judged wrong" in wrong.text
    assert len(text(wrong.text)) > len("That could not be read.")


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_generated_problems_can_be_solved_with_their_solutions(kind: str, language: str) -> None:
    app = create_app()
    for number in range(1, 7):
        fields = {"seed": "loom", "level": str(1 + number % 3), "kind": kind, "number": str(number)}
        head = [("page-language", language)]
        shown = ask_now(app, "POST", "/lesson/problem", form=fields, headers=head)
        assert shown.status == 200
        answer = answer_text(generated("loom", 1 + number % 3, kind, number, language).problem)
        judged = ask_now(app, "POST", "/lesson/answer", form=fields | {"answer": answer}, headers=head)
        assert "judged right" in judged.text, (number, answer, text(judged.text))
        assert ask_now(app, "POST", "/lesson/solution", form=fields, headers=head).status == 200


@pytest.mark.parametrize(
    "fields",
    [
        {"fixed": "nonsense"},
        {"seed": "1", "level": "4", "kind": "mixed", "number": "1"},
        {"seed": "1", "level": "1", "kind": "x", "number": "1"},
        {"seed": "1", "level": "1", "kind": "mixed", "number": "0"},
        {"seed": "1", "level": "1", "kind": "mixed", "number": "１"},
        {"seed": "x" * 41, "level": "1", "kind": "mixed", "number": "1"},
        {},
    ],
)
def test_what_names_no_problem_is_refused(fields: dict[str, str]) -> None:
    assert ask_now(create_app(), "POST", "/lesson/problem", form=fields).status == 400


def test_the_text_comes_compressed_and_is_small() -> None:
    app = create_app()
    for language in ("en", "de"):
        head = [("page-language", language), ("accept-encoding", "gzip")]
        answer = ask_now(app, "GET", "/lesson/text", headers=head)
        assert answer.headers["content-encoding"] == "gzip"
        assert len(answer.body) <= 14 * 1024
        assert (
            ask_now(app, "GET", "/lesson/text", headers=[("page-language", language)]).headers.get("content-encoding")
            is None
        )


def test_the_lesson_can_be_read_without_scripts() -> None:
    app = create_app()
    page = ask_now(app, "GET", "/lesson").text
    assert re.search(r'<noscript>.*href="/lesson/print\?lang=en"', page)
    printed = ask_now(app, "GET", "/lesson/print").text
    assert "<script" not in printed
    assert "<form" not in printed
    shown = text(printed)
    assert "Language models never see letters or words" in shown
    # Solutions come after all problems.
    assert shown.index("Solutions") > shown.rindex("Write ")
    assert "Answer: u + g, u + n, h + ug" in shown


def test_a_worksheet_has_its_key_on_another_page() -> None:
    app = create_app()
    first = ask_now(app, "GET", "/lesson/worksheet?seed=loom&level=2&count=3&kind=mixed&lang=en")
    assert first.status == 200
    sheet, key = first.text.split("<article", 2)[1:]
    answer = answer_text(generated("loom", 2, "mixed", 1, "en").problem)
    assert answer.split(",")[0].replace(" ", "") in text(key).replace(" ", "")
    assert "judged" not in sheet
    assert first.body == ask_now(app, "GET", "/lesson/worksheet?seed=loom&level=2&count=3&kind=mixed&lang=en").body
    for wrong in ("level=4", "count=0", "count=41", "kind=x", f"seed={'x' * 41}"):
        assert ask_now(app, "GET", f"/lesson/worksheet?{wrong}").status == 400


# -- predictions


async def asked_at(app: Starlette, key: str, prefix: int, path: str = "step", **more: str) -> Answer:
    return await ask(app, "POST", f"/walkthrough/{path}", form={"key": key, "prefix": str(prefix), **more})


HIDDEN = re.compile(r"Next merge|is-next|<b><(i|mark)|most frequent pair:|A tie:")


@pytest.mark.parametrize("wanted", ASKED_FOR)
@pytest.mark.parametrize("preset", ["weaver", "run", "ties", "hindi"])
def test_a_prediction_hides_what_it_asks_for(wanted: str, preset: str) -> None:
    """Neither the step nor any page of its parts holds the answer before it was given."""
    corpus = next(each.text for each in PRESETS if each.name == preset)
    model = pairloom.train(corpus, 40_000, pre_tokenizer="punctuation")
    history = History.of(pairloom.count_words(corpus, pre_tokenizer="punctuation"), model)

    async def main() -> None:
        app = create_app()
        result = await train(app, corpus, predict=wanted, text="")
        assert not HIDDEN.search(result)
        key = key_in(result)
        for prefix in (0, 1, 4, len(model.merges) - 1):
            question = question_at(history, prefix, wanted)
            assert question is not None
            answer = answer_text(question)
            for path in ("step", "shown", "pairs", "corpus"):
                shown = await asked_at(app, key, prefix, path, predict=wanted, page="0")
                assert shown.status == 200
                assert not HIDDEN.search(shown.text), path
                assert "aria-valuetext" not in shown.text
            wrong = await asked_at(app, key, prefix, "predict", predict=wanted, answer="0")
            assert "judged wrong" in wrong.text
            assert not HIDDEN.search(wrong.text)
            right = await asked_at(app, key, prefix, "predict", predict=wanted, answer=answer)
            assert "judged right" in right.text, (answer, text(right.text))
            assert "Next merge" in right.text
            revealed = await asked_at(app, key, prefix, "predict", predict=wanted, reveal="on")
            assert "Next merge" in revealed.text
            assert "Answer:" in revealed.text
            # The answer stays while its pages are turned, and ends with the step.
            turned = await asked_at(app, key, prefix, "pairs", predict=wanted, revealed=str(prefix))
            assert "is-next" in turned.text
            if prefix + 1 < len(model.merges):
                after = await asked_at(app, key, prefix + 1, predict=wanted, revealed=str(prefix))
                assert not HIDDEN.search(after.text)
        end = await asked_at(app, key, len(model.merges), predict=wanted)
        assert "nothing to predict" in end.text
        assert (await asked_at(app, key, 0, predict="nonsense")).status == 400
        assert (await asked_at(app, key, 0, "predict", answer="x")).status == 400

    asyncio.run(main())


def test_nothing_beside_an_open_question_tells_of_merges_to_come() -> None:
    """A word's life, another rule's training and the picture hold the answer too, and wait for it."""

    async def main() -> None:
        app = create_app()
        key = key_in(await train(app, PRESETS[0].text, predict="merge"))
        asking = {"predict": "merge", "walk_word": "weaver", "rule": "first_seen"}
        merge = WEAVER.merges[3]
        for path in ("life", "rule"):
            hidden = await asked_at(app, key, 3, path, **asking)
            assert "This tells of merges to come" in hidden.text
            assert "<td" not in hidden.text
            assert "<td" in (await asked_at(app, key, 3, path, **asking, revealed="3")).text
            assert "<td" in (await asked_at(app, key, 3, path, **asking | {"predict": ""})).text
        pictured = f"{merge.left}\u2069 + \u2068{merge.right}"
        shown = await asked_at(app, key, 3, "picture", **asking, revealed="3")
        assert pictured in shown.text
        assert "stroke-dasharray" in shown.text
        hidden = await asked_at(app, key, 3, "picture", **asking)
        assert "<svg" in hidden.text
        assert pictured not in hidden.text
        assert "stroke-dasharray" not in hidden.text

    asyncio.run(main())


def test_a_predicted_split_has_a_merge_to_be_found_first() -> None:
    async def main() -> None:
        app = create_app()
        key = key_in(await train(app, LOW))
        said = "Find out first which merge comes next."
        assert said in text((await asked_at(app, key, 2, predict="split")).text)
        assert said not in text((await asked_at(app, key, 2, predict="merge")).text)

    asyncio.run(main())


def test_a_training_that_asks_nonsense_is_refused_before_its_stream_begins() -> None:
    answer = ask_now(create_app(), "POST", "/walkthrough/train", form=form("low low", predict="nonsense"))
    assert answer.status == 400


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("hug_merges", "u + g", "One pair is given, 3 are asked for."),
        ("hug_merges", " ", "There is no answer yet."),
        ("tie", "a + p, n + a", "2 pairs are given, but only one is asked for."),
        ("run", "many", "That could not be read. many cannot be read as a whole number."),
    ],
)
def test_only_what_cannot_be_read_is_said_to_be_unreadable(name: str, answer: str, said: str) -> None:
    judged = ask_now(create_app(), "POST", "/lesson/answer", form={"fixed": name, "answer": answer})
    assert text(judged.text) == said


# -- for a class


def on(corpus: str, path: str, **more: str) -> Answer:
    async def main() -> Answer:
        app = create_app()
        key = key_in(await train(app, corpus))
        return await ask(app, "POST", f"/walkthrough/{path}", form={"key": key, "prefix": "2", **more})

    return asyncio.run(main())


LOW = "low low lower newest newest widest"
MODEL = pairloom.train(LOW, 40_000, pre_tokenizer="punctuation")


def test_a_link_is_judged_before_anything_changes() -> None:
    app = create_app()

    def judged(**fields: str) -> Answer:
        return ask_now(app, "POST", "/walkthrough/link", form=form(LOW, prefix="3", text="slow") | fields)

    assert judged().status == 200
    assert f'"fingerprint":"{MODEL.fingerprint}"' in judged().text
    assert f'"merges":{len(MODEL.merges)}' in judged().text
    for wrong in (
        {"prefix": "99"},
        {"prefix": "x"},
        {"text": "▁"},
        {"corpus": "low ▁"},
        {"corpus": " "},
        {"text": "x" * 4_001},
    ):
        answer = judged(**wrong)
        assert answer.status == 422, wrong
        assert text(answer.text)


def test_a_training_begins_at_a_prefix() -> None:
    async def main() -> None:
        app = create_app()
        assert 'data-prefix="3"' in await train(app, LOW, begin_at="3")
        assert "from 0 to 9" in text(await train(app, LOW, begin_at="99"))

    asyncio.run(main())


def test_the_picture_is_the_step() -> None:
    answer = on(LOW, "picture", corpus_page="0")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "style=" not in answer.text
    assert set(re.findall(r"<(\w+)", answer.text)) <= {"svg", "rect", "text", "tspan", "title", "desc"}
    words = re.sub(r"[\u2066-\u2069]", "", unescape(answer.text))
    assert MODEL.merges[2].result in words


def test_one_words_life() -> None:
    shown = text(on(LOW, "life", walk_word="newest").text)
    word = split(
        History.of(pairloom.count_words(LOW, pre_tokenizer="punctuation"), MODEL), len(MODEL.merges), "▁newest"
    )
    assert word.answer.tokens == ("▁newest",)  # type: ignore[union-attr]  # a split has tokens
    made = next(each.rank + 1 for each in MODEL.merges if each.result == "▁newest")
    assert f"It becomes a single token with merge #{made}." in shown
    assert "never becomes" in text(on(LOW, "life", walk_word="lower").text)
    for word_typed in ("▁newest", " newest "):
        assert f"merge #{made}" in text(on(LOW, "life", walk_word=word_typed).text)
    for word_typed, said in (("nowhere", "does not have this word"), (" ", "Type a word.")):
        refused = on(LOW, "life", walk_word=word_typed)
        assert refused.status == 422
        assert said in text(refused.text)


@pytest.mark.parametrize("rule", ["first_seen", "smallest_ids", "largest_pair", "sentencepiece"])
def test_the_same_corpus_under_another_rule(rule: str) -> None:
    corpus = PRESETS[0].text
    counts = educational.count_words(corpus, lowercase=False, pre_tokenizer="punctuation")
    ours = educational.train(counts, 40_000)
    theirs = educational.train(counts, 40_000, choose=educational.tie_rule(rule, counts))
    rank = next((place for place, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
    shown = words(on(corpus, "rule", rule=rule).text)
    if rank is None:
        assert "No difference" in shown
    else:
        first, second = (f"{each[rank][0]} + {each[rank][1]}" for each in (ours, theirs))
        assert (
            f"The first difference is merge #{rank + 1}: {first} and {second} both occur {ours[rank][2]} times" in shown
        )
    assert f"Merges {len(ours)} {len(theirs)}" in shown
    assert f"Corpus tokens {ours[-1][4]} {theirs[-1][4]}" in shown
    assert on(corpus, "rule", rule="x").status == 400


def test_the_program_has_the_words_of_the_corpus() -> None:
    answer = on(LOW, "program")
    program = re.search(r"<code[^>]*>(.*?)</code>", answer.text, re.DOTALL)
    assert program
    assert printed_by(unescape(program[1])) == lines_of(MODEL)


@pytest.mark.parametrize("name", CORPORA)
def test_an_answered_prediction_is_as_small_as_a_step(name: str) -> None:
    """Whatever the corpus: a solution of many steps says how many it leaves out."""

    async def main() -> None:
        app = create_app()
        corpus = CORPORA[name]()
        result = await train(app, corpus)
        key = key_in(result)
        for wanted in ("merge", "split", "replacements"):
            for prefix in (0, 1, 7):
                answer = await asked_at(app, key, prefix, "predict", predict=wanted, reveal="on", text=corpus[:4_000])
                assert answer.status == 200
                assert len(answer.body) <= STEP_BYTES, (wanted, prefix)

    asyncio.run(main())
