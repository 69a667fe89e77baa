"""What may be sent to each address: typed, strict, nothing unknown. Body → request."""

from __future__ import annotations

import json
import re
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from pairloom.errors import ForbiddenCodePoint, PairloomError
from pairloom.formats.json_guard import JsonRefusedError, read_json
from pairloom.web.forms import FieldErrors

Kind = TypeVar("Kind", bound="Asked")

_SURROGATE = re.compile(r"[\ud800-\udfff]")

PageNumber = Annotated[int, Meta(ge=0, description="From 0; one past the end means the last page.")]
Prefix = Annotated[int | None, Meta(description="Active merges, from 0; null means all that were learned (V4).")]
Text = Annotated[str, Meta(description="As typed; at most 4,000 code points, raw and normalized (L1).")]


class NotJson(PairloomError, ValueError):
    """A body that is no JSON, or one that readers of JSON understand differently."""

    code = "request.not_json"
    template = "the body is not taken as JSON: {reason}"
    attributes = ("reason", "where")

    def __init__(self, *, reason: str, where: str | None) -> None:
        super().__init__()
        self.reason = reason
        self.where = where


class NotAsDescribed(PairloomError, ValueError):
    """JSON that is no request of this address: a field of another type, unknown, or missing."""

    code = "request.invalid"
    template = "{reason}; /api/openapi.json describes what is taken"
    attributes = ("reason",)

    def __init__(self, *, reason: str) -> None:
        super().__init__()
        self.reason = reason


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The root of all requests."""


class ModelInputs(Asked, frozen=True, kw_only=True):
    """What a model of the pages is a pure function of (W1)."""

    corpus: Annotated[str, Meta(description="At most 40,000 code points, raw and normalized (L1).")]
    lowercase: bool = False
    pre_tokenizer: Literal["whitespace", "punctuation"] = "whitespace"
    merge_limit: Annotated[
        int | None, Meta(description="From 0 to 40,000 (L3); null means as many merges as the corpus yields (S1).")
    ] = 1000


class OfModel(Asked, frozen=True, kw_only=True):
    """About a model: by the key that an earlier answer brought, or by its inputs.

    With both, the inputs are used where the key is not known any more.
    """

    key: str | None = None
    inputs: ModelInputs | None = None


class AtPrefix(OfModel, frozen=True, kw_only=True):
    """About a model at a prefix."""

    prefix: Prefix = None


class PageAtPrefix(AtPrefix, frozen=True, kw_only=True):
    """A page of something at a prefix."""

    page: PageNumber = 0


class MergesAsked(OfModel, frozen=True, kw_only=True):
    """A page of the merge table (W5): by its number, by a rank on it, or by a token in it."""

    page: PageNumber = 0
    rank: Annotated[int, Meta(ge=0)] | None = None
    token: Annotated[str | None, Meta(description="A token or a part of one; the very token comes first.")] = None
    match: Annotated[int, Meta(ge=0, description="Which of the matches, from 0, going round.")] = 0


class VocabularyAsked(AtPrefix, frozen=True, kw_only=True):
    """A page of the vocabulary (W8): by its number, by an ID on it, or by a token in it."""

    page: PageNumber = 0
    token_id: int | None = None
    token: Annotated[str | None, Meta(description="A token or a part of one; the very token comes first.")] = None
    match: Annotated[int, Meta(ge=0, description="Which of the matches, from 0, going round.")] = 0


class CorpusAsked(PageAtPrefix, frozen=True, kw_only=True):
    """A page of the corpus in boxes (W13, S5), or the next page after it on which something stands."""

    next_place: Annotated[
        Literal["made", "next", "token"] | None,
        Meta(description="What the last merge made, the pair that is merged next, or the token `token_id`."),
    ] = None
    token_id: int | None = None


class EncodeAsked(AtPrefix, frozen=True, kw_only=True):
    """A text to encode (W9)."""

    text: Text
    page: Annotated[int, Meta(ge=0)] | None = None
    """Of the tokens; null means all of them at once."""


class TextAsked(AtPrefix, frozen=True, kw_only=True):
    """A text and a prefix."""

    text: Text


class GranularitiesAsked(PageAtPrefix, frozen=True, kw_only=True):
    """A text to see in characters, tokens and words (S6)."""

    text: Text


class DecodeAsked(OfModel, frozen=True, kw_only=True):
    """IDs to decode (D1); at most as many as a text of the pages can have."""

    ids: list[int]


class TokenAsked(AtPrefix, frozen=True, kw_only=True):
    """A token by its ID."""

    token_id: int


class NormalizeAsked(Asked, frozen=True, kw_only=True):
    """A text to normalize (N); at most 40,000 code points (L1)."""

    text: str
    lowercase: bool = False


def check_unicode(field: str, text: str) -> str:
    """Return a text that holds characters only. Raises: FieldErrors, at an unpaired surrogate (N8)."""
    found = _SURROGATE.search(text)
    if found is not None:
        error = ForbiddenCodePoint(kind="surrogate", position=found.start(), code_point=ord(found.group()))
        raise FieldErrors({field: error})
    return text


def read_request(body: bytes, kind: type[Kind]) -> Kind:
    """Return the request that a body is.

    Read by the standard library behind the guard of our own files, since msgspec takes a key that stands twice and
    turns an unpaired surrogate into something else; the surrogate itself passes, so that the text that holds it is
    refused with its position (N8).

    Raises:
        NotJson, NotAsDescribed.
    """
    try:
        value = read_json(body, max_bytes=None, surrogates=True)
    except JsonRefusedError as error:
        raise NotJson(reason=error.reason, where=error.where) from None
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        reason = str(error) if isinstance(error, msgspec.ValidationError) else "an unpaired surrogate is no character"
        raise NotAsDescribed(reason=_printable(reason)) from None


def _printable(reason: str) -> str:
    """Return a message that may quote what was sent, with everything but ASCII as JSON escapes it."""
    return json.dumps(reason)[1:-1].replace('\\"', '"') if not reason.isascii() else reason
