"""Words that made other tools quadratic, and two measures of work that no clock has a part in."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

Tracer = Callable[[FrameType, str, object], Any]


def fibonacci(n: int) -> str:
    """a, ab, aba, abaab, …: as repetitive as a word without a fourth power can be."""
    shorter, longer = "a", "ab"
    while len(longer) < n:
        shorter, longer = longer, longer + shorter
    return longer[:n]


def de_bruijn(n: int) -> str:
    """Every binary word of length log n once, the shortest way to have as many different pairs as can be."""
    order = math.ceil(math.log2(n))
    word = "0" * order
    seen = {word}
    while len(word) < n:
        # Prefer one: the greedy construction.
        last = word[len(word) - order + 1 :]
        digit = "1" if last + "1" not in seen else "0"
        seen.add(last + digit)
        word += digit
    return word


def rising(n: int) -> str:
    """a, aa, aaa, … with b between: runs of every length."""
    runs: list[str] = []
    while sum(map(len, runs)) + len(runs) < n:
        runs.append("a" * (len(runs) + 1))
    return "b".join(runs)[:n]


def scrambled(n: int) -> str:
    return "".join(random.Random(1).choices("abcd", k=n))


ONE_WORD: dict[str, Callable[[int], str]] = {
    "equal symbols": lambda n: "a" * n,
    "two in turn": lambda n: ("ab" * n)[:n],
    "Fibonacci": fibonacci,
    "de Bruijn": de_bruijn,
    "rising runs": rising,
    "random": scrambled,
}


def many_words(n: int) -> dict[str, int]:
    """Distinct words of about n code points in all, each with a count."""
    drawn = random.Random(2)
    table: dict[str, int] = {}
    while sum(map(len, table)) < n:
        table["".join(drawn.choices("abcdefgh", weights=range(8, 0, -1), k=drawn.randint(2, 12)))] = drawn.randint(1, 9)
    return table


TABLES: dict[str, Callable[[int], dict[str, int]]] = {
    **{name: lambda n, made=made: {made(n): 3} for name, made in ONE_WORD.items()},  # type: ignore[misc]  # bound early
    "many words": many_words,
}


def executed_lines(call: Callable[[], object]) -> int:
    """How many lines of this package are executed during a call."""
    lines = 0

    def local(frame: FrameType, event: str, argument: object) -> Tracer:
        nonlocal lines
        lines += event == "line"
        return local

    def enter(frame: FrameType, event: str, argument: object) -> Tracer | None:
        return local if "pairloom" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines


def check_growth(work: dict[int, int], *, per_step: float, doubling: float | None = 2.5) -> None:
    """Work of each size at most `per_step` · n · log2 n, and a doubling at most a little more than doubles it."""
    for n, done in work.items():
        assert done <= per_step * n * math.log2(n), work
        if doubling is not None and 2 * n in work:
            assert work[2 * n] <= doubling * done, work
