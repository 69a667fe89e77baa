"""Encode one word of so many symbols: `encode_word SIZE`. Equal symbols, and then two at random with many merges."""

from __future__ import annotations

import random
import sys

from benchmarks.programs import Figures
from pairloom import Model, train_from_word_counts

DOUBLINGS = 20


def main() -> None:
    size = int(sys.argv[1])
    figures = Figures()
    doublings = [("a" * 2**number, "a" * 2**number) for number in range(DOUBLINGS)]
    model = Model.from_merges("a", doublings, marker=False)
    word = "a" * size
    with figures.time("encode_ms"):
        tokens = len(model.encode_batch([word]).token_ids.ids)
    drawn = random.Random(1)
    learned = train_from_word_counts({"".join(drawn.choices("ab", k=20_000)): 1}, 4_000, marker=False)
    mixed = "".join(drawn.choices("ab", k=size))
    with figures.time("mixed_ms"):
        tokens += len(learned.encode_batch([mixed]).token_ids.ids)
    figures.values["tokens"] = tokens
    figures.print()


main()
