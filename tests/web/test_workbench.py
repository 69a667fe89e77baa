"""The workbench's requests, without a browser: what the server answers."""

import asyncio
import re
from dataclasses import replace
from html import unescape

import pytest
from starlette.applications import Starlette

import pairloom
from pairloom.web.app import create_app
from pairloom.web.services import Services
from pairloom.web.settings import Settings
from pairloom.web.training import Progress
from tests.web.asgi import Answer, ask, events, exchange, until

CORPUS = "low lower lowest slow slowest newer wider " * 30
INPUTS = {"corpus": CORPUS, "merge_limit": "1000", "pre_tokenizer": "whitespace"}
MODEL = pairloom.train(CORPUS)


def services(app: Starlette) -> Services:
    found: Services = app.state.services
    return found


async def train(app: Starlette, **inputs: str) -> str:
    """Train; return the result's markup."""
    answer = await ask(app, "POST", "/workbench/train", form=INPUTS | inputs)
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    return events(answer.text)[-1]


def key_in(result: str) -> str:
    found = re.search(r'name="key" value="([0-9a-f]+)"', result)
    assert found
    return found[1]


def partial(markup: str, target: str) -> str:
    found = re.search(rf'<hx-partial hx-target="#{target}">(.*?)</hx-partial>', markup, re.DOTALL)
    assert found, target
    return found[1]


def cells(markup: str) -> list[list[str]]:
    """Return the text of each row of a table."""
    body = markup.partition("<tbody>")[2]
    return [
        [unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in row.split("<td")[1:]]
        for row in re.sub(r'<td class="n"', "<td", body).replace("<td>", "<td").split("<tr")[1:]
    ]


def words(markup: str) -> list[list[str]]:
    """Return the tokens of each pre-token of a coloured corpus."""
    return [re.findall(r"<(?:i|mark) class=c\d+>(.*?)</", piece) for piece in re.findall(r"<bdi>(.*?)</bdi>", markup)]


def boxes(markup: str) -> list[tuple[str, str]]:
    """Return token and ID of each box of an encoding."""
    return re.findall(r"<li class=\w+><bdi>(.*?)</bdi><b>(\w+)</b>", markup)


def test_the_whole_way() -> None:
    async def main() -> None:
        app = create_app()
        result = await train(app)
        key = key_in(result)
        rows = cells(partial(result, "merges-view"))
        assert [[row[0], row[1], row[2], row[3], row[7]] for row in rows] == [
            [str(each.rank), each.left, each.right, each.result, str(each.id)] for each in MODEL.merges
        ]
        assert [row[4:7] for row in rows] == [
            [f"{number:,}" for number in (each.frequency or 0, each.replacements or 0, each.corpus_tokens or 0)]
            for each in MODEL.merges
        ]
        for prefix in range(len(MODEL.merges) + 1):
            answer = await ask(app, "POST", "/workbench/prefix", form={"key": key, "prefix": str(prefix)})
            shown = words(partial(answer.text, "corpus-view"))
            first = CORPUS.split()[: len(shown)]
            assert shown == [list(MODEL.encode(word, prefix).tokens) for word in first]
            tokens = MODEL.initial_tokens if prefix == 0 else MODEL.merges[prefix - 1].corpus_tokens
            assert f"corpus tokens <b>{tokens:,}</b>" in partial(answer.text, "selection")
        text = "slower  and newest"
        form = {"key": key, "prefix": "7", "text": text}
        answer = await ask(app, "POST", "/workbench/encode", form=form)
        encoding = MODEL.encode(text, 7)
        ids = [str(each) if each is not None else "UNK" for each in encoding.ids]
        assert boxes(answer.text) == list(zip(encoding.tokens, ids, strict=True))
        assert f"<dd>{encoding.unknown_count}</dd>" in answer.text

    asyncio.run(main())


def test_a_remembered_model_needs_no_inputs_and_a_forgotten_one_does() -> None:
    async def main() -> None:
        app = create_app()
        result = await train(app)
        form = {"key": key_in(result), "prefix": "3"}
        other = create_app()
        for path in ("prefix", "corpus", "merges", "vocabulary", "encode"):
            assert (await ask(app, "POST", f"/workbench/{path}", form=form)).status == 200
            assert (await ask(other, "POST", f"/workbench/{path}", form=form)).status == 409
        # The page asks again with its inputs: trained anew, and the same is seen.
        again = await ask(other, "POST", "/workbench/prefix", form=form | INPUTS)
        assert again.status == 200
        first = await ask(app, "POST", "/workbench/prefix", form=form)
        assert again.text == first.text
        assert (await ask(other, "POST", "/workbench/prefix", form=form | {"corpus": "▁"})).status == 422

    asyncio.run(main())


def test_equal_inputs_are_trained_once() -> None:
    async def main() -> None:
        slices = 0

        async def gate(_: Progress) -> None:
            nonlocal slices
            slices += 1

        app = create_app(gate=gate)
        results = await asyncio.gather(*(train(app) for _ in range(5)))
        assert len(set(results)) == 1
        before = slices
        await train(app)
        assert slices == before
        await train(app, merge_limit="3")
        assert slices > before

    asyncio.run(main())


def test_w2_w3_progress_is_streamed_and_hanging_up_stops_the_work() -> None:
    async def main() -> None:
        closed = asyncio.Event()

        async def gate(progress: Progress) -> None:
            if progress.merges >= 1:
                await closed.wait()

        settings = replace(Settings(), portion_operations=100, slice_target_ms=0.001, progress_interval_ms=1)
        app = create_app(settings, gate=gate)
        made = exchange(app, "POST", "/workbench/train", form=INPUTS)
        running = asyncio.create_task(made.run())
        text = await made.until("learned (the limit is")
        assert "<progress" in text
        assert re.search(r"Cancelled after \d+ merges?\. There is no model\.", text)
        assert len(services(app).models.scheduler) == 1
        made.hung_up.set()
        await running
        await until(lambda: not len(services(app).models.scheduler))
        assert len(services(app).models.cache) == 0
        assert "model-key" not in made.so_far()

    asyncio.run(main())


def test_a_retraining_stops_when_the_client_hangs_up() -> None:
    async def main() -> None:
        reached = asyncio.Event()

        async def gate(progress: Progress) -> None:
            if progress.merges >= 1:
                reached.set()
                await asyncio.Event().wait()

        app = create_app(replace(Settings(), portion_operations=100, slice_target_ms=0.001), gate=gate)
        made = exchange(app, "POST", "/workbench/prefix", form={"key": "", "prefix": "0"} | INPUTS)
        running = asyncio.create_task(made.run())
        await reached.wait()
        made.hung_up.set()
        await running
        await until(lambda: not len(services(app).models.scheduler))

    asyncio.run(main())


def test_too_many_trainings_are_told_to_wait() -> None:
    async def main() -> None:
        async def gate(_: Progress) -> None:
            await asyncio.Event().wait()

        app = create_app(replace(Settings(), trainings_max=1, progress_interval_ms=1), gate=gate)
        first = exchange(app, "POST", "/workbench/train", form=INPUTS)
        running = asyncio.create_task(first.run())
        await until(lambda: len(services(app).models.scheduler) > 0)
        other = INPUTS | {"corpus": "something else"}
        answer = await ask(app, "POST", "/workbench/train", form=other)
        assert (answer.status, answer.headers["retry-after"]) == (503, "2")
        assert "Try again" in answer.text
        answer = await ask(app, "POST", "/workbench/prefix", form=other | {"key": "", "prefix": "0"})
        assert (answer.status, answer.headers["retry-after"]) == (503, "2")
        first.hung_up.set()
        await running

    asyncio.run(main())


@pytest.mark.parametrize(
    ("path", "fields", "slot", "message"),
    [
        ("train", {"corpus": "a" * 40_001}, "corpus-error", "40,001 code points, 40,000 are allowed"),
        ("train", {"corpus": "ab ▁c"}, "corpus-error", "literal ▁ (U+2581) at position 3"),
        ("train", {"corpus": "İ" * 20_001, "lowercase": "on"}, "corpus-error", "40,002 code points after normal"),
        ("train", {"corpus": " "}, "corpus-error", "no word"),
        ("train", {"merge_limit": "40001"}, "merge-limit-error", "from 0 to 40,000"),
        ("train", {"pre_tokenizer": "x"}, "pre-tokenizer-error", "choose words, or words and punctuation"),
        ("prefix", {"prefix": "-1"}, "prefix-error", "from 0 to"),
        ("prefix", {"prefix": ""}, "prefix-error", "from 0 to"),
        ("prefix", {"prefix": "9999"}, "prefix-error", "from 0 to"),
        ("prefix", {"prefix": "1.5"}, "prefix-error", "from 0 to"),
        ("merges", {"prefix": "0", "rank": "x"}, "rank-error", "from 0 to"),
        ("vocabulary", {"prefix": "0", "token_id": "-1"}, "token-id-error", "from 0 to"),
        ("encode", {"prefix": "0", "text": "b" * 4_001}, "text-error", "4,001 code points, 4,000 are allowed"),
        ("encode", {"prefix": "0", "text": "▁"}, "text-error", "position 0"),
    ],
)
def test_errors_stand_at_their_field(path: str, fields: dict[str, str], slot: str, message: str) -> None:
    """Rules: L1–L3, N8, T10, V4, W7."""

    async def main() -> Answer:
        app = create_app()
        form = {"key": key_in(await train(app))} | fields if path != "train" else INPUTS | fields
        return await ask(app, "POST", f"/workbench/{path}", form=form)

    answer = asyncio.run(main())
    assert answer.status == 422
    assert message in partial(answer.text, slot)


def test_n8_u_fffd_is_no_surrogate() -> None:
    # What a form makes of an unpaired surrogate is a legal character: the page itself has to look (fields.js).
    assert "model-key" in asyncio.run(train(create_app(), corpus="a \ufffd"))


def test_w9_a_hundred_tokens_a_page() -> None:
    async def main() -> None:
        app = create_app()
        form = {"key": key_in(await train(app)), "prefix": "0", "text": "low " * 300}
        seen: list[tuple[str, str]] = []
        for page in range(12):
            answer = await ask(app, "POST", "/workbench/encode", form=form | {"encoding_page": str(page)})
            shown = boxes(answer.text)
            assert len(shown) == 100
            seen += shown
        assert [token for token, _ in seen] == list(MODEL.encode("low " * 300, 0).tokens)

    asyncio.run(main())


def test_e5_an_empty_text_has_no_ratio() -> None:
    async def main() -> None:
        app = create_app()
        form = {"key": key_in(await train(app)), "prefix": "0", "text": " \n"}
        answer = await ask(app, "POST", "/workbench/encode", form=form)
        assert answer.status == 200
        assert "<dt>Code points per token</dt><dd>—</dd>" in answer.text

    asyncio.run(main())


def test_d1_the_decoded_text_is_the_normalized_one() -> None:
    async def main() -> None:
        app = create_app()
        form = {"key": key_in(await train(app, lowercase="on")), "prefix": "2", "text": "  LOW\n\tslow "}
        answer = await ask(app, "POST", "/workbench/encode", form=form)
        assert '<p class="decoded"><bdi class="long">low slow</bdi></p>' in answer.text

    asyncio.run(main())


def test_w5_the_table_follows_the_selection_only_when_it_must() -> None:
    async def main() -> None:
        app = create_app(replace(Settings(), table_rows=4))
        key = key_in(await train(app))
        near = await ask(app, "POST", "/workbench/prefix", form={"key": key, "prefix": "4", "merges_page": "0"})
        assert "merges-view" not in near.text
        far = await ask(app, "POST", "/workbench/prefix", form={"key": key, "prefix": "5", "merges_page": "0"})
        rows = cells(partial(far.text, "merges-view"))
        assert [row[0] for row in rows] == ["4", "5", "6", "7"]
        assert "<tr data-r=4 aria-current=true>" in far.text
        none = await ask(app, "POST", "/workbench/prefix", form={"key": key, "prefix": "0", "merges_page": "1"})
        assert "merges-view" not in none.text

    asyncio.run(main())


def test_w8_jumps_go_to_the_page_that_holds_it() -> None:
    async def main() -> None:
        app = create_app(replace(Settings(), table_rows=4))
        key = key_in(await train(app))
        form = {"key": key, "prefix": "3"}
        answer = await ask(app, "POST", "/workbench/merges", form=form | {"rank": "6"})
        assert [row[0] for row in cells(answer.text)] == ["4", "5", "6", "7"]
        last = len(MODEL.vocabulary) - 1
        answer = await ask(app, "POST", "/workbench/vocabulary", form=form | {"token_id": str(last)})
        assert cells(answer.text)[-1][:2] == [str(last), MODEL.vocabulary[last]]
        answer = await ask(app, "POST", "/workbench/vocabulary", form=form | {"page": "999"})
        assert cells(answer.text)[-1] == [
            str(last), MODEL.vocabulary[last], f"merge of rank {len(MODEL.merges) - 1}", "not active",
        ]  # fmt: skip  # one row

    asyncio.run(main())


def test_w8_the_vocabulary_says_what_is_active_before_the_browser_does() -> None:
    base = len(MODEL.alphabet)
    assert base + len(MODEL.merges) < 100

    async def main() -> None:
        app = create_app()
        key = key_in(await train(app))
        for prefix in (0, 1, 7, len(MODEL.merges)):
            answer = await ask(app, "POST", "/workbench/vocabulary", form={"key": key, "prefix": str(prefix)})
            rows = cells(answer.text)
            assert [row[3] for row in rows[: base + prefix]] == ["active"] * (base + prefix)
            assert [row[3] for row in rows[base + prefix :]] == ["not active"] * (len(MODEL.merges) - prefix)
            off = re.findall(r"<tr data-r=(\d+) class=off>", answer.text)
            assert off == [str(rank) for rank in range(prefix, len(MODEL.merges))]

    asyncio.run(main())


def test_no_merge_at_all() -> None:
    async def main() -> None:
        app = create_app()
        for inputs in ({"corpus": "ab"}, {"merge_limit": "0"}):
            result = await train(app, **inputs)
            assert "No merge was learned" in result
            form = {"key": key_in(result), "prefix": "0", "rank": "0"}
            assert (await ask(app, "POST", "/workbench/merges", form=form)).status == 200

    asyncio.run(main())


HOSTILE = [
    "<script>alert(1)</script>",
    "</hx-partial><hx-partial hx-target='body'>",
    "\"'><img src=x onerror=alert(1)>",
    "{{ settings }} {% raw %}",
    "&lt;b&gt; &amp;",
    "\x00\x1b[31m\u202e\ufeff\u2028\U000e0001",
    "data: x\r\n\r\nevent: y",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_as_text(text: str) -> None:
    async def main() -> None:
        app = create_app()
        result = await train(app, corpus=f"{text} {text}", merge_limit="3")
        form = {"key": key_in(result), "prefix": "2", "text": text}
        answer = await ask(app, "POST", "/workbench/encode", form=form)
        assert answer.status == 200
        for markup in (result, answer.text):
            assert not re.search(r"<(script|img|b>&|/?hx-partial hx-target='body)", markup)
            assert "onerror=alert(1)>" not in markup
            assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e\ufeff\u2028\U000e0001]", markup)

    asyncio.run(main())


def test_a_very_long_token_is_shown_by_its_ends() -> None:
    async def main() -> None:
        app = create_app()
        result = await train(app, corpus="a" * 40_000)
        assert len(result.encode()) < 40_000
        assert "code points in all" in result
        key = key_in(result)
        steps = [await ask(app, "POST", "/workbench/prefix", form={"key": key, "prefix": str(each)}) for each in (0, 9)]
        assert all(len(step.body) < 30_720 for step in steps)

    asyncio.run(main())


def test_no_text_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        app = create_app()
        result = await train(app, corpus="canarybird canarybird")
        form = {"key": key_in(result), "prefix": "0", "text": "canarybird"}
        await ask(app, "POST", "/workbench/encode", form=form)
        await ask(app, "POST", "/workbench/encode", form=form | {"text": "canarybird ▁"})

    with caplog.at_level("DEBUG"):
        asyncio.run(main())
    assert "canarybird" not in caplog.text


def test_health_counts_trainings() -> None:
    assert asyncio.run(ask(create_app(), "GET", "/healthz")).text == "ok 0\n"
