"""Form bodies → typed inputs, or every objection at its field. Nothing is cut, replaced or guessed (L2)."""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Mapping
from dataclasses import dataclass

from pairloom.errors import PairloomError, SettingError, mark_message
from pairloom.normalizer import normalize_within
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.web.settings import Settings

_NO_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
# Far more digits than any number here has: refused before int() sees them.
# Fields that somebody types a whole number into.
_NUMBERS = ("merge_limit", "prefix", "rank", "token_id", "page_number")
_WHOLE_NUMBER = re.compile(r"\s*([0-9]{1,12})\s*", re.ASCII)


class MalformedForm(ValueError):
    """A body that no form of these pages sends: 400."""


class FieldErrors(Exception):
    """What was wrong, by the name of the field that it stands at."""

    def __init__(self, errors: Mapping[str, PairloomError]) -> None:
        super().__init__()
        self.errors = errors


class NumberError(SettingError):
    """A field that holds no whole number of its range. Rule: L3. What was typed stands in the field beside it."""

    template = mark_message("give a whole number from {minimum} to {maximum}")
    attributes = ("value", "minimum", "maximum")

    def __init__(self, *, setting: str, value: object, minimum: int, maximum: int) -> None:
        super().__init__(setting=setting, value=value, allowed=f"a whole number from {minimum} to {maximum}")
        self.minimum = minimum
        self.maximum = maximum


class NoSuchPreTokens(SettingError):
    """A choice of pre-tokens that the pages do not offer."""

    template = mark_message("there are no such pre-tokens as {value}: choose words, or words and punctuation")


class NoText(PairloomError, ValueError):
    """Nothing to train on was typed, pasted or loaded yet."""

    code = "text.none"
    template = mark_message("there is no text yet: paste one, or load the sample")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a model of the pages is a pure function of. Rule: W1."""

    corpus: str
    lowercase: bool
    pre_tokenizer: str
    merge_limit: int


@dataclass(frozen=True, slots=True)
class CheckedInputs:
    """Inputs within all limits, with the corpus normalized on the way."""

    inputs: Inputs
    normalized: str


def decode_form(body: bytes, *, max_fields: int) -> dict[str, str]:
    """Return the fields of an `application/x-www-form-urlencoded` body.

    Strict: what is no UTF-8 or no escape is refused, where the usual decoders put U+FFFD or leave it.

    Raises:
        MalformedForm: invalid UTF-8, a sign % that begins no escape, a field given twice, or too many fields.

    >>> decode_form(b"text=na%C3%AFve+caf%C3%A9&key=1", max_fields=2)
    {'text': 'naïve café', 'key': '1'}
    """
    fields: dict[str, str] = {}
    if body.count(b"&") >= max_fields:
        raise MalformedForm("too many fields")
    for pair in body.split(b"&") if body else ():
        name, _, value = pair.partition(b"=")
        try:
            key, text = _unescape(name), _unescape(value)
        except UnicodeDecodeError:
            raise MalformedForm("not UTF-8") from None
        if key in fields:
            raise MalformedForm("a field twice")
        fields[key] = text
    return fields


def _unescape(value: bytes) -> str:
    if _NO_ESCAPE.search(value):
        raise MalformedForm("% without two digits")
    # The standard library decodes quoted-printable in C and percent escapes in Python, which takes 60 ms of the one
    # thread for 40,000 emoji; but for the sign in front the two are alike.
    return a2b_qp(value.replace(b"=", b"=3D").replace(b"+", b" ").replace(b"%", b"=")).decode()


def ungrouped(fields: Mapping[str, str], sign: str) -> dict[str, str]:
    """Return the fields with typed numbers as plain digits where they stand as the page writes them. Rule: G.

    Args:
        fields: of a form.
        sign: what the page's language puts between groups of three digits.

    Only the exact form counts: groups of three, all of them, no zero in front. Everything else stays as it was typed
    and is judged as such, so that a decimal sign is never taken for a grouping sign.

    >>> ungrouped({"merge_limit": "40.000", "rank": "1.5", "text": "1.000"}, ".")
    {'merge_limit': '40000', 'rank': '1.5', 'text': '1.000'}
    """
    grouped = re.compile(rf"\s*[1-9][0-9]{{0,2}}(?:{re.escape(sign)}[0-9]{{3}})+\s*", re.ASCII)
    return {
        name: value.replace(sign, "") if name in _NUMBERS and grouped.fullmatch(value) else value
        for name, value in fields.items()
    }


def has_inputs(fields: Mapping[str, str]) -> bool:
    """Whether a request brings the inputs, so that a forgotten model can be trained again."""
    return "corpus" in fields


def check_inputs(fields: Mapping[str, str], settings: Settings) -> CheckedInputs:
    """Return the inputs of a training.

    Rules: L1, L3, N8 (order of the checks), T10.

    Raises:
        FieldErrors: all objections at once, each at its field.
    """
    errors: dict[str, PairloomError] = {}
    lowercase = fields.get("lowercase") == "on"
    pre_tokenizer = fields.get("pre_tokenizer", "whitespace")
    corpus = fields.get("corpus", "")
    normalized = ""
    merge_limit = 0
    try:
        normalized = normalize_within(
            corpus, lowercase=lowercase, max_code_points=settings.corpus_max_code_points, allow_empty=False
        )
    except PairloomError as error:
        errors["corpus"] = error
    if pre_tokenizer not in PRE_TOKENIZERS:
        errors["pre_tokenizer"] = NoSuchPreTokens(
            setting="pre_tokenizer", value=pre_tokenizer, allowed=" or ".join(PRE_TOKENIZERS)
        )
    try:
        merge_limit = whole_number("merge_limit", fields.get("merge_limit", ""), maximum=settings.merge_limit_max)
    except SettingError as error:
        errors["merge_limit"] = error
    if errors:
        raise FieldErrors(errors)
    return CheckedInputs(Inputs(corpus, lowercase, pre_tokenizer, merge_limit), normalized)


def check_text(fields: Mapping[str, str], settings: Settings, *, lowercase: bool) -> str:
    """Return the text to encode, as given. Rules: L1, N8; an empty text is valid (E5)."""
    text = fields.get("text", "")
    try:
        normalize_within(text, lowercase=lowercase, max_code_points=settings.text_max_code_points, allow_empty=True)
    except PairloomError as error:
        raise FieldErrors({"text": error}) from None
    return text


def whole_number(setting: str, value: str, *, maximum: int, minimum: int = 0) -> int:
    """Return a whole number within its range; raises SettingError, which names the range. Rule: L3."""
    match = _WHOLE_NUMBER.fullmatch(value)
    if match is None or not minimum <= int(match[1]) <= maximum:
        raise NumberError(setting=setting, value=value, minimum=minimum, maximum=maximum)
    return int(match[1])
