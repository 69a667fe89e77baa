"""Ask a trained text for its past: `history FILE`. All words and the top pairs at five prefixes from 0 to all."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median

import pairloom
from benchmarks.programs import Figures
from pairloom.history import History
from pairloom.word_counts import count_words


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    figures = Figures()
    counts = count_words(text)
    model = pairloom.train_from_word_counts(counts, len(text))
    with figures.time("build_ms"):
        history = History.of(counts, model)
    merges = len(model.merges)
    words = 0
    segment, top_pairs, anew = [], [], []
    for prefix in (merges // 4, 0, merges // 2, merges, merges * 3 // 4):
        with figures.time("segment_ms"):
            words = sum(1 for _ in history.segments(prefix))
        segment.append(figures.values["segment_ms"])
        with figures.time("top_pairs_ms"):
            history.top_pairs(prefix, 12)
        top_pairs.append(figures.values["top_pairs_ms"])
    for prefix in (0, merges // 2, merges):
        with figures.time("encode_anew_ms"):
            model.encode(text, prefix)
        anew.append(figures.values["encode_anew_ms"])
    figures.values |= {
        "segment_ms": median(segment),
        "segment_worst_ms": max(segment),
        "top_pairs_ms": median(top_pairs),
        "top_pairs_worst_ms": max(top_pairs),
        "encode_anew_ms": median(anew),
        "words": words,
    }
    figures.print()


main()
