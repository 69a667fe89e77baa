"""A table of texts → the same table with a list of IDs a row, wherever its rows come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pairloom.checks import check_at_least
from pairloom.corpus.counting import rows_before
from pairloom.corpus.errors import BadText
from pairloom.corpus.id_lists import id_lists, id_type
from pairloom.corpus.libraries import library
from pairloom.corpus.readers import objection_to
from pairloom.corpus.shards import Shard
from pairloom.corpus.streams import MAX_EXPANSION
from pairloom.errors import InvalidUtf8, SettingError
from pairloom.fingerprint import CONVENTIONS
from pairloom.model import Model
from pairloom.unicode_data import MARKER, UNICODE_VERSION

_ON_BAD_TEXT = ("raise", "null")


@dataclass(frozen=True, slots=True)
class EncodeSettings:
    """What encoding a dataset goes by, beside the model."""

    column: str = "text"
    ids_column: str = "ids"
    prefix: int | None = None
    on_bad_text: str = "raise"
    max_expansion: int = MAX_EXPANSION

    def __post_init__(self) -> None:
        for name in ("column", "ids_column"):
            value: object = getattr(self, name)
            if not isinstance(value, str) or not value:
                raise SettingError(setting=name, value=value, allowed="the name of a column")
        if self.column == self.ids_column:
            raise SettingError(
                setting="ids_column", value=self.ids_column, allowed="another name than that of the texts"
            )
        if self.on_bad_text not in _ON_BAD_TEXT:
            raise SettingError(setting="on_bad_text", value=self.on_bad_text, allowed="'raise' or 'null'")
        check_at_least("max_expansion", self.max_expansion, minimum=1)


def with_ids(table: Any, model: Model, settings: EncodeSettings, *, shard: Shard | None, first: int) -> tuple[Any, int]:
    """Return a table with the column of IDs behind the others, and the number of unknown tokens.

    Raises: BadText, with the row, counted from `first`.
    """
    pyarrow = library("pyarrow")
    column = table.column(settings.column)
    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    texts = _texts_of(column)
    if texts is None:
        texts = _checked_texts(column, settings, shard=shard, first=first)
    ids, unknown = id_lists(model, texts, prefix=settings.prefix)
    return table.append_column(settings.ids_column, ids), unknown


def _texts_of(column: Any) -> list[str | None] | None:
    """Return the texts of a column, None if one of them is to be objected to: mostly there is none."""
    try:
        texts: list[str | None] = column.to_pylist()
    except UnicodeDecodeError:
        return None
    return None if any(text is not None and MARKER in text for text in texts) else texts


def _checked_texts(column: Any, settings: EncodeSettings, *, shard: Shard | None, first: int) -> list[str | None]:
    """Return the texts of a column, None in the place of those that may be left out. Raises: BadText."""
    pyarrow = library("pyarrow")
    name = "the dataset" if shard is None else shard.name
    texts: list[str | None] = []
    for number, data in enumerate(column.cast(pyarrow.large_binary()).to_pylist()):
        objection = None if data is None else objection_to(data, name)
        # What is no UTF-8 cannot stay in a column of strings either.
        if objection is not None and (settings.on_bad_text == "raise" or isinstance(objection, InvalidUtf8)):
            row = first + number + (rows_before(shard) if shard else 0)
            raise BadText(shard=name, where=f"row {row}", error=objection, advice="null")
        texts.append(None if data is None or objection is not None else data.decode("utf-8"))
    return texts


def with_ids_schema(schema: Any, settings: EncodeSettings, model: Model) -> Any:
    """Return a schema with the column of IDs, and in its metadata which model made them."""
    pyarrow = library("pyarrow")
    made = {
        "fingerprint": model.fingerprint,
        "conventions": CONVENTIONS,
        "unicode_version": UNICODE_VERSION,
        "vocabulary_size": len(model.vocabulary),
        "column": settings.column,
        "ids_column": settings.ids_column,
        "prefix": settings.prefix,
    }
    ids = pyarrow.field(settings.ids_column, pyarrow.large_list(id_type(model)))
    return schema.append(ids).with_metadata((schema.metadata or {}) | {b"pairloom": json.dumps(made).encode("ascii")})
