"""Values in messages: never so long that they are the whole message, and what is left out is counted."""

from __future__ import annotations


def short_repr(value: object) -> str:
    """Return `repr(value)` where it is short: a huge integer's or string's would be the whole message."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001  # a message about a bad value must not fail because of the value
        text = f"a {type(value).__name__} (its repr raises {type(error).__name__})"
    return text if len(text) <= 80 else f"{text[:80]}… ({len(text)} code points)"


def listed(values: tuple[object, ...], limit: int = 10) -> str:
    """Return the values in words; a longer list says how many more there are."""
    head = ", ".join(str(value) for value in values[:limit])
    return head if len(values) <= limit else f"{head} … (+{len(values) - limit})"
