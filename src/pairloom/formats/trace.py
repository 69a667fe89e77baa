"""The trace of a training: every round with what was chosen and what it was chosen from, to be replayed from the file.

`docs/trace-file.md` describes it. It holds the words with their counts, which are the corpus as far as training sees
it, so the file alone is enough to train again and to compare each round.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final

from pairloom.history import History
from pairloom.model import CONVENTIONS
from pairloom.unicode_data import UNICODE_VERSION

FORMAT: Final = "pairloom-trace"
VERSION: Final = 1
MEDIA_TYPE: Final = "application/json"

# Rounds, or words, that are written in one go.
_ROWS = 200


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a training.

    Attributes:
        rank, left, right, result, frequency, replacements, corpus_tokens, id, is_new: of the merge (T6).
        pairs: distinct pairs that stood in the corpus before it.
        tied: how many of them had this frequency; more than 1 means that the order of strings decided (T4).
    """

    rank: int
    left: str
    right: str
    result: str
    frequency: int | None
    replacements: int | None
    corpus_tokens: int | None
    id: int
    is_new: bool
    pairs: int
    tied: int


def rounds(history: History) -> Iterator[Round]:
    """Yield every round of a training, in order.

    Cost: linear in the changes of pair frequencies over the whole training; nothing is counted anew.

    >>> from pairloom.trainer import train
    >>> from pairloom.word_counts import count_words
    >>> text = "low low lower newest newest widest"
    >>> for each in list(rounds(History.of(count_words(text), train(text))))[:2]:
    ...     print(each.left, each.right, each.frequency, each.pairs, each.tied)
    e s 3 14 6
    es t 3 14 4
    """
    counts = history.pair_counts(0)
    # How many pairs have each frequency.
    having = Counter(counts.values())
    for merge in history.model.merges:
        frequency = counts.get((merge.left, merge.right), 0)
        yield Round(
            rank=merge.rank,
            left=merge.left,
            right=merge.right,
            result=merge.result,
            frequency=merge.frequency,
            replacements=merge.replacements,
            corpus_tokens=merge.corpus_tokens,
            id=merge.id,
            is_new=merge.is_new,
            pairs=len(counts),
            tied=having[frequency] if frequency else 0,
        )
        for pair, difference in history.changes(merge.rank).items():
            before = counts.get(pair, 0)
            after = before + difference
            if before:
                having[before] -= 1
            if after:
                having[after] += 1
                counts[pair] = after
            else:
                counts.pop(pair, None)


def trace_portions(history: History) -> Iterator[bytes]:
    """Yield the bytes of a trace file in portions: printable ASCII, one round a line."""
    model = history.model
    head = {
        "format": FORMAT,
        "version": VERSION,
        "conventions": CONVENTIONS,
        "unicode_version": UNICODE_VERSION,
        "lowercase": model.lowercase,
        "pre_tokenizer": model.pre_tokenizer,
        "marker": model.marker,
        "min_frequency": model.min_frequency,
        "initial_tokens": model.initial_tokens,
        "stop_reason": model.stop_reason,
        "fingerprint": model.fingerprint,
        "alphabet": list(model.alphabet),
    }
    entries = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    yield ("{\n" + entries + ",\n").encode("ascii")
    yield from _list("words", ([word, count] for word, count in sorted(history.word_counts.counts.items())))
    yield b",\n"
    yield from _list("rounds", (asdict(each) for each in rounds(history)))
    yield b"\n}\n"


def _list(name: str, entries: Iterator[object]) -> Iterator[bytes]:
    """Yield one key of the file whose value is a list with one entry a line."""
    encode = json.JSONEncoder().encode
    separator = f"  {json.dumps(name)}: [\n    "
    portion: list[str] = []
    for entry in entries:
        portion += (separator, encode(entry))
        separator = ",\n    "
        if len(portion) >= 2 * _ROWS:
            yield "".join(portion).encode("ascii")
            portion = []
    yield "".join(portion).encode("ascii")
    yield b"\n  ]" if separator.startswith(",") else f"  {json.dumps(name)}: []".encode("ascii")
