"""What a foreign `tokenizer.json` says beside its merges: is it byte-level, how is text split, what else is there?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pairloom.formats.byte_level import EXPLANATION, is_byte_level
from pairloom.formats.findings import Findings
from pairloom.formats.hugging_face_rules import canonical, decoder, settings_of
from pairloom.formats.json_findings import JsonReading
from pairloom.formats.merge_list import EncodingSettings
from pairloom.unicode_data import MARKER


def check_bytes(reading: JsonReading, document: dict[str, Any], part: dict[str, Any], findings: Findings) -> None:
    """Stop at a byte-level tokenizer. Raises: ReadingStoppedError."""
    for key in ("pre_tokenizer", "normalizer", "decoder"):
        if any(kind == "ByteLevel" for kind in _kinds(document.get(key))):
            raise findings.stop("byte-level", EXPLANATION, where=reading.at(key))
    vocabulary = part.get("vocab")
    if isinstance(vocabulary, dict) and is_byte_level(vocabulary):
        raise findings.stop("byte-level", EXPLANATION, where=reading.at("model", "vocab"))


def _kinds(part: object) -> list[str]:
    """Return the types of a normalizer, pre-tokenizer or decoder and of those inside it."""
    if part is None:
        return []
    if not isinstance(part, dict):
        # The library takes a list of values for a part without names; nobody writes that on purpose.
        return [f"{part!a:.30}"]
    inner: list[str] = []
    for key in ("normalizers", "pretokenizers", "decoders"):
        parts = part.get(key)
        inner += [kind for each in parts for kind in _kinds(each)] if isinstance(parts, list) else _kinds(parts)
    return [str(part.get("type")), *inner]


def check_model_settings(reading: JsonReading, part: dict[str, Any], findings: Findings) -> None:
    """Find the settings of the model that merging here does not have."""
    for key in ("continuing_subword_prefix", "end_of_word_suffix"):
        if part.get(key):
            message = f"{part[key]!a} is written into tokens and is no text; there is no such mark here"
            findings.error("unsupported", message, where=reading.at("model", key))
    left_out = {
        "dropout": "merges are left out at random there; here never",
        "byte_fallback": "unknown characters become bytes there; here they are visible and have no ID (E3)",
        "ignore_merges": "a word that is a token is taken whole there; here merges alone make tokens (E2)",
        "fuse_unk": "neighbouring unknown characters become one token there; here each is one (E3)",
    }
    for key, message in left_out.items():
        if part.get(key):
            findings.warn("left-out", message, where=reading.at("model", key))


def check_surroundings(reading: JsonReading, document: dict[str, Any], findings: Findings) -> None:
    """Find what surrounds a model there and has no place here."""
    said = {
        "truncation": "texts are cut there; here never",
        "padding": "padding is not part of a model here",
        "post_processor": "tokens are added to every text there; here none is",
        "added_tokens": "added tokens are looked for in the raw text there; here a text is nothing but text",
    }
    for key, message in said.items():
        if document.get(key):
            findings.warn("left-out", message, where=reading.at(key))


def settings_in(
    reading: JsonReading, document: dict[str, Any], findings: Findings, *, wanted: EncodingSettings | None
) -> EncodingSettings:
    """Return how the file splits text, if that is one of our ways; else as is wanted, or if it is close to one.

    Raises:
        ReadingStoppedError: it is far from ours, and nothing is wanted.
    """
    before, cut = document.get("normalizer"), document.get("pre_tokenizer")
    exact = settings_of(canonical(before), canonical(cut))
    if exact is not None:
        if canonical(document.get("decoder")) != canonical(decoder(exact)):
            findings.note("left-out", "the decoder is another; here decoding follows D1", where=reading.at("decoder"))
        if wanted is not None and wanted not in (exact, replace(exact, marker=None)):
            message = "the file says how text is split, so it is taken from there, and the options are not"
            findings.warn("settings", message, where=reading.at("pre_tokenizer"))
        return exact
    if wanted is not None:
        return wanted
    normalizers = [kind for kind in _kinds(before) if kind not in {"Sequence", "Strip"}]
    cutters = [kind for kind in _kinds(cut) if kind not in {"Sequence", "WhitespaceSplit"}]
    close = set(normalizers) <= {"Lowercase"} and _is_metaspace(cut, cutters)
    if not close:
        names = " and ".join(", ".join(_kinds(part)) or "none" for part in (before, cut))
        message = (
            f"normalizer and pre-tokenizer ({names}) are none of ours: name --pre-tokenizer, and --lowercase or "
            "--no-marker if they are meant, to take the merges with our rules"
        )
        raise findings.stop("settings", message, where=reading.at("pre_tokenizer"))
    message = (
        "close to our rules (P1), not the same: whitespace, final sigma and a literal ▁ are treated otherwise there"
    )
    findings.warn("converted", message, where=reading.at("pre_tokenizer"))
    return EncodingSettings(lowercase="Lowercase" in normalizers)


def _is_metaspace(cut: object, cutters: Sequence[str]) -> bool:
    if list(cutters) != ["Metaspace"] or not isinstance(cut, dict):
        return False
    parts = cut.get("pretokenizers") if cut.get("type") == "Sequence" else [cut]
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, dict) and part.get("type") == "Metaspace":
            always = part.get("prepend_scheme", "always") == "always" and part.get("add_prefix_space", True)
            return bool(always and part.get("replacement") == MARKER and part.get("split", True))
    return False
