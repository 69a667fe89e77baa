"""The JSON twin: its data is the library's on every vector, its shapes are two, its objections are the pages'."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

import pairloom
from pairloom.formats.model_file import dumps
from pairloom.history import History
from pairloom.views.curve import Curve
from pairloom.views.pairs import PairOrder
from pairloom.views.ties import Choice
from pairloom.views.token_tree import TokenOrigin
from pairloom.views.walkthrough import Step
from pairloom.web.api.handlers import ROUTES
from pairloom.web.app import create_app
from pairloom.web.scheduler import Gate
from pairloom.web.settings import Settings
from pairloom.web.training import Progress
from tests.web.asgi import Answer, ask, exchange, until

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(*names: str) -> list[dict[str, Any]]:
    return [case for name in names for case in json.loads((VECTORS / f"{name}.json").read_text("ascii"))]


JSON = [("content-type", "application/json")]
POSTS = [route.path for route in ROUTES if "POST" in (route.methods or ())]
GETS = [route.path for route in ROUTES if "GET" in (route.methods or ())]
LOW = {"corpus": "low low lower lowest"}
# A request of each address that takes a body, beside the model that it is about.
ASKED: dict[str, dict[str, object]] = {
    "encode": {"text": "slow"},
    "ids": {"text": "low"},
    "decode": {"ids": [0, 1]},
    "token": {"token_id": 3},
    "granularities": {"text": "slow"},
    "inspect": {"token_id": 3},
    "second_curve": {"text": "slow"},
    "compare": {"text": "slow"},
    "file_compare": {"text": "slow", "file": dumps(pairloom.train("low low")).decode()},
    "word_life": {"word": "lower"},
    "other_rule": {"rule": "first_seen"},
    "predict": {"predict": "mixed", "prefix": 0},
}
# These are about no model, or bring their own.
WITHOUT_MODEL = {"train", "normalize", "file_report", "file_encode", "problem", "check_answer", "solve"}


class Refused(Exception):
    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(status, error)
        self.status = status
        self.code = error["code"]
        self.details = error["details"]
        self.message = error["message"]


async def send(app: Starlette, path: str, value: object, *, raw: bytes | None = None) -> Answer:
    body = json.dumps(value).encode() if raw is None else raw
    return await ask(app, "POST", path, body=[body], headers=JSON)


def opened(answer: Answer) -> Any:
    """Return the data of an answer, or raise Refused; either way only one of the two shapes will do."""
    assert answer.headers["content-type"] == "application/json"
    value = json.loads(answer.body)
    if answer.status == 200:
        assert set(value) == {"key", "data"}
        return value["data"]
    assert set(value) == {"error"}
    assert set(value["error"]) == {"code", "message", "details"}
    assert isinstance(value["error"]["details"], dict)
    assert value["error"]["message"]
    raise Refused(answer.status, value["error"])


class Twin:
    """Requests about one model."""

    def __init__(self, app: Starlette, inputs: Mapping[str, object]) -> None:
        self.app = app
        self.inputs = dict(inputs)
        self.key: str | None = None

    async def train(self) -> Any:
        answer = await send(self.app, "/api/train", self.inputs)
        data = opened(answer)
        self.key = json.loads(answer.body)["key"]
        assert answer.headers["model-key"] == self.key
        return data

    async def ask(self, name: str, **more: object) -> Any:
        return opened(await send(self.app, f"/api/{name}", {"key": self.key, **more}))

    async def all_rows(self, name: str, **more: object) -> list[Any]:
        rows: list[Any] = []
        count = 1
        page = 0
        while page < count:
            data = await self.ask(name, page=page, **more)
            shown = data.get("page", data)
            if isinstance(shown, int):
                shown = data
            assert shown["index"] == page
            assert shown["first"] == len(rows)
            rows += shown["rows"]
            count, page = shown["count"], page + 1
        return rows


def plain(value: object) -> Any:
    """Return a dataclass, or a tuple of some, as JSON has it."""
    made = [asdict(each) for each in value] if isinstance(value, tuple | list) else asdict(value)  # type: ignore[call-overload]  # dataclasses
    return json.loads(json.dumps(made))


@pytest.mark.parametrize("case", vectors("training", "reports"), ids=lambda case: str(case["name"]))
def test_the_data_is_the_librarys_on_every_vector(case: dict[str, Any]) -> None:
    asyncio.run(compare(case))


async def compare(case: dict[str, Any]) -> None:
    inputs = {
        "corpus": case["corpus"],
        "lowercase": case["lowercase"],
        "pre_tokenizer": case["pretokenizer"],
        "merge_limit": case["merge_limit"],
    }
    model = pairloom.train(
        case["corpus"], case["merge_limit"], lowercase=case["lowercase"], pre_tokenizer=case["pretokenizer"]
    )
    counts = pairloom.count_words(case["corpus"], lowercase=case["lowercase"], pre_tokenizer=case["pretokenizer"])
    history = History.of(counts, model)
    twin = Twin(create_app(), inputs)
    summary = (await twin.train())["summary"]
    assert summary["merges"] == len(case["merges"])
    assert summary["stop_reason"] == case["stopped"]
    assert summary["vocabulary"] == case["vocabulary_size"]
    assert summary["initial_tokens"] == case["initial_tokens"]
    assert summary["pre_tokens"] == case["pretokens"]
    assert summary["fingerprint"] == model.fingerprint
    assert await twin.all_rows("merges") == plain(model.merges)
    assert [row["token"] for row in await twin.all_rows("alphabet")] == case["alphabet"]
    graph = await twin.ask("curve")
    assert graph["token_counts"] == list(history.token_counts)
    assert graph["line"] == plain(Curve.of(history))
    prefixes = {0, len(model.merges) // 2, len(model.merges), *(each["prefix"] for each in case["encodings"])}
    for prefix in sorted(prefixes):
        await compare_at(twin, history, prefix)
    for each in case["encodings"]:
        await compare_encoding(twin, model, each)


async def compare_at(twin: Twin, history: History, prefix: int) -> None:
    model = history.model
    rows = await twin.all_rows("vocabulary", prefix=prefix)
    assert [row["token"] for row in rows] == list(model.vocabulary)
    assert [row["active"] for row in rows] == [row["rank"] is None or row["rank"] < prefix for row in rows]
    selection = await twin.ask("selection", prefix=prefix)
    assert selection["corpus_tokens"] == history.token_counts[prefix]
    assert selection["merge"] == (plain(model.merges[prefix - 1]) if prefix else None)
    step = await twin.ask("step", prefix=prefix)
    order = PairOrder.of(history, prefix)
    choice = Choice.of(history, prefix, order)
    assert step["step"] == plain(Step.of(history, prefix))
    # Where the merge limit ended it, there is no next merge.
    assert step["choice"] == (plain(choice) if choice and prefix < len(model.merges) else None)
    pairs = await twin.all_rows("pairs", prefix=prefix)
    assert {(row["left"], row["right"]): row["frequency"] for row in pairs} == history.pair_counts(prefix)
    assert await twin.all_rows("learned", prefix=prefix) == plain(model.merges[:prefix])
    tokens: list[str] = []
    pages = (await twin.ask("corpus", prefix=prefix))["count"]
    for page in range(pages):
        shown = await twin.ask("corpus", prefix=prefix, page=page)
        tokens += [token["text"] for piece in shown["pieces"] for token in piece["tokens"]]
    assert len(tokens) == history.token_counts[prefix]
    last = len(model.vocabulary) - 1
    origin = TokenOrigin.of(history, prefix, last, max_nodes=63, max_code_points=40)
    assert await twin.ask("token", prefix=prefix, token_id=last) == plain(origin)


async def compare_encoding(twin: Twin, model: pairloom.Model, each: dict[str, Any]) -> None:
    text, prefix = each["text"], each["prefix"]
    encoding = model.encode(text, prefix)
    data = await twin.ask("encode", text=text, prefix=prefix)
    assert [token["text"] for token in data["tokens"]] == each["tokens"]
    assert [token["id"] for token in data["tokens"]] == each["ids"]
    assert [tuple(token["offset"]) for token in data["tokens"]] == list(encoding.offsets)
    assert data["code_points"] == each["code_points"]
    assert data["unknown_count"] == each["unknown"]
    assert data["code_points_per_token"] == encoding.code_points_per_token
    levels = await twin.ask("granularities", text=text, prefix=prefix)
    assert levels["subwords"]["token_count"] == len(each["tokens"])
    assert levels["characters"]["token_count"] == len(model.encode(text, 0).tokens)
    if each["unknown"]:
        with pytest.raises(Refused) as caught:
            await twin.ask("ids", text=text, prefix=prefix)
        assert caught.value.code == "encode.unknown_tokens"
    else:
        ids = (await twin.ask("ids", text=text, prefix=prefix))["ids"]
        assert ids == each["ids"]
        assert (await twin.ask("decode", ids=ids))["text"] == model.decode(ids) == data["decoded"]


@pytest.mark.parametrize("case", vectors("refusals"))
def test_what_is_refused_is_refused_with_its_facts(case: dict[str, Any]) -> None:
    async def main() -> None:
        text = case["input"] if "input" in case else case["input_repeat"][0] * case["input_repeat"][1]
        inputs = {"corpus": text, "lowercase": case.get("lowercase", False), "merge_limit": 10}
        answer = await send(create_app(), "/api/train", inputs)
        if case["error"] is None:
            assert opened(answer)["summary"]["initial_tokens"] > 0
            return
        with pytest.raises(Refused) as caught:
            opened(answer)
        assert (caught.value.status, caught.value.code) == (422, f"text.{case['error']}")
        facts = {name: case[name] for name in ("position", "length") if name in case}
        assert facts.items() <= caught.value.details.items()
        assert caught.value.details["field"] == "corpus"

    asyncio.run(main())


@pytest.mark.parametrize("case", vectors("normalization"))
def test_texts_are_normalized_as_the_vectors_say(case: dict[str, Any]) -> None:
    async def main() -> None:
        asked = {"text": case["input"], "lowercase": case["lowercase"]}
        data = opened(await send(create_app(), "/api/normalize", asked))
        assert data["text"] == case["normalized"]
        assert (data["code_points"], data["raw_code_points"]) == (len(case["normalized"]), len(case["input"]))

    asyncio.run(main())


def test_a_surrogate_is_told_with_its_position() -> None:
    async def main() -> None:
        for body in (rb'{"corpus": "ab\ud800c"}', rb'{"corpus": "\ud83d\ude00b\udc00"}'):
            with pytest.raises(Refused) as caught:
                opened(await send(create_app(), "/api/train", None, raw=body))
            assert (caught.value.status, caught.value.code) == (422, "text.surrogate")
            assert caught.value.details["position"] == 2
        # A pair of escapes is one code point, and fine.
        answer = await send(create_app(), "/api/normalize", None, raw=rb'{"text": "\ud83d\ude00"}')
        assert opened(answer) == {"text": "\U0001f600", "code_points": 1, "raw_code_points": 1}

    asyncio.run(main())


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "request.not_json"),
        (b"{", 400, "request.not_json"),
        (b"\xff", 400, "request.not_json"),
        (b'{"key": "a", "key": "b"}', 400, "request.not_json"),
        (b'{"key": NaN}', 400, "request.not_json"),
        (b'{"key": 100000000000000000000}', 400, "request.not_json"),
        (b"[" * 100_000, 400, "request.not_json"),
        (b"[]", 422, "request.invalid"),
        (b"null", 422, "request.invalid"),
        (b'{"no_such_field": 1}', 422, "request.invalid"),
        (rb'{"\ud800": 1}', 422, "request.invalid"),
    ],
)
def test_what_is_no_request(path: str, body: bytes, status: int, code: str) -> None:
    async def main() -> None:
        with pytest.raises(Refused) as caught:
            opened(await send(create_app(), path, None, raw=body))
        assert (caught.value.status, caught.value.code) == (status, code)

    asyncio.run(main())


@pytest.mark.parametrize("path", POSTS)
def test_other_content_types_are_refused(path: str) -> None:
    async def main() -> None:
        app = create_app()
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            answer = await ask(app, "POST", path, body=[b"{}"], headers=[("content-type", kind)])
            with pytest.raises(Refused) as caught:
                opened(answer)
            assert (caught.value.status, caught.value.code) == (415, "request.content_type")

    asyncio.run(main())


@pytest.mark.parametrize("path", [path for path in POSTS if path.split("/")[2] not in WITHOUT_MODEL])
def test_models_are_named_by_key_or_inputs(path: str) -> None:
    async def main() -> None:
        app = create_app()
        asked = ASKED.get(path.removeprefix("/api/"), {})
        with pytest.raises(Refused) as caught:
            opened(await send(app, path, asked))
        assert (caught.value.status, caught.value.code) == (422, "request.no_model")
        with pytest.raises(Refused) as caught:
            opened(await send(app, path, {"key": "never seen", **asked}))
        assert (caught.value.status, caught.value.code) == (409, "model.unknown_key")
        by_inputs = await send(app, path, {"inputs": LOW, **asked})
        key = json.loads(by_inputs.body)["key"]
        assert opened(by_inputs) == opened(await send(app, path, {"key": key, **asked}))
        assert opened(await send(app, path, {"key": "forgotten", "inputs": LOW, **asked})) == opened(by_inputs)

    asyncio.run(main())


def test_all_objections_come_at_once() -> None:
    async def main() -> None:
        with pytest.raises(Refused) as caught:
            opened(await send(create_app(), "/api/train", {"corpus": " ", "merge_limit": 40_001}))
        assert caught.value.code == "text.empty_corpus"
        assert [other["code"] for other in caught.value.details["others"]] == ["setting.merge_limit"]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("name", "asked", "code"),
    [
        ("selection", {"prefix": -1}, "setting.prefix"),
        ("selection", {"prefix": 9_999}, "setting.prefix"),
        ("corpus", {"prefix": 9_999}, "setting.prefix"),
        ("selection", {"prefix": True}, "request.invalid"),
        ("selection", {"prefix": "1"}, "request.invalid"),
        ("merges", {"page": -1}, "request.invalid"),
        ("merges", {"rank": 9_999}, "setting.rank"),
        ("merges", {"token": "zzz"}, "search.nothing_found"),
        ("merges", {"token": ""}, "search.nothing_typed"),
        ("vocabulary", {"token_id": -1}, "decode.unknown_id"),
        ("token", {"token_id": 9_999}, "decode.unknown_id"),
        ("corpus", {"next_place": "token"}, "request.invalid"),
        ("encode", {"text": "a" * 4_001}, "text.raw_too_long"),
        ("granularities", {"text": "▁"}, "text.marker"),
        ("decode", {"ids": [0, 9_999]}, "decode.unknown_id"),
        ("decode", {"ids": [0] * 4_002}, "setting.ids"),
        ("decode", {"ids": [11] * 4_001}, "text.normalized_too_long"),
    ],
)
def test_objections(name: str, asked: dict[str, object], code: str) -> None:
    async def main() -> None:
        with pytest.raises(Refused) as caught:
            opened(await send(create_app(), f"/api/{name}", {"inputs": LOW, **asked}))
        assert (caught.value.status, caught.value.code) == (422, code)

    asyncio.run(main())


def test_pages_are_found_by_what_stands_on_them() -> None:
    async def main() -> None:
        app = create_app()
        twin = Twin(app, {"corpus": " ".join(f"{number:03}" for number in range(999)) * 2, "merge_limit": None})
        await twin.train()
        merges = await twin.all_rows("merges")
        assert len(merges) > 200
        sought = merges[150]
        assert (await twin.ask("merges", rank=150))["page"]["index"] == 1
        data = await twin.ask("merges", token=sought["result"])
        assert data["page"]["index"] == 1
        assert data["found"]["place"] == 150
        data = await twin.ask("vocabulary", token_id=len(merges))
        assert data["page"]["index"] == len(merges) // 100
        last = (await twin.ask("merges", page=10**12))["page"]
        assert last["index"] == last["count"] - 1
        for what in ("made", "next"):
            page = await twin.ask("corpus", prefix=150, next_place=what)
            assert page["made_here" if what == "made" else "upcoming_here"] > 0
        page = await twin.ask("corpus", next_place="token", token_id=len(merges))
        assert await twin.ask("corpus", page=page["index"]) == page
        assert (await twin.ask("encode", text="123 " * 200, page=1))["first"] == 100

    asyncio.run(main())


def test_progress_is_told_and_hanging_up_stops_the_work() -> None:
    async def main() -> None:
        hold = asyncio.Event()

        async def gate(progress: Progress) -> None:
            if progress.merges >= 1:
                await hold.wait()

        settings = replace(Settings(), portion_operations=100, slice_target_ms=0.0, progress_interval_ms=1)
        app = create_app(settings, gate=gate)
        body = json.dumps({"corpus": "low lower lowest newer wider " * 30}).encode()
        made = exchange(app, "POST", "/api/train/progress", body=[body], headers=JSON)
        running = asyncio.create_task(made.run())
        await made.until('"merging"')
        assert len(app.state.services.models.scheduler) == 1
        hold.set()
        await running
        lines = [json.loads(line) for line in made.answer().text.splitlines()]
        assert {tuple(line) for line in lines[:-1]} == {("progress",)}
        assert set(lines[-1]) == {"key", "data"}
        hold.clear()
        made = exchange(app, "POST", "/api/train", body=[body.replace(b"low", b"row")], headers=JSON)
        running = asyncio.create_task(made.run())
        await until(lambda: len(app.state.services.models.scheduler) == 1)
        made.hung_up.set()
        await running
        await until(lambda: not len(app.state.services.models.scheduler))

    asyncio.run(main())


def busy_app() -> tuple[Starlette, Gate]:
    async def gate(_: Progress) -> None:
        await asyncio.Event().wait()

    return create_app(replace(Settings(), trainings_max=1), gate=gate), gate


@pytest.mark.parametrize("path", ["/api/train", "/api/train/progress", "/api/curve"])
def test_too_much_at_once_is_refused_with_a_time(path: str) -> None:
    async def main() -> None:
        app, _ = busy_app()
        first = exchange(app, "POST", "/api/train", body=[json.dumps(LOW).encode()], headers=JSON)
        running = asyncio.create_task(first.run())
        await until(lambda: len(app.state.services.models.scheduler) == 1)
        other: dict[str, object] = {"corpus": "another one"}
        answer = await send(app, path, {"inputs": other} if path == "/api/curve" else other)
        assert answer.headers["retry-after"] == "2"
        with pytest.raises(Refused) as caught:
            opened(answer)
        assert (caught.value.status, caught.value.code) == (503, "server.busy")
        first.hung_up.set()
        await running

    asyncio.run(main())


HALF = "".join(map(chr, range(0x10000, 0x10000 + 3_000)))


@pytest.mark.parametrize("path", ["/api/train", "/api/train/progress", "/api/merges"])
def test_a_vocabulary_without_measure_is_an_objection(path: str) -> None:
    async def main() -> None:
        inputs: dict[str, object] = {"corpus": HALF * 2, "merge_limit": None}
        answer = await send(create_app(), path, {"inputs": inputs} if path == "/api/merges" else inputs)
        error = json.loads(answer.text.splitlines()[-1])["error"]
        assert error["code"] == "model.vocabulary_too_large"
        assert error["details"]["limit"] == 4_000_000
        assert error["details"]["field"] == "corpus"
        # Fewer merges, and it is fine.
        inputs["merge_limit"] = 1_000
        answer = await send(create_app(), path, {"inputs": inputs} if path == "/api/merges" else inputs)
        assert set(json.loads(answer.text.splitlines()[-1])) == {"key", "data"}

    asyncio.run(main())


@pytest.mark.parametrize("path", [*GETS, "/api/limits", "/api/presets"])
def test_what_is_only_read(path: str) -> None:
    async def main() -> None:
        answer = await ask(create_app(), "GET", path)
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/json"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/train", 405, "request.method"),
        ("GET", "/api/nowhere", 404, "request.no_address"),
        ("POST", "/api/openapi.json", 405, "request.method"),
        ("GET", "/api/", 404, "request.no_address"),
    ],
)
def test_what_is_no_address(method: str, path: str, status: int, code: str) -> None:
    async def main() -> None:
        with pytest.raises(Refused) as caught:
            opened(await ask(create_app(), method, path))
        assert (caught.value.status, caught.value.code) == (status, code)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"host": "evil.example"}, 421, "request.host"),
        ({"headers": [("origin", "http://evil.example")]}, 403, "request.cross_site"),
        ({"headers": [("content-length", "9999999")]}, 413, "request.too_large"),
    ],
)
def test_refusals_before_routing_have_the_shape_too(more: dict[str, Any], status: int, code: str) -> None:
    async def main() -> None:
        with pytest.raises(Refused) as caught:
            opened(await ask(create_app(), "POST", "/api/train", **more))
        assert (caught.value.status, caught.value.code) == (status, code)

    asyncio.run(main())


def test_the_app_can_do_without_it() -> None:
    async def main() -> None:
        assert (await ask(create_app(api=False), "GET", "/api/limits")).status == 404

    asyncio.run(main())
