"""Languages: numbers, plural forms, errors, choice. Rule: G."""

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


@pytest.mark.parametrize(
    ("numerator", "denominator", "text"),
    [
        # Halves go up, where Python's formatting takes the even digit, and its floats are a little too small.
        *((42, 16, "2.63"), (2, 16, "0.13"), (107, 40, "2.68"), (1005, 1000, "1.01")),
        *((0, 7, "0.00"), (1, 1, "1.00"), (1, 201, "0.00"), (199, 200, "1.00"), (2, 3, "0.67"), (1999, 1000, "2.00")),
        *((40_000, 1, "40,000.00"), (2**80 + 1, 2**80, "1.00"), (5, 1000, "0.01"), (4999, 10**6, "0.00")),
    ],
)
def test_ratios_are_rounded_half_up(numerator: int, denominator: int, text: str) -> None:
    assert ENGLISH.ratio(numerator, denominator) == text


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
    assert german.ratio(2469, 2) == "1.234,50"
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
