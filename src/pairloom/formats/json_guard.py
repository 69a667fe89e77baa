"""Bytes → JSON values, or an objection that says where. For files that somebody else may have written.

The standard library's reader does the work. Around it stands what a hostile or damaged file needs: caps of the size, of
the depth and of the number of values before anything is parsed, UTF-8 without exceptions, and an objection to all
that readers of JSON understand differently (duplicate keys, NaN, integers of any size, unpaired surrogates).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NoReturn

# A model of a million merges is some 120 MB, one of 32,000 merges 3 MB.
MAX_BYTES = 512 * 1024 * 1024
MAX_DEPTH = 64
# The shortest values take two bytes in a file and a hundred times as many in memory. Four million merges, as many as
# fit in `MAX_BYTES`, are four million objects with five values each.
MAX_VALUES = 30_000_000
MAX_CONTAINERS = 5_000_000
MAX_INTEGER = 2**63 - 1

_MAX_INTEGER_DIGITS = 19
_MAX_FLOAT_CODE_POINTS = 1000
_UTF8_BOM = b"\xef\xbb\xbf"
_BARE_STRING = re.compile(rb'"[^"]*"')
_ONE_KIND_OF_BRACKET = bytes.maketrans(b"[]", b"{}")
_NOT_STRUCTURE = bytes(byte for byte in range(256) if byte not in b'"[]{},')
# What is looked at in one go.
_PIECE = 1 << 20
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_WHITESPACE = re.compile(r"[ \t\n\r]*")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}\Z")


class JsonRefusedError(ValueError):
    """Bytes that are not taken as JSON: `reason` in English, `where` in the file if that is known.

    `path` has the keys and places on the way to a value, if `where` is about one.
    """

    def __init__(self, *, reason: str, where: str | None = None, path: tuple[str | int, ...] = ()) -> None:
        """Keep all parts; the caller turns them into an error of its own."""
        super().__init__(reason if where is None else f"{where}: {reason}")
        self.reason = reason
        self.where = where
        self.path = path


def read_json(data: bytes, *, max_bytes: int | None = MAX_BYTES, surrogates: bool = False) -> object:
    """Return the one JSON value that `data` holds.

    Args:
        data: UTF-8 without byte order mark.
        max_bytes: the longest `data` taken; None for no cap, of the number of values neither.
        surrogates: whether unpaired surrogates pass, for a caller who refuses them with their position.

    Raises:
        JsonRefusedError: too long, too many values for what a model is made of, nested deeper than `MAX_DEPTH`, not
            UTF-8, not JSON, more than one value, a key twice in one object, NaN or Infinity, an integer outside
            ±(2^63 - 1), an unpaired surrogate.

    Cost: linear; memory some ten times `data`.
    """
    text = _checked_text(data, max_bytes)
    reader = _Reader(surrogates=surrogates)
    value, end = reader.value_at(text, _skip_whitespace(text, 0))
    rest = _skip_whitespace(text, end)
    if rest < len(text):
        _refuse_at(text, rest, "something follows the JSON value")
    return value


def read_json_values(data: bytes, *, max_bytes: int | None = MAX_BYTES) -> Iterator[object]:
    """Yield the JSON values that stand one after the other in `data`, one a line or not. As `read_json` otherwise."""
    text = _checked_text(data, max_bytes)
    place = _skip_whitespace(text, 0)
    while place < len(text):
        value, place = _Reader().value_at(text, place)
        yield value
        place = _skip_whitespace(text, place)


def _checked_text(data: bytes, max_bytes: int | None) -> str:
    if max_bytes is not None and len(data) > max_bytes:
        raise JsonRefusedError(reason=f"larger than {max_bytes:,} bytes")
    if data.startswith(_UTF8_BOM):
        raise JsonRefusedError(reason="a byte order mark does not belong in JSON", where="byte 0")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: {error.reason}"
        raise JsonRefusedError(reason=reason, where=f"byte {error.start}") from None
    if not text or text.isspace():
        raise JsonRefusedError(reason="empty")
    structure = _structure(data)
    if max_bytes is not None:
        _check_amount(structure)
    if _is_deeper_than(structure.replace(b",", b""), MAX_DEPTH):
        _refuse_at(text, _place_of_depth(text, MAX_DEPTH), f"nested more than {MAX_DEPTH} levels deep")
    return text


def _structure(data: bytes) -> bytes:
    """Return the brackets and commas outside strings, all brackets as braces.

    Escapes go first, so that the quotes left are the ends of strings; then strings. Of a string that is still open
    where a piece ends, only that it is open matters, so that memory stays small whatever the file holds.
    """
    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(_ONE_KIND_OF_BRACKET, _NOT_STRUCTURE)
    pieces: list[bytes] = []
    begun = b""
    for start in range(0, len(bare), _PIECE):
        outside, begun, _ = _BARE_STRING.sub(b"", begun + bare[start : start + _PIECE]).partition(b'"')
        pieces.append(outside)
    return b"".join(pieces)


def _check_amount(structure: bytes) -> None:
    """Refuse what would take far more memory than a model; each value but the first follows a comma or a bracket."""
    containers = structure.count(b"{")
    if containers > MAX_CONTAINERS:
        raise JsonRefusedError(reason=f"more than {MAX_CONTAINERS:,} lists and objects")
    if structure.count(b",") + containers >= MAX_VALUES:
        raise JsonRefusedError(reason=f"more than {MAX_VALUES:,} values")


def _is_deeper_than(brackets: bytes, max_depth: int) -> bool:
    """Whether brackets are nested deeper than `max_depth`; looks at nothing else, and never recurses.

    Each round takes away the innermost level, at the speed of `bytes.replace`, so that a real file costs milliseconds.
    """
    for _ in range(max_depth):
        fewer = brackets.replace(b"{}", b"")
        if len(fewer) == len(brackets):
            break
        brackets = fewer
    # Anything left is unbalanced: the parser says so in its own words, unless even the parser would go too deep.
    return b"{}" in brackets or brackets.count(b"{") > max_depth


def _place_of_depth(text: str, max_depth: int) -> int:
    """Return where a text first is deeper than `max_depth`, as far as a text that nobody could read says it."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > max_depth:
            return found.start()
    return 0


def read_capped(file: BinaryIO) -> bytes:
    """Return the bytes of a file, one more than `MAX_BYTES` of one that is too long.

    In pieces: asked for that many bytes at once, Python sets them aside whatever the file holds.
    """
    pieces: list[bytes] = []
    room = MAX_BYTES
    while room >= 0 and (piece := file.read(min(_PIECE, room + 1))):
        pieces.append(piece)
        room -= len(piece)
    return b"".join(pieces)


@dataclass(frozen=True, slots=True)
class _Refused:
    """Stands in the parsed tree where something was refused: only the finished tree can say where that is."""

    reason: str


@dataclass(slots=True)
class _Reader:
    """Parses one value; `refused` collects what the hooks objected to."""

    refused: list[_Refused] = field(default_factory=list)
    surrogates: bool = False

    def value_at(self, text: str, start: int) -> tuple[object, int]:
        """Return the value that starts at `start`, and where it ends."""
        decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._integer,
            parse_float=self._float,
            parse_constant=self._constant,
        )
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            _refuse_at(text, error.pos, f"not JSON: {error.msg.removesuffix(' at')}")
        except RecursionError:
            raise JsonRefusedError(reason="nested too deep") from None
        has_surrogates = not self.surrogates and _SURROGATE_ESCAPE.search(text, start, end) is not None
        if self.refused or has_surrogates:
            self._object_to(value)
        return value, end

    def _object_to(self, value: object) -> None:
        """Raise at the first thing in document order that was refused."""
        for path, part in _walk(value):
            if isinstance(part, _Refused):
                raise JsonRefusedError(reason=part.reason, where=path_of(path) or None, path=path)
            if isinstance(part, str) and not part.isascii() and _SURROGATE.search(part):
                reason = "an unpaired surrogate is no character"
                raise JsonRefusedError(reason=reason, where=path_of(path) or None, path=path)

    def _refuse(self, reason: str) -> _Refused:
        self.refused.append(_Refused(reason))
        return self.refused[-1]

    def _object(self, pairs: list[tuple[str, object]]) -> object:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                made[key] = self._refuse("the key stands twice")
            seen.add(key)
        return made

    def _integer(self, digits: str) -> object:
        # Counted before converted: Python converts in quadratic time, or refuses in words of its own.
        if len(digits.removeprefix("-")) <= _MAX_INTEGER_DIGITS:
            value = int(digits)
            if -MAX_INTEGER <= value <= MAX_INTEGER:
                return value
        return self._refuse("the integer is too large: 2^63 - 1 is the largest")

    def _float(self, digits: str) -> object:
        if len(digits) <= _MAX_FLOAT_CODE_POINTS:
            value = float(digits)
            if abs(value) != float("inf"):
                return value
        return self._refuse("the number is too large or too long")

    def _constant(self, name: str) -> object:
        return self._refuse(f"{name} is no JSON number")


def _walk(value: object) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """Yield every value and every key of a parsed tree with its path, in document order, without recursion."""
    stack: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    while stack:
        path, part = stack.pop()
        yield path, part
        if isinstance(part, dict):
            inner: list[tuple[tuple[str | int, ...], object]] = []
            for key, held in part.items():
                inner.extend((((*path, key), key), ((*path, key), held)))
            stack.extend(reversed(inner))
        elif isinstance(part, list):
            stack.extend(((*path, place), part[place]) for place in reversed(range(len(part))))


def path_of(path: Iterable[str | int]) -> str:
    """Return a path as messages write it.

    >>> path_of(("merges", 3, "left")), path_of(("vocab", "a b"))
    ('merges[3].left', "vocab['a b']")
    """
    where = ""
    for step in path:
        where = f"{where}[{step}]" if isinstance(step, int) else path_of_key(where, step)
    return where


def path_of_key(path: str, key: str) -> str:
    """Return the path of a key: `merges[3].left`, or quoted and escaped where the key is no plain name."""
    if _PLAIN_KEY.match(key):
        return f"{path}.{key}" if path else key
    shown = ascii(key) if len(key) <= 40 else f"{key[:40]!a}…"
    return f"{path}[{shown}]"


def _skip_whitespace(text: str, place: int) -> int:
    found = _WHITESPACE.match(text, place)
    assert found is not None, "the pattern matches the empty string"
    return found.end()


def _refuse_at(text: str, place: int, reason: str) -> NoReturn:
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    raise JsonRefusedError(reason=reason, where=f"line {line}, column {column}") from None
