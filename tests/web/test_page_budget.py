"""How much the pages send: a step of the slider at most 30 KiB, the whole page at most 60 KiB compressed."""

from __future__ import annotations

import asyncio
import gzip
import random
import re

import pytest

from pairloom.web.app import create_app
from pairloom.web.catalogue import load_catalogues
from tests.support.prose import real_text
from tests.web.asgi import ask, events
from tests.web.test_workbench import key_in

STEP_BYTES = 30 * 1024
PAGE_BYTES = 60 * 1024
LIMIT = 40_000


def words_of(letters: str, *, longest: int, distinct: int = 400) -> str:
    """Return words of these letters, letters and words some frequent and most rare."""
    chance = random.Random(1)
    weights = [1 / rank for rank in range(1, len(letters) + 1)]
    words = ["".join(chance.choices(letters, weights, k=chance.randint(1, longest))) for _ in range(distinct)]
    chosen = chance.choices(words, [1 / rank for rank in range(1, distinct + 1)], k=LIMIT)
    return " ".join(chosen)[:LIMIT]


HANZI = "".join(map(chr, range(0x4E00, 0x5200)))
EMOJI = "".join(map(chr, range(0x1F600, 0x1F650)))
INVISIBLE = "".join(map(chr, [*range(9), *range(14, 32), 0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x2060, 0x2070)]))
TAGS = "".join(map(chr, range(0xE0000, 0xE0080)))
MARKS = "".join(map(chr, range(0x300, 0x370)))
CORPORA = {
    "English": lambda: real_text(6_000),
    "Chinese, hardly a space": lambda: words_of(HANZI, longest=60),
    "Chinese words": lambda: words_of(HANZI, longest=4),
    "emoji": lambda: words_of(EMOJI, longest=6),
    "emoji, hardly a space": lambda: words_of(EMOJI, longest=300),
    "one sentence over and over": lambda: (HANZI * 2)[: LIMIT // 20] * 20,
    "one letter": lambda: "a" * LIMIT,
}
# Hardly a code point of these is shown as itself.
WRITTEN_OUT = {
    "nothing to be seen": lambda: words_of(INVISIBLE, longest=60),
    "tags, the longest escapes": lambda: words_of(TAGS, longest=60),
    "tags, hardly a space": lambda: words_of(TAGS, longest=300),
    "tags over and over": lambda: (TAGS * 20)[: LIMIT // 20] * 20,
    "marks without a base": lambda: words_of(MARKS, longest=60),
    "stacks of marks": lambda: words_of("a" + MARKS, longest=30),
}
ALL = CORPORA | WRITTEN_OUT


@pytest.mark.parametrize("name", ALL)
def test_a_step_of_the_slider_is_small(name: str) -> None:
    async def main() -> None:
        app = create_app()
        text = ALL[name]()
        inputs = {"corpus": text, "merge_limit": "40000", "pre_tokenizer": "whitespace"}
        answer = await ask(app, "POST", "/workbench/train", form=inputs)
        result = events(answer.text)[-1]
        found = re.search(r'id="slider"[^>]* max="(\d+)"', result)
        assert found
        merges = int(found[1])
        # The heaviest step: another page of the table comes along, and the encoding of the longest text.
        form = {"key": key_in(result), "text": text[:4_000], "merges_page": "999999"}
        for prefix in {0, 1, 2, *range(99, merges, max(100, merges // 15)), merges}:
            step = await ask(app, "POST", "/workbench/prefix", form=form | {"prefix": str(min(prefix, merges))})
            assert step.status == 200
            assert "merges-view" in step.text or prefix == 0
            assert "encoding-view" in step.text
            assert len(step.body) <= STEP_BYTES, prefix

    asyncio.run(main())


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_a_step_of_the_walkthrough_is_small(name: str) -> None:
    async def main() -> None:
        app = create_app()
        text = ALL[name]()
        answer = await ask(
            app, "POST", "/walkthrough/train", form={"walk_corpus": text, "walk_pre_tokenizer": "whitespace"}
        )
        result = events(answer.text)[-1]
        key = re.search(r'id="walk-key" value="([0-9a-f]+)"', result)
        found = re.search(r'id="walk-slider"[^>]* max="(\d+)"', result)
        assert key
        assert found
        merges = int(found[1])
        for prefix in {0, 1, *range(99, merges, max(100, merges // 8)), merges}:
            form = {"key": key[1], "prefix": str(min(prefix, merges)), "text": text[:4_000]}
            step = await ask(app, "POST", "/walkthrough/step", form=form)
            assert step.status == 200
            assert "walk-subwords-view" in step.text
            assert len(step.body) <= STEP_BYTES, prefix

    asyncio.run(main())


@pytest.mark.parametrize("language", list(load_catalogues()))
@pytest.mark.parametrize("view", ["/", "/lesson", "/walkthrough", "/method"])
def test_the_whole_page_is_small(view: str, language: str) -> None:
    async def main() -> None:
        app = create_app()
        head = [("accept-encoding", "gzip"), ("accept-language", language)]
        page = await ask(app, "GET", view, headers=head)
        assert page.headers["content-language"] == language
        total = len(page.body)
        markup = gzip.decompress(page.body).decode()
        loaded = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', markup))
        assert len(loaded) > 10
        for address in loaded:
            part = await ask(app, "GET", address, headers=head)
            assert part.status == 200
            total += len(part.body)
        assert total <= PAGE_BYTES

    asyncio.run(main())
