"""The walkthrough's requests: every number on the page is the library's, at every prefix. Rules: S1–S6."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given, settings
from starlette.applications import Starlette

import pairloom
from pairloom import educational
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.views.display import visible
from pairloom.web.app import create_app
from pairloom.web.presets import PRESETS
from pairloom.web.settings import Settings
from tests.support.numbers import two_decimals
from tests.support.strategies import texts
from tests.web.asgi import Answer, ask, events
from tests.web.test_page_budget import CORPORA, STEP_BYTES

Pair = tuple[str, str]

# 51 pre-tokens, 28 of them distinct, 22 characters with the marker, 261 tokens at the start, 39 merges.
COUNTED = (
    "learn of holds spindle pattern lower weft of low the spindle many pattern many new the weaver hand spindle of "
    "again a a row weaver, thread tight over low many weaver under spinner the hand hands and of low slower patterns "
    "spindle a many the a, comes tight then"
)
TO_ENCODE = "the weaver unrolls ✓ a threaded loom, again"


def form(corpus: str, **more: str) -> dict[str, str]:
    return {"corpus": corpus, "pre_tokenizer": "punctuation", **more}


async def train(app: Starlette, corpus: str, **more: str) -> str:
    answer = await ask(app, "POST", "/walkthrough/train", form=form(corpus, **more))
    assert answer.status == 200, answer.text
    return events(answer.text)[-1]


def key_in(markup: str) -> str:
    found = re.search(r'name="key" id="walk-key" value="([0-9a-f]+)"', markup)
    assert found
    return found[1]


def part(markup: str, target: str) -> str:
    """The inside of one fragment of an answer."""
    found = re.search(rf'<hx-partial hx-target="#walk-{target}">(.*?)</hx-partial>', markup, re.DOTALL)
    assert found, target
    return found[1]


def text(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", "", markup)).split())


def rows(markup: str) -> list[list[str]]:
    body = re.search(r"<tbody>(.*?)</table>", markup, re.DOTALL)
    assert body
    return [[text(cell) for cell in re.split(r"<t[dh][^>]*>", row)[1:]] for row in re.split(r"<tr[^>]*>", body[1])[1:]]


def shown(token: str) -> str:
    """A token as the page shows it, escapes and circles among it."""
    return "".join(span.text for span in visible(token))


def flow(markup: str) -> list[list[tuple[str, int, bool]]]:
    """Per pre-token its boxes: text, ID, and whether the last merge made it."""
    inside = re.search(r'<p class="flow"[^>]*>(.*?)</p>', markup, re.DOTALL)
    assert inside
    pieces = re.findall(r"<bdi>(.*?)</bdi>", inside[1])
    box = r"<(i|mark) class=c\d+ data-t=(\d+)>(.*?)</(?:i|mark)>"
    return [
        [(text(shown), int(token_id), tag == "mark") for tag, token_id, shown in re.findall(box, piece)]
        for piece in pieces
    ]


def marked_pairs(markup: str) -> list[list[str]]:
    return [re.findall(r"data-t=\d+>(.*?)</(?:i|mark)>", each) for each in re.findall(r"<b><(?:i|mark).*?</b>", markup)]


def boxes(markup: str) -> list[tuple[str, str]]:
    return [
        (text(token), number) for token, number in re.findall(r"<li class=\w+><bdi>(.*?)</bdi><b>(\w+)</b>", markup)
    ]


class Oracle:
    """The plain algorithm beside the page, one merge at a time."""

    def __init__(self, corpus: str) -> None:
        self.model = pairloom.train(corpus, 40_000, pre_tokenizer="punctuation")
        self.pre_tokens = educational.pre_tokenize(
            "".join(char for char, _, _ in educational.normalize(corpus)), "punctuation"
        )
        self.counts = educational.count_words([corpus], lowercase=False, pre_tokenizer="punctuation")
        self.merges = educational.train(dict(self.counts), 40_000)
        self.tokens_at_start = sum(map(len, self.pre_tokens))

    def prefixes(self) -> Iterator[tuple[int, list[list[str]], list[tuple[Pair, int]]]]:
        """Each prefix with the corpus in its order, and with all pairs in T4's order."""
        corpus = [list(each) for each in self.pre_tokens]
        for prefix in range(len(self.merges) + 1):
            frequencies = educational.count_pairs([(symbols, 1) for symbols in corpus])
            yield prefix, corpus, sorted(frequencies.items(), key=lambda item: (-item[1], item[0]))
            if prefix < len(self.merges):
                left, right = self.merges[prefix][:2]
                corpus = [educational.merge(symbols, left, right) for symbols in corpus]


async def compare(corpus: str, to_encode: str, *, only: Callable[[int], bool] = lambda _: True) -> None:
    """Walk through a text and compare everything on the page, at every prefix."""
    oracle = Oracle(corpus)
    # With room for all: how long tokens are shortened where room is short is another matter.
    app = create_app(replace(Settings(), page_shown_bytes=10**9, token_shown_code_points=10**6, corpus_page_tokens=600))
    first = await train(app, corpus, text=to_encode)
    total = len(oracle.merges)
    assert re.findall(r"<dd>(.*?)</dd>", part(first, "numbers")) == [
        f"{number:,}" for number in (len(oracle.pre_tokens), len(oracle.counts), len(set("".join(oracle.pre_tokens))))
    ]
    assert f'max="{total}"' in part(first, "controls")
    asked = {"key": key_in(first), "text": to_encode}
    for prefix, segmented, pairs in oracle.prefixes():
        if not only(prefix):
            continue
        answer = await ask(app, "POST", "/walkthrough/step", form=asked | {"prefix": str(prefix)})
        assert answer.status == 200
        if prefix == 0:
            # What training shows is prefix 0.
            for target in ("next", "figures", "merges-view", "pairs-view", "corpus-view", "subwords-view"):
                assert part(first, target) == part(answer.text, target)
        check_numbers(answer, oracle, prefix, segmented)
        check_pairs(answer, oracle, prefix, pairs)
        check_corpus(answer, oracle, prefix, segmented)
        check_encoding(answer, oracle, prefix, to_encode)
        await check_levels(app, asked | {"prefix": str(prefix)}, oracle, to_encode)


def check_numbers(answer: Answer, oracle: Oracle, prefix: int, segmented: list[list[str]]) -> None:
    total = len(oracle.merges)
    assert text(part(answer.text, "place")) == f"{prefix:,} / {total:,}"
    following = text(re.findall(r"<p class=\"next\".*?</p>", answer.text, re.DOTALL)[0])
    if prefix < total:
        left, right, frequency, *_ = oracle.merges[prefix]
        times = "time" if frequency == 1 else "times"
        pair = f"{shown_short(left)} + {shown_short(right)} → {shown_short(left + right)}"
        assert following == " ".join(f"Next merge #{prefix + 1:,}: {pair} ({frequency:,} {times})".split())
    else:
        assert following.startswith("No merge is left" if total else "There is nothing to merge")
    base, tokens = len(set("".join(oracle.pre_tokens))), sum(map(len, segmented))
    figures = [text(each) for each in re.findall(r"<dd>(.*?)</dd>", part(answer.text, "figures"))]
    fewer = f"{tokens:,} −{oracle.merges[prefix - 1][3]:,} by the last merge" if prefix else f"{tokens:,} at the start"
    per_token = two_decimals(oracle.tokens_at_start, tokens)
    assert figures == [
        f"{base + prefix:,} = {base:,} base + {prefix:,} merged",
        fewer,
        f"{per_token} = {oracle.tokens_at_start:,} at the start ÷ {tokens:,} now, markers counted",
    ]
    if prefix == 0:
        assert 'class="friendly"' in part(answer.text, "merges-view")
        return
    learned = rows(part(answer.text, "merges-view"))
    first = (prefix - 1) // 30 * 30
    assert learned == [
        [
            f"{rank + 1:,}",
            " ".join(f"{shown_short(left)} + {shown_short(right)} → {shown_short(left + right)}".split()),
            f"{frequency:,}",
            f"{replacements:,}",
        ]
        for rank, (left, right, frequency, replacements, _) in list(enumerate(oracle.merges))[first:prefix]
    ]


def shown_short(token: str) -> str:
    """A token where room is short: more than 24 code points by its ends."""
    return shown(token) if len(token) <= 24 else f"{shown(token[:18])}…{len(token):,}…{shown(token[-6:])}"


def check_pairs(answer: Answer, oracle: Oracle, prefix: int, pairs: list[tuple[Pair, int]]) -> None:
    view = part(answer.text, "pairs-view")
    if not pairs:
        assert "<table" not in view
        return
    has_next = prefix < len(oracle.merges)
    expected = []
    for number, ((left, right), frequency) in enumerate(pairs[:12]):
        merged = shown_short(left + right) + (" next" if number == 0 and has_next else "")
        expected.append(
            [
                " ".join(f"{shown_short(left)} + {shown_short(right)}".split()),
                " ".join(merged.split()),
                f"{frequency:,}",
            ]
        )
    assert rows(view) == expected
    assert view.count('class="is-next"') == has_next
    top = (
        f"The top 12 of {len(pairs):,} pairs" if len(pairs) > 12 else f"{len(pairs)} pair{'s'[: len(pairs) - 1]} in all"
    )
    assert text(view).split("</table>")[-1].endswith((top, f"{top} All pairs"))
    why = text(part(answer.text, "why-view"))
    if not has_next:
        assert why.startswith("Training is over")
        return
    tied = [pair for pair, frequency in pairs if frequency == pairs[0][1]]
    assert (f"A tie: {len(tied):,} pairs" in why) == (len(tied) > 1)
    # Where nothing is tied there is nothing that other tools would do otherwise.
    assert ("No tie: every tool takes this pair." in why) == (len(tied) == 1)
    assert ("What other tools would take here" in why) == (len(tied) > 1)


def check_corpus(answer: Answer, oracle: Oracle, prefix: int, segmented: list[list[str]]) -> None:
    view = part(answer.text, "corpus-view")
    found = flow(view)
    made = "".join(oracle.merges[prefix - 1][:2]) if prefix else None
    ids = oracle.model.token_id
    # Small corpora stand whole; of a long one this is the first page.
    assert len(found) == len(segmented) or oracle.tokens_at_start > 300
    if oracle.tokens_at_start <= 300:
        assert found == [
            [(" ".join(shown(each).split()), ids(each), each == made) for each in symbols] for symbols in segmented
        ]
        upcoming = oracle.merges[prefix] if prefix < len(oracle.merges) else None
        marked = marked_pairs(view)
        assert len(marked) == (upcoming[3] if upcoming else 0)
        if upcoming:
            assert all(
                list(map(text, each)) == [" ".join(shown(side).split()) for side in upcoming[:2]] for each in marked
            )


def check_encoding(answer: Answer, oracle: Oracle, prefix: int, to_encode: str) -> None:
    model = educational.Model(
        list(oracle.model.alphabet), [each[:2] for each in oracle.merges], pre_tokenizer="punctuation"
    )
    encoding = educational.encode(to_encode, model, prefix)
    view = part(answer.text, "subwords-view")
    ids = ["UNK" if token_id is None else str(token_id) for _, token_id, _ in encoding]
    assert boxes(view) == [
        (" ".join(shown(token).split()), number) for (token, _, _), number in zip(encoding[:100], ids, strict=False)
    ]
    assert f"[{', '.join([*ids[:100], *['…'][: len(ids) > 100]])}]" in text(view)
    assert f"<b>{len(ids):,}</b>" in view
    assert re.findall(r'<p class="counts".*?</p>', view, re.DOTALL)
    assert text(re.findall(r'<p class="counts".*?</p>', view, re.DOTALL)[0]).endswith(f"{ids.count('UNK')} unknown")


async def check_levels(app: Starlette, asked: dict[str, str], oracle: Oracle, to_encode: str) -> None:
    answer = await ask(app, "POST", "/walkthrough/encode", form=asked)
    normalized = "".join(char for char, _, _ in educational.normalize(to_encode))
    words = educational.pre_tokenize(normalized, "punctuation")
    characters = [char for word in words for char in word]
    known = set("".join(oracle.counts))
    for level, tokens, unknown in (
        ("characters", characters, sum(char not in known for char in characters)),
        ("words", words, sum(word not in oracle.counts for word in words)),
    ):
        view = part(answer.text, f"{level}-view")
        count = text(re.findall(r'<p class="counts".*?</p>', view, re.DOTALL)[0])
        assert count == f"{len(tokens):,} token{'s' * (len(tokens) != 1)} · {unknown:,} unknown"
        assert view.count("<b>UNK</b>") == unknown or len(tokens) > 100
    assert part(answer.text, "subwords-view") is not None


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_number_of_every_preset_is_the_librarys(preset: object) -> None:
    asyncio.run(compare(preset.text, preset.to_encode))  # type: ignore[attr-defined]  # a Preset


def test_a_text_whose_numbers_are_known() -> None:
    async def main() -> None:
        first = await train(create_app(), COUNTED)
        assert re.findall(r"<dd>(.*?)</dd>", part(first, "numbers")) == ["51", "28", "22"]
        assert text(part(first, "place")) == "0 / 39"
        figures = [text(each) for each in re.findall(r"<dd>(.*?)</dd>", part(first, "figures"))]
        assert figures == [
            "22 = 22 base + 0 merged",
            "261 at the start",
            "1.00 = 261 at the start ÷ 261 now, markers counted",
        ]
        assert (
            text(re.findall(r"<p class=\"next\".*?</p>", first, re.DOTALL)[0]) == "Next merge #1: e + r → er (11 times)"
        )
        await compare(COUNTED, TO_ENCODE)

    asyncio.run(main())


@given(corpus=texts().filter(lambda text: text.strip()), to_encode=texts())
@settings(max_examples=25)
def test_every_number_of_generated_texts_is_the_librarys(corpus: str, to_encode: str) -> None:
    if pairloom.normalize(corpus):
        asyncio.run(compare(corpus, to_encode))


def asked_in(app: Starlette, first: str) -> Callable[..., Awaitable[Answer]]:
    """Ask about the model that an answer has brought."""
    key = key_in(first)

    async def asking(path: str, **fields: str) -> Answer:
        return await ask(app, "POST", f"/walkthrough/{path}", form={"key": key, "prefix": "0", **fields})

    return asking


def test_s3_all_pairs_on_request_in_pages() -> None:
    async def main() -> None:
        oracle = Oracle(COUNTED)
        app = create_app()
        asking = asked_in(app, await train(app, COUNTED))
        _, _, pairs = next(oracle.prefixes())
        answer = await asking("pairs", pairs_wanted="on", page="0")
        assert [int(row[2]) for row in rows(answer.text)] == [frequency for _, frequency in pairs[:40]]
        assert 'name="pairs_all" value="on"' in answer.text
        # A step leaves it open, and going back closes it.
        answer = await asking("step", pairs_all="on", pairs_page="0")
        assert len(rows(part(answer.text, "pairs-view"))) == min(40, len(pairs)) > 12
        answer = await asking("pairs", pairs_all="on", pairs_wanted="off", page="0")
        assert len(rows(answer.text)) == 12

    asyncio.run(main())


def test_s4_the_merges_and_the_base_characters_turn_their_pages() -> None:
    corpus = " ".join(chr(0x4E00 + i) + chr(0x4E00 + i // 2) for i in range(230)) * 2
    oracle = Oracle(corpus)

    async def main() -> None:
        app = create_app()
        first = await train(app, corpus)
        asking = asked_in(app, first)
        chips = re.findall(
            r"<button type=button class=c\d+ data-token=(\d+)><bdi>(.*?)</bdi>", part(first, "alphabet-view")
        )
        assert chips == [(str(token_id), token) for token_id, token in enumerate(oracle.model.alphabet[:100])]
        answer = await asking("alphabet", page="2")
        assert "data-token=200>" in answer.text
        prefix = len(oracle.merges)
        assert prefix > 80
        answer = await asking("merges", prefix=str(prefix), page="1")
        assert [row[0] for row in rows(answer.text)] == [str(number) for number in range(31, 61)]

    asyncio.run(main())


def test_s5_the_next_place_goes_from_page_to_page() -> None:
    corpus = ("x" * 290 + " ") + " ".join(["plain words only"] * 60) + " zq zq"

    async def main() -> None:
        app = create_app()
        model = pairloom.train(corpus, 40_000, pre_tokenizer="punctuation")
        asking = asked_in(app, await train(app, corpus))
        rank = next(each.rank for each in model.merges if each.result == "zq")
        last_page = int(re.findall(r'name="corpus_page" value="(\d+)"', (await asking("corpus", page="999")).text)[0])
        assert last_page > 1
        answer = await asking("corpus", prefix=str(rank), corpus_page="0", place="next")
        assert f'name="corpus_page" value="{last_page}"' in answer.text
        assert marked_pairs(answer.text) == [["z", "q"]] * 2
        answer = await asking("corpus", prefix=str(rank + 1), corpus_page="0", place="made")
        assert f'name="corpus_page" value="{last_page}"' in answer.text
        token_id = str(model.token_id("zq"))
        answer = await asking("corpus", prefix=str(rank + 1), corpus_page="0", place="token", token_id=token_id)
        assert f'name="corpus_page" value="{last_page}"' in answer.text

    asyncio.run(main())


def test_where_a_token_came_from() -> None:
    async def main() -> None:
        app = create_app()
        asking = asked_in(app, await train(app, "low lower lowest slow"))
        model = pairloom.train("low lower lowest slow", 40_000, pre_tokenizer="punctuation")
        for token_id, token in enumerate(model.vocabulary):
            answer = await asking("token", token_id=str(token_id), prefix=str(len(model.merges)))
            chosen = re.findall(r'<h3[^>]*id="walk-origin-token">(.*?)</h3>', answer.text)
            assert [text(each) for each in chosen] == [token]
            leaves = re.findall(r"<bdi>(\S+?)</bdi></button> <span class=\"note\">of the base alphabet", answer.text)
            assert "".join(leaves) == token
            assert answer.text.count("merge #") >= len(token) - 1
        answer = await asking("token", token_id=str(len(model.vocabulary) - 1), prefix="0")
        assert "Not made yet" in answer.text
        assert (await asking("token", token_id="99")).status == 422

    asyncio.run(main())


def test_a_step_survives_a_text_that_cannot_be_encoded() -> None:
    async def main() -> None:
        app = create_app()
        asking = asked_in(app, await train(app, "low low", text="▁"))
        answer = await asking("step", text="▁", prefix="1")
        assert answer.status == 200
        assert "subwords-view" not in answer.text
        answer = await asking("encode", text="▁")
        assert answer.status == 422
        assert "#walk-text-error" in answer.text
        answer = await asking("encode", text="x" * 4_001)
        assert "4,001 code points, 4,000 are allowed" in answer.text
        assert (await asking("encode/sentences", text="x")).status == 400

    asyncio.run(main())


@pytest.mark.parametrize("field", ["prefix", "token_id", "corpus_page", "pairs_page", "words_page", "characters_page"])
def test_a_field_that_is_no_number_is_an_objection_and_no_fault(field: str) -> None:
    """Made by hand only; named as the walkthrough's own, so that nothing of the workbench is touched."""

    async def main() -> None:
        app = create_app()
        # A training has no place for them: it begins at 0, on first pages.
        first = await train(app, "low low lower", **{"text": "low", field: "x"})
        asking = asked_in(app, first)
        for value in ("x", "-1", "", "1" * 30):
            answer = await asking("shown", text="low", **{field: value})
            assert answer.status == 422, value
            assert f'hx-target="#walk-{field.replace("_", "-")}-error"' in answer.text
            # A step does not read the pages of levels that it does not change.
            expected = 200 if field in {"words_page", "characters_page"} else 422
            assert (await asking("step", text="low", **{field: value})).status == expected

    asyncio.run(main())


@pytest.mark.parametrize(("corpus", "said"), [("", "no word"), ("a ▁", "position 2"), ("x" * 40_001, "40,001")])
def test_what_is_wrong_with_a_corpus_is_said_at_its_field(corpus: str, said: str) -> None:
    async def main() -> None:
        answer = await ask(create_app(), "POST", "/walkthrough/train", form=form(corpus))
        assert answer.status == 422
        assert "#walk-corpus-error" in answer.text
        assert said in text(answer.text)

    asyncio.run(main())


def test_a_forgotten_model_is_trained_again() -> None:
    async def main() -> None:
        app, other = create_app(), create_app()
        asked = {"key": key_in(await train(app, COUNTED)), "prefix": "5"}
        for path in ("step", "pairs", "corpus", "merges", "alphabet", "encode", "encode/words", "shown"):
            assert (await ask(other, "POST", f"/walkthrough/{path}", form=asked)).status == 409
        again = await ask(other, "POST", "/walkthrough/step", form=asked | form(COUNTED))
        first = await ask(app, "POST", "/walkthrough/step", form=asked)
        assert again.text == first.text

    asyncio.run(main())


@pytest.mark.parametrize("name", CORPORA)
def test_a_step_on_the_largest_corpus_is_small(name: str) -> None:
    """At most 30 KB, with everything that can be open: all pairs, a text to encode, a chosen token."""
    corpus = CORPORA[name]()

    async def main() -> None:
        app = create_app()
        first = await train(app, corpus)
        asking = asked_in(app, first)
        maximum = int(re.findall(r'max="(\d+)"', part(first, "controls"))[0])
        for prefix in {0, 1, 30, *range(60, maximum, max(30, maximum // 400 * 30)), maximum - 1, maximum}:
            fields = {"prefix": str(min(prefix, maximum)), "text": corpus[:4_000], "token_id": "1", "pairs_all": "on"}
            answer = await asking("step", **fields)
            assert answer.status == 200
            assert len(answer.body) <= STEP_BYTES, (prefix, len(answer.body))

    asyncio.run(main())


def test_s1_presets_are_several_and_say_what_to_watch() -> None:
    assert len(PRESETS) >= 6
    assert len({preset.language for preset in PRESETS}) >= 4
    for preset in PRESETS:
        tokens = sum(map(len, pre_tokenize(pairloom.normalize(preset.text), "punctuation")))
        assert tokens <= 300, "a preset stands whole"
        assert len(pairloom.train(preset.text, pre_tokenizer="punctuation").merges) >= 5
        assert preset.watch


def test_what_presets_claim_holds() -> None:
    models = {preset.name: pairloom.train(preset.text, 40_000, pre_tokenizer="punctuation") for preset in PRESETS}
    results = {name: [merge.result for merge in model.merges] for name, model in models.items()}
    assert results["weaver"].index("▁weav") < 5
    for word in ("weave", "weaver", "weavers", "weaving"):
        assert models["weaver"].encode(word, 4).tokens[0] == "▁weav"
    for word, tail in (("low", "w"), ("lower", "wer"), ("lowest", "west")):
        assert models["endings"].encode(word).tokens == ("▁lo", tail)
    assert [models["german"].encode(word, 3).tokens[:2] for word in ("Weber", "weben")] == [("▁W", "ebe"), ("▁", "w")]
    assert {"ler", "den", "imiz"} <= set(results["turkish"])
    merge = models["run"].merges[0]
    assert (merge.result, merge.frequency, merge.replacements) == ("aa", 30, 16)
    assert [len(models["numbers"].encode(number).tokens) for number in ("2000", "2001")] == [1, 2]
    assert results["chinese"][0] == "织布"
    assert results["arabic"][0] == "ال"
    assert any("\u093e" <= result[0] <= "\u094c" for result in results["hindi"])
    assert [len(part) for part in PRESETS[-1].text.split()[:1]] == [5]
    history = pairloom.History.of(pairloom.count_words(PRESETS[5].text, pre_tokenizer="punctuation"), models["ties"])
    tied = [
        len({pair for pair, n in history.top_pairs(k, 99) if n == history.top_pairs(k, 1)[0][1]}) for k in range(12)
    ]
    assert sum(number > 1 for number in tied) >= 9
