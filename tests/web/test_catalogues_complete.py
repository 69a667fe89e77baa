"""Every language says everything that the pages say, and nothing else. Rule: G."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from pairloom import train
from pairloom.errors import ForbiddenCodePoint, PairloomError, TextTooLong
from pairloom.web.catalogue import SOURCE_LANGUAGE, load_catalogues
from pairloom.web.forms import NumberError
from pairloom.web.settings import Settings
from pairloom.web.statics import package_statics
from tools import catalogues

FILES = sorted(catalogues.LOCALE.glob("*.po"))
each_language = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])

# G: the German terms that stand fixed, each with the English one that asks for it.
GERMAN_TERMS = {
    r"\bcode points?\b": "Codepunkt",
    r"\bmarkers?\b": "Wortanfangsmarker",
    r"\bpair frequency\b": "Paarhäufigkeit",
    r"\bfrequency\b": "häufigkeit",
    r"\breplace&?s?h?y?;?ments\b": "Ersetzung|Erset&shy;zung",
    r"\branks?\b": "Rang|Ränge",
    r"(?<!word )\bprefix": "Präfix",
    r"\bbase alphabet\b": "Basisalphabet",
    r"\bwhitespace\b": "Leerraum",
    r"\b(lower case|lowercas)": "Kleinschreibung",
    r"\bpre-tokens?\b": "Vortoken",
    r"\bmerges?\b": "erschmelzung",
    r"\b(unk|UNK)\b": "unk|UNK",
}
# Sentences that go another way round, each for its reason.
GERMAN_EXCEPTIONS = {
    r"\bmerges?\b": {
        # "merges" is the verb here.
        "BPE begins with single characters.",
        "The most used library, Hugging Face tokenizers,",
    },
}


def texts(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def originals(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


@cache
def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def messages(path: Path) -> Iterator[Message]:
    return (message for message in catalogue(path) if message.id)


def keys(catalog: Catalog) -> set[tuple[str | None, str]]:
    return {(message.context, originals(message)[0]) for message in catalog if message.id}


def tags(text: str) -> Counter[str]:
    return Counter(re.findall(r"<[^>]+>", text))


def test_there_is_more_than_one_language() -> None:
    assert set(load_catalogues()) == {SOURCE_LANGUAGE, *(path.stem for path in FILES)}
    assert "de" in load_catalogues()


@each_language
def test_every_message_is_there_and_every_one_is_used(path: Path) -> None:
    assert keys(catalogue(path)) == keys(catalogues.gather())
    assert not catalogue(path).obsolete


@each_language
def test_every_message_is_translated(path: Path) -> None:
    found = {originals(message)[0]: catalogues.faults(message) for message in messages(path)}
    assert {message: faults for message, faults in found.items() if faults} == {}


@each_language
def test_every_plural_form_is_there(path: Path) -> None:
    for message in messages(path):
        count = catalogue(path).num_plurals if isinstance(message.id, tuple | list) else 1
        assert len(texts(message)) == count, message.id


@each_language
def test_places_match_in_every_form(path: Path) -> None:
    # A form for one thing may say "one" instead of the number; what else a sentence fills in, it fills in everywhere.
    for message in messages(path):
        for text in texts(message):
            assert catalogues.places(text) == catalogues.places(originals(message)[-1]), message.id


@each_language
def test_markup_matches(path: Path) -> None:
    for message in messages(path):
        for text in texts(message):
            assert tags(text) == tags(originals(message)[0]), message.id
            assert re.sub(r"<[^>]+>", "", text).count("<") == 0, text


@each_language
def test_ends_match(path: Path) -> None:
    """What is a sentence stays one, what goes on goes on, and no space is lost or won at the ends."""
    for message in messages(path):
        if "sign" in (message.context or ""):
            continue
        for text in texts(message):
            original = originals(message)[0]
            assert text == text.strip(), text
            for sign in (".", "…"):
                assert text.endswith(sign) == original.endswith(sign), text


@each_language
def test_the_compiled_file_is_current(path: Path) -> None:
    assert path.with_suffix(".mo").read_bytes() == catalogues.mo_text(catalogue(path))


@each_language
def test_a_sample_text_comes_with_the_language(path: Path) -> None:
    language = load_catalogues()[path.stem].pgettext("language of the sample text", "en")
    assert language == path.stem
    sample = package_statics().files[f"samples/{language}.txt"].body.decode().strip()
    assert 1_000 < len(sample) < Settings().corpus_max_code_points
    assert len(train(sample, 50).merges) == 50


def test_german_keeps_to_the_fixed_terms() -> None:
    for message in messages(catalogues.LOCALE / "de.po"):
        english, german = originals(message)[0], " ".join(texts(message))
        for term, wanted in GERMAN_TERMS.items():
            if english.startswith(tuple(GERMAN_EXCEPTIONS.get(term, ()))):
                continue
            if re.search(term, english, re.IGNORECASE):
                assert re.search(wanted, german), (english, german)


def test_german_is_set_as_german_is() -> None:
    for message in messages(catalogues.LOCALE / "de.po"):
        for text in texts(message):
            words = re.sub(r"<[^>]+>", "", text)
            assert not re.search(r"[\"'”‘]|--| - (?!1)|\.\.\.|  ", words), text
            assert words.count("„") == words.count("“"), text
            assert not re.search(r"\b[Dd](u|ir|ich|eine?[mnrs]?)\b", words), text


@pytest.mark.parametrize(
    ("language", "whole", "decimal", "one", "several"),
    [
        ("en", "40,001", "1,234.50", "Trained: 1 merge.", "Trained: 1,000 merges."),
        ("de", "40.001", "1.234,50", "Trainiert: 1 Verschmelzung.", "Trainiert: 1.000 Verschmelzungen."),
    ],
)
def test_numbers_and_plurals(language: str, whole: str, decimal: str, one: str, several: str) -> None:
    own = load_catalogues()[language]
    assert own.number(40_001) == whole
    assert own.ratio(2469, 2) == decimal
    for number, sentence in ((1, one), (1000, several)):
        text = own.ngettext("Trained: %(shown)s merge.", "Trained: %(shown)s merges.", number)
        assert text % {"shown": own.number(number)} == sentence
    assert own.ngettext("Trained: %(shown)s merge.", "Trained: %(shown)s merges.", 0) == own.ngettext(
        "Trained: %(shown)s merge.", "Trained: %(shown)s merges.", 2
    )


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            TextTooLong(stage="raw", length=40_001, limit=40_000),
            "Der Text hat 40.001 Codepunkte, erlaubt sind 40.000: bitte kürzen.",
        ),
        (
            TextTooLong(stage="normalized", length=40_002, limit=40_000),
            (
                "Der Text hat nach der Normalisierung 40.002 Codepunkte (durch Kleinschreibung kann er länger werden), "
                "erlaubt sind 40.000: bitte kürzen."
            ),
        ),
        (
            ForbiddenCodePoint(kind="marker", position=12_345, code_point=0x2581),
            (
                "Der Text enthält an Position 12.345 das Zeichen ▁ (U+2581), das dem Wortanfangsmarker vorbehalten "
                "ist: bitte entfernen oder ein anderes Zeichen schreiben."
            ),
        ),
        (
            NumberError(setting="merge_limit", value="x", minimum=0, maximum=40_000),
            "Bitte eine ganze Zahl von 0 bis 40.000 eingeben.",
        ),
    ],
)
def test_errors_in_german(error: PairloomError, sentence: str) -> None:
    assert load_catalogues()["de"].error(error) == sentence
