"""The JSON document of a model file, key by key: what is there, of which type, within which bounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from pairloom.errors import ModelError, UnsupportedVersion
from pairloom.fingerprint import CONVENTIONS
from pairloom.formats.json_guard import path_of_key
from pairloom.formats.left_out_object import left_out_of
from pairloom.left_out import LeftOut
from pairloom.model import Model, build_model
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.unicode_data import UNICODE_VERSION
from pairloom.vocabulary import check_alphabet

FORMAT: Final = "pairloom-model"
VERSION: Final = 1
# T4: the smaller left symbol, then the smaller right one, code point by code point.
TIE_RULE: Final = "smaller left, then smaller right, by code point"

MODEL_KEYS: Final = (
    *("format", "version", "conventions", "unicode_version", "lowercase", "pre_tokenizer", "marker"),
    *("min_frequency", "tie_rule", "initial_tokens", "stop_reason", "merge_count", "alphabet", "merges"),
    *("fingerprint", "checksum"),
)
MERGE_KEYS: Final = ("left", "right", "frequency", "replacements", "corpus_tokens")
_STOP_REASONS: Final = ("merge_limit", "no_pair", None)

# A JSON object as read: what each value is, is checked here.
Document = dict[str, Any]
_MergeRow = tuple[str, str, int | None, int | None, int | None]


def model_of(value: object) -> tuple[Document, Model]:
    """Return a parsed file as the document that it is, and the model of it; the sums in it are not compared yet.

    Raises:
        ModelError, InvalidMerge, UnsupportedVersion.
    """
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ModelError(reason=f'not a Pairloom model: the file has no "format": "{FORMAT}"')
    _check_versions(value)
    _check_keys(value, keys_of(value), path="")
    _check_settings(value)
    settings = ("lowercase", "pre_tokenizer", "marker", "min_frequency", "initial_tokens", "stop_reason")
    left_out = _left_out(value)
    model = build_model(
        _alphabet(value), _merge_rows(value), left_out=left_out, **{key: value[key] for key in settings}
    )
    return value, model


def keys_of(document: Document) -> tuple[str, ...]:
    """Return the keys of a document in the order in which they are written; `left_out` only if it is there."""
    if "left_out" not in document:
        return MODEL_KEYS
    at = MODEL_KEYS.index("merge_count")
    return (*MODEL_KEYS[:at], "left_out", *MODEL_KEYS[at:])


def _left_out(document: Document) -> LeftOut | None:
    if "left_out" not in document:
        return None
    if document["initial_tokens"] is None:
        raise ModelError(reason="must not be there where initial_tokens is null: nothing was counted", where="left_out")
    return left_out_of(document["left_out"], where="left_out")


def _check_versions(document: Document) -> None:
    """Objections to a newer file come before all others: what else it holds cannot be judged."""
    for key, ours in (("version", VERSION), ("conventions", CONVENTIONS)):
        if key not in document:
            raise ModelError(reason="the key is missing", where=key)
        number = document[key]
        _check_whole_number(number, minimum=1, where=key)
        if number > ours:
            raise UnsupportedVersion(what=key, version=number, supported=str(ours))
    if document.get("unicode_version") != UNICODE_VERSION:
        reason = f'must be "{UNICODE_VERSION}", the Unicode version of conventions {CONVENTIONS}'
        raise ModelError(reason=reason, where="unicode_version")


def _check_keys(document: Document, keys: tuple[str, ...], *, path: str) -> None:
    if document.keys() == set(keys):
        return
    for key in keys:
        if key not in document:
            raise ModelError(reason="the key is missing", where=path_of_key(path, key))
    for key in document:
        if key not in keys:
            raise ModelError(reason="no such key is known", where=path_of_key(path, key))


def _check_settings(document: Document) -> None:
    for key in ("lowercase", "marker"):
        _check_one_of(document, key, (True, False))
    _check_one_of(document, "pre_tokenizer", PRE_TOKENIZERS)
    _check_one_of(document, "stop_reason", _STOP_REASONS)
    _check_whole_number(document["merge_count"], minimum=0, where="merge_count")
    if document["initial_tokens"] is None:
        for key in ("min_frequency", "tie_rule", "stop_reason"):
            if document[key] is not None:
                raise ModelError(reason="must be null where initial_tokens is: the model was not trained", where=key)
        return
    _check_whole_number(document["initial_tokens"], minimum=1, where="initial_tokens")
    _check_whole_number(document["min_frequency"], minimum=1, where="min_frequency")
    _check_one_of(document, "tie_rule", (TIE_RULE,))


def _check_one_of(document: Document, key: str, allowed: tuple[object, ...]) -> None:
    # By type, too: 1 == True, and a list of anything cannot be looked up in a set.
    value = document[key]
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise ModelError(reason=f"must be {' or '.join(json.dumps(one) for one in allowed)}", where=key)


def _check_whole_number(value: object, *, minimum: int, where: str) -> None:
    if type(value) is not int:
        raise ModelError(reason="must be a whole number", where=where)
    if value < minimum:
        raise ModelError(reason=f"must be at least {minimum}", where=where)


def _alphabet(document: Document) -> tuple[str, ...]:
    entries = document["alphabet"]
    if not isinstance(entries, list):
        raise ModelError(reason="must be a list", where="alphabet")
    may_lack_marker = document["initial_tokens"] is not None and document["pre_tokenizer"] != "whitespace"
    alphabet = check_alphabet(entries, marker=document["marker"], may_lack_marker=may_lack_marker)
    for place, (earlier, later) in enumerate(pairwise(entries), start=1):
        if earlier > later:
            reason = "must come after the entry before it: the alphabet is in code-point order"
            raise ModelError(reason=reason, where=f"alphabet[{place}]")
    return alphabet


def _merge_rows(document: Document) -> Iterator[_MergeRow]:
    merges = document["merges"]
    if not isinstance(merges, list):
        raise ModelError(reason="must be a list", where="merges")
    if len(merges) != document["merge_count"]:
        reason = f"must be the number of merges, {len(merges)}"
        raise ModelError(reason=reason, where="merge_count")
    minima = (document["min_frequency"], 1, 1)
    number = type(None) if document["initial_tokens"] is None else int
    expected = [str, str, number, number, number]
    known = set(MERGE_KEYS)
    for rank, merge in enumerate(merges):
        if type(merge) is not dict or merge.keys() != known:
            _object_to_merge(merge, path=f"merges[{rank}]")
        row = (merge["left"], merge["right"], merge["frequency"], merge["replacements"], merge["corpus_tokens"])
        if [type(value) for value in row] != expected:
            _object_to_types(row, expected, path=f"merges[{rank}]")
        if number is int:
            for key, value, minimum in zip(MERGE_KEYS[2:], row[2:], minima, strict=True):
                if value < minimum:
                    raise ModelError(reason=f"must be at least {minimum}", where=f"merges[{rank}].{key}")
        yield row


def _object_to_merge(merge: object, *, path: str) -> None:
    if not isinstance(merge, dict):
        raise ModelError(reason="must be an object", where=path)
    _check_keys(merge, MERGE_KEYS, path=path)


def _object_to_types(row: tuple[object, ...], expected: list[type], *, path: str) -> None:
    names = {str: "a string", int: "a whole number", type(None): "null, since the model was not trained"}
    for key, value, kind in zip(MERGE_KEYS, row, expected, strict=True):
        if type(value) is not kind:
            raise ModelError(reason=f"must be {names[kind]}", where=f"{path}.{key}")
