"""Broken files of other tools: each is refused with its line and the reason, and none in any other way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.errors import ModelError
from pairloom.formats.csv_table import TRACE_NAME as CSV
from pairloom.formats.exchange import FORMATS, export_files, import_files
from pairloom.formats.findings import Imported
from pairloom.formats.hugging_face import TOKENIZER_JSON, VOCAB_MERGES
from pairloom.formats.subword_nmt import NAME as CODES
from pairloom.formats.trace import NAME as JSON
from pairloom.trainer import train

MODEL = train("low low lower newest", 6)


def document(form: str = TOKENIZER_JSON) -> Any:
    return json.loads(export_files(MODEL, form)[form])


def changed(*path: str | int, to: object, form: str = TOKENIZER_JSON) -> bytes:
    """Our own file with one value exchanged, indented as the library itself writes it."""
    whole = document(form)
    part = whole
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = to
    return json.dumps(whole, indent=2).encode()


def line_of(data: bytes, text: str) -> int:
    """The first line that holds a text."""
    lines = data.decode().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


def vocab_merges(*, vocab: bytes | None = None, merges: bytes | None = None) -> dict[str, bytes]:
    good = export_files(MODEL, VOCAB_MERGES)
    return {"vocab.json": vocab or good["vocab.json"], "merges.txt": merges or good["merges.txt"]}


def codes(text: str | bytes) -> dict[str, bytes]:
    return {CODES: text.encode() if isinstance(text, str) else text}


def tokenizer(data: bytes) -> dict[str, bytes]:
    return {TOKENIZER_JSON: data}


def csv(text: str) -> dict[str, bytes]:
    return {CSV: text.encode()}


BYTES = changed("pre_tokenizer", to={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True})
UNKNOWN = changed("model", "unk_token", to=["<unk>"])
ADDED = changed("added_tokens", to=7)
NO_TEXT = changed("added_tokens", to=[{"id": 3}])
EMPTY = changed("model", "merges", 0, to=["", "o"])
NO_PART = changed("normalizer", to=["a"])
UNIGRAM = changed("model", "type", to="Unigram")
SUFFIX = changed("model", "end_of_word_suffix", to="</w>")
SHARED = changed("model", "vocab", "low", to=0)
NEGATIVE = changed("model", "vocab", "low", to=-1)
LACKING = changed("model", "vocab", to={"l": 0, "o": 1, "lo": 2, "▁": 3})
THREE = changed("model", "merges", 1, to=["l", "o", "w"])
FOREIGN = changed("pre_tokenizer", to={"type": "BertPreTokenizer"})
SPACED = changed("model", "merges", 0, to=["l", "o w"])
PARTLESS = changed("model", "merges", 0, to=["lo", "w"])
ROUND = changed("rounds", 1, "frequency", to=99, form=JSON)
ROUND_ID = changed("rounds", 1, "id", to=99, form=JSON)
ROUND_PART = changed("rounds", 0, "left", to="zz", form=JSON)
FINGERPRINT = changed("fingerprint", to="0" * 64, form=JSON)
VERSION = changed("version", to=2, form=JSON)

# Name, format, files, line, kind, and a word of the reason.
BROKEN: list[tuple[str, str, dict[str, bytes], int | None, str, str]] = [
    ("codes: one symbol", CODES, codes("#version: 0.1\nl o\nlow\n"), 3, "parts", "1 symbols"),
    ("codes: three symbols", CODES, codes("l o\nl o w\n"), 2, "parts", "3 symbols"),
    ("codes: an empty line", CODES, codes("l o\n\nlo w\n"), 2, "parts", "empty line"),
    ("codes: a part that nothing makes", CODES, codes("l o\nlow e\n"), 2, "nothing-makes", "low"),
    ("codes: a part made later", CODES, codes("lo w\nl o\n"), 1, "nothing-makes", "lo"),
    ("codes: another version", CODES, codes("#version: 0.9\nl o\n"), 1, "version", "0.9"),
    ("codes: no version", CODES, codes("#version: x\nl o\n"), 1, "version", "known"),
    ("codes: not UTF-8", CODES, codes(b"l o\nl\xff o\n"), 2, "encoding", "UTF-8"),
    ("codes: a byte order mark", CODES, codes(b"\xef\xbb\xbfl o\n"), 1, "encoding", "byte order mark"),
    ("codes: whitespace in a symbol", CODES, codes("l o\nlo \u3000\n"), 2, "whitespace", "whitespace"),
    (
        "codes: something behind the end",
        CODES,
        codes("#version: 0.2\na b</w>\nab</w> c\n"),
        3,
        "nothing-makes",
        "follows",
    ),
    ("codes: a bare end in 0.2", CODES, codes("#version: 0.2\na </w>\n"), 2, "nothing-makes", "own"),
    ("codes: the stand-in", CODES, codes("#version: 0.2\na b</w>\n␃ a\n"), 3, "end-of-word", "stand-in"),
    (
        "merges: a symbol too many",
        VOCAB_MERGES,
        vocab_merges(merges=b"#version: 0.2\nl o w\n"),
        2,
        "parts",
        "3 symbols",
    ),
    ("merges: not in the vocabulary", VOCAB_MERGES, vocab_merges(merges=b"l o\nl z\n"), 2, "not-in-vocabulary", "z"),
    ("merges: not UTF-8", VOCAB_MERGES, vocab_merges(merges=b"l o\n\xc3 w\n"), 2, "encoding", "UTF-8"),
    ("vocab: no object", VOCAB_MERGES, vocab_merges(vocab=b"[]"), None, "shape", "object"),
    (
        "vocab: an ID that is no number",
        VOCAB_MERGES,
        vocab_merges(vocab=b'{"l": 0,\n"o": "1"}'),
        2,
        "ids",
        "whole number",
    ),
    ("vocab: an ID twice", VOCAB_MERGES, vocab_merges(vocab=b'{"l": 0,\n"o": 0}'), 2, "ids", "has the ID 0"),
    ("vocab: a key twice", VOCAB_MERGES, vocab_merges(vocab=b'{"l": 0,\n"o": 1,\n"l": 1}'), 3, "json", "twice"),
    (
        "vocab: whitespace in a token that no merge names",
        VOCAB_MERGES,
        vocab_merges(vocab=b'{"l": 0,\n"o": 1,\n" ": 2,\n"lo": 3}', merges=b"l o\n"),
        3,
        "whitespace",
        "' '",
    ),
    ("json: no number", TOKENIZER_JSON, tokenizer(b'{"model":\n{"dropout":\n\nNaN}}'), 4, "json", "NaN"),
    ("json: half an emoji", TOKENIZER_JSON, tokenizer(b'{"a":\n"\\ud83d"}'), 2, "json", "surrogate"),
    ("json: too deep", TOKENIZER_JSON, tokenizer(b'{"a":\n' + b"[" * 70 + b"]" * 70 + b"}"), 2, "json", "64 levels"),
    ("json: too large", TOKENIZER_JSON, tokenizer(b'{"a":\n[1,\n1' + b"0" * 30 + b"]}\n\n x"), 3, "json", "too large"),
    ("json: the unknown token", TOKENIZER_JSON, tokenizer(UNKNOWN), line_of(UNKNOWN, '"unk_token"'), "shape", "null"),
    ("json: added tokens", TOKENIZER_JSON, tokenizer(ADDED), line_of(ADDED, '"added_tokens"'), "shape", "list"),
    ("json: one added", TOKENIZER_JSON, tokenizer(NO_TEXT), line_of(NO_TEXT, '"added_tokens"') + 1, "shape", "content"),
    ("json: a part of no kind", TOKENIZER_JSON, tokenizer(NO_PART), line_of(NO_PART, '"pre_tok'), "settings", "['a']"),
    ("json: an empty part", TOKENIZER_JSON, tokenizer(EMPTY), line_of(EMPTY, '"merges"') + 1, "parts", "is empty"),
    ("codes: marker and ends", CODES, codes("#version: 0.2\na b</w>\n▁ a\n"), 3, "settings", "marker"),
    ("codes: a version of any length", CODES, codes("#version: 0." + "9" * 5000 + "\na b\n"), 1, "version", "known"),
    ("json: cut off", TOKENIZER_JSON, tokenizer(b'{"model":\n {"type": "BPE"'), 2, "json", "JSON"),
    ("json: no model", TOKENIZER_JSON, tokenizer(b'{"version": "1.0"}'), None, "shape", "object"),
    ("json: byte-level", TOKENIZER_JSON, tokenizer(BYTES), line_of(BYTES, '"pre_tokenizer"'), "byte-level", "bytes"),
    ("json: no BPE", TOKENIZER_JSON, tokenizer(UNIGRAM), line_of(UNIGRAM, "Unigram"), "not-bpe", "Unigram"),
    ("json: a suffix", TOKENIZER_JSON, tokenizer(SUFFIX), line_of(SUFFIX, "</w>"), "unsupported", "</w>"),
    ("json: an ID twice", TOKENIZER_JSON, tokenizer(SHARED), line_of(SHARED, '"low"'), "ids", "has the ID 0"),
    ("json: an ID below 0", TOKENIZER_JSON, tokenizer(NEGATIVE), line_of(NEGATIVE, '"low"'), "ids", "whole number"),
    ("json: a token missing", TOKENIZER_JSON, tokenizer(LACKING), None, "not-in-vocabulary", "lacks"),
    ("json: three parts", TOKENIZER_JSON, tokenizer(THREE), line_of(THREE, '"merges"') + 5, "parts", "two strings"),
    (
        "json: foreign rules",
        TOKENIZER_JSON,
        tokenizer(FOREIGN),
        line_of(FOREIGN, '"pre_tokenizer"'),
        "settings",
        "Bert",
    ),
    (
        "json: a space in a token",
        TOKENIZER_JSON,
        tokenizer(SPACED),
        line_of(SPACED, '"merges"') + 1,
        "whitespace",
        "o w",
    ),
    (
        "json: nothing makes it",
        TOKENIZER_JSON,
        tokenizer(PARTLESS),
        line_of(PARTLESS, '"merges"') + 1,
        "nothing-makes",
        "lo",
    ),
    ("trace: wrong numbers", JSON, {JSON: ROUND}, line_of(ROUND, '"rank": 1,') - 1, "numbers", ""),
    ("trace: another ID", JSON, {JSON: ROUND_ID}, line_of(ROUND_ID, '"rank": 1,') - 1, "numbers", "id is 99"),
    ("trace: nothing makes it", JSON, {JSON: ROUND_PART}, line_of(ROUND_PART, '"rank": 0,') - 1, "nothing-makes", "zz"),
    (
        "trace: another fingerprint",
        JSON,
        {JSON: FINGERPRINT},
        line_of(FINGERPRINT, '"fingerprint"'),
        "numbers",
        "fingerprint",
    ),
    ("trace: another version", JSON, {JSON: VERSION}, line_of(VERSION, '"version"'), "version", "1 is known"),
    ("csv: no columns", CSV, csv("rank,pair\n0,ab\n"), 1, "shape", "columns"),
    ("csv: a column twice", CSV, csv("left,left,right\na,b,c\n"), 1, "shape", "twice"),
    ("csv: a cell too few", CSV, csv("rank,left,right\n0,a,b\n1,ab\n"), 3, "parts", "2 cells"),
    ("csv: an open quote", CSV, csv('left,right\na,b\n"ab,c\n'), 3, "shape", "CSV"),
    ("csv: no escape", CSV, csv("left,right\na,\\x\n"), 2, "parts", "escape"),
]


@pytest.mark.parametrize(
    ("form", "files", "line", "kind", "word"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN]
)
def test_a_broken_file_is_refused(form: str, files: dict[str, bytes], line: int | None, kind: str, word: str) -> None:
    imported = import_files(form, files)
    assert imported.accepted is None
    fitting = [finding for finding in imported.errors if finding.kind == kind and word in finding.message]
    assert fitting, imported.errors
    if line is not None:
        assert fitting[0].line == line, fitting
    with pytest.raises(ModelError) as raised:
        _ = imported.model
    assert raised.value.reason == imported.errors[0].message


def test_thirty_files_and_more() -> None:
    assert len(BROKEN) >= 30
    assert {form for _, form, *_ in BROKEN} == set(FORMATS)


def test_nearly_all_name_a_line() -> None:
    """Without one are only files that lack what a line would be about."""
    assert sum(line is None for *_, line, _, _ in BROKEN) <= 3


@pytest.mark.parametrize("form", FORMATS)
@given(st.data())
def test_damaged_files_are_models_or_findings(form: str, data: st.DataObject) -> None:
    """A flipped byte, a cut, something put in: never another exception, and an error whenever there is no model."""
    files = dict(export_files(MODEL, form))
    name = data.draw(st.sampled_from(sorted(files)))
    content = bytearray(files[name])
    place = data.draw(st.integers(0, len(content) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "put"]))
    if kind == "flip":
        content[place] ^= 1 << data.draw(st.integers(0, 7))
    elif kind == "cut":
        del content[place:]
    else:
        content[place:place] = data.draw(
            st.sampled_from([b"\0", b"\n", b" ", b'"', b"{", b"\xff", b"\\u0000", b"99999999999999999999"])
        )
    files[name] = bytes(content)
    imported = import_files(form, files)
    assert isinstance(imported, Imported)
    assert (imported.accepted is None) == bool(imported.errors)


def test_gpt2_files_are_recognised_without_their_settings() -> None:
    from pairloom.formats.byte_level import byte_symbols

    vocab = json.dumps({symbol: number for number, symbol in enumerate(sorted(byte_symbols()))}).encode()
    imported = import_files(VOCAB_MERGES, {"vocab.json": vocab, "merges.txt": "#version: 0.2\nĠ t\n".encode()})
    assert [finding.kind for finding in imported.errors] == ["byte-level"]
    assert "code point" in imported.errors[0].message
    bare = {"model": {"type": "BPE", "vocab": json.loads(vocab), "merges": []}}
    imported = import_files(TOKENIZER_JSON, {TOKENIZER_JSON: json.dumps(bare).encode()})
    assert [finding.kind for finding in imported.errors] == ["byte-level"]


def test_foreign_rules_are_taken_when_they_are_named() -> None:
    from pairloom.formats.merge_list import EncodingSettings

    imported = import_files(TOKENIZER_JSON, tokenizer(FOREIGN), settings=EncodingSettings())
    assert imported.model.fingerprint == MODEL.fingerprint


def test_what_a_file_says_is_not_overruled() -> None:
    from pairloom.formats.merge_list import EncodingSettings

    whole = tokenizer(json.dumps(document()).encode())
    imported = import_files(TOKENIZER_JSON, whole, settings=EncodingSettings(lowercase=True))
    assert imported.model.fingerprint == MODEL.fingerprint
    assert imported.counts == {"settings": 1, "left-out": 1}
    assert import_files(TOKENIZER_JSON, whole, settings=EncodingSettings(marker=None)).counts == {"left-out": 1}


def test_a_marker_that_no_token_has_is_not_made_up() -> None:
    from pairloom.formats.merge_list import EncodingSettings

    unsaid = EncodingSettings(pre_tokenizer="punctuation", marker=None)
    for files in (codes("l o\n"), codes("▁ l\n")):
        model = import_files(CODES, files, settings=unsaid).model
        assert model.marker == ("▁" in model.alphabet)
        assert model.pre_tokenizer == "punctuation"
    bare = {"model": {"type": "BPE", "vocab": {"l": 0, "o": 1, "lo": 2}, "merges": [["l", "o"]]}}
    model = import_files(TOKENIZER_JSON, tokenizer(json.dumps(bare).encode()), settings=unsaid).model
    assert (model.marker, model.encode("lo").tokens) == (False, ("lo",))


def test_what_the_library_writes_close_to_ours_is_taken_with_a_warning() -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    theirs = Tokenizer(models.BPE(unk_token="[UNK]"))
    theirs.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    trainer = trainers.BpeTrainer(vocab_size=60, show_progress=False, special_tokens=["[UNK]", "[CLS]"])
    theirs.train_from_iterator(["low low lower newest newest"], trainer)
    imported = import_files(TOKENIZER_JSON, {TOKENIZER_JSON: theirs.to_str().encode()})
    assert imported.counts == {"left-out": 3, "ids-change": 1, "converted": 1}
    for text in ("low newest", "lowest", "we"):
        assert imported.model.encode(text).tokens == tuple(theirs.encode(text).tokens)


ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    2**70,
    1.5,
    "",
    " ",
    "▁",
    "ab",
    [],
    {},
    ["a"],
    [None],
    [[]],
    {"type": ["x"]},
    {"a": None},
]


@pytest.mark.parametrize("form", [TOKENIZER_JSON, JSON, VOCAB_MERGES])
@given(st.data())
def test_odd_values_anywhere_are_models_or_findings(form: str, data: st.DataObject) -> None:
    """Well-formed JSON in which one value is of another kind: a model or findings, never another exception."""
    files = dict(export_files(MODEL, form))
    name = "vocab.json" if form == VOCAB_MERGES else form
    whole = json.loads(files[name])
    part = whole
    while True:
        steps = sorted(part) if isinstance(part, dict) else range(len(part))
        step = data.draw(st.sampled_from(steps))
        if not isinstance(part[step], (dict, list)) or not part[step] or data.draw(st.booleans()):
            break
        part = part[step]
    part[step] = data.draw(st.sampled_from(ODD))
    files[name] = json.dumps(whole).encode()
    imported = import_files(form, files)
    assert (imported.accepted is None) == bool(imported.errors)
