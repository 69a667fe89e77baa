"""What was left out of a count, as a JSON object: in model files and in the metadata of tables of word counts."""

from __future__ import annotations

from pairloom.errors import ModelError, SettingError
from pairloom.left_out import LeftOut

_KEYS = ("sample", "min_word_count", "skipped_texts")


def left_out_of(value: object, *, where: str) -> LeftOut:
    """Return what a JSON object says was left out. Raises: ModelError, also where it says that nothing was."""
    if not isinstance(value, dict):
        raise ModelError(reason="must be an object", where=where)
    for key in _KEYS:
        if key not in value:
            raise ModelError(reason="the key is missing", where=f"{where}.{key}")
    for key in value:
        if key not in _KEYS:
            raise ModelError(reason="no such key is known", where=f"{where}.{key}")
    if any(type(value[key]) is not int for key in _KEYS[1:]):
        raise ModelError(reason="min_word_count and skipped_texts must be whole numbers", where=where)
    try:
        made = LeftOut(**value)
    except SettingError as error:
        raise ModelError(reason=f"must be {error.allowed}", where=f"{where}.{error.setting}") from None
    if made == LeftOut():
        raise ModelError(reason="says that nothing was left out", where=where)
    return made
