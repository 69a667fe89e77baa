"""The twin of the inspectors, the files and the lesson: its data is the library's on every vector."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import pairloom
from pairloom.formats.csv_table import merges_csv
from pairloom.formats.model_file import dumps
from pairloom.formats.model_report import report_on
from pairloom.formats.trace import rounds, trace_portions
from pairloom.history import History, TextHistory
from pairloom.views.boundaries import Comparison
from pairloom.views.encoding import EncodingView
from pairloom.views.lesson.checking import check
from pairloom.views.lesson.fixed import FIXED, fixed_problem
from pairloom.views.lesson.generator import generate
from pairloom.views.lesson.messages import MESSAGES
from pairloom.views.lesson.problems import KINDS, MergesAnswer, ReplacementsAnswer, SplitAnswer, WholeAnswer
from pairloom.views.lesson.wording import answer_text, given, question, solution
from pairloom.views.other_rule import compare_rules
from pairloom.views.raw_changes import RawChanges
from pairloom.views.second_curve import SecondCurve
from pairloom.views.stop_report import StopReport
from pairloom.views.ties import OTHER_RULES
from pairloom.views.token_report import TokenReport
from pairloom.views.usage import FILTERS, ORDERS, Usage
from pairloom.views.word_life import WordLife
from pairloom.web.app import create_app
from pairloom.web.listing import listing
from pairloom.web.predicting import ASKED_FOR, question_at
from tests.web.asgi import exchange
from tests.web.test_api import JSON, LOW, Refused, Twin, opened, plain, send, vectors

CASES = vectors("training", "reports")


def twin_of(case: dict[str, Any]) -> tuple[Twin, History]:
    settings = {"lowercase": case["lowercase"], "pre_tokenizer": case["pretokenizer"]}
    twin = Twin(create_app(), {"corpus": case["corpus"], "merge_limit": case["merge_limit"], **settings})
    model = pairloom.train(case["corpus"], case["merge_limit"], **settings)
    return twin, History.of(pairloom.count_words(case["corpus"], **settings), model)


async def all_of(twin: Twin, name: str, listed: str, *, page: str = "page", **more: object) -> list[Any]:
    """Return the rows of all pages of one list of an answer."""
    first = (await twin.ask(name, **{page: 0}, **more))[listed]
    rows = list(first["rows"])
    for index in range(1, first["count"]):
        shown = (await twin.ask(name, **{page: index}, **more))[listed]
        assert (shown["index"], shown["first"]) == (index, len(rows))
        rows += shown["rows"]
    assert first["total"] == len(rows)
    return rows


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_data_is_the_librarys_on_every_vector(case: dict[str, Any]) -> None:
    async def main() -> None:
        twin, history = twin_of(case)
        await twin.train()
        await compare_whole(twin, history, case)
        merges = len(history.model.merges)
        for prefix in sorted({0, merges // 2, merges}):
            await compare_at(twin, history, prefix)
        for each in case["encodings"]:
            await compare_text(twin, history, case["corpus"], each["text"], each["prefix"])

    asyncio.run(main())


async def compare_whole(twin: Twin, history: History, case: dict[str, Any]) -> None:
    model = history.model
    report = StopReport.of(history, size=50)
    assert await twin.ask("stop") == plain(report)
    changes = RawChanges.of(case["corpus"], lowercase=case["lowercase"])
    everything = changes.total + 1
    assert (await twin.ask("changes"))["total"] == changes.total
    assert await all_of(twin, "changes", "places") == plain(tuple(changes.page(0, size=everything).rows))
    mapped = await all_of(twin, "changes", "mapped", page="mapped_page")
    assert mapped == plain(changes.mapped)
    for number, each in enumerate(changes.mapped[:3]):
        places = await all_of(twin, "changes", "places", mapping=number)
        assert places == plain(tuple(changes.page(0, size=everything, only=each).rows))
    trace = json.loads(b"".join(trace_portions(history)))
    assert await all_of(twin, "trace", "rounds") == plain(tuple(rounds(history))) == trace["rounds"]
    words = await all_of(twin, "trace", "words")
    assert [[each["word"], each["count"]] for each in words] == trace["words"]
    head = await twin.ask("trace")
    for name in ("min_frequency", "initial_tokens", "stop_reason", "fingerprint"):
        assert head[name] == trace[name]
    assert (await twin.ask("program"))["text"] == listing(history.word_counts.counts)
    word = max(history.word_counts.counts, key=len)
    life = WordLife.of(history, word)
    found = await twin.ask("word_life", word=word)
    assert (found["word"], found["count"], found["whole_at"]) == (word, life.count, life.whole_at)
    assert await all_of(twin, "word_life", "changes", word=word) == plain(life.all_changes())
    assert await all_of(twin, "word_life", "left_behind", word=word) == plain(life.left_behind())
    for rule in OTHER_RULES:
        await compare_rule(twin, history, rule)
    file = (await twin.ask("model_file"))["text"]
    assert file.encode() == dumps(model)
    shown = opened(await send(twin.app, "/api/file_report", {"file": file}))
    assert shown["is_sound"]
    assert shown["model"]["fingerprint"] == model.fingerprint
    assert shown["model"]["merges"]["rows"] == plain(model.merges[:100])
    expected = report_on(dumps(model))
    assert [shown[name] for name in ("reused", "repeated", "idle")] == [
        list(each) for each in (expected.reused, expected.repeated, expected.idle)
    ]
    # The rows of the CSV file are those of the merge table.
    table = b"".join(merges_csv(model.merges))
    assert len(table.splitlines()) == 1 + len(await twin.all_rows("merges"))


async def compare_rule(twin: Twin, history: History, rule: Any) -> None:
    made = compare_rules(history, rule)
    found = await twin.ask("other_rule", rule=rule)
    assert found["first"] == (plain(made.first) if made.first else None)
    for name in ("rule", "ours_merges", "theirs_merges", "ours_tokens", "theirs_tokens", "same_rank"):
        assert found[name] == getattr(made, name)
    for name in ("only_ours", "only_theirs"):
        assert await all_of(twin, "other_rule", name, rule=rule) == list(getattr(made, name))
    assert await all_of(twin, "other_rule", "words", rule=rule) == plain(made.words)


async def compare_at(twin: Twin, history: History, prefix: int) -> None:
    model = history.model
    used = Usage.of(history, prefix)
    for only in FILTERS:
        for order in ORDERS:
            page = used.page(0, size=len(used.entries) + 1, only=only, order=order)
            assert await all_of(twin, "usage", "page", prefix=prefix, only=only, order=order) == plain(tuple(page.rows))
    numbers = await twin.ask("usage", prefix=prefix)
    assert (numbers["active"], numbers["used"], numbers["unused"]) == (len(used.entries), used.used, used.unused)
    assert (numbers["once"], numbers["corpus_tokens"]) == (used.once, history.token_counts[prefix])
    token = model.vocabulary[-1]
    report = plain(TokenReport.of(history, prefix, token, max_nodes=63, max_code_points=40, max_places=20))
    assert await twin.ask("inspect", prefix=prefix, token=token) == report
    assert await twin.ask("inspect", prefix=prefix, token_id=len(model.vocabulary) - 1) == report
    for wanted in ASKED_FOR:
        problem = question_at(history, prefix, wanted)
        found = await twin.ask("predict", prefix=prefix, predict=wanted)
        assert found["verdict"] is None
        if problem is None:
            assert found["question"] is None
            continue
        assert [each["code"] for each in found["question"]["asked"]] == [each.code for each in question(problem)]
        assert (found["question"]["kind"], found["question"]["word"]) == (problem.kind, problem.word)
        for answer in (answer_text(problem), "4711"):
            verdict = (await twin.ask("predict", prefix=prefix, predict=wanted, answer=answer))["verdict"]
            assert_judged(verdict, check(problem, answer))


async def compare_text(twin: Twin, history: History, corpus: str, text: str, prefix: int) -> None:
    model = history.model
    of_text = TextHistory.of(text, model)
    encoding = of_text.encoding(prefix)
    code_points = len(pairloom.normalize(corpus, lowercase=model.lowercase))
    curve = SecondCurve.of(history, code_points, of_text, prefix)
    assert (await twin.ask("second_curve", text=text, prefix=prefix))["curve"] == (plain(curve) if curve else None)
    for other in {prefix // 2, 0, len(model.merges)}:
        asked = {"text": text, "prefix": prefix, "other_prefix": other}
        assert await twin.ask("compare", **asked) == plain(Comparison.of(of_text.encoding(other), encoding))
    halved = Comparison.of(of_text.encoding(prefix // 2), encoding)
    assert await twin.ask("compare", text=text, prefix=prefix) == plain(halved)
    changes = RawChanges.of(text, lowercase=model.lowercase)
    assert (await twin.ask("changes", text=text))["total"] == changes.total
    for token in encoding.tokens[:3]:
        report = TokenReport.of(
            history, prefix, token, encoding=encoding, max_nodes=63, max_code_points=40, max_places=20
        )
        assert await twin.ask("inspect", token=token, text=text, prefix=prefix) == plain(report)
    file = dumps(model).decode()
    whole = model.encode(text)
    size = max(len(whole.tokens), 1)
    view = EncodingView.of(model, whole, prefix=len(model.merges), page=0, page_tokens=size)
    assert opened(await send(twin.app, "/api/file_encode", {"file": file, "text": text})) == plain(view)
    beside = await twin.ask("file_compare", file=file, text=text, prefix=prefix)
    assert beside == plain(Comparison.of(encoding, whole))


def assert_judged(found: Any, verdict: Any) -> None:
    assert found["is_right"] == verdict.is_right
    assert len(found["understood"]) == len(verdict.understood)
    assert [each["code"] for each in found["reasons"]] == [each.code for each in verdict.reasons]
    for each in found["reasons"]:
        assert each["text"]
        assert "{" not in each["text"] or "{" in json.dumps(each["values"])


PROBLEMS: list[dict[str, Any]] = [{"fixed": name} for name in FIXED]
PROBLEMS += [
    {"kind": kind, "level": level, "number": number, "language": language, "seed": "é"}
    for kind in KINDS
    for level, number, language in [(1, 1, "en"), (2, 2, "de"), (3, 9_999, "en")]
]


@pytest.mark.parametrize("named", PROBLEMS, ids=lambda named: "-".join(map(str, named.values())))
def test_problems_answers_and_solutions_are_the_lessons(named: dict[str, Any]) -> None:
    async def main() -> None:
        app = create_app()
        if "fixed" in named:
            problem = fixed_problem(named["fixed"]).problem
        else:
            problem = generate(**{**named, "number": named["number"] - 1})
        shown = opened(await send(app, "/api/problem", named))
        known = given(problem)
        assert [(each["word"], each["count"]) for each in shown["words"]] == list(known.words)
        assert shown["merges"] == plain(known.merges)
        assert shown["question"]["kind"] == problem.kind
        assert [each["code"] for each in shown["question"]["asked"]] == [each.code for each in question(problem)]
        right = answer_text(problem)
        for answer in (right, "4711", "x + y", ""):
            found = opened(await send(app, "/api/check_answer", {**named, "answer": answer}))
            assert_judged(found, check(problem, answer))
            assert found["is_right"] or answer != right
        solved = opened(await send(app, "/api/solve", named))
        assert solved["answer"] == right
        assert [each["code"] for each in solved["steps"]] == [each.code for each in solution(problem)]
        match problem.answer:
            case MergesAnswer(asked):
                assert [each["merge"] for each in solved["rounds"]] == plain(tuple(each.merge for each in asked))
                assert [each["choice"] for each in solved["rounds"]] == plain(tuple(each.choice for each in asked))
            case SplitAnswer():
                assert solved["split"] == plain(problem.answer)
            case ReplacementsAnswer():
                assert solved["replacements"] == plain(problem.answer)
            case WholeAnswer():
                assert solved["whole_at"] == problem.answer.merges

    asyncio.run(main())


def test_a_sentence_has_its_values_in_its_text() -> None:
    async def main() -> None:
        asked = {"fixed": "hug_merges", "answer": "u+n, u+g, h+ug"}
        reasons = opened(await send(create_app(), "/api/check_answer", asked))["reasons"]
        less = next(each for each in reasons if each["code"] == "pair.less_frequent")
        assert less["values"] == {"pair": ["u", "n"], "best": ["u", "g"], "frequency": 16, "highest": 20}
        assert MESSAGES["pair.less_frequent"].singular.partition("{")[0] in less["text"]
        assert "u + n" in less["text"]
        assert "20" in less["text"]

    asyncio.run(main())


FILE = dumps(pairloom.train("low low lower")).decode()


@pytest.mark.parametrize(
    ("file", "failed"),
    [
        ("", "json"),
        ("{", "json"),
        ('{"a": 1, "a": 1}', "json"),
        ("\ud800", "json"),
        ('{"\\ud800": 1}', "json"),
        ("{}", "model"),
        (FILE.replace('"lowercase": false', '"lowercase": 7'), "model"),
        (FILE.replace('"lowercase": false', '"lowercase": true'), "fingerprint"),
    ],
)
def test_a_file_that_does_not_hold_together_is_reported_on(file: str, failed: str) -> None:
    async def main() -> None:
        app = create_app()
        shown = opened(await send(app, "/api/file_report", {"file": file}))
        expected = report_on(file.encode("utf-8", "surrogatepass"))
        assert not shown["is_sound"]
        assert [(each["name"], each["passed"]) for each in shown["checks"]] == [
            (each.name, each.passed) for each in expected.checks
        ]
        objected = [each for each in shown["checks"] if each["error"]]
        assert objected[0]["name"] == failed
        assert objected[0]["error"]["message"]
        assert (shown["model"] is None) == (expected.model is None)
        encoding = await send(app, "/api/file_encode", {"file": file, "text": "low"})
        if expected.model is not None:
            assert opened(encoding)["token_count"] == len(expected.model.encode("low").tokens)
            return
        with pytest.raises(Refused) as caught:
            opened(encoding)
        assert caught.value.status == 422
        assert caught.value.code == objected[0]["error"]["code"]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("name", "asked", "code"),
    [
        ("inspect", {}, "request.invalid"),
        ("inspect", {"token": "a", "token_id": 1}, "request.invalid"),
        ("inspect", {"token": ""}, "search.nothing_typed"),
        ("inspect", {"token": "\ud800"}, "text.surrogate"),
        ("inspect", {"token": "a" * 40_001}, "text.raw_too_long"),
        ("inspect", {"token_id": 9_999}, "decode.unknown_id"),
        ("inspect", {"token_id": 1, "text": "a" * 4_001}, "text.raw_too_long"),
        ("usage", {"prefix": 9_999}, "setting.prefix"),
        ("usage", {"only": "all"}, "request.invalid"),
        ("changes", {"mapping": 9}, "setting.mapping"),
        ("changes", {"text": "▁"}, "text.marker"),
        ("second_curve", {"text": "\ud800"}, "text.surrogate"),
        ("compare", {"text": "low", "other_prefix": 9_999}, "setting.prefix"),
        ("file_compare", {"text": "low", "file": "{}"}, "model.invalid"),
        ("word_life", {"word": "unheard"}, "life.no_such_word"),
        ("word_life", {"word": "\udfff"}, "text.surrogate"),
        ("other_rule", {"rule": "ours"}, "request.invalid"),
        ("predict", {"predict": "weather"}, "request.invalid"),
        ("predict", {"predict": "merge", "answer": "\ud800", "prefix": 0}, "text.surrogate"),
        ("predict", {"predict": "merge", "prefix": -1}, "setting.prefix"),
    ],
)
def test_objections(name: str, asked: dict[str, object], code: str) -> None:
    async def main() -> None:
        with pytest.raises(Refused) as caught:
            opened(await send(create_app(), f"/api/{name}", {"inputs": LOW, **asked}))
        assert (caught.value.status, caught.value.code) == (422, code)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"fixed": "no such one"}, "setting.problem"),
        ({"fixed": "\ud800"}, "text.surrogate"),
        ({"seed": "\ud800"}, "text.surrogate"),
        ({"seed": "a" * 41}, "request.invalid"),
        ({"level": 4}, "request.invalid"),
        ({"number": 0}, "request.invalid"),
        ({"kind": "hard"}, "request.invalid"),
        ({"language": "fr"}, "request.invalid"),
    ],
)
def test_problems_that_there_are_not(asked: dict[str, object], code: str) -> None:
    async def main() -> None:
        for name, more in (("problem", {}), ("solve", {}), ("check_answer", {"answer": "1"})):
            with pytest.raises(Refused) as caught:
                opened(await send(create_app(), f"/api/{name}", {**asked, **more}))
            assert (caught.value.status, caught.value.code) == (422, code)

    asyncio.run(main())


def test_a_word_is_found_with_and_without_its_marker() -> None:
    async def main() -> None:
        twin = Twin(create_app(), LOW)
        await twin.train()
        assert await twin.ask("word_life", word="lower") == await twin.ask("word_life", word="▁lower")
        assert (await twin.ask("word_life", word=" lower"))["word"] == "▁lower"

    asyncio.run(main())


def test_hanging_up_ends_a_longer_operation() -> None:
    async def main() -> None:
        twin = Twin(create_app(), {"corpus": " ".join(f"word{number}" for number in range(3_000)), "merge_limit": 400})
        await twin.train()
        body = json.dumps({"key": twin.key, "rule": "first_seen"}).encode()
        made = exchange(twin.app, "POST", "/api/other_rule", body=[body], headers=JSON)
        before = asyncio.all_tasks()
        made.hung_up.set()
        await made.run()
        assert made.answer().status == 204
        assert asyncio.all_tasks() == before

    asyncio.run(main())
