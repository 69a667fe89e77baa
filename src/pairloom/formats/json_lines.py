"""On which line of a JSON document a value stands. For messages: a reader goes to a line, not to `merges[311]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]  # there in every CPython, and how json reads strings

Path = tuple[str | int, ...]

_WHITESPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^\s,\[\]{}]+")


def lines_of_paths(text: str, paths: Sequence[Path]) -> dict[Path, int]:
    r"""Return the line, from 1, on which the value at each path begins; paths that the document lacks are left out.

    Args:
        text: JSON whose first value has been parsed before; what follows it is not looked at. Of a key that stands
            twice, the second one counts.
        paths: keys and places, such as `("model", "merges", 3)`.

    Cost: one pass over the text, if any path is asked for.

    >>> lines_of_paths('{"a": 1,\n "b": [2,\n 3]}', [("b",), ("b", 1), ("c",)])
    {('b',): 2, ('b', 1): 3}
    """
    wanted = set(paths)
    found: dict[Path, int] = {}
    if not wanted:
        return found
    # What is open, from the outside to the inside: the place of the moment in a list, its key in an object.
    path: list[str | int] = []
    line, counted, place = 1, 0, _skip(text, 0)
    while place < len(text):
        code_point = text[place]
        if code_point in "}]":
            path.pop()
            if not path:
                break
            place = _skip(text, place + 1)
            continue
        if code_point == ",":
            place = _skip(text, place + 1)
            if isinstance(path[-1], int):
                path[-1] += 1
            else:
                path[-1], place = _key(text, place)
            continue
        here = tuple(path)
        if here in wanted:
            line += text.count("\n", counted, place)
            counted = place
            found[here] = line
        place = _into(text, place, path)
        if not path:
            break
    return {path: found[path] for path in paths if path in found}


def _into(text: str, place: int, path: list[str | int]) -> int:
    """Return where the next thing is after the value at `place` was entered or passed."""
    code_point = text[place]
    if code_point == '"':
        _, end = scanstring(text, place + 1)
        return _skip(text, end)
    inside = _skip(text, place + 1)
    if code_point in "[{" and text[inside] in "]}":
        return _skip(text, inside + 1)
    if code_point == "[":
        path.append(0)
        return inside
    if code_point == "{":
        key, after = _key(text, inside)
        path.append(key)
        return after
    found = _SCALAR.match(text, place)
    assert found is not None
    return _skip(text, found.end())


def _key(text: str, place: int) -> tuple[str, int]:
    key, end = scanstring(text, place + 1)
    return key, _skip(text, _skip(text, end) + 1)


def _skip(text: str, place: int) -> int:
    found = _WHITESPACE.match(text, place)
    assert found is not None
    return found.end()
