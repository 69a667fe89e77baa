"""Form bodies → inputs, or every objection at its field."""

from urllib.parse import quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.errors import PairloomError
from pairloom.web.catalogue import load_catalogues
from pairloom.web.forms import (
    FieldErrors,
    Inputs,
    MalformedForm,
    check_inputs,
    check_text,
    decode_form,
    whole_number,
)
from pairloom.web.settings import Settings

SETTINGS = Settings()
GOOD = {"corpus": "low low lower", "merge_limit": "10", "pre_tokenizer": "whitespace"}
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(TEXT, TEXT, max_size=5))
def test_what_was_encoded_is_decoded(fields: dict[str, str]) -> None:
    assert decode_form(urlencode(fields).encode(), max_fields=5) == fields


@given(st.binary(max_size=40))
def test_any_bytes_are_a_form_or_malformed(body: bytes) -> None:
    try:
        fields = decode_form(body, max_fields=5)
    except MalformedForm:
        return
    assert all(isinstance(value, str) for value in fields.values())


@pytest.mark.parametrize("value", ["a b+c%20d&e=f", "\0\r\n\t", "▁", "👩‍👩‍👧", "%41"])
def test_signs_of_the_encoding_are_text(value: str) -> None:
    assert decode_form(f"text={quote_plus(value)}".encode(), max_fields=1) == {"text": value}


@given(st.binary(max_size=30).map(lambda body: body.replace(b"&", b"").replace(b"%", b"")))
def test_raw_bytes_mean_themselves(body: bytes) -> None:
    try:
        expected = body.replace(b"+", b" ").decode()
    except UnicodeDecodeError:
        return
    assert decode_form(b"text=" + body, max_fields=1) == {"text": expected}


@pytest.mark.parametrize("body", [b"a=%", b"a=%4", b"a=%zz", b"a=%%41", b"%=a", b"a=%\n", b"a=%\xc3"])
def test_half_an_escape_is_malformed(body: bytes) -> None:
    with pytest.raises(MalformedForm):
        decode_form(body, max_fields=1)


def test_an_empty_body_has_no_fields() -> None:
    assert decode_form(b"", max_fields=1) == {}


def found(fields: dict[str, str]) -> dict[str, str]:
    with pytest.raises(FieldErrors) as caught:
        check_inputs(fields, SETTINGS)
    return {name: error.code for name, error in caught.value.errors.items()}


def test_good_inputs() -> None:
    checked = check_inputs(GOOD | {"corpus": "  Low  LOW ", "lowercase": "on"}, SETTINGS)
    assert checked.inputs == Inputs("  Low  LOW ", lowercase=True, pre_tokenizer="whitespace", merge_limit=10)
    assert checked.normalized == "low low"


def test_all_objections_come_at_once() -> None:
    fields = {"corpus": "a ▁", "merge_limit": "x", "pre_tokenizer": "bytes"}
    assert found(fields) == {
        "corpus": "text.marker",
        "merge_limit": "setting.merge_limit",
        "pre_tokenizer": "setting.pre_tokenizer",
    }


def test_g_other_pre_tokens_are_refused_in_the_language_of_the_page() -> None:
    with pytest.raises(FieldErrors) as caught:
        check_inputs(GOOD | {"pre_tokenizer": "bytes"}, SETTINGS)
    error = caught.value.errors["pre_tokenizer"]
    said = {code: catalogue.error(error) for code, catalogue in load_catalogues().items()}
    assert said["en"] == "There are no such pre-tokens as 'bytes': choose words, or words and punctuation."
    assert said["de"] == "Vortokens 'bytes' gibt es nicht: bitte „Wörter“ oder „Wörter und Satzzeichen“ wählen."


@pytest.mark.parametrize(
    "limit", ["", " ", "-1", "1.0", "1e3", "40001", "１２", "9" * 5000, "0x10", "+1", "1 2", "None"]
)
def test_l3_anything_but_a_whole_number_in_range(limit: str) -> None:
    assert found(GOOD | {"merge_limit": limit}) == {"merge_limit": "setting.merge_limit"}


@pytest.mark.parametrize(("limit", "number"), [("0", 0), ("40000", 40_000), (" 7 ", 7), ("007", 7)])
def test_l3_a_whole_number_in_range(limit: str, number: int) -> None:
    assert check_inputs(GOOD | {"merge_limit": limit}, SETTINGS).inputs.merge_limit == number


@pytest.mark.parametrize(
    ("corpus", "lowercase", "code"),
    [
        ("a" * 40_001, False, "text.raw_too_long"),
        ("😀" * 40_001, False, "text.raw_too_long"),
        ("▁" * 40_001, False, "text.raw_too_long"),
        ("İ" * 20_001 + "▁", True, "text.marker"),
        ("İ" * 20_001, True, "text.normalized_too_long"),
        (" \n\u3000", False, "text.empty_corpus"),
        ("", False, "text.empty_corpus"),
    ],
)
def test_l1_n8_t10_the_corpus(corpus: str, *, lowercase: bool, code: str) -> None:
    assert found(GOOD | {"corpus": corpus} | ({"lowercase": "on"} if lowercase else {})) == {"corpus": code}


@pytest.mark.parametrize("corpus", ["a" * 40_000, "😀" * 40_000, "İ" * 20_001])
def test_l1_as_long_as_may_be(corpus: str) -> None:
    assert check_inputs(GOOD | {"corpus": corpus}, SETTINGS).inputs.corpus == corpus


@pytest.mark.parametrize(
    ("text", "lowercase", "code"),
    [
        ("a" * 4_001, False, "text.raw_too_long"),
        ("İ" * 2_001, True, "text.normalized_too_long"),
        ("no ▁", False, "text.marker"),
    ],
)
def test_l1_the_text_to_encode(text: str, *, lowercase: bool, code: str) -> None:
    """Nothing is cut: an error says which of the two lengths it was. Rules: L1, L2."""
    with pytest.raises(FieldErrors) as caught:
        check_text({"text": text}, SETTINGS, lowercase=lowercase)
    assert caught.value.errors["text"].code == code


def test_e5_the_empty_text_is_valid() -> None:
    assert check_text({"text": ""}, SETTINGS, lowercase=False) == ""
    assert check_text({"text": "😀" * 4_000}, SETTINGS, lowercase=False) == "😀" * 4_000


def test_the_error_names_the_range() -> None:
    with pytest.raises(PairloomError, match="from 0 to 40000"):
        whole_number("merge_limit", "-5", maximum=40_000)
