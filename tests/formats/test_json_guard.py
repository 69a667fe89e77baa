"""Strict JSON: what is refused, with which place, and what is taken as the standard library takes it."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.formats import json_guard
from pairloom.formats.json_guard import MAX_DEPTH, JsonRefusedError, read_json, read_json_values

REFUSED = [
    # bytes, part of the reason, the place
    (b"", "empty", None),
    (b" \n", "empty", None),
    (b"\xef\xbb\xbf{}", "byte order mark", "byte 0"),
    ('{"a": "ä'.encode("latin-1") + b'"}', "not UTF-8", "byte 7"),
    (b'"\xed\xa0\x80"', "not UTF-8", "byte 1"),
    (b'"\xc0\x80"', "not UTF-8", "byte 1"),
    ("{}".encode("utf-16-le"), "not JSON", "line 1, column 2"),
    ("{}".encode("utf-16"), "not UTF-8", "byte 0"),
    (b"{", "not JSON", "line 1, column 2"),
    (b'{\n"a": 1\n"b": 2}', "not JSON", "line 3, column 1"),
    (b"{}\n{}", "something follows", "line 2, column 1"),
    (b"[1] x", "something follows", "line 1, column 5"),
    (b'"tab\tinside"', "not JSON", "line 1, column 5"),
    (b"[01]", "not JSON", "line 1, column 3"),
    (b"[1, 'a']", "not JSON", "line 1, column 5"),
    (b'{"a": 1, "a": 1}', "stands twice", "a"),
    (b'{"x": [{"y": {"a": 1, "b": 2, "a": 3}}]}', "stands twice", "x[0].y.a"),
    (b'{"a": NaN}', "NaN", "a"),
    (b'{"a": [1, -Infinity]}', "-Infinity", "a[1]"),
    (b"Infinity", "Infinity", None),
    (b"[1e999]", "too large", "[0]"),
    (b"[-1e999]", "too large", "[0]"),
    (b"[0." + b"1" * 2000 + b"]", "too long", "[0]"),
    (b"[9223372036854775808]", "too large", "[0]"),
    (b"[-9223372036854775808]", "too large", "[0]"),
    (b'{"n": ' + b"9" * 100_000 + b"}", "too large", "n"),
    (rb'["\ud83d"]', "surrogate", "[0]"),
    (rb'["\uDE00\ud83d"]', "surrogate", "[0]"),
    (rb'{"a": {"\udfff": 1}}', "surrogate", r"a['\udfff']"),
    (b"[" * 100_000, "levels deep", "line 1, column 65"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "levels deep", "line 1, column 321"),
    (b"[\n" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "levels deep", "line 65, column 1"),
    (b"[{}" * 1000 + b"]" * 1000, "levels deep", "line 1, column 191"),
    (b'["[",' * 1000 + b"1" + b"]" * 1000, "levels deep", "line 1, column 321"),
]


@pytest.mark.parametrize(("data", "reason", "where"), REFUSED)
def test_refused_with_its_place(data: bytes, reason: str, where: str | None) -> None:
    with pytest.raises(JsonRefusedError) as caught:
        read_json(data)
    assert reason in caught.value.reason
    assert caught.value.where == where


def test_the_size_is_checked_before_anything_is_read() -> None:
    with pytest.raises(JsonRefusedError, match="larger than 10 bytes"):
        read_json(b"\xff" * 11, max_bytes=10)
    assert read_json(b"[1, 2, 34]", max_bytes=10) == [1, 2, 34]
    assert read_json(b"[1, 2, 34]", max_bytes=None) == [1, 2, 34]


def test_the_number_of_values_is_checked_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_guard, "MAX_VALUES", 6)
    monkeypatch.setattr(json_guard, "MAX_CONTAINERS", 3)
    for taken in (b"[1, 2, 3, 4, 5]", b'[",,,,,,,,", "[[[[", "\\",[[,{"]', b'{"a": {"b": [1, 2]}}', b"[[], []]"):
        assert read_json(taken) == json.loads(taken)
    for refused, reason in (
        (b"[1, 2, 3, 4, 5, 6]", "more than 6 values"),
        (b'["", "\\\\", "\\\\\\"", 4, 5, 6]', "more than 6 values"),
        (b"[[], [], []]", "more than 3 lists and objects"),
        (b'{"a": {"b": {"c": {}}}}', "more than 3 lists and objects"),
        (b"[1, 2, 3, 4, 5, 6, not JSON", "more than 6 values"),
    ):
        with pytest.raises(JsonRefusedError, match=reason):
            read_json(refused)
        if b"not" not in refused:
            assert read_json(refused, max_bytes=None) == json.loads(refused)


def test_one_byte_too_many_is_enough_to_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_guard, "MAX_BYTES", 10)
    monkeypatch.setattr(json_guard, "_PIECE", 4)
    read = [len(json_guard.read_capped(io.BytesIO(b"x" * size))) for size in (0, 9, 10, 11, 10**6)]
    assert read == [0, 9, 10, 11, 11]


@given(st.text('[]{},"\\ax', max_size=60), st.integers(1, 5))
def test_structure_is_the_same_in_pieces_of_any_size(text: str, piece: int) -> None:
    whole = json_guard._structure(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_guard, "_PIECE", piece)
        assert json_guard._structure(text.encode()) == whole


def test_brackets_in_strings_are_no_depth() -> None:
    text = "[{" * 1000 + '\\"' + "]" * 10 + "\\"
    data = json.dumps({text: [text, {"a": text}]}).encode()
    assert read_json(data) == json.loads(data)


def test_the_deepest_that_is_taken() -> None:
    data = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert read_json(data) == json.loads(data)


def test_a_surrogate_pair_of_escapes_is_one_code_point() -> None:
    assert read_json(rb'["\ud83d\ude00", "\\ud83d"]') == ["\U0001f600", "\\ud83d"]


def test_the_bounds_of_integers() -> None:
    assert read_json(b"[9223372036854775807, -9223372036854775807, 0, -0]") == [2**63 - 1, 1 - 2**63, 0, 0]


def test_values_one_after_the_other() -> None:
    assert list(read_json_values(b'{"a": 1}\n[2]\n\n3 "x"\n')) == [{"a": 1}, [2], 3, "x"]
    with pytest.raises(JsonRefusedError) as caught:
        list(read_json_values(b"[1]\n[2\n"))
    assert caught.value.where == "line 3, column 1"


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    # Every code point that a str of UTF-8 may hold.
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3).filter(str.isascii), inner),
    max_leaves=20,
)


@given(JSON_VALUES, st.booleans())
def test_what_the_standard_library_writes_is_read(value: object, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert read_json(data) == value


@given(st.binary(max_size=40) | st.text('[]{}",:\\u0dDeE19-.tfn \n', max_size=40).map(str.encode))
def test_any_bytes_give_a_value_or_the_one_error(data: bytes) -> None:
    try:
        value = read_json(data)
    except JsonRefusedError:
        return
    assert value == json.loads(data)
