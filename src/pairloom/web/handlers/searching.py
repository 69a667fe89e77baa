"""Looking for a token that somebody has typed, in one of the two tables. Rules: W5, W8."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pairloom.errors import PairloomError, TextTooLong, mark_message
from pairloom.views.search import Found, find, typed_token
from pairloom.web.forms import FieldErrors
from pairloom.web.settings import Settings


class NothingTyped(PairloomError, ValueError):
    """A search for nothing."""

    code = "search.nothing_typed"
    template = mark_message("type a token or a part of one; a space stands for the marker ▁")


class NothingFound(PairloomError, ValueError):
    """A search that came to nothing. What was looked for stands in the field beside it."""

    code = "search.nothing_found"
    template = mark_message("no token here is this text or contains it; capitals count, and a space stands for ▁")


def found_in(tokens: Iterable[str], fields: Mapping[str, str], name: str, *, settings: Settings) -> Found | None:
    """Return where the token typed into a field stands; None if the request does not search.

    The page sends along which match it shows (`found_number`) of which text (`found_text`): the same text again means
    the next one, going round.

    Raises:
        FieldErrors: nothing was typed, too much, or nothing found.
    """
    if name not in fields:
        return None
    text = fields[name]
    if len(text) > settings.search_max_code_points:
        raise FieldErrors({name: TextTooLong(stage="raw", length=len(text), limit=settings.search_max_code_points)})
    token = typed_token(text)
    if not token:
        raise FieldErrors({name: NothingTyped()})
    shown = fields.get("found_number", "")
    goes_on = fields.get("found_text") == text and shown.isascii() and shown.isdigit()
    found = find(tokens, token, int(shown[:9]) + 1 if goes_on else 0)
    if found is None:
        raise FieldErrors({name: NothingFound()})
    return found
