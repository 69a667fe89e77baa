"""Model ↔ model file: versioned JSON that a person can read and that never trusts itself.

The file is printable ASCII with one merge a line, the same bytes for the same model on every machine. It holds what
decides an encoding, what training measured, and nothing that can be computed from the rest, except three numbers that
are there to be compared: the count of merges, the fingerprint of the model, and a checksum over everything. The
checksum is against accidents: whoever changes a file on purpose can compute a new one.

`docs/model-file.md` describes every field.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pairloom.errors import ModelError, PairloomError, UnsupportedVersion
from pairloom.formats.atomic import replacing
from pairloom.formats.json_guard import MAX_BYTES, JsonRefusedError, path_of_key, read_json
from pairloom.formats.trained_numbers import check_trained_numbers
from pairloom.model import CONVENTIONS, Model, build_model
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.unicode_data import MARKER, UNICODE_VERSION, WHITESPACE

FORMAT: Final = "pairloom-model"
VERSION: Final = 1
# T4: the smaller left symbol, then the smaller right one, code point by code point.
TIE_RULE: Final = "smaller left, then smaller right, by code point"

_MODEL_KEYS: Final = (
    *("format", "version", "conventions", "unicode_version", "lowercase", "pre_tokenizer", "marker"),
    *("min_frequency", "tie_rule", "initial_tokens", "stop_reason", "merge_count", "alphabet", "merges"),
    *("fingerprint", "checksum"),
)
_MERGE_KEYS: Final = ("left", "right", "frequency", "replacements", "corpus_tokens")
_STOP_REASONS: Final = ("merge_limit", "no_pair", None)

# A JSON object as read: what each value is, is checked key by key.
_Object = dict[str, Any]
_MergeRow = tuple[str, str, int | None, int | None, int | None]


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write the model file; at every moment the old file or the new one is there, whole.

    Raises:
        OSError: an old file is intact then.
    """
    data = dumps(model)
    with replacing(path) as file:
        file.write(data)


def load(path: str | os.PathLike[str]) -> Model:
    """Return the model of a file.

    Raises:
        OSError: the file cannot be read.
        ModelError: it holds no model, or one that does not hold together; `where` says where.
        UnsupportedVersion: it was written by a newer Pairloom.
    """
    with Path(path).open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise ModelError(reason=f"a model file is not larger than {MAX_BYTES:,} bytes")
        return loads(file.read(MAX_BYTES + 1), source=os.fspath(path))


def dumps(model: Model) -> bytes:
    """Return the bytes of the model file: the same for equal models, on every machine and Python."""
    document = _document(model)
    document["checksum"] = _checksum(document)
    parts = ["{\n"]
    last = _MODEL_KEYS[-1]
    for key in _MODEL_KEYS:
        value = document[key]
        shown = _lines(value) if isinstance(value, list) else json.dumps(value)
        parts.append(f"  {json.dumps(key)}: {shown}{'' if key == last else ','}\n")
    parts.append("}\n")
    return "".join(parts).encode("ascii")


def _lines(entries: list[object]) -> str:
    """Return a JSON list with one entry a line, for diffs and `grep`."""
    if not entries:
        return "[]"
    encode = json.JSONEncoder().encode
    return "[\n" + ",\n".join([f"    {encode(entry)}" for entry in entries]) + "\n  ]"


def _document(model: Model) -> _Object:
    return {
        "format": FORMAT,
        "version": VERSION,
        "conventions": CONVENTIONS,
        "unicode_version": UNICODE_VERSION,
        "lowercase": model.lowercase,
        "pre_tokenizer": model.pre_tokenizer,
        "marker": model.marker,
        "min_frequency": model.min_frequency,
        "tie_rule": TIE_RULE if model.is_trained else None,
        "initial_tokens": model.initial_tokens,
        "stop_reason": model.stop_reason,
        "merge_count": len(model.merges),
        "alphabet": list(model.alphabet),
        "merges": [{key: getattr(merge, key) for key in _MERGE_KEYS} for merge in model.merges],
        "fingerprint": model.fingerprint,
    }


def _checksum(document: _Object) -> str:
    """Return SHA-256 in hexadecimal over everything but the checksum, in one canonical spelling.

    Over the content, not the bytes: line ends and indentation may change on the way without harm.
    """
    content = {key: value for key, value in document.items() if key != "checksum"}
    canonical = json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def loads(data: bytes, *, source: str = "<bytes>") -> Model:
    """Return the model of the bytes of a model file. Everything in it is checked against everything else.

    Args:
        data: at most 512 MiB.
        source: a name for tracebacks.

    Raises:
        ModelError, InvalidMerge, UnsupportedVersion; never anything else, whatever the bytes.

    Cost: linear; about a quarter of a second for 32,000 merges.
    """
    try:
        try:
            document = read_json(data)
        except JsonRefusedError as refused:
            raise ModelError(reason=refused.reason, where=refused.where) from None
        return _model(document)
    except PairloomError as error:
        error.add_note(f"in {source}")
        raise


def _model(document: object) -> Model:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelError(reason=f'not a Pairloom model: the file has no "format": "{FORMAT}"')
    _check_versions(document)
    _check_keys(document, _MODEL_KEYS, path="")
    _check_settings(document)
    alphabet = _alphabet(document)
    rows = list(_merge_rows(document))
    model = build_model(
        alphabet,
        rows,
        lowercase=document["lowercase"],
        pre_tokenizer=document["pre_tokenizer"],
        marker=document["marker"],
        min_frequency=document["min_frequency"],
        initial_tokens=document["initial_tokens"],
        stop_reason=document["stop_reason"],
    )
    if model.is_trained:
        check_trained_numbers(model)
    _check_sums(document, model)
    return model


def _check_versions(document: _Object) -> None:
    """Objections to a newer file come before all others: what else it holds cannot be judged."""
    for key, ours in (("version", VERSION), ("conventions", CONVENTIONS)):
        if key not in document:
            raise ModelError(reason="the key is missing", where=key)
        number = document[key]
        _check_whole_number(number, minimum=1, where=key)
        if number > ours:
            raise UnsupportedVersion(what=key, version=number, supported=str(ours))
    if document.get("unicode_version") != UNICODE_VERSION:
        reason = f'conventions {CONVENTIONS} have Unicode "{UNICODE_VERSION}"'
        raise ModelError(reason=reason, where="unicode_version")


def _check_keys(document: _Object, keys: tuple[str, ...], *, path: str) -> None:
    if document.keys() == set(keys):
        return
    for key in keys:
        if key not in document:
            raise ModelError(reason="the key is missing", where=path_of_key(path, key))
    for key in document:
        if key not in keys:
            raise ModelError(reason="no such key is known", where=path_of_key(path, key))


def _check_settings(document: _Object) -> None:
    for key in ("lowercase", "marker"):
        _check_one_of(document, key, (True, False))
    _check_one_of(document, "pre_tokenizer", PRE_TOKENIZERS)
    _check_one_of(document, "stop_reason", _STOP_REASONS)
    _check_whole_number(document["merge_count"], minimum=0, where="merge_count")
    if document["initial_tokens"] is None:
        for key in ("min_frequency", "tie_rule", "stop_reason"):
            if document[key] is not None:
                raise ModelError(reason="null where initial_tokens is null: the model was not trained", where=key)
        return
    _check_whole_number(document["initial_tokens"], minimum=1, where="initial_tokens")
    _check_whole_number(document["min_frequency"], minimum=1, where="min_frequency")
    _check_one_of(document, "tie_rule", (TIE_RULE,))


def _check_one_of(document: _Object, key: str, allowed: tuple[object, ...]) -> None:
    # By type, too: 1 == True, and a list of anything cannot be looked up in a set.
    value = document[key]
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise ModelError(reason=f"it is {' or '.join(json.dumps(one) for one in allowed)}", where=key)


def _check_whole_number(value: object, *, minimum: int, where: str) -> None:
    if type(value) is not int:
        raise ModelError(reason="it is a whole number", where=where)
    if value < minimum:
        raise ModelError(reason=f"it is at least {minimum}", where=where)


def _alphabet(document: _Object) -> tuple[str, ...]:
    entries = document["alphabet"]
    if not isinstance(entries, list):
        raise ModelError(reason="it is a list", where="alphabet")
    previous = ""
    for place, entry in enumerate(entries):
        where = f"alphabet[{place}]"
        if not isinstance(entry, str) or len(entry) != 1:
            raise ModelError(reason="it is a string of one code point", where=where)
        if entry in WHITESPACE:
            raise ModelError(reason="whitespace is in no pre-token", where=where)
        if entry <= previous:
            raise ModelError(reason="the alphabet stands in code-point order, each entry once", where=where)
        previous = entry
    has_marker = MARKER in entries
    if has_marker and not document["marker"]:
        raise ModelError(reason="the marker ▁ is in no model without marker", where="alphabet")
    # A table of word counts may hold only such pieces of words as follow their first one (P2).
    may_lack_it = document["initial_tokens"] is not None and document["pre_tokenizer"] != "whitespace"
    if document["marker"] and not has_marker and not may_lack_it:
        raise ModelError(reason="the marker ▁ (U+2581) is missing", where="alphabet")
    return tuple(entries)


def _merge_rows(document: _Object) -> Iterator[_MergeRow]:
    merges = document["merges"]
    if not isinstance(merges, list):
        raise ModelError(reason="it is a list", where="merges")
    if len(merges) != document["merge_count"]:
        reason = f"the file says {document['merge_count']}, and there are {len(merges)} merges"
        raise ModelError(reason=reason, where="merge_count")
    minima = (document["min_frequency"], 1, 1)
    number = type(None) if document["initial_tokens"] is None else int
    expected = [str, str, number, number, number]
    known = set(_MERGE_KEYS)
    for rank, merge in enumerate(merges):
        if type(merge) is not dict or merge.keys() != known:
            _object_to_merge(merge, path=f"merges[{rank}]")
        row = (merge["left"], merge["right"], merge["frequency"], merge["replacements"], merge["corpus_tokens"])
        if [type(value) for value in row] != expected:
            _object_to_types(row, expected, path=f"merges[{rank}]")
        if number is int:
            for key, value, minimum in zip(_MERGE_KEYS[2:], row[2:], minima, strict=True):
                if value < minimum:
                    raise ModelError(reason=f"it is at least {minimum}", where=f"merges[{rank}].{key}")
        yield row


def _object_to_merge(merge: object, *, path: str) -> None:
    if not isinstance(merge, dict):
        raise ModelError(reason="it is an object", where=path)
    _check_keys(merge, _MERGE_KEYS, path=path)


def _object_to_types(row: tuple[object, ...], expected: list[type], *, path: str) -> None:
    names = {str: "a string", int: "a whole number", type(None): "null, since the model was not trained"}
    for key, value, kind in zip(_MERGE_KEYS, row, expected, strict=True):
        if type(value) is not kind:
            raise ModelError(reason=f"it is {names[kind]}", where=f"{path}.{key}")


def _check_sums(document: _Object, model: Model) -> None:
    if document["fingerprint"] != model.fingerprint:
        reason = "it is not that of the alphabet, merges and settings: the file was damaged or changed"
        raise ModelError(reason=reason, where="fingerprint")
    if document["checksum"] != _checksum(document):
        reason = "it is not that of the content: the file was damaged or changed after it was written"
        raise ModelError(reason=reason, where="checksum")
