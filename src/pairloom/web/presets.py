"""The texts that the walkthrough offers: each was written for this project and chosen to show something. Rule: S1.

The texts are files of `static/presets/`; here is what is said about them, and a test holds what it claims.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from pairloom.errors import mark_message


@dataclass(frozen=True, slots=True)
class Preset:
    """A text with its title, with what to watch, and with another text to encode; the first two are translated.

    Attributes:
        name: of its file.
        language: of the text, as a `lang` attribute names it.
        title, watch: messages of the catalogue.
        to_encode: a text that meets what was learned, in known words and new ones.
    """

    name: str
    language: str
    title: str
    watch: str
    to_encode: str

    @property
    def path(self) -> str:
        """Its file among the static ones."""
        return f"presets/{self.name}.txt"

    @property
    def text(self) -> str:
        """The text, without the line end of the file."""
        return (files("pairloom.web") / "static" / self.path).read_text(encoding="utf-8").strip()


PRESETS: Final = (
    Preset(
        "weaver",
        "en",
        mark_message("English: shared stems"),
        mark_message(
            "“▁weav” becomes one token early, and “weave”, “weaver”, “weavers” and “weaving” all begin with it."
        ),
        "The weaver weaves; unwoven threads wait.",
    ),
    Preset(
        "endings",
        "en",
        mark_message("English: stems and endings"),
        mark_message("Frequency decides, not grammar: “low”, “lower” and “lowest” are cut before the “w”."),
        "slowest lower flow",
    ),
    Preset(
        "german",
        "de",
        mark_message("German: one family of words"),
        mark_message("Capitals are letters of their own: “Weber” and “weben” share “eb”, but not their first letter."),
        "Der Weber webt am Gewebe.",
    ),
    Preset(
        "turkish",
        "tr",
        mark_message("Turkish: endings in a row"),
        mark_message(
            "Ending after ending becomes a token: “ler”, “den”, “imiz”. In the end the words are built from them."
        ),
        "evlerimizden göle",
    ),
    Preset(
        "run",
        "en",
        mark_message("Long runs: aaaa and haha"),
        mark_message("a + a stands at 30 places, but only 16 can be replaced: neighbours overlap."),
        "aaaaaaaaaaaa haha hmm",
    ),
    Preset(
        "ties",
        "en",
        mark_message("Ties at nearly every step"),
        mark_message("Many pairs are equally frequent. Look under the table at why this pair is taken."),
        "nap tap tin",
    ),
    Preset(
        "numbers",
        "en",
        mark_message("Numbers"),
        mark_message("2000 becomes one token, 2001 two: numbers are cut by frequency, not digit by digit."),
        "2002 + 1997 = 3999",
    ),
    Preset(
        "chinese",
        "zh-Hans",
        mark_message("Chinese: no spaces"),
        mark_message("No spaces separate the words. The first merge finds 织布, “to weave cloth”, all the same."),
        "织布人看线。",
    ),
    Preset(
        "arabic",
        "ar",
        mark_message("Arabic: from right to left"),
        mark_message("The article ال is the first token. Text and tokens run from right to left."),
        "كتاب الكاتب",
    ),
    Preset(
        "hindi",
        "hi",
        mark_message("Hindi: signs on letters"),
        mark_message(
            "Vowel signs are code points of their own: a token may begin with one, in the middle of a syllable."
        ),
        "बुनकर कपड़ा चुनता है।",
    ),
    Preset(
        "emoji",
        "en",
        mark_message("Emoji: one picture, many code points"),
        mark_message(
            "The emoji of a family of three is five code points. Merges put it together again, piece by piece."
        ),
        "👩‍👩‍👧 👋🏽 👨‍👧 🧵",
    ),
)
