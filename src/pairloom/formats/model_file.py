"""Model ↔ model file: versioned JSON that a person can read and that never trusts itself.

The file is printable ASCII with one merge a line, the same bytes for the same model on every machine. It holds what
decides an encoding, what training measured, and nothing that can be computed from the rest, except three values that
are there to be compared: the number of merges, the fingerprint of the model, and a checksum over everything. The
checksum is against accidents: whoever changes a file on purpose can compute a new one.

`docs/model-file.md` describes every field; `model_document` checks them one by one, `trained_merges` and
`trained_numbers` together.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path

from pairloom.errors import ModelError, PairloomError
from pairloom.fingerprint import CONVENTIONS
from pairloom.formats.atomic import replacing
from pairloom.formats.json_guard import MAX_BYTES, JsonRefusedError, read_capped, read_json
from pairloom.formats.model_document import FORMAT, MERGE_KEYS, TIE_RULE, VERSION, Document, keys_of, model_of
from pairloom.formats.trained_merges import check_trained_merges
from pairloom.formats.trained_numbers import check_trained_numbers
from pairloom.model import Model
from pairloom.unicode_data import UNICODE_VERSION


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

    Cost: less than half a second for 32,000 merges.
    """
    with Path(path).open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise ModelError(reason=f"a model file is not larger than {MAX_BYTES:,} bytes")
        return loads(read_capped(file), source=os.fspath(path))


def dumps(model: Model) -> bytes:
    """Return the bytes of the model file: the same for equal models, on every machine and Python."""
    document = _document(model)
    document["checksum"] = checksum_of(document)
    entries = []
    for key in keys_of(document):
        value = document[key]
        entries.append(f"  {json.dumps(key)}: {_lines(value) if isinstance(value, list) else json.dumps(value)}")
    return ("{\n" + ",\n".join(entries) + "\n}\n").encode("ascii")


def _lines(entries: list[object]) -> str:
    """Return a JSON list with one entry a line, for diffs and `grep`."""
    if not entries:
        return "[]"
    encode = json.JSONEncoder().encode
    return "[\n" + ",\n".join([f"    {encode(entry)}" for entry in entries]) + "\n  ]"


def _document(model: Model) -> Document:
    left_out = {} if model.left_out is None else {"left_out": asdict(model.left_out)}
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
        "merges": [{key: getattr(merge, key) for key in MERGE_KEYS} for merge in model.merges],
        "fingerprint": model.fingerprint,
        **left_out,
    }


def checksum_of(document: Document) -> str:
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
    """
    try:
        try:
            return _checked_model(read_json(data))
        except JsonRefusedError as refused:
            raise ModelError(reason=refused.reason, where=refused.where) from None
        except MemoryError:
            raise ModelError(reason="it needs more memory than this program may have") from None
    except PairloomError as error:
        error.add_note(f"in {source}")
        raise


def model_of_fields(settings: Document, merges: list[Document]) -> Model:
    """Return the model of what a model file holds, for formats that say the same in another way.

    Args:
        settings: the values of the keys from `lowercase` to `alphabet`, without `tie_rule` and `merge_count`.
        merges: one object each, with the keys that a merge has in a model file.

    Raises:
        ModelError, InvalidMerge: as `loads`, paths included.
    """
    document: Document = {
        "format": FORMAT,
        "version": VERSION,
        "conventions": CONVENTIONS,
        "unicode_version": UNICODE_VERSION,
        "tie_rule": None if settings["initial_tokens"] is None else TIE_RULE,
        "merge_count": len(merges),
        "merges": merges,
        "fingerprint": None,
        "checksum": None,
    }
    _, model = model_of(document | settings)
    _check_training(model)
    return model


def _check_training(model: Model) -> None:
    if model.is_trained:
        check_trained_merges(model)
        check_trained_numbers(model)


def _checked_model(value: object) -> Model:
    document, model = model_of(value)
    _check_training(model)
    if document["fingerprint"] != model.fingerprint:
        reason = "is not that of the alphabet, merges and settings: the file was damaged or changed"
        raise ModelError(reason=reason, where="fingerprint")
    if document["checksum"] != checksum_of(document):
        reason = "is not that of the content: the file was damaged, or changed after it was written"
        raise ModelError(reason=reason, where="checksum")
    return model
