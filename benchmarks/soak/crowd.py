"""Forty people who train what costs most, again and again: `crowd PORT CLIENTS ROUNDS`, run with `nice`.

Prints a line of JSON a round: what the answers were. A round is one training of each.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter

from benchmarks.soak.http import ask

CODE_POINTS = 40_000


def corpus(seed: int) -> str:
    """Return one of the costly texts: one long word, few or many letters, many short words; each another one."""
    generator = random.Random(seed)
    letters, word = ((20, 0), (400, 0), (60, 5), (3_000, 3), (2, 0), (26, 9))[seed % 6]
    text = "".join(chr(0x4E00 + generator.randrange(letters)) for _ in range(CODE_POINTS))
    if not word:
        return text
    return " ".join(text[start : start + word] for start in range(0, CODE_POINTS, word + 1))[:CODE_POINTS]


async def train(port: int, text: str, answers: Counter[str]) -> None:
    """Train until there is an answer other than 503."""
    form = {"corpus": text, "merge_limit": "40000", "pre_tokenizer": "whitespace"}
    while True:
        reply = await ask(port, "POST", "/workbench/train", form)
        is_busy = reply.status == 503 and "retry-after" in reply.headers
        came = reply.status == 200 and b'name="key"' in reply.body
        answers["trained" if came else "503 with Retry-After" if is_busy else f"failed: {reply.status}"] += 1
        if not is_busy:
            return
        await asyncio.sleep(float(reply.headers["retry-after"]))


async def main() -> None:
    """Run the rounds."""
    port, clients, rounds = (int(word) for word in sys.argv[1:4])
    for number in range(rounds):
        answers: Counter[str] = Counter()
        begin = time.monotonic()
        texts = [corpus(number * clients + client) for client in range(clients)]
        await asyncio.gather(*(train(port, text, answers) for text in texts))
        seconds = round(time.monotonic() - begin, 1)
        print(json.dumps({"round": number + 1, "answers": answers, "s": seconds}), flush=True)


asyncio.run(main())
