"""Small random jobs for counting and training, and what each implementation makes of them; the same for the same seed.

`check_counting` and `check_training` raise AssertionError, with the job, where two kernels differ. They draw all that a
block, a thread, a portion or a threshold could get wrong: where blocks end, how the source comes, what is forbidden in
it, counts about which narrow integers are wrong. `drawn` is a `random.Random`, or anything that chooses as one does.
"""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable, Mapping
from typing import Any

import pairloom
from pairloom.unicode_data import MARKER
from tests.support.implementations import EDUCATIONAL, Refusal
from tests.support.kernels import KERNELS, running
from tests.support.strategies import EDGES, POOLS

ALPHABETS = (*POOLS, "a", "ab\U00010000\uffff", "aé漢", "abcdefgh", "❤\ufe0f\u200da", "\U0001d11e\U0001d11f\U0010ffff")
SPACES = " " * 9 + "\t\n\n\r\u00a0\u1680\u2028\u3000\ufeff\ufeff"
BROKEN = (b"\x80", b"\xff", b"\xc3", b"\xe2\x96", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xc0\xaf", b"\xf4\x90\x80\x80")
# Where none was built the pure one is held against itself and the literal rules: the fuzz targets run there, too.
COMPILED = "compiled" if "compiled" in KERNELS else "pure"
COUNTS = (1, 1, 1, 2, 3, 5, 100, *(edge + off for edge in EDGES[:3] for off in (-1, 0, 1)))


class Trickle(io.RawIOBase):
    """A file that gives a few bytes at a time, like a pipe."""

    def __init__(self, data: bytes, most: int) -> None:
        self._file, self._most = io.BytesIO(data), most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(min(len(buffer), self._most))
        buffer[: len(data)] = data
        return len(data)


def a_word(drawn: random.Random, alphabet: str, *, longest: int) -> str:
    """Letters at random, or a run of a few: aaaa, abababa."""
    length = drawn.randint(1, longest)
    if drawn.random() < 0.3:
        unit = "".join(drawn.choices(alphabet, k=drawn.randint(1, 3)))
        return (unit * length)[:length]
    return "".join(drawn.choices(alphabet, k=length))


def a_text(drawn: random.Random) -> str:
    """A few distinct words over one alphabet, some of them often, with all kinds of whitespace between and around."""
    alphabet = drawn.choice(ALPHABETS)
    if drawn.random() < 0.2:
        alphabet += drawn.choice(ALPHABETS)
    longest = drawn.choice((3, 8, 8, 20, 50))
    distinct = [a_word(drawn, alphabet, longest=longest) for _ in range(drawn.randint(1, 6))]
    return "".join(word + drawn.choice(SPACES) * drawn.choice((0, 1, 1, 1, 2)) for word in drawn.choices(distinct, k=8))


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives, or the error that it raises, with all that the error says."""
    try:
        return call()
    except pairloom.PairloomError as error:
        return type(error), error.details


def check_counting(drawn: random.Random) -> None:
    """Count a few texts from some kind of source with both kernels, and now and then by the literal rules, too."""
    pieces = [a_text(drawn) for _ in range(drawn.choice((1, 1, 2, 3)))]
    offence = drawn.choice((None, None, None, None, None, MARKER, "\ud800", "broken"))
    if offence not in (None, "broken"):
        at = drawn.randint(0, len(pieces[-1]))
        pieces[-1] = pieces[-1][:at] + offence + pieces[-1][at:]
    lowercase, punctuation = drawn.random() < 0.5, drawn.random() < 0.4
    kind = drawn.choice(("text", "bytes", "file", "trickle"))
    by_line = kind != "text" and drawn.random() < 0.3
    data = [piece.encode("utf-8", "surrogatepass") for piece in pieces]
    if offence == "broken":
        at = drawn.randint(0, len(data[-1]))
        data[-1] = data[-1][:at] + drawn.choice(BROKEN) + data[-1][at:]
        kind = "bytes" if kind == "text" else kind
    block_bytes = drawn.choice((1, 4, 5, 7, 16, 31, 63, 64, 65, 200, 1 << 20))
    threads = drawn.choice((1,) * 12 + (2, 2, 3))

    def counted(kernel_name: str) -> list[tuple[str, int]]:
        counter = KERNELS[kernel_name]["WordCounter"](
            lowercase=lowercase, punctuation=punctuation, threads=threads, block_bytes=block_bytes
        )
        for number, (piece, encoded) in enumerate(zip(pieces, data, strict=True)):
            if kind == "text":
                counter.add_text(piece, number)
            elif kind == "bytes":
                counter.add_bytes(encoded, "here", by_line=by_line)
            else:
                file = io.BytesIO(encoded) if kind == "file" else Trickle(encoded, 3)
                counter.add_file(file, "here", by_line=by_line)
        return list(counter.finish().items())

    job = (pieces, data, kind, f"{lowercase=} {punctuation=} {by_line=} {block_bytes=} {threads=}")
    pure = outcome(lambda: counted("pure"))
    assert outcome(lambda: counted(COMPILED)) == pure, job
    if offence is None and drawn.random() < 0.1:
        try:
            literal = EDUCATIONAL.count_words(
                pieces, lowercase=lowercase, pre_tokenizer="punctuation" if punctuation else "whitespace"
            )
        except Refusal:
            literal = {}
        assert dict(pure) == literal, job


def a_table(drawn: random.Random) -> dict[str, int]:
    """Words of one alphabet with counts, small ones and such as narrow integers get wrong."""
    alphabet = drawn.choice(ALPHABETS).translate(dict.fromkeys(map(ord, SPACES)))
    longest = drawn.choice((3, 8, 8, 30, 90))
    words = (a_word(drawn, alphabet, longest=longest) for _ in range(drawn.randint(1, 10)))
    return {word: drawn.choice(COUNTS) for word in words}


def learned(kernel_name: str, counts: Mapping[str, int], **settings: Any) -> tuple[object, ...]:
    """What a training from beginning to end says of itself; portions of `max_operations` and `max_merges`."""
    portion = {"max_operations": settings.pop("max_operations"), "max_merges": settings.pop("max_merges")}
    run = KERNELS[kernel_name]["TrainingRun"](counts, **settings)
    while not run.is_exhausted:
        run.advance(**portion)
    assert run.learned_count == len(run.learned)
    return run.alphabet, run.initial_tokens, list(run.learned)


def check_training(drawn: random.Random) -> None:
    """Train on a small table with both kernels, in portions or in one go, now and then by the literal rules, too."""
    counts = a_table(drawn)
    settings = {"min_frequency": drawn.choice((1, 2, 2, 2, 5)), "expected_merges": drawn.choice((1, 3, 1000))}
    portions: dict[str, Any] = {"max_operations": drawn.choice((1, 10, math.inf, math.inf)), "max_merges": 7}
    job = (counts, settings, portions)
    pure = learned("pure", counts, max_operations=math.inf, max_merges=7, **settings)
    assert learned(COMPILED, counts, **settings, **portions) == pure, job
    if drawn.random() < 0.1 and COMPILED == "compiled":
        shared = {"large_from": 0, "threads": drawn.choice((1, 2, 3, 16))}
        assert learned(COMPILED, counts, **settings, **portions, **shared) == pure, (*job, shared)
    if drawn.random() < 0.1 and sum(map(len, counts)) < 60:
        literal = EDUCATIONAL.train_from_word_counts(
            counts, 10**6, marker=False, min_frequency=settings["min_frequency"]
        )
        assert [row[:5] for row in literal.merges] == [(*row[:2], *row[3:]) for row in pure[2]], job  # type: ignore[attr-defined]  # the rounds


def check_limits(drawn: random.Random) -> None:
    """Train on counts about 2^31, 2^32, 2^53 and 2^63 through the library's door: equal models, equal refusals."""
    counts: dict[str, int] = {}
    for _ in range(drawn.randint(1, 4)):
        edge = drawn.choice(EDGES)
        near = drawn.choice((edge, edge // drawn.randint(1, 12))) + drawn.randint(-3, 3)
        counts[a_word(drawn, "ab", longest=6)] = drawn.choice((near, near, drawn.randint(1, 9)))

    def model(kernel_name: str) -> object:
        with running(kernel_name):
            trained = pairloom.train_from_word_counts(counts, 1000, marker=False)
            return trained, trained.initial_tokens, trained.merges

    assert outcome(lambda: model(COMPILED)) == outcome(lambda: model("pure")), counts


CHECKS: dict[str, Callable[[random.Random], None]] = {
    "counting": check_counting,
    "training": check_training,
    "limits": check_limits,
}
