"""A model seen from several sides: at another prefix, on another page, on another text."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pairloom.views.selection import Selection
from pairloom.web.handlers.fragments import (
    corpus_page,
    encoding_view,
    merge_page,
    number_at,
    page_of,
    prefix_of,
    vocabulary_page,
)
from pairloom.web.services import services


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
