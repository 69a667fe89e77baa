"""What the lesson's links set: a text, how many merges, what is encoded, and where to look. Rule: S7.

How many merges is said by the token that the last of them makes, never by a number that would have to be kept true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

from pairloom.trainer import train
from pairloom.web.presets import PRESETS

Panel = Literal[
    "walk-inputs", "walk-pairs-title", "walk-why-title", "walk-vocabulary-title", "walk-corpus-title", "walk-text"
]

RUN: Final = "run run runs runner overrun outrun overrun"
"""A text in which one stem stands at the beginning and at the end of words."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the walkthrough to which a link of the lesson leads.

    Attributes:
        preset: the name of a preset; empty if `corpus` is the text.
        corpus: a text of the lesson's own.
        prefix: merges made.
        panel: the id of what is to be looked at.
        text: what is encoded.
    """

    preset: str
    corpus: str
    prefix: int
    panel: Panel
    text: str


# By name: a preset or else a text; the token that the last merge makes ("" for none, "*" for all); where to look; what
# is encoded ("" for what comes with the preset).
_SCENES: Final[Mapping[str, tuple[str, str, Panel, str]]] = MappingProxyType({
    "corpus": ("weaver", "", "walk-inputs", ""),
    "pairs": ("weaver", "", "walk-pairs-title", ""),
    "vocabulary": ("weaver", "▁weav", "walk-vocabulary-title", ""),
    "after": ("weaver", "▁weav", "walk-corpus-title", ""),
    "encode": ("weaver", "*", "walk-text", ""),
    "typo": ("weaver", "*", "walk-text", "A new weaver learns weavnig."),
    "marker": (RUN, "▁run", "walk-corpus-title", "run overrun"),
    "overlap": ("run", "", "walk-corpus-title", ""),
    "tie": ("ties", "", "walk-why-title", ""),
    "rare": ("weaver", "*", "walk-text", "unweaving"),
    "stems": ("endings", "*", "walk-corpus-title", "slowest lower flow"),
    "numbers": ("numbers", "*", "walk-text", "2000 + 2001 = 4001"),
    "hindi": ("hindi", "बुन", "walk-corpus-title", ""),
    "emoji": ("emoji", "*", "walk-text", "👩‍👩‍👧 👨‍👧"),
    "foreign": ("weaver", "*", "walk-text", "The Weaver webt Ткань."),
    "spelling": ("weaver", "*", "walk-text", "weaver"),
})  # fmt: skip  # a row a scene


@cache
def scenes() -> Mapping[str, Scene]:
    """Return every scene by its name."""
    return MappingProxyType({name: _scene(*parts) for name, parts in _SCENES.items()})


def _scene(source: str, made: str, panel: Panel, text: str) -> Scene:
    preset = next((each for each in PRESETS if each.name == source), None)
    corpus = preset.text if preset else source
    results = [merge.result for merge in train(corpus, 40_000, pre_tokenizer="punctuation").merges]
    prefix = len(results) if made == "*" else results.index(made) + 1 if made else 0
    return Scene(
        preset=preset.name if preset else "",
        corpus="" if preset else source,
        prefix=prefix,
        panel=panel,
        text=text or (preset.to_encode if preset else source),
    )
