"""A model seen from several sides: at another prefix, on another page, on another text."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pairloom.errors import UnknownTokens
from pairloom.views.selection import Selection
from pairloom.web.forms import FieldErrors, check_text
from pairloom.web.handlers.fragments import (
    corpus_page,
    encoding_view,
    everything,
    merge_page,
    number_at,
    page_of,
    prefix_of,
    vocabulary_page,
)
from pairloom.web.services import services


async def shown(request: Request) -> Response:
    """Show everything again, as it is; the page asks for it when its language changes. Rule: G."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    return own.renderer(request).answer("shown.html", context=everything(trained, own.settings, fields, key=key))


async def prefix(request: Request) -> Response:
    """Move the active prefix: what depends on it, and nothing else. Rules: W5, W7, W13, E7."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    # The table follows the selection when the selected row is not on the page that is shown.
    shown = page_of(fields, "merges_page")
    wanted = max(active - 1, 0) // own.settings.table_rows
    return own.renderer(request).answer(
        "prefix.html",
        key=key,
        selection=Selection.of(trained.history, active),
        corpus=corpus_page(trained, active, page_of(fields, "corpus_page")),
        merges=merge_page(trained, own.settings, wanted) if active and wanted != shown else None,
        encoding=encoding_view(trained, fields, own.settings, prefix=active) if "text" in fields else None,
    )


async def corpus(request: Request) -> Response:
    """Turn to another page of the coloured corpus. Rule: W13."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    return own.renderer(request).answer("corpus.html", key=key, corpus=corpus_page(trained, active, page_of(fields)))


async def merges(request: Request) -> Response:
    """Turn to another page of the merge table, or to the one that holds a rank. Rule: W5."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    if "rank" in fields:
        rank = number_at("rank", fields, maximum=max(0, len(trained.model.merges) - 1))
        page = merge_page(trained, own.settings, rank // own.settings.table_rows)
    else:
        page = merge_page(trained, own.settings, page_of(fields))
    return own.renderer(request).answer("merges.html", key=key, prefix=active, merges=page)


async def vocabulary(request: Request) -> Response:
    """Turn to another page of the vocabulary, or to the one that holds an ID. Rule: W8."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    if "token_id" in fields:
        token_id = number_at("token_id", fields, maximum=len(trained.model.vocabulary) - 1)
        page = vocabulary_page(trained, own.settings, token_id // own.settings.table_rows, prefix=active)
    else:
        page = vocabulary_page(trained, own.settings, page_of(fields), prefix=active)
    return own.renderer(request).answer("vocabulary.html", key=key, prefix=active, vocabulary=page)


async def encode(request: Request) -> Response:
    """Encode a text at the active prefix. Rule: W9."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    view = encoding_view(trained, fields, own.settings, prefix=active)
    return own.renderer(request).answer("encoding.html", key=key, encoding=view)


async def ids(request: Request) -> Response:
    """Return the IDs of a whole encoding as a JSON list; an objection if any token has none. Rules: W9, E4."""
    own = services(request)
    fields = await own.fields(request)
    _, trained = await own.models.get(request, fields)
    text = check_text(fields, own.settings, lowercase=trained.model.lowercase)
    try:
        found = trained.model.encode(text, prefix_of(fields, trained)).known_ids()
    except UnknownTokens as error:
        raise FieldErrors({"text": error}) from None
    return JSONResponse(found)
