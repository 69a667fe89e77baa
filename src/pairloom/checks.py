"""What every door of the core asks of its arguments."""

from __future__ import annotations

import operator

from pairloom.errors import NotText, SettingError

# What every implementation holds exactly: counts, and whatever is compared with them.
MAX_COUNT = 2**63 - 1

MAX_THREADS = 256
"""More threads than that help nobody, and a mistyped number should not be taken for one."""


def check_is_text(text: object, *, text_index: int | None = None) -> None:
    """Raise NotText unless `text` is a `str`; `text_index` says which of several it is."""
    if not isinstance(text, str):
        raise NotText(type_name=type(text).__name__, text_index=text_index)


def check_flag(setting: str, value: object) -> None:
    """Raise SettingError unless `value` is True or False: a model records it, so a merely truthy value will not do."""
    if not isinstance(value, bool):
        raise SettingError(setting=setting, value=value, allowed="True or False")


def check_at_least(setting: str, value: object, *, minimum: int) -> int:
    """Return a setting as an `int`, or raise SettingError unless it is a whole number from `minimum` to 2**63 - 1."""
    number = whole_number(value)
    if number is None or not minimum <= number <= MAX_COUNT:
        raise SettingError(setting=setting, value=value, allowed=f"a whole number of at least {minimum}, below 2^63")
    return number


def check_within(setting: str, value: object, *, minimum: int, maximum: int) -> int:
    """Return a setting as an `int`, or raise SettingError unless it is a whole number within the two, both included."""
    number = whole_number(value)
    if number is None or not minimum <= number <= maximum:
        raise SettingError(setting=setting, value=value, allowed=f"a whole number from {minimum} to {maximum}")
    return number


def whole_number(value: object) -> int | None:
    """Return an integer of any kind (numpy's too) as an `int`; None for everything else, bools included."""
    if isinstance(value, bool):
        return None
    try:
        return int(operator.index(value))  # type: ignore[arg-type]  # whether it is one is asked here
    except Exception:  # noqa: BLE001  # TypeError, or whatever an object raises that cannot say which number it is
        return None


def is_iterable(value: object) -> bool:
    """Whether a value can be gone through; what goes wrong on the way stays the caller's own error."""
    try:
        iter(value)  # type: ignore[call-overload]  # whether it has one is asked here
    except TypeError:
        return False
    return True
