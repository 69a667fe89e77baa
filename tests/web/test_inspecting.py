"""What is looked at more closely, without a browser: what the server answers, how much, and for the vectors."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from html import unescape

import pytest
from starlette.applications import Starlette

import pairloom
from pairloom.formats.model_file import dumps, loads
from pairloom.views.stop_report import StopReport
from pairloom.views.usage import Usage
from pairloom.web.app import create_app
from pairloom.web.settings import Settings
from tests.support.vectors import TrainedVector, on_every_vector
from tests.web.asgi import Answer, ask, ask_now, events
from tests.web.test_page_budget import ALL
from tests.web.test_page_equals_library import number, read, shown
from tests.web.test_workbench import INPUTS, key_in

FRAGMENT_BYTES = 30 * 1024
TOOLS = ("stop", "usage", "changes", "curve", "compare")


async def trained(app: Starlette, **inputs: str) -> str:
    answer = await ask(app, "POST", "/workbench/train", form=INPUTS | inputs)
    assert answer.status == 200
    return key_in(events(answer.text)[-1])


async def inspect(app: Starlette, tool: str, key: str, **fields: str) -> Answer:
    return await ask(app, "POST", f"/workbench/inspect/{tool}", form={"key": key, "prefix": "0"} | fields)


def inputs_of(vector: TrainedVector) -> dict[str, str]:
    data = vector.data
    inputs = {"corpus": data["corpus"], "merge_limit": str(data["merge_limit"]), "pre_tokenizer": data["pretokenizer"]}
    return inputs | ({"lowercase": "on"} if data["lowercase"] else {})


def shows(cell: str, token: str) -> bool:
    """Whether a cell shows a token; a very long one by its ends, with its length."""
    return cell == shown(token) if len(token) <= 120 else cell.startswith(token[:50]) and number(len(token)) in cell


@on_every_vector()
def test_the_page_shows_what_the_views_say_of_the_vectors(vector: TrainedVector) -> None:
    model = vector.model
    prefix = len(model.merges) // 2

    async def main() -> None:
        app = create_app()
        answer = await ask(app, "POST", "/workbench/train", form=inputs_of(vector))
        key = key_in(events(answer.text)[-1])
        report = StopReport.of(vector.history, size=50)
        stop = read((await inspect(app, "stop", key)).text)
        assert len(stop.rows) == len(report.best.rows)
        for row, pair in zip(stop.rows, report.best.rows, strict=True):
            assert all(map(shows, row[:3], (pair.left, pair.right, pair.result)))
            assert row[3] == number(pair.frequency)
        usage = Usage.of(vector.history, prefix)
        answered = read((await inspect(app, "usage", key, prefix=str(prefix))).text)
        assert answered.figures == [number(each) for each in (len(usage.entries), usage.used, usage.unused, usage.once)]
        assert [(row[0], row[1], row[3]) for row in answered.rows] == [
            (number(each.id), shown(each.token), number(each.count)) for each in usage.page(0, size=50).rows
        ]
        files = {
            name: (await ask(app, "POST", f"/workbench/files/{name}", form={"key": key})).body
            for name in ("model.json", "trace.json", "merges.csv")
        }
        assert loads(files["model.json"]) == model
        assert len(json.loads(files["trace.json"])["rounds"]) == len(model.merges)
        rows = list(csv.reader(io.StringIO(files["merges.csv"].decode("utf-8-sig"), newline="")))
        assert [row[4:7] for row in rows[1:]] == [[str(each) for each in merge[2:5]] for merge in vector.data["merges"]]
        for each in vector.data["encodings"][:3]:
            form = {"text": each["text"], "prefix": str(each["prefix"]), "other_prefix": str(prefix)}
            compared = read((await inspect(app, "compare", key, **form)).text)
            counts = [[row[0] for row in compared.rows], [row[1] for row in compared.rows]]
            first, second = model.encode(each["text"], prefix), model.encode(each["text"], each["prefix"])
            assert counts == [
                [number(len(first.tokens)), number(len(second.tokens))],
                [number(first.unknown_count), number(second.unknown_count)],
            ]

    asyncio.run(main())


@pytest.mark.parametrize("name", ALL)
def test_no_fragment_is_large(name: str) -> None:
    async def main() -> None:
        app = create_app()
        text = ALL[name]()
        key = await trained(app, corpus=text, merge_limit="40000")
        result = (await inspect(app, "usage", key)).text
        assert result
        merges = len(app.state.services.models.cache.get(key).model.merges)
        for prefix in {"0", str(merges // 2), str(merges)}:
            for tool in TOOLS:
                for more in ({}, {"changes_of": "text", "only": "unused"}):
                    form = {"prefix": prefix, "text": text[:4_000], "other_prefix": "0"} | more
                    answer = await inspect(app, tool, key, **form)
                    assert answer.status == 200, (tool, answer.text)
                    assert len(answer.body) <= FRAGMENT_BYTES, (tool, prefix, len(answer.body))
            for asked in ({"box": "0"}, {"item": "0"}, {"inspect_rank": str(max(merges - 1, 0))}):
                form = {"prefix": prefix, "text": text[:4_000], "corpus_page": "0"} | asked
                answer = await inspect(app, "token", key, **form)
                assert answer.status == 200, answer.text
                assert len(answer.body) <= FRAGMENT_BYTES, (asked, prefix, len(answer.body))

    asyncio.run(main())


def test_each_asks_again_with_the_inputs_when_the_model_has_gone() -> None:
    async def main() -> None:
        for address in [*(f"inspect/{tool}" for tool in (*TOOLS, "token")), "files/merges.csv"]:
            form = {"key": "0" * 32, "prefix": "0", "inspect_id": "0", "text": "low"}
            assert (await ask(create_app(), "POST", f"/workbench/{address}", form=form)).status == 409
            repeated = await ask(create_app(), "POST", f"/workbench/{address}", form=INPUTS | form)
            assert repeated.status == 200
            assert re.fullmatch("[0-9a-f]{32}", repeated.headers["model-key"])

    asyncio.run(main())


def test_a_token_is_found_however_it_is_asked_for() -> None:
    async def main() -> None:
        app = create_app()
        key = await trained(app, corpus="low lower low\x00 low\x00")
        model = pairloom.train("low lower low\x00 low\x00")
        for token_id, token in enumerate(model.vocabulary):
            by_id = (await inspect(app, "token", key, inspect_id=str(token_id))).text
            typed = await inspect(app, "token", key, inspect_token=shown(token))
            assert typed.text == by_id
        unknown = (await inspect(app, "token", key, inspect_token="Ж")).text
        assert "CYRILLIC CAPITAL LETTER ZHE" in unknown
        assert "No entry of this vocabulary" in unknown
        last = str(len(model.merges))
        for field, tokens in (("item", model.encode("lower slow").tokens), ("box", model.encode("low lower").tokens)):
            for place, token in enumerate(tokens):
                form = {"prefix": last, "text": "lower slow", field: str(place)}
                title = re.search(r'id="token-card-title">(.*?)</h3>', (await inspect(app, "token", key, **form)).text)
                assert title
                assert unescape(re.sub("<[^>]+>", "", title[1])) == shown(token)
        for part in ("left", "right", "result"):
            found = (await inspect(app, "token", key, inspect_rank="0", part=part)).text
            assert f'data-inspect-id="{model.token_id(getattr(model.merges[0], part))}"' in found

    asyncio.run(main())


@pytest.mark.parametrize(
    ("tool", "form", "slot"),
    [
        ("token", {"inspect_token": ""}, "inspect-token-error"),
        ("token", {"inspect_token": "a" * 4_001}, "inspect-token-error"),
        ("token", {"inspect_id": "999999"}, "inspect-id-error"),
        ("usage", {"prefix": "x"}, "prefix-error"),
        ("compare", {"other_prefix": "-1"}, "other-prefix-error"),
        ("compare", {"text": "▁"}, "text-error"),
    ],
)
def test_objections_stand_at_their_fields(tool: str, form: dict[str, str], slot: str) -> None:
    async def main() -> None:
        app = create_app()
        answer = await inspect(app, tool, await trained(app), **form)
        assert answer.status == 422
        assert f'hx-target="#{slot}"' in answer.text

    asyncio.run(main())


def test_what_no_page_sends_is_refused() -> None:
    async def main() -> None:
        app = create_app()
        key = await trained(app)
        assert (await inspect(app, "token", key)).status == 400
        assert (await ask(app, "POST", "/workbench/files/secret.txt", form={"key": key})).status == 400

    asyncio.run(main())


def test_files_are_named_and_of_their_type() -> None:
    async def main() -> None:
        app = create_app()
        key = await trained(app)
        name = pairloom.train(INPUTS["corpus"]).fingerprint[:8]
        for end, kind in (("model.json", "application/json"), ("merges.csv", "text/csv; charset=utf-8")):
            answer = await ask(app, "POST", f"/workbench/files/{end}", form={"key": key})
            assert answer.headers["content-disposition"] == f'attachment; filename="pairloom-{name}-{end}"'
            assert answer.headers["content-type"] == kind
            assert answer.headers["x-content-type-options"] == "nosniff"

    asyncio.run(main())


def opened(app: Starlette, data: bytes) -> Answer:
    return ask_now(app, "POST", "/workbench/opened", body=[data], headers=[("content-type", "application/json")])


def file_key(answer: Answer) -> str:
    found = re.search(r'name="file_key" value="([0-9a-f]{32})"', answer.text)
    assert found
    return found[1]


IMPORTED = pairloom.Model.from_merges("▁abc", [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc"), ("a", "b")])


def test_an_opened_model_file_is_reported_on() -> None:
    answer = opened(create_app(), dumps(IMPORTED))
    assert answer.status == 200
    assert "The file holds together." in answer.text
    reader = read(answer.text)
    assert reader.figures == ["4", "5", "7", "2", "1", "2"]
    assert [row[8] for row in reader.rows] == ["new", "new", "new", "reused, never acts", "reused, pair repeated"]
    assert [row[4] for row in reader.rows] == ["—"] * 5


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe", b'{"format": "pairloom-model"}', b"[" * 10_000])
def test_a_file_that_holds_no_model_is_reported_on(data: bytes) -> None:
    answer = opened(create_app(), data)
    assert answer.status == 200
    assert "The file holds no model that can be shown." in answer.text
    assert "file_text" not in answer.text


def test_g_an_objection_in_english_says_that_it_is() -> None:
    app = create_app()
    language = [("content-type", "application/json"), ("page-language", "de")]
    answer = ask_now(app, "POST", "/workbench/opened", body=[b"[1]"], headers=language)
    assert '<em lang="en">Invalid model: not a Pairloom model: the file has no &#34;format&#34;' in answer.text
    assert "sagt die Bibliothek auf Englisch" in answer.text
    assert "Ungültiges" not in answer.text


def test_a_file_that_was_changed_is_shown_and_refused() -> None:
    document = json.loads(dumps(IMPORTED)) | {"checksum": "0"}
    answer = opened(create_app(), json.dumps(document).encode())
    assert "The file does not hold together" in answer.text
    assert "checksum" in answer.text
    assert len(read(answer.text).rows) == 5


def test_a_file_is_encoded_with_and_compared() -> None:
    app = create_app()
    key = file_key(opened(app, dumps(IMPORTED)))
    form = {"file_key": key, "file_text": "abc x"}
    answer = ask_now(app, "POST", "/workbench/opened/encode", form=form)
    encoding = IMPORTED.encode("abc x")
    assert read(answer.text).boxes == [
        [shown(token), "UNK" if token_id is None else number(token_id)]
        for token, token_id in zip(encoding.tokens, encoding.ids, strict=True)
    ]
    refused = ask_now(app, "POST", "/workbench/opened/encode", form=form | {"file_text": "▁"})
    assert (refused.status, "file-text-error" in refused.text) == (422, True)

    async def compare() -> Answer:
        model = await trained(app)
        form = {"key": model, "prefix": "3", "file_key": key, "text": "low abc"}
        return await ask(app, "POST", "/workbench/opened/compare", form=form)

    compared = asyncio.run(compare())
    here = pairloom.train(INPUTS["corpus"]).encode("low abc", 3)
    assert [row[0] for row in read(compared.text).rows] == [
        number(len(here.tokens)),
        number(len(IMPORTED.encode("low abc").tokens)),
    ]


def test_a_forgotten_file_is_asked_for_again() -> None:
    app = create_app(Settings(opened_files_max_bytes=1))
    first = file_key(opened(app, dumps(IMPORTED)))
    page = {"file_key": first}
    assert ask_now(app, "POST", "/workbench/opened/merges", form=page).status == 200
    opened(app, dumps(pairloom.train("low low")))
    assert len(app.state.services.opened) == 1
    assert ask_now(app, "POST", "/workbench/opened/merges", form=page).status == 409
    assert file_key(opened(app, dumps(IMPORTED))) == first
    assert ask_now(app, "POST", "/workbench/opened/merges", form=page).status == 200


def test_a_file_that_is_too_large_is_refused_as_it_arrives() -> None:
    assert opened(create_app(Settings(body_max_bytes=1_000)), b" " * 1_001).status == 413


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_file_comes_as_json_or_not_at_all(kind: str) -> None:
    answer = ask_now(create_app(), "POST", "/workbench/opened", body=[b"{}"], headers=[("content-type", kind)])
    assert answer.status == 400


def test_a_key_says_nothing_about_a_file() -> None:
    keys = {file_key(opened(create_app(), dumps(IMPORTED))) for _ in range(2)}
    assert len(keys) == 2
