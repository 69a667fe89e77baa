"""Which token somebody points at: typed, by its ID, as a box on the page, or as a part of a merge."""

from __future__ import annotations

from collections.abc import Mapping

from pairloom.encoder import Encoding
from pairloom.errors import TextTooLong
from pairloom.history import TextHistory
from pairloom.views.search import typed_token
from pairloom.web.forms import FieldErrors, MalformedForm, check_text
from pairloom.web.handlers.fragments import corpus_page, number_at, page_of, prefix_of
from pairloom.web.handlers.searching import NothingTyped
from pairloom.web.settings import Settings
from pairloom.web.training import Trained

Fields = Mapping[str, str]


def text_history_of(fields: Fields, trained: Trained, settings: Settings) -> TextHistory | None:
    """Return the text in a request at every prefix, remembered from the last time; None if none came along.

    Raises: FieldErrors.
    """
    if "text" not in fields:
        return None
    text = check_text(fields, settings, lowercase=trained.model.lowercase)
    if (history := trained.texts.get(text)) is None:
        history = TextHistory.of(text, trained.model)
        trained.texts.put(text, history)
    return history


def token_asked(fields: Fields, trained: Trained, settings: Settings, encoding: Encoding | None) -> str:
    """Return the token that a request asks about.

    By `inspect_token` (as it is typed or shown), `inspect_id`, `inspect_rank` with `part`, or as the box of a number
    on the page that is shown: `box` of the corpus, `item` of the encoding.

    Raises:
        FieldErrors: what was typed is empty, too long, or no ID.
        MalformedForm: what no page sends.
    """
    if "inspect_token" in fields:
        return _typed(fields["inspect_token"], settings)
    if "inspect_id" in fields:
        return trained.model.vocabulary[number_at("inspect_id", fields, maximum=len(trained.model.vocabulary) - 1)]
    if "inspect_rank" in fields and trained.model.merges:
        merge = trained.model.merges[number_at("inspect_rank", fields, maximum=len(trained.model.merges) - 1)]
        return {"left": merge.left, "right": merge.right}.get(fields.get("part", ""), merge.result)
    boxes: list[str] = []
    if "box" in fields:
        page = corpus_page(trained, prefix_of(fields, trained), page_of(fields, "corpus_page"))
        boxes = [token.text for piece in page.pieces for token in piece.tokens]
    elif "item" in fields and encoding is not None:
        first = page_of(fields, "encoding_page") * settings.tokens_per_page
        boxes = list(encoding.tokens[first : first + settings.tokens_per_page])
    if not boxes:
        raise MalformedForm("no token was asked about")
    return boxes[number_at("box" if "box" in fields else "item", fields, maximum=len(boxes) - 1)]


def _typed(text: str, settings: Settings) -> str:
    if len(text) > settings.search_max_code_points:
        error = TextTooLong(stage="raw", length=len(text), limit=settings.search_max_code_points)
        raise FieldErrors({"inspect_token": error})
    token = typed_token(text)
    if not token:
        raise FieldErrors({"inspect_token": NothingTyped()})
    return token
