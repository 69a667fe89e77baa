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
    page_of_selection,
    prefix_of,
    turned_to,
    vocabulary_page,
)
from pairloom.web.handlers.searching import found_in
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
    wanted = page_of_selection(active, own.settings)
    return own.renderer(request).answer(
        "prefix.html",
        key=key,
        selection=Selection.of(trained.history, active),
        corpus=corpus_page(trained, active, page_of(fields, "corpus_page")),
        merges=merge_page(trained, own.settings, wanted) if active and wanted != shown else None,
        encoding=encoding_view(trained, fields, own.settings, prefix=active) if "text" in fields else None,
    )


async def corpus(request: Request) -> Response:
    """Turn to another page of the coloured corpus, or to the next place of the selected merge or of a token.

    Rule: W13.
    """
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    selection = Selection.of(trained.history, prefix_of(fields, trained))
    page = turned_to(fields, "corpus_page")
    made = selection.merge.result if selection.merge else None
    if fields.get("place") == "token":
        made = trained.model.vocabulary[number_at("inspect_id", fields, maximum=len(trained.model.vocabulary) - 1)]
    if "place" in fields and made is not None:
        page = trained.corpus.next_page_with(made, trained.history, selection.prefix, after=page) or 0
    shown = corpus_page(trained, selection.prefix, page)
    return own.renderer(request).answer("corpus.html", key=key, selection=selection, corpus=shown)


async def merges(request: Request) -> Response:
    """Turn to another page of the merge table, or to the one that holds a rank or a token. Rule: W5."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    found = found_in((merge.result for merge in trained.model.merges), fields, "merges_token", settings=own.settings)
    rank = found.place if found else None
    if "rank" in fields:
        rank = number_at("rank", fields, maximum=max(0, len(trained.model.merges) - 1))
    index = turned_to(fields, "merges_page") if rank is None else rank // own.settings.table_rows
    page = merge_page(trained, own.settings, index)
    return own.renderer(request).answer(
        "merges_answer.html",
        key=key,
        prefix=active,
        merges=page,
        sought=rank,
        found=found,
        text=fields.get("merges_token", ""),
    )


async def vocabulary(request: Request) -> Response:
    """Turn to another page of the vocabulary, or to the one that holds an ID or a token. Rule: W8."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    found = found_in(trained.model.vocabulary, fields, "vocabulary_token", settings=own.settings)
    token_id = found.place if found else None
    if "token_id" in fields:
        token_id = number_at("token_id", fields, maximum=len(trained.model.vocabulary) - 1)
    index = turned_to(fields, "vocabulary_page") if token_id is None else token_id // own.settings.table_rows
    page = vocabulary_page(trained, own.settings, index, prefix=active)
    return own.renderer(request).answer(
        "vocabulary_answer.html",
        key=key,
        prefix=active,
        vocabulary=page,
        sought=token_id,
        found=found,
        text=fields.get("vocabulary_token", ""),
    )


async def encode(request: Request) -> Response:
    """Encode a text at the active prefix. Rule: W9."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active = prefix_of(fields, trained)
    view = encoding_view(trained, fields, own.settings, prefix=active)
    return own.renderer(request).answer("encoding_answer.html", key=key, encoding=view)


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
