"""Words to make problems of, chosen for this project: families that share stems, endings and letters."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Material:
    """The words of one language.

    Attributes:
        families: words that have pieces in common.
        runs: families with a symbol that follows itself.
    """

    families: tuple[tuple[str, ...], ...]
    runs: tuple[tuple[str, ...], ...]


def _words(lines: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in lines.strip().splitlines())


MATERIAL: Final = MappingProxyType(
    {
        "en": Material(
            _words("""
                mill mills miller milling till tiller hill hills
                knit knits knitter unknit knot knots note
                spin spins spinner spun pin pins pinned
                sand sandy band bands hand hands handy land
                lane lanes plane planes lain plain plains
                rain rained train trains grain drain brain
                net nets netted nest nests west vest best
                cat cats cater catch scatter hat hats that
                seam seams team teams steam stem stems
                late later plate plates slate relate
                row rows rower grow grower throw thrown
                dye dyes dyed dyer dried dries
                loom looms bloom blooms room rooms gloom
                sheep sheet sheets sleep sleeps sleet steep
                wool woolen pool pools cool cooler tool
                read reader reads thread threads bread
            """),
            _words("""
                aah aaah aaaah haa haaa haaaaa
                ooh oooh ooooh boo booo booooo
                zzz zzzz zzzzz buzz buzzz bzzzzz
                hmm hmmm hmmmm hmmmmm mmm ummm
                brr brrr brrrr grr grrr grrrrr
                eek eeek eeeek whee wheee wheeeee
                tss tsss hiss hisss hissss psst
                ha haha hahaha hahahaha aha
                la lala lalala lalalala
            """),
        ),
        "de": Material(
            _words("""
                Haus Hauses Maus Laus raus aus Strauß
                weben webt Weber Gewebe gewebt eben
                Sand sandig Band Hand Rand Wand Land
                laufen Lauf laufe kaufen Kauf kauft taufen
                lesen lese Leser gelesen Besen Wesen
                spinnen spinne Spinne Sonne Sonnen Wonne
                Nest Nester Rest Reste fest feste beste
                rot Brot Brote Boot Not Noten Rost
                gehen geht stehen steht sehen seht
                Mühle Mühlen kühl kühle fühlen fühlt
                backen backt Bäcker lecker wecken Wecker Decke
                ein eine einer mein meine klein kleiner
                Garn Garne gern Kern Kerne fern Stern
                Tuch Tücher Buch Bücher suchen Kuchen
                Faden Fäden baden Laden Schaden laden
                Schaf Schafe schafft Schal Schale schmal
            """),
            _words("""
                aah aaah aaaah haa haaa haaaaa
                ooh oooh ooooh hoo hooo hooooo
                brr brrr brrrr grr grrr grrrrr
                hmm hmmm hmmmm hmmmmm mmm ähmm
                pst psst pssst psssst zisss
                juhu juhuu juhuuu buh buuh buuuuh
                hui huii huiii huiiiii iiih
                ha haha hahaha hahahaha aha
                la lala lalala lalalala
            """),
        ),
    }
)
"""The material by language."""
