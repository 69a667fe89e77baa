"""JSON lines that are odd: counting and encoding say the same of them, and name the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pairloom
from pairloom import corpus
from pairloom.corpus import errors
from pairloom.corpus.encoded_tables import EncodeSettings
from pairloom.corpus.encoding import encode_files
from pairloom.corpus.engines import InThisProcess
from pairloom.corpus.inputs import find_files
from pairloom.corpus.libraries import library
from pairloom.corpus.rows import MAX_NESTING
from pairloom.corpus.shards import cut_into_shards
from pairloom.corpus.storage import Folder

GOOD = b'{"text": "low low"}\n'
MODEL = pairloom.train("low low lower", merge_limit=5)

REFUSED = {
    "two objects": (b'{"text": "a"}{"text": "b"}', "more than one JSON value, the second one at position 13"),
    "two objects, with a space": (b'{"text": "a"} {"text": "b"}', "more than one JSON value"),
    "two objects, old line ends": (b'{"text": "a"}\r{"text": "b"}', "more than one JSON value"),
    "a comma behind": (b'{"text": "a"},', "more than one JSON value"),
    "something behind": (b'{"text": "a"} x', "more than one JSON value"),
    "an object over two lines": (b'{"text":\n"a"}', "the line is no JSON"),
    "two over three": (b'{"text": "a"}{"text":\n"b"}\n{"text": "c"}', "more than one JSON value"),
    "a field twice": (b'{"text": "a", "text": "b"}', "the field 'text' is there twice"),
    "a field twice, deeper": (b'{"text": "a", "b": {"c": 1, "c": 1}}', "the field 'c' is there twice"),
    "a list": (b'["a"]', "the line is no JSON object"),
    "null": (b"null", "the line is no JSON object"),
    "true": (b"true", "the line is no JSON object"),
    "a string": (b'"a"', "the line is no JSON object"),
    "a number": (b"5", "the line is no JSON object"),
    "no JSON": (b"no", "the line is no JSON"),
    "single quotes": (b"{'text': 'a'}", "the line is no JSON"),
    "a vertical tab": (b"\x0b", "the line is no JSON"),
    "a byte order mark in the middle": (b'\xef\xbb\xbf{"text": "a"}', "the line is no JSON"),
    "cut off": (b'{"text": "a"', "the line is no JSON"),
    "a NUL behind": (b'{"text": "a"}\x00', "more than one JSON value"),
    "a control in a string": (b'{"text": "a\x01"}', "the line is no JSON"),
}


@pytest.mark.parametrize("odd", REFUSED)
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_is_one_object_everywhere(odd: str, end: bytes, tmp_path: Path) -> None:
    line, says = REFUSED[odd]
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD * 3 + b"\n" + line + end)
    with pytest.raises(errors.BadText, match=says) as counted:
        corpus.count_words(path)
    with pytest.raises(errors.ShardError, match=says) as encoded:
        corpus.encode(path, MODEL, output=tmp_path / "out", on_bad_text="null")
    assert counted.value.details["where"] == encoded.value.details["where"] == "line 5"
    assert not list((tmp_path / "out").glob("part-*"))


@pytest.mark.parametrize(
    "line",
    [
        b'{"text": "a", "x": NaN}',
        b' {"text": "a"} \r',
        b'{"text": "a", "x": {"y": [1, 2]}}',
        b'{"text": "}{"}',
        b"",
        b" \t\r",
    ],
)
def test_what_is_one_object_is_taken_everywhere(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD + line + b"\n" + GOOD)
    rows = 3 if line.strip() else 2
    assert corpus.count_words(path).counts["▁low"] == 4
    assert corpus.encode(path, MODEL, output=tmp_path / "out").rows == rows


def test_the_line_is_counted_from_the_start_of_the_file_in_any_shard(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for number in (0, 7, 39):
        lines = [GOOD] * 40
        lines[number] = GOOD.strip() * 2 + b"\n"
        path.write_bytes(b"".join(lines))
        shards = cut_into_shards(find_files(path), shard_bytes=100)
        with pytest.raises(errors.ShardError) as refused:
            encode_files(
                shards,
                MODEL,
                EncodeSettings(),
                folder=Folder(str(tmp_path / f"out-{number}")),
                engine=InThisProcess(),
                resume=False,
                on_progress=lambda _: None,
            )
        assert refused.value.details["where"] == f"line {number + 1}"


def test_a_line_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD * 500 + b'{"text": {"no": "string"}}\n' + GOOD * 500)
    with pytest.raises(errors.ShardError, match="no JSON objects of one kind") as refused:
        corpus.encode(path, MODEL, output=tmp_path / "out")
    assert refused.value.details["where"] == "line 501"
    assert "in row" not in str(refused.value)


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_nesting_has_a_limit_that_readers_can_follow(opening: bytes, closing: bytes, tmp_path: Path) -> None:
    def nested(depth: int) -> bytes:
        inside = b"1" if closing == b"}" else b""
        return b'{"text": "low", "deep": ' + opening * (depth - 1) + inside + closing * (depth - 1) + b"}\n"

    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + nested(MAX_NESTING))
    encoded = corpus.encode(path, MODEL, output=tmp_path / "out")
    assert library("pyarrow.parquet").read_table(tmp_path / "out" / encoded.parts[0]).num_rows == 2
    for depth in (MAX_NESTING + 1, 500, 100_000):
        path.write_bytes(GOOD + nested(depth))
        with pytest.raises(errors.ShardError, match=r"nested more than 32 deep|no JSON") as refused:
            corpus.encode(path, MODEL, output=tmp_path / f"out-{depth}")
        assert refused.value.details["where"] == "line 2"
    # Brackets in strings are no nesting, nor are many values side by side.
    path.write_bytes(b'{"text": "' + b"[{" * 100 + b'", "list": [' + b"[1], " * 99 + b"[2]]}\n")
    assert corpus.encode(path, MODEL, output=tmp_path / "flat").rows == 1


@pytest.mark.parametrize("line", [b'{"te\xffxt": 1, "text": "a"}', b'{"text": "a", "b": {"\xff": 1}}'])
def test_a_name_that_is_no_utf_8(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD * 3 + line + b"\n" + GOOD)
    with pytest.raises(errors.BadText, match="UTF-8"):
        corpus.count_words(path)
    with pytest.raises(errors.ShardError, match="0xff") as refused:
        corpus.encode(path, MODEL, output=tmp_path / "out")
    assert refused.value.details["where"] == "line 4"


def test_rows_are_kept_whatever_is_in_their_strings(tmp_path: Path) -> None:
    texts = ['}{"text": "b"}', "\\n", "{}", "[{", '"', "a\u2028b", "a\rb"]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(json.dumps({"text": text}).encode() + b"\n" for text in texts))
    encoded = corpus.encode(path, MODEL, output=tmp_path / "out")
    assert encoded.rows == len(texts)
    found = library("pyarrow.parquet").read_table(tmp_path / "out" / encoded.parts[0]).column("text").to_pylist()
    assert found == texts
