"""Train on a file as the command line does, and say what came out: `train_file MERGES THREADS FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.programs import Figures
from pairloom import Trainer, WordCounter


def main() -> None:
    merges, threads, path = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    figures = Figures()
    with figures.time("count_ms"):
        counter = WordCounter(threads=threads)
        with path.open("rb") as file:
            counter.add_utf8(file, name=path.name)
        word_counts = counter.word_counts()
    with figures.time("merge_ms"):
        trainer = Trainer(word_counts, merges)
        trainer.run()
    with figures.time("model_ms"):
        model = trainer.model()
    figures.values |= {
        "merges": len(model.merges),
        "words": len(word_counts),
        # The first 48 bits: a JSON number holds them exactly.
        "fingerprint": int(model.fingerprint[:12], 16),
    }
    figures.print()


main()
