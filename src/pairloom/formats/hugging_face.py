"""Model → Hugging Face's `tokenizer.json`, whose encodings are ours; and `vocab.json` with `merges.txt`.

IDs are ours. The one thing that the format cannot leave open is an unknown code point: without `unk_token` the library
drops it and merges across the hole. So there is one more entry, behind all others, and where we have no ID, it has that
one. The entry is no special token: a text that spells it is a text like any other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from pairloom.formats.hugging_face_rules import decoder, normalizer, pre_tokenizer
from pairloom.formats.merge_list import EncodingSettings
from pairloom.model import Model
from pairloom.views.display import plain

TOKENIZER_JSON: Final = "tokenizer.json"
VOCAB_MERGES: Final = "vocab-merges"
UNKNOWN_ENTRY: Final = "<unk>"


@dataclass(frozen=True, slots=True)
class Exported:
    """A model as the library holds it.

    Attributes:
        vocabulary: tokens by ID, the unknown token last.
        merges: pairs in rank order, each once.
        unknown: the entry for unknown code points.
    """

    vocabulary: dict[str, int]
    merges: list[tuple[str, str]]
    unknown: str

    @classmethod
    def of(cls, model: Model) -> Exported:
        """Return what the library is given: IDs are ours, and a pair that is listed twice stands at its lower rank."""
        vocabulary = {token: token_id for token_id, token in enumerate(model.vocabulary)}
        unknown = UNKNOWN_ENTRY
        while unknown in vocabulary:
            unknown = f"<{unknown}>"
        vocabulary[unknown] = len(vocabulary)
        return cls(vocabulary, list(dict.fromkeys((merge.left, merge.right) for merge in model.merges)), unknown)


def settings_of_model(model: Model) -> EncodingSettings:
    """Return how a model splits text."""
    return EncodingSettings(model.lowercase, model.pre_tokenizer, model.marker)


def dumps(model: Model) -> bytes:
    """Return the bytes of a `tokenizer.json`: the same for models with the same encodings."""
    exported, settings = Exported.of(model), settings_of_model(model)
    document: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": normalizer(settings),
        "pre_tokenizer": pre_tokenizer(settings),
        "post_processor": None,
        "decoder": decoder(settings),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": exported.unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": exported.vocabulary,
            "merges": exported.merges,
        },
    }
    return (json.dumps(document, indent=1) + "\n").encode("ascii")


def dumps_vocab_merges(model: Model) -> dict[str, bytes]:
    """Return the two files of a model, by name: tokens with their IDs, and a merge a line."""
    exported = Exported.of(model)
    lines = ["#version: 0.2", *(f"{left} {right}" for left, right in exported.merges)]
    return {
        "vocab.json": (json.dumps(exported.vocabulary, indent=0) + "\n").encode("ascii"),
        "merges.txt": ("\n".join(lines) + "\n").encode("utf-8"),
    }


def limits(model: Model) -> list[str]:
    """Return what a `tokenizer.json` of a model cannot carry, in English, one sentence each."""
    exported = Exported.of(model)
    literal = "taken for the start of a word" if model.marker else "an unknown character"
    said = [_limit_of_unknown(exported), f"a literal ▁ in a text, which we refuse (N8), is {literal}"]
    if model.lowercase:
        said.append(_LIMIT_OF_LOWERCASE)
    return [*said, *_limits_of_list(model, exported)]


def limits_vocab_merges(model: Model) -> list[str]:
    """Return what `vocab.json` and `merges.txt` of a model cannot carry, in English, one sentence each."""
    exported = Exported.of(model)
    said = [_LIMIT_OF_SPLITTING, f"{_limit_of_unknown(exported)}; a reader has to be told that it is the unknown token"]
    if any(left.startswith("#version") for left, _ in exported.merges):
        said.append("a merge begins with #version: readers skip its line")
    return [*said, *_limits_of_list(model, exported)]


_LIMIT_OF_LOWERCASE: Final = (
    "lower case is that of the library: tokenizers 0.23.3 has the mappings of Unicode 17, an older one may lack some; "
    "final sigma is written out as a pattern, for Oniguruma"
)
_LIMIT_OF_SPLITTING: Final = (
    "normalization and splitting are not in the files: give them our pre-tokens (pairloom normalize --pre-tokens), and "
    "name lowercase and pre-tokenizer when they are imported again"
)


def _limit_of_unknown(exported: Exported) -> str:
    token_id = exported.vocabulary[exported.unknown]
    return (
        f"a character that the model does not know gets the ID {token_id} of {plain(exported.unknown)}, where we have "
        "no ID (E3)"
    )


def _limits_of_list(model: Model, exported: Exported) -> list[str]:
    doubled = len(model.merges) - len(exported.merges)
    if not doubled:
        return []
    return [f"{doubled} merges repeat a pair and never act (T8): they are left out, for the library takes the last one"]
