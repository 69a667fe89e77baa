"""Train a text to its last merge, then encode the same text: `train_all FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.programs import Figures
from pairloom import train  # public names load when first asked for: here, and not while timed


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    figures = Figures()
    with figures.time("train_ms"):
        model = train(text, len(text))
    with figures.time("encode_ms"):
        encoding = model.encode(text)
    figures.values |= {
        "merges": len(model.merges),
        "initial_tokens": model.initial_tokens or 0,
        "tokens": len(encoding.tokens),
    }
    figures.print()


main()
