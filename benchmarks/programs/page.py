"""Move the slider of the workbench: `page FILE`, or `page` for emoji. What the server spends on a step, and sends.

Every step is a heavy one: it brings another page of the merge table and the encoding of 4,000 code points along.
"""

from __future__ import annotations

import asyncio
import gc
import random
import re
import sys
import time
from pathlib import Path
from statistics import median, quantiles

from benchmarks.programs import Figures
from pairloom.web.app import create_app
from tests.web.asgi import ask, events

STEPS = 100
# As `merges_page` of a request: a page that is not shown, so that the table comes along.
ANOTHER = "999999"


def emoji(code_points: int) -> str:
    """Return words of emoji, some frequent and most rare; always the same."""
    chance = random.Random(1)
    signs = [chr(each) for each in range(0x1F600, 0x1F650)]
    words = ["".join(chance.choices(signs, k=chance.randint(1, 6))) for _ in range(300)]
    weights = [1 / rank for rank in range(1, 301)]
    return " ".join(chance.choices(words, weights, k=code_points))[:code_points]


async def measure(text: str) -> dict[str, float]:
    """Train on a text and step through its prefixes."""
    app = create_app(after_training=gc.freeze)
    inputs = {"corpus": text, "merge_limit": "40000", "pre_tokenizer": "whitespace"}
    result = events((await ask(app, "POST", "/workbench/train", form=inputs)).text)[-1]
    key = re.search(r'name="key" value="(\w+)"', result)
    last = re.search(r'id="slider"[^>]* max="(\d+)"', result)
    assert key
    assert last
    merges = int(last[1])
    form = {"key": key[1], "text": text[:4_000], "corpus_page": "0", "encoding_page": "0", "merges_page": ANOTHER}
    spent, sizes = [], []
    for prefix in range(1, merges + 1, max(1, merges // STEPS)):
        begin = time.process_time_ns()
        answer = await ask(app, "POST", "/workbench/prefix", form=form | {"prefix": str(prefix)})
        spent.append((time.process_time_ns() - begin) / 1e6)
        sizes.append(len(answer.body))
        assert answer.status == 200
    return {
        "step_ms": median(spent),
        "step_p95_ms": quantiles(spent, n=20)[-1],
        "step_worst_ms": max(spent),
        "largest_bytes": max(sizes),
        "merges": merges,
    }


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8") if len(sys.argv) > 1 else emoji(40_000)
    figures = Figures()
    figures.values |= asyncio.run(measure(text))
    figures.print()


main()
