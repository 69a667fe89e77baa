"""How much the pages send: a step of the slider at most 30 KiB, the whole page at most 60 KiB compressed."""

from __future__ import annotations

import asyncio
import gzip
import random
import re

import pytest

from pairloom.web.app import create_app
from tests.web.asgi import ask, events
from tests.web.test_browser_workbench import real_text
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
CORPORA = {
    "English": lambda: real_text(6_000),
    "Chinese, hardly a space": lambda: words_of(HANZI, longest=60),
    "Chinese words": lambda: words_of(HANZI, longest=4),
    "emoji": lambda: words_of(EMOJI, longest=6),
    "emoji, hardly a space": lambda: words_of(EMOJI, longest=300),
    "one sentence over and over": lambda: (HANZI * 2)[: LIMIT // 20] * 20,
    "one letter": lambda: "a" * LIMIT,
}


@pytest.mark.parametrize("name", CORPORA)
def test_a_step_of_the_slider_is_small(name: str) -> None:
    async def main() -> None:
        app = create_app()
        text = CORPORA[name]()
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


def test_the_whole_page_is_small() -> None:
    async def main() -> None:
        app = create_app()
        page = await ask(app, "GET", "/")
        total = len(gzip.compress(page.body))
        loaded = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text))
        assert len(loaded) > 10
        for address in loaded:
            part = await ask(app, "GET", address, headers=[("accept-encoding", "gzip")])
            assert part.status == 200
            total += len(part.body)
        assert total <= PAGE_BYTES

    asyncio.run(main())
