"""Languages: one compiled message catalogue each, read by the standard library's gettext at run time.

Message identifiers are the English texts, so English needs no file. A catalogue also says how numbers are written and
what its language is called in itself; adding a language is adding one file to `locale/`.
"""

from __future__ import annotations

import gettext
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from pairloom.errors import PairloomError
from pairloom.views.rounding import hundredths

SOURCE_LANGUAGE = "en"


class Catalogue:
    """The messages and the number forms of one language.

    >>> english = load_catalogues()["en"]
    >>> english.number(1234567), english.ratio(5, 2), english.ngettext("{n} merge", "{n} merges", 1)
    ('1,234,567', '2.50', '{n} merge')
    """

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self.gettext = translations.gettext
        self.ngettext = translations.ngettext
        self.pgettext = translations.pgettext
        self.npgettext = translations.npgettext
        # The three answers below are a catalogue's own: a new language brings its number forms in the same file.
        self.grouping_sign = self.pgettext("sign between groups of three digits", ",")
        self.decimal_sign = self.pgettext("decimal sign", ".")
        self.name = self.pgettext("name of this language in itself", "English")

    def number(self, value: int) -> str:
        """Return a whole number in groups of three digits."""
        return f"{value:,}".replace(",", self.grouping_sign)

    def ratio(self, numerator: int, denominator: int) -> str:
        """Return a quotient of two counts with two decimals, rounded half up. Rules: E6, G."""
        whole, rest = divmod(hundredths(numerator, denominator), 100)
        return f"{self.number(whole)}{self.decimal_sign}{rest:02}"

    def error(self, error: PairloomError) -> str:
        """Return an error's message: its template, translated, filled in with its details."""
        shown = {
            name: self.number(value) if isinstance(value, int) and not isinstance(value, bool) else value
            for name, value in error.shown().items()
        }
        message = self.gettext(error.message_template).format(**shown)
        return message[:1].upper() + message[1:] + ("" if message.endswith((".", "!", "?")) else ".")


@cache
def load_catalogues() -> MappingProxyType[str, Catalogue]:
    """Return every language by its code, English first."""
    found = {SOURCE_LANGUAGE: Catalogue(SOURCE_LANGUAGE, gettext.NullTranslations())}
    entries = (files("pairloom.web") / "locale").iterdir()
    for entry in sorted(entries, key=lambda each: each.name):
        if entry.name.endswith(".mo"):
            language = entry.name.removesuffix(".mo")
            with entry.open("rb") as stream:
                found[language] = Catalogue(language, gettext.GNUTranslations(stream))
    return MappingProxyType(found)


def choose_language(accept_language: str, available: tuple[str, ...]) -> str:
    """Return the available language that an Accept-Language header prefers, English if none fits.

    >>> choose_language("de-AT, en;q=0.7", ("en", "de")), choose_language("fr", ("en", "de"))
    ('de', 'en')
    """
    wanted: list[tuple[float, str]] = []
    for part in accept_language[:200].split(","):
        tag, _, parameter = part.partition(";")
        try:
            quality = float(parameter.strip().removeprefix("q=")) if parameter.strip() else 1.0
        except ValueError:
            continue
        wanted.append((-quality, tag.strip().lower().partition("-")[0]))
    # sorted() is stable: of two languages liked equally, the one named first.
    for disliking, language in sorted(wanted, key=lambda pair: pair[0]):
        if language in available and disliking < 0:
            return language
    return SOURCE_LANGUAGE
