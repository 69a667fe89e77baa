"""Languages: numbers, plural forms, errors, choice."""

import gettext
import io

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from pairloom.errors import ForbiddenCodePoint, PairloomError, PrefixError, TextTooLong
from pairloom.web.catalogue import Catalogue, choose_language, load_catalogues

ENGLISH = load_catalogues()["en"]


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")])
def test_whole_numbers(number: int, text: str) -> None:
    assert ENGLISH.number(number) == text


def test_another_language_is_one_file() -> None:
    catalog = Catalog(locale="de")
    catalog.add(",", ".", context="sign between groups of three digits")
    catalog.add(".", ",", context="decimal sign")
    catalog.add("English", "Deutsch", context="name of this language in itself")
    catalog.add("the text has {length} code points, {limit} are allowed: shorten it", "{length} von {limit}")
    stream = io.BytesIO()
    write_mo(stream, catalog)
    stream.seek(0)
    german = Catalogue("de", gettext.GNUTranslations(stream))
    assert german.name == "Deutsch"
    assert german.number(40_001) == "40.001"
    assert german.decimal(1234.5) == "1.234,50"
    assert german.error(TextTooLong(stage="raw", length=40_001, limit=40_000)) == "40.001 von 40.000."
    assert german.ngettext("{n} merge", "{n} merges", 2) == "{n} merges"


@pytest.mark.parametrize(
    ("error", "parts"),
    [
        (TextTooLong(stage="normalized", length=40_002, limit=40_000), ("40,002", "40,000", "after normalization")),
        (ForbiddenCodePoint(kind="marker", position=12_345, code_point=0x2581), ("12,345", "U+2581")),
        (PrefixError(value=7, maximum=5), ("from 0 to 5",)),
    ],
)
def test_errors_say_what_and_where(error: PairloomError, parts: tuple[str, ...]) -> None:
    message = ENGLISH.error(error)
    assert all(part in message for part in parts)
    assert message[0].isupper()
    assert message.endswith(".")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,en;q=0.8", "de"),
        ("en;q=0.8, de;q=0.9", "de"),
        ("fr, de;q=0.5", "de"),
        ("de;q=0", "en"),
        ("de;q=nonsense, fr", "en"),
        ("*", "en"),
        (",;,;q=,", "en"),
        ("de;q=0.5," * 1000, "de"),
    ],
)
def test_the_browser_chooses(header: str, language: str) -> None:
    assert choose_language(header, ("en", "de")) == language
