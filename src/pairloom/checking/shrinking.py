"""A failing case → a smallest one that still fails, step by step, each step asked of the program again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from pairloom.checking.protocol import Request

# Simple code points first: a counter-example that can be said aloud is the better one.
_SIMPLE = "ab"


def shrunk(request: Request, fails: Callable[[Request], bool], *, most_tries: int = 3000) -> Request:
    """Return a smallest request that fails: no single step makes it smaller.

    Args:
        request: fails.
        fails: whether a request is sound and the program fails on it, too.
        most_tries: where to stop at the latest.
    """
    tries = count()
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(request):
            if next(tries) >= most_tries:
                return request
            if fails(candidate):
                request, smaller = candidate, True
                break
    return request


def _smaller(request: Request) -> Iterator[Request]:
    """Yield what is simpler by one step: the largest steps first."""
    if "text" in request:
        for text in _texts(request["text"]):
            yield request | {"text": text}
    if "word_counts" in request:
        for word in request["word_counts"]:
            if len(request["word_counts"]) > 1:
                yield request | {"word_counts": {each: n for each, n in request["word_counts"].items() if each != word}}
        for counts in _tables(request["word_counts"]):
            yield request | {"word_counts": counts}
    if request["op"] == "train":
        yield from _settings(request, {"merge_limit": (1, 2, 3)})
    if request.get("prefix") is not None:
        yield request | {"prefix": None}
    yield from _settings(request, {"lowercase": (False,), "pre_tokenizer": ("whitespace",), "min_frequency": (2,)})
    if "model" in request:
        for model in _models(request["model"]):
            yield request | {"model": model}


def _settings(request: Request, simpler: dict[str, tuple[object, ...]]) -> Iterator[Request]:
    for name, values in simpler.items():
        if name in request:
            for value in values:
                if request[name] == value:
                    break
                if name != "merge_limit" or request[name] > value:
                    yield request | {name: value}


def _models(model: Request) -> Iterator[Request]:
    merges = model["merges"]
    for size in _sizes(len(merges)):
        for start in range(0, len(merges) - size + 1, size):
            yield model | {"merges": merges[:start] + merges[start + size :]}
    for place in range(len(model["alphabet"])):
        yield model | {"alphabet": model["alphabet"][:place] + model["alphabet"][place + 1 :]}
    yield from _settings(model, {"lowercase": (False,), "pre_tokenizer": ("whitespace",)})


def _texts(text: str) -> Iterator[str]:
    """Yield shorter texts, then simpler ones of the same length."""
    for size in _sizes(len(text)):
        for start in range(0, len(text) - size + 1, max(1, size // 2)):
            yield text[:start] + text[start + size :]
    for code_point in sorted(set(text)):
        for simple in _SIMPLE:
            if code_point == simple:
                break
            if code_point != " ":
                yield text.replace(code_point, simple)
                yield text.replace(code_point, simple, 1)
        if code_point.isspace() and code_point != " ":
            yield text.replace(code_point, " ")


def _tables(counts: dict[str, int]) -> Iterator[dict[str, int]]:
    """Yield tables with one word shorter or rarer, in the same order."""
    for word, number in counts.items():
        shorter = [word[:place] + word[place + 1 :] for place in range(len(word))] if len(word) > 1 else []
        for other in dict.fromkeys(shorter):
            if other not in counts:
                yield {other if each == word else each: n for each, n in counts.items()}
        for rarer in (1, 2):
            if rarer < number:
                yield counts | {word: rarer}


def _sizes(length: int) -> Iterator[int]:
    """Yield how much to take away: half of it, a quarter, down to two and one."""
    size = length // 2
    while size > 1:
        yield size
        size //= 2
    if length:
        yield 1
