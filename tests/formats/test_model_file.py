"""The model file: saved is loaded, the bytes are a promise, and nothing damaged or hostile loads as something else."""

import hashlib
import json
import os
import random
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairloom.errors import InvalidMerge, ModelError, PairloomError, UnsupportedVersion
from pairloom.formats import json_guard, model_file
from pairloom.formats.model_document import MERGE_KEYS, TIE_RULE
from pairloom.formats.model_file import dumps, load, loads, save
from pairloom.model import Model
from pairloom.trainer import Trainer, train, train_from_word_counts
from pairloom.word_counts import WordCounts, count_words
from tests.support.kernels import limits_the_address_space

Document = dict[str, Any]

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def imported() -> Model:
    # The pair (a, bc) makes abc a second time; the last merge repeats the first.
    pairs = [("a", "b"), ("ab", "c"), ("b", "c"), ("a", "bc"), ("a", "b")]
    return Model.from_merges("abc", pairs, marker=False)


def abandoned() -> Model:
    trainer = Trainer(count_words("low low lower"), 3)
    trainer.step()
    return trainer.model()


MODELS: dict[str, Callable[[], Model]] = {
    "trained": lambda: train("low low lower slower"),
    "merge limit": lambda: train("low low lower slower", 2),
    "no merge": lambda: train("a"),
    "limit 0": lambda: train("aa aa", 0),
    "aaaa": lambda: train("aaaa aaaaa"),
    "once is enough": lambda: train("abc abd", min_frequency=1),
    "settings": lambda: train("Don't STOP, don't!", lowercase=True, pre_tokenizer="punctuation", min_frequency=3),
    "no marker": lambda: train_from_word_counts(HUG, 3, marker=False),
    "pieces of words": lambda: train_from_word_counts(WordCounts({"!!": 3, "ab": 2}, pre_tokenizer="punctuation")),
    "astral and controls": lambda: train("😀😀\0\x1b[1m \u202e😀😀\0 é e\u0301 e\u0301 \uffff\U00010000"),
    "largest numbers": lambda: train_from_word_counts({"aaa": 2**61 - 1}, marker=False),
    "imported": imported,
    "imported, nothing": lambda: Model.from_merges("▁", []),
    "imported, marker anywhere": lambda: Model.from_merges("a▁", [("a", "▁"), ("▁", "▁")], lowercase=True),
    "imported, empty": lambda: Model.from_merges("", [], marker=False),
    "abandoned": abandoned,
}


@pytest.fixture(params=sorted(MODELS))
def model(request: pytest.FixtureRequest) -> Model:
    return MODELS[request.param]()


def document_of(model: Model) -> Document:
    document = json.loads(dumps(model))
    assert isinstance(document, dict)
    return document


def signed(document: Document) -> bytes:
    """The file of a document whose author computed fingerprint and checksum anew, where that is possible."""
    document = dict(document)
    try:
        with_fingerprint = {
            "conventions": document["conventions"],
            "unicode": document["unicode_version"],
            **{key: document[key] for key in ("lowercase", "pre_tokenizer", "marker", "alphabet")},
            "merges": [[merge["left"], merge["right"]] for merge in document["merges"]],
        }
        document["fingerprint"] = sha256(with_fingerprint)
    except (KeyError, TypeError):
        pass
    document["checksum"] = sha256({key: value for key, value in document.items() if key != "checksum"})
    return json.dumps(document).encode()


def sha256(content: object) -> str:
    """As `docs/model-file.md` describes it."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def assert_same(loaded: Model, model: Model) -> None:
    assert loaded == model
    assert loaded.fingerprint == model.fingerprint
    assert dumps(loaded) == dumps(model)


def test_saved_is_loaded(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    save(model, path)
    assert_same(load(path), model)
    assert_same(load(str(path)), model)
    model.save(path)
    assert path.read_bytes() == dumps(model)


@given(
    st.lists(st.text("ab▂é😀 \0", max_size=12), min_size=1, max_size=5),
    st.integers(0, 30),
    st.booleans(),
    st.sampled_from(["whitespace", "punctuation"]),
    st.integers(1, 3),
)
def test_every_trained_model_is_loaded(
    texts: list[str], merge_limit: int, lowercase: bool, pre_tokenizer: str, min_frequency: int
) -> None:
    texts = [*texts, "x"]
    model = train(texts, merge_limit, lowercase=lowercase, pre_tokenizer=pre_tokenizer, min_frequency=min_frequency)
    assert_same(loads(dumps(model)), model)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), max_size=12))
def test_every_imported_model_is_loaded(choices: list[tuple[int, int]]) -> None:
    parts = ["a", "b", "▁"]
    pairs = []
    for left, right in choices:
        pairs.append((parts[left % len(parts)], parts[right % len(parts)]))
        parts.append("".join(pairs[-1]))
    model = Model.from_merges("ab▁", pairs)
    assert_same(loads(dumps(model)), model)


def test_the_bytes_are_a_promise() -> None:
    model = train("low low ▂", 2)
    assert dumps(model).decode("ascii") == (
        "{\n"
        '  "format": "pairloom-model",\n'
        '  "version": 1,\n'
        '  "conventions": 1,\n'
        '  "unicode_version": "17.0.0",\n'
        '  "lowercase": false,\n'
        '  "pre_tokenizer": "whitespace",\n'
        '  "marker": true,\n'
        '  "min_frequency": 2,\n'
        '  "tie_rule": "smaller left, then smaller right, by code point",\n'
        '  "initial_tokens": 10,\n'
        '  "stop_reason": "merge_limit",\n'
        '  "merge_count": 2,\n'
        '  "alphabet": [\n'
        '    "l",\n'
        '    "o",\n'
        '    "w",\n'
        '    "\\u2581",\n'
        '    "\\u2582"\n'
        "  ],\n"
        '  "merges": [\n'
        '    {"left": "l", "right": "o", "frequency": 2, "replacements": 2, "corpus_tokens": 8},\n'
        '    {"left": "lo", "right": "w", "frequency": 2, "replacements": 2, "corpus_tokens": 6}\n'
        "  ],\n"
        f'  "fingerprint": "{model.fingerprint}",\n'
        f'  "checksum": "{document_of(model)["checksum"]}"\n'
        "}\n"
    )


def test_every_byte_is_printable_or_a_line_feed(model: Model) -> None:
    assert all(byte == 0x0A or 0x20 <= byte < 0x7F for byte in dumps(model))


def test_the_documented_sums(model: Model) -> None:
    assert json.loads(signed(document_of(model))) == document_of(model)


def test_layout_is_free(model: Model) -> None:
    document = document_of(model)
    shuffled = dict(sorted(document.items(), key=lambda item: item[0][::-1]))
    for data in (
        json.dumps(document, ensure_ascii=False).encode(),
        json.dumps(shuffled, indent="\t").encode().replace(b"\n", b"\r\n"),
        dumps(model).replace(b"\\u2581", "▁".encode()),
    ):
        assert_same(loads(data), model)


# -- damage


def loads_equal_or_refuses(data: bytes, model: Model) -> bool:
    """Whether `data` loads; then it must be the very model. Anything but a ModelError is a failure."""
    try:
        loaded = loads(data)
    except ModelError:
        return False
    assert_same(loaded, model)
    return True


DAMAGED = ["trained", "no marker", "astral and controls", "imported", "no merge"]


@pytest.mark.parametrize("name", DAMAGED)
def test_every_flipped_byte(name: str) -> None:
    model = MODELS[name]()
    data = dumps(model)
    taken = 0
    for place in range(len(data)):
        replacements = {data[place] ^ 1 << bit for bit in range(8)} | set(b'\0 \n0"{}[],:\\-e\x7f\x80\xff')
        for byte in replacements - {data[place]}:
            taken += loads_equal_or_refuses(data[:place] + bytes([byte]) + data[place + 1 :], model)
    # Some do load: whitespace for whitespace, the case of an escape's digits.
    assert taken > 0


@pytest.mark.parametrize("name", DAMAGED)
def test_every_byte_left_out_or_put_in_twice(name: str) -> None:
    model = MODELS[name]()
    data = dumps(model)
    for place in range(len(data)):
        loads_equal_or_refuses(data[:place] + data[place + 1 :], model)
        loads_equal_or_refuses(data[: place + 1] + data[place:], model)


@pytest.mark.parametrize("name", DAMAGED)
def test_every_truncation(name: str) -> None:
    model = MODELS[name]()
    data = dumps(model)
    for length in range(len(data) - 2):
        assert not loads_equal_or_refuses(data[:length], model), length
    # All of the object and only the last line feed missing: nothing is lost.
    assert loads_equal_or_refuses(data[:-1], model)


@settings(max_examples=300)
@given(st.data())
def test_several_bytes_of_damage(data: st.DataObject) -> None:
    model = MODELS["trained"]()
    damaged = bytearray(dumps(model))
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    loads_equal_or_refuses(bytes(damaged), model)


def test_two_files_run_together_and_lines_swapped() -> None:
    model = MODELS["trained"]()
    data = dumps(model)
    assert not loads_equal_or_refuses(data + data, model)
    lines = data.splitlines(keepends=True)
    dice = random.Random(7)
    for _ in range(300):
        first, second = dice.sample(range(len(lines)), 2)
        swapped = list(lines)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        loads_equal_or_refuses(b"".join(swapped), model)
        loads_equal_or_refuses(b"".join(swapped[:first] + swapped[first + 1 :]), model)


# -- foreign and hostile files


TOKENIZER_JSON = {
    "version": "1.0",
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]], "dropout": 0.1},
}

FOREIGN: dict[str, bytes] = {
    "empty": b"",
    "a line feed": b"\n",
    "text": b"low low lower\n",
    "a number": b"1",
    "null": b"null",
    "a list": b"[]",
    "an object": b"{}",
    "a tokenizer.json": json.dumps(TOKENIZER_JSON).encode(),
    "a merge list": b"#version: 0.2\nl o\nlo w\n",
    "UTF-16": dumps(train("a")).decode().encode("utf-16"),
    "UTF-16 without mark": dumps(train("a")).decode().encode("utf-16-le"),
    "a byte order mark": b"\xef\xbb\xbf" + dumps(train("a")),
    "gzip": b"\x1f\x8b\x08\x00" + bytes(100),
    "pickle": b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x07builtin",
    "a program": b"\x7fELF" + bytes(200),
    "deep lists": b"[" * 200_000 + b"]" * 200_000,
    "deep objects": b'{"format":' * 200_000,
    "deep in a merge": b'{"format": "pairloom-model", "version": 1, "merges": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "a huge integer": b'{"format": "pairloom-model", "version": ' + b"1" * 1_000_000 + b"}",
    "a huge float": b'{"format": "pairloom-model", "version": 1e400}',
    "NaN": b'{"format": "pairloom-model", "version": NaN}',
    "the format twice": b'{"format": "pairloom-model", "format": "pairloom-model", "version": 1}',
    "a list as format": b'{"format": ["pairloom-model"]}',
}


@pytest.mark.parametrize("name", sorted(FOREIGN))
def test_foreign_files_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FOREIGN[name])
    with pytest.raises(ModelError) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    assert caught.value.__notes__ == [f"in {path}"]


def change(**values: Any) -> Callable[[Document], None]:
    return lambda document: document.update(values)


def change_merge(rank: int, /, **values: Any) -> Callable[[Document], None]:
    return lambda document: document["merges"][rank].update(values)


def drop(key: str) -> Callable[[Document], None]:
    return lambda document: document.pop(key)


def entry(place: int, value: object) -> Callable[[Document], None]:
    return lambda document: document["alphabet"].__setitem__(place, value)


def with_all_merges(value: object) -> Callable[[Document], None]:
    return lambda document: document.update(merges=[value] * document["merge_count"])


# Each is signed anew, so that only the content itself can give it away: (model, change, where).
HOSTILE: list[tuple[str, Callable[[Document], object], str | None]] = [
    ("trained", change(format="pairloom-model2"), None),
    ("trained", change(version=True), "version"),
    ("trained", change(version=1.0), "version"),
    ("trained", change(version="1"), "version"),
    ("trained", change(version=0), "version"),
    ("trained", change(version=None), "version"),
    ("trained", drop("version"), "version"),
    ("trained", change(conventions=0), "conventions"),
    ("trained", change(conventions=[1]), "conventions"),
    ("trained", drop("conventions"), "conventions"),
    ("trained", change(unicode_version="15.0.0"), "unicode_version"),
    ("trained", drop("unicode_version"), "unicode_version"),
    ("trained", change(comment="hello"), "comment"),
    ("trained", change(**{"odd key\x1b": 1}), r"['odd key\x1b']"),
    ("trained", drop("lowercase"), "lowercase"),
    ("trained", change(lowercase=1), "lowercase"),
    ("trained", change(lowercase="false"), "lowercase"),
    ("trained", change(lowercase=None), "lowercase"),
    ("trained", change(marker=0), "marker"),
    ("trained", change(pre_tokenizer="bytes"), "pre_tokenizer"),
    ("trained", change(pre_tokenizer=["whitespace"]), "pre_tokenizer"),
    ("trained", change(min_frequency=0), "min_frequency"),
    ("trained", change(min_frequency=True), "min_frequency"),
    ("trained", change(min_frequency=None), "min_frequency"),
    ("trained", change(min_frequency=3), "merges[3].frequency"),
    ("trained", change(tie_rule=None), "tie_rule"),
    ("trained", change(tie_rule="first seen"), "tie_rule"),
    ("trained", change(stop_reason="bored"), "stop_reason"),
    ("trained", change(stop_reason=0), "stop_reason"),
    ("trained", change(initial_tokens=None), "min_frequency"),
    ("trained", change(initial_tokens="24"), "initial_tokens"),
    ("trained", change(initial_tokens=0), "initial_tokens"),
    ("trained", change(initial_tokens=-1), "initial_tokens"),
    ("trained", change(initial_tokens=25), "merges[0].corpus_tokens"),
    ("trained", change(initial_tokens=6), "initial_tokens"),
    ("trained", change(initial_tokens=2**63), "initial_tokens"),
    ("trained", change(merge_count=5), "merge_count"),
    ("trained", change(merge_count=4.0), "merge_count"),
    ("trained", change(alphabet="elorsw▁"), "alphabet"),
    ("trained", change(alphabet={"e": 0}), "alphabet"),
    ("trained", change(alphabet=[]), "alphabet"),
    ("trained", change(alphabet=["▁", "w", "s", "r", "o", "l", "e"]), "alphabet[1]"),
    ("trained", entry(1, "e"), "alphabet[1]"),
    ("trained", entry(1, "ll"), "alphabet[1]"),
    ("trained", entry(1, ""), "alphabet[1]"),
    ("trained", entry(1, None), "alphabet[1]"),
    ("trained", entry(1, 7), "alphabet[1]"),
    ("trained", entry(0, " "), "alphabet[0]"),
    ("trained", entry(0, "\ufeff"), "alphabet[0]"),
    ("trained", entry(0, "\ud800"), "alphabet[0]"),
    ("trained", entry(6, "▂"), "alphabet"),
    ("trained", entry(0, "d"), "merges[3]"),
    ("trained", change(marker=False), "alphabet[6]"),
    ("trained", change(merges={}), "merges"),
    ("trained", change(merges=None), "merges"),
    ("trained", with_all_merges(["l", "o"]), "merges[0]"),
    ("trained", with_all_merges("l o"), "merges[0]"),
    ("trained", with_all_merges({}), "merges[0].left"),
    ("trained", change_merge(1, rank=1), "merges[1].rank"),
    ("trained", change_merge(1, id=8, is_new=True), "merges[1].id"),
    ("trained", change_merge(1, left=None), "merges[1].left"),
    ("trained", change_merge(1, left=["lo"]), "merges[1].left"),
    ("trained", change_merge(1, left=""), "merges[1]"),
    ("trained", change_merge(1, right="wer"), "merges[1]"),
    ("trained", change_merge(0, left="low"), "merges[0]"),
    ("trained", change_merge(1, left="\udfff"), "merges[1].left"),
    ("trained", change_merge(2, right="▁"), "merges[2]"),
    ("trained", change_merge(0, frequency=True), "merges[0].frequency"),
    ("trained", change_merge(0, frequency=4.0), "merges[0].frequency"),
    ("trained", change_merge(0, frequency="4"), "merges[0].frequency"),
    ("trained", change_merge(0, frequency=None), "merges[0].frequency"),
    ("trained", change_merge(0, frequency=1), "merges[0].frequency"),
    ("trained", change_merge(0, frequency=5), "merges[0].replacements"),
    ("trained", change_merge(0, replacements=0), "merges[0].replacements"),
    ("trained", change_merge(0, replacements=3), "merges[0].replacements"),
    ("trained", change_merge(0, corpus_tokens=16), "merges[0].corpus_tokens"),
    ("trained", change_merge(0, corpus_tokens=0), "merges[0].corpus_tokens"),
    ("trained", change_merge(0, corpus_tokens=-(2**64)), "merges[0].corpus_tokens"),
    ("aaaa", change_merge(0, frequency=3), "merges[0].replacements"),
    ("aaaa", change_merge(0, frequency=9), "merges[0].replacements"),
    ("imported", change(initial_tokens=10), "min_frequency"),
    ("imported", change(min_frequency=2), "min_frequency"),
    ("imported", change(stop_reason="no_pair"), "stop_reason"),
    ("imported", change(tie_rule=TIE_RULE), "tie_rule"),
    ("imported", change_merge(2, frequency=3), "merges[2].frequency"),
    ("imported", change_merge(2, replacements=3), "merges[2].replacements"),
    ("imported", change_merge(2, left="x"), "merges[2]"),
    ("imported", change(marker=True), "alphabet"),
    ("imported, nothing", change(alphabet=["a"]), "alphabet"),
]


@pytest.mark.parametrize(("name", "changed", "where"), HOSTILE)
def test_hostile_files_are_refused_with_the_place(
    name: str, changed: Callable[[Document], object], where: str | None
) -> None:
    document = document_of(MODELS[name]())
    changed(document)
    with pytest.raises(ModelError) as caught:
        loads(signed(document))
    assert caught.value.where == where


ANY_VALUE: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        3,
        4,
        2**63 - 1,
        2**64,
        0.5,
        "",
        "l",
        "lo",
        "▁",
        " ",
        "\ud800",
        "whitespace",
        [],
        {},
    ]
)


def places_in(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [place for key, held in inner for place in [(*path, key), *places_in(held, (*path, key))]]


@settings(max_examples=500)
@given(st.sampled_from(DAMAGED), st.data())
def test_any_values_changed_and_signed_anew(name: str, data: st.DataObject) -> None:
    document = document_of(MODELS[name]())
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(places_in(document)))
        holder: Any = document
        for key in way:
            holder = holder[key]
        match data.draw(st.sampled_from(["change", "remove", "swap"])):
            case "change":
                holder[last] = data.draw(ANY_VALUE)
            case "remove":
                del holder[last]
            case "swap":
                other = data.draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
                holder[last], holder[other] = holder[other], holder[last]
    try:
        model = loads(signed(document))
    except ModelError:
        return
    # Whatever holds together is a model: it can be saved, and encodes.
    assert_same(loads(dumps(model)), model)
    model.encode("low lower slower")


def test_a_pair_that_training_would_not_have_chosen() -> None:
    document = document_of(train("ab cd ab cd"))
    assert [(merge["left"], merge["right"]) for merge in document["merges"][:2]] == [("a", "b"), ("c", "d")]
    document["merges"][0]["left"], document["merges"][1]["left"] = "c", "a"
    document["merges"][0]["right"], document["merges"][1]["right"] = "d", "b"
    with pytest.raises(InvalidMerge) as caught:
        loads(signed(document))
    assert caught.value.rank == 1


def test_a_rising_frequency() -> None:
    document = document_of(train_from_word_counts({"ab": 5, "cd": 3}, marker=False))
    document["merges"][1].update(frequency=6, replacements=6, corpus_tokens=5)
    with pytest.raises(ModelError) as caught:
        loads(signed(document))
    assert caught.value.where == "merges[1].frequency"


def test_a_symbol_that_training_cannot_make_twice() -> None:
    document = document_of(train_from_word_counts({"ab": 5, "cd": 3}, marker=False))
    document["merges"][1].update(left="a", right="b")
    with pytest.raises(InvalidMerge) as caught:
        loads(signed(document))
    assert caught.value.rank == 1


def test_the_sums_are_compared() -> None:
    document = document_of(MODELS["trained"]())
    for key, wrong in (("fingerprint", "0" * 64), ("fingerprint", None), ("checksum", "0" * 64), ("checksum", 7)):
        with pytest.raises(ModelError) as caught:
            loads(json.dumps(document | {key: wrong}).encode())
        assert caught.value.where == key
    del document["checksum"]
    with pytest.raises(ModelError) as caught:
        loads(json.dumps(document).encode())
    assert caught.value.where == "checksum"


def test_a_checksum_is_no_seal() -> None:
    document = document_of(MODELS["trained"]())
    # A change that holds together all the same: only the checksum tells.
    with pytest.raises(ModelError) as caught:
        loads(json.dumps(document | {"stop_reason": None}).encode())
    assert caught.value.where == "checksum"
    # Who changes a file on purpose can sign it anew.
    assert loads(signed(document | {"stop_reason": None})).stop_reason is None


@pytest.mark.parametrize("key", ["version", "conventions"])
def test_a_newer_file_is_refused_by_name(key: str) -> None:
    # Whatever else such a file holds: it cannot be judged.
    data = json.dumps({"format": "pairloom-model", "version": 1, "conventions": 1, key: 2, "new": {}}).encode()
    with pytest.raises(UnsupportedVersion) as caught:
        loads(data)
    assert (caught.value.what, caught.value.version, caught.value.supported) == (key, 2, "1")
    assert str(caught.value) == f"the model has {key} 2, this Pairloom reads 1: use a newer Pairloom"


def test_a_file_over_the_cap_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.json"
    save(train("a"), path)
    for module in (json_guard, model_file):
        monkeypatch.setattr(module, "MAX_BYTES", 100)
    with pytest.raises(ModelError, match="not larger than 100 bytes"):
        load(path)
    # A pipe does not say how long it is.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    os.write(writer, b" " * 101)
    with pytest.raises(ModelError):
        load(pipe)
    os.close(writer)


def test_the_cap_has_room_for_a_million_merges() -> None:
    data = dumps(train("low low lower"))
    longest = max(len(line) for line in data.splitlines() if line.startswith(b'    {"left"'))
    assert 4 * 1_000_000 * longest < json_guard.MAX_BYTES


@limits_the_address_space
@pytest.mark.parametrize(
    ("tiny", "count", "named"),
    [
        (b"[]", json_guard.MAX_CONTAINERS + 1, "lists and objects"),
        (b'{"":[]}', json_guard.MAX_CONTAINERS, "lists and objects"),
        (b"7", json_guard.MAX_VALUES + 1, "values"),
    ],
)
def test_many_tiny_values_are_refused_before_they_take_memory(
    tmp_path: Path, tiny: bytes, count: int, named: str
) -> None:
    """In a process that may have some times what the file has; its values would take ten to a hundred times."""
    path = tmp_path / "m.json"
    path.write_bytes(b'{"format": "pairloom-model", "x": [' + (tiny + b",") * (count - 1) + tiny + b"]}")
    room = 4 * path.stat().st_size + 200 * 2**20
    program = (
        f"import resource, sys, pairloom; resource.setrlimit(resource.RLIMIT_AS, ({room}, {room}))\n"
        "try: pairloom.load(sys.argv[1])\n"
        "except pairloom.ModelError as error: print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "more than" in ran.stdout
    assert named in ran.stdout


def test_too_little_memory_is_a_model_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise MemoryError

    data = dumps(train("low low"))
    monkeypatch.setattr(model_file, "_checked_model", fail)
    with pytest.raises(ModelError, match="more memory"):
        loads(data)


def test_the_caps_of_values_have_room_for_what_the_cap_of_bytes_has() -> None:
    merges = json_guard.MAX_BYTES // 120
    assert merges < json_guard.MAX_CONTAINERS
    assert merges * (len(MERGE_KEYS) + 1) + 0x110000 < json_guard.MAX_VALUES


def test_what_is_no_file_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.json")
    with pytest.raises(IsADirectoryError):
        load(tmp_path)


def test_a_failed_save_leaves_the_old_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.json"
    save(train("a"), path)

    def fail(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(KeyboardInterrupt):
        save(train("b"), path)
    assert load(path) == train("a")
    assert stat.S_ISREG(path.stat().st_mode)
    assert [found.name for found in tmp_path.iterdir()] == ["m.json"]


def test_every_error_is_in_the_tree() -> None:
    assert issubclass(ModelError, PairloomError)
    assert issubclass(ModelError, ValueError)
