r"""Our rules of splitting text in the words of Hugging Face's `tokenizer.json`: normalizer, pre-tokenizer, decoder.

Everything is spelled out from our own tables, so that it does not depend on the Unicode version of the library: white
space (N4), the word class (P2), final sigma (N1). Only the lower case itself is the library's.

The patterns are those of Oniguruma, which the library runs: `\A` and `\z` are the ends of the text, `\K` begins what is
replaced behind what was only looked at.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from pairloom import unicode_tables as tables
from pairloom.formats.merge_list import EncodingSettings
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.unicode_data import MARK_CLASS, MARKER, WHITESPACE, WORD_CLASS, is_case_ignorable, is_cased

Part = dict[str, Any]

_SPECIAL_IN_CLASS: Final = frozenset("[]^&\\")
_JOINERS: Final = "\u200c\u200d"


def normalizer(settings: EncodingSettings) -> Part:
    """Return the normalizer. Rules: N1–N5."""
    steps = [_replace(f"[{WHITESPACE}]+", " "), _replace(r"\A +| +\z", "")]
    if settings.lowercase:
        # Final sigma looks at the text before anything else is changed (N3).
        steps = [_replace(_final_sigma(), "ς"), {"type": "Lowercase"}, *steps]
    return {"type": "Sequence", "normalizers": steps}


def pre_tokenizer(settings: EncodingSettings) -> Part:
    """Return the pre-tokenizer. Rules: P1, P2, P3."""
    words: Part = {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": False}
    if settings.marker:
        words = {"type": "Metaspace", "replacement": MARKER, "prepend_scheme": "always", "split": True}
    if settings.pre_tokenizer == PRE_TOKENIZERS[0]:
        return words
    pieces = {"type": "Split", "pattern": {"Regex": _piece()}, "behavior": "Isolated", "invert": False}
    return {"type": "Sequence", "pretokenizers": [words, pieces]}


def decoder(settings: EncodingSettings) -> Part:
    """Return the decoder. Rules: D1, P3."""
    if settings.marker:
        return {"type": "Metaspace", "replacement": MARKER, "prepend_scheme": "always", "split": True}
    return {"type": "Fuse"}


@cache
def settings_of(normalizer_text: str, pre_tokenizer_text: str) -> EncodingSettings | None:
    """Return the settings that have these parts, given as canonical JSON; None if none of ours does."""
    for settings in all_settings():
        if (normalizer_text, pre_tokenizer_text) == (
            canonical(normalizer(settings)),
            canonical(pre_tokenizer(settings)),
        ):
            return settings
    return None


def all_settings() -> list[EncodingSettings]:
    """Return every combination of settings that a model can have."""
    return [
        EncodingSettings(lowercase, name, marker)
        for lowercase in (False, True)
        for name in PRE_TOKENIZERS
        for marker in (True, False)
    ]


def canonical(value: object) -> str:
    """Return JSON in which equal values are equal texts."""
    import json

    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _replace(pattern: str, content: str) -> Part:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


@cache
def _piece() -> str:
    """Return the pattern of a pre-token inside a word, as in `pairloom.pre_tokenizer`, the marker with the first."""
    joining = f"{_escaped(MARK_CLASS)}{_JOINERS}"
    word = _escaped(WORD_CLASS)
    return f"{MARKER}?(?:[{word}{joining}]+|[^{word}{joining}{MARKER}][^{word}{MARKER}]*)"


@cache
def _final_sigma() -> str:
    """Return the pattern of a final sigma: a cased letter before it, none behind it, case-ignorables skipped first."""
    ignorable = _escaped(tables.CASE_IGNORABLE)
    cased = _escaped(_ranges_of([cp for cp in range(0x110000) if is_cased(cp) and not is_case_ignorable(cp)]))
    return rf"[{cased}][{ignorable}]*\KΣ(?![{ignorable}]*[{cased}])"


def _ranges_of(code_points: list[int]) -> str:
    """Return ascending code points as the inside of a character class."""
    pieces: list[str] = []
    start = end = code_points[0]
    for code_point in [*code_points[1:], -1]:
        if code_point == end + 1:
            end = code_point
            continue
        pieces.append(chr(start) if start == end else f"{chr(start)}-{chr(end)}")
        start = end = code_point
    return "".join(pieces)


def _escaped(inside: str) -> str:
    """Return the inside of a character class of `re`, with what Oniguruma takes for more than itself escaped."""
    return "".join([f"\\{code_point}" if code_point in _SPECIAL_IN_CLASS else code_point for code_point in inside])
