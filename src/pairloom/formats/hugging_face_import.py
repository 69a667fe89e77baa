"""Hugging Face's `tokenizer.json`, or `vocab.json` with `merges.txt`, → model.

A file that we wrote comes back as the same model. Of other files, what splits text is either known and close to ours,
and then said, or has to be named by options. Byte-level tokenizers are recognised and refused with the reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pairloom.formats.byte_level import EXPLANATION, is_byte_level
from pairloom.formats.findings import Finding, Findings, Imported, ReadingStoppedError, in_order_of_lines
from pairloom.formats.hugging_face import TOKENIZER_JSON, VOCAB_MERGES
from pairloom.formats.hugging_face_settings import check_bytes, check_model_settings, check_surroundings, settings_in
from pairloom.formats.json_findings import JsonReading
from pairloom.formats.merge_list import EncodingSettings, ListedMerge, model_of_list, settled
from pairloom.formats.subword_nmt import pairs_of
from pairloom.formats.text_lines import lines_of
from pairloom.model import Model
from pairloom.unicode_data import MARKER
from pairloom.views.display import plain

_LISTED: Final = 5


def loads(data: bytes, *, settings: EncodingSettings | None = None) -> Imported:
    """Return what a `tokenizer.json` says.

    Args:
        data: the file.
        settings: of the model, where the file has not our normalizer and pre-tokenizer; None takes the file's.
    """
    findings = Findings()
    model, found = None, None
    try:
        reading = JsonReading(data, findings)
        try:
            model = _model_of(reading, settings, findings)
        finally:
            found = reading.with_lines()
    except ReadingStoppedError:
        pass
    return Imported(TOKENIZER_JSON, in_order_of_lines(found or findings.found), model)


def loads_vocab_merges(vocab: bytes, merges: bytes, *, settings: EncodingSettings | None = None) -> Imported:
    """Return what `vocab.json` and `merges.txt` say.

    Args:
        vocab, merges: the two files.
        settings: of the model; None takes a marker if the vocabulary has one, and nothing else.
    """
    in_vocab, in_merges = Findings(), Findings()
    found: list[Finding] = []
    model = None
    try:
        listed = _listed_lines(merges, in_merges)
        reading = JsonReading(vocab, in_vocab)
        try:
            vocabulary = _vocabulary(reading, (), in_vocab)
            settings = settled(settings, has_marker=any(MARKER in token for token in vocabulary))
            both = Findings()
            model = _with_vocabulary(listed, vocabulary, settings, reading, both, unknown=None, added=set())
            for finding in both.found:
                (in_vocab if finding.where is not None or finding.line is None else in_merges).found.append(finding)
        finally:
            in_vocab.found = reading.with_lines()
    except ReadingStoppedError:
        model = None
    found = [replace(finding, file="vocab.json") for finding in in_vocab.found]
    found += [replace(finding, file="merges.txt") for finding in in_merges.found]
    has_errors = in_vocab.has_errors or in_merges.has_errors
    return Imported(VOCAB_MERGES, in_order_of_lines(found), None if has_errors else model)


def _listed_lines(data: bytes, findings: Findings) -> list[ListedMerge]:
    lines = lines_of(data, findings)
    first = 2 if lines and lines[0].startswith("#version") else 1
    return pairs_of(lines[first - 1 :], first, findings)


def _model_of(reading: JsonReading, settings: EncodingSettings | None, findings: Findings) -> Model | None:
    document = reading.object_at()
    part = reading.object_at("model")
    check_bytes(reading, document, part, findings)
    kind = part.get("type", "BPE")
    if kind != "BPE":
        raise findings.stop(
            "not-bpe", f"a model of the type {kind!a}; only BPE has merges", where=reading.at("model", "type")
        )
    unknown, added = _unknown_and_added(reading, document, part, findings)
    check_model_settings(reading, part, findings)
    check_surroundings(reading, document, findings)
    vocabulary = _vocabulary(reading, ("model",), findings)
    merges = _listed_pairs(reading, part, findings)
    settings = settings_in(reading, document, findings, wanted=settings)
    settings = settled(settings, has_marker=any(MARKER in token for token in vocabulary))
    return _with_vocabulary(
        merges,
        vocabulary,
        settings,
        reading,
        findings,
        unknown=unknown,
        added=added,
        path=("model", "vocab"),
    )


def _unknown_and_added(
    reading: JsonReading, document: dict[str, Any], part: dict[str, Any], findings: Findings
) -> tuple[str | None, set[str]]:
    """Return the token for unknown characters and those that are added. Raises: ReadingStoppedError, no such tokens."""
    unknown = part.get("unk_token")
    if unknown is not None and not isinstance(unknown, str):
        raise findings.stop("shape", "a token or null is needed here", where=reading.at("model", "unk_token"))
    listed = document.get("added_tokens")
    if listed is not None and not isinstance(listed, list):
        raise findings.stop("shape", "a list of tokens is needed here", where=reading.at("added_tokens"))
    added: set[str] = set()
    for place, each in enumerate(listed or ()):
        if not isinstance(each, dict) or not isinstance(each.get("content"), str):
            message = "an added token is an object with its text as content"
            raise findings.stop("shape", message, where=reading.at("added_tokens", place))
        added.add(each["content"])
    return unknown, added


def _vocabulary(reading: JsonReading, path: tuple[str, ...], findings: Findings) -> dict[str, int]:
    path = (*path, "vocab") if path else path
    vocabulary = reading.object_at(*path)
    owner: dict[int, str] = {}
    for token, token_id in vocabulary.items():
        if type(token_id) is not int or token_id < 0:
            message = f"the ID of {plain(token)} is no whole number from 0"
            findings.error("ids", message, where=reading.at(*path, token))
        elif token_id in owner:
            message = f"{plain(token)} has the ID {token_id} of {plain(owner[token_id])}"
            findings.error("ids", message, where=reading.at(*path, token))
        else:
            owner[token_id] = token
    if is_byte_level(vocabulary):
        raise findings.stop("byte-level", EXPLANATION, where=reading.at(*path) if path else None)
    if findings.has_errors:
        raise ReadingStoppedError
    return vocabulary


def _listed_pairs(reading: JsonReading, part: dict[str, Any], findings: Findings) -> list[ListedMerge]:
    """Return the merges: lists of two strings, or in older files strings with a space in them."""
    entries = part.get("merges")
    if not isinstance(entries, list):
        raise findings.stop("shape", "a list of merges is needed here", where=reading.at("model", "merges"))
    merges: list[ListedMerge] = []
    for rank, entry in enumerate(entries):
        parts = entry.split(" ") if isinstance(entry, str) else entry
        if isinstance(parts, list) and len(parts) == 2 and all(isinstance(each, str) for each in parts):
            # A path is remembered for findings, and nearly no merge has any: it is made where one is needed.
            merges.append(ListedMerge(parts[0], parts[1], where=f"model.merges[{rank}]"))
        else:
            message = "a merge is two strings, or one with a single space between two symbols"
            findings.error("parts", message, where=reading.at("model", "merges", rank))
    return merges


def _with_vocabulary(
    merges: list[ListedMerge],
    vocabulary: dict[str, int],
    settings: EncodingSettings,
    reading: JsonReading,
    findings: Findings,
    *,
    unknown: str | None,
    added: set[str],
    path: tuple[str, ...] = (),
) -> Model | None:
    """Return the model of merges whose tokens a vocabulary numbers."""
    made = {merge.result for merge in merges}
    parts = {part for merge in merges for part in (merge.left, merge.right)}
    special = {token for token in {unknown, *added} if token in vocabulary and token not in parts}
    alphabet = {token for token in vocabulary if len(token) == 1} - special
    for merge in merges:
        # An empty part is found with the merges.
        named = [part for part in (merge.left, merge.right, merge.result) if part]
        lacking = next((part for part in named if part not in vocabulary), None)
        if lacking is not None:
            findings.error(
                "not-in-vocabulary",
                f"the vocabulary lacks {plain(lacking)}",
                line=merge.line,
                where=_remembered(reading, merge),
            )
    _note_left_out(
        [token for token in vocabulary if len(token) != 1 and token not in made], special, reading, findings, path
    )
    found = len(findings.found)
    model = model_of_list(
        merges,
        alphabet=alphabet,
        settings=settings,
        findings=findings,
        where_of=lambda symbol: reading.at(*path, symbol) if symbol in vocabulary else None,
        of_duplicates="this one never acts, while the library takes it in place of the one before",
    )
    for finding in findings.found[found:]:
        if finding.where is not None and finding.where.startswith("model.merges["):
            reading.at("model", "merges", int(finding.where.removeprefix("model.merges[").rstrip("]")))
    if model is not None:
        _note_ids(model, vocabulary, findings)
    return model


def _remembered(reading: JsonReading, merge: ListedMerge) -> str | None:
    if merge.where is None:
        return None
    return reading.at("model", "merges", int(merge.where.removeprefix("model.merges[").rstrip("]")))


def _note_left_out(
    tokens: list[str], special: set[str], reading: JsonReading, findings: Findings, path: tuple[str, ...]
) -> None:
    for token in tokens:
        if token in special:
            findings.note(
                "left-out", f"{plain(token)} is a special token, and there is none here", where=reading.at(*path, token)
            )
        elif token.strip("<>") == "unk":
            findings.note("left-out", f"{plain(token)} stands for unknown characters", where=reading.at(*path, token))
        elif any(code_point.isspace() for code_point in token):
            message = f"{plain(token)} has whitespace in it and no merge makes it: no text would ever give it"
            findings.warn("whitespace", message, where=reading.at(*path, token))
        else:
            message = f"no merge makes {plain(token)}: no text would ever give it"
            findings.warn("left-out", message, where=reading.at(*path, token))


def _note_ids(model: Model, vocabulary: dict[str, int], findings: Findings) -> None:
    changed = [token for token, token_id in vocabulary.items() if model.token_id(token) not in (token_id, None)]
    if changed:
        first = ", ".join(
            f"{plain(token)} {vocabulary[token]} → {model.token_id(token)}" for token in changed[:_LISTED]
        )
        more = f" and {len(changed) - _LISTED} more" if len(changed) > _LISTED else ""
        findings.note("ids-change", f"{len(changed)} tokens have another ID here (V1): {first}{more}")
