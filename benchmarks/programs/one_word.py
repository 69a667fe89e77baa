"""Train and encode one word of equal symbols, the shape that is quadratic elsewhere: `one_word SYMBOLS`."""

from __future__ import annotations

import sys

from benchmarks.programs import Figures
from pairloom import train  # public names load when first asked for: here, and not while timed


def main() -> None:
    text = "a" * int(sys.argv[1])
    figures = Figures()
    with figures.time("train_ms"):
        model = train(text, 40_000)
    with figures.time("encode_ms"):
        encoding = model.encode(text)
    figures.values |= {"merges": len(model.merges), "tokens": len(encoding.tokens)}
    figures.print()


main()
