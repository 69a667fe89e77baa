"""A closer look at a model: why training stopped, what is in use, what normalizing changed, one token, a second text.

Each is a part of the page that is asked for when somebody opens it; closed ones cost nothing. What looks at every word
or every token does so beside the event loop: 40,000 of them take tens of milliseconds.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pairloom.normalizer import normalize
from pairloom.views.boundaries import Comparison
from pairloom.views.raw_changes import RawChanges
from pairloom.views.second_curve import SecondCurve
from pairloom.views.stop_report import StopReport
from pairloom.views.token_report import TokenReport
from pairloom.views.usage import FILTERS, ORDERS, Filter, Order, Usage
from pairloom.web.forms import check_text
from pairloom.web.handlers.fragments import number_at, page_of, prefix_of, turned_to
from pairloom.web.inspecting import text_history_of, token_asked
from pairloom.web.offload import beside
from pairloom.web.services import services


async def tools(request: Request) -> Response:
    """Return what there is to be opened, without any content."""
    return services(request).renderer(request).answer("inspect/tools.html")


async def stop(request: Request) -> Response:
    """Say why training stopped, with the best remaining pairs. Rule: T3."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    page = turned_to(fields, "stop_page")
    report = await beside(lambda: StopReport.of(trained.history, page, size=own.settings.inspected_rows))
    return own.renderer(request).answer("inspect/stop.html", key=key, report=report, inputs=trained.inputs)


async def usage(request: Request) -> Response:
    """Return which entries of the vocabulary stand in the corpus at this prefix, and how often."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    only: Filter = next((each for each in FILTERS if each == fields.get("only")), "used")
    order: Order = next((each for each in ORDERS if each == fields.get("order")), "most")
    prefix = prefix_of(fields, trained)
    found = await beside(lambda: Usage.of(trained.history, prefix))
    shown = (fields.get("shown_only", only), fields.get("shown_order", order))
    # Another choice begins on its first page.
    index = turned_to(fields, "usage_page") if shown == (only, order) else 0
    page = found.page(index, size=own.settings.inspected_rows, only=only, order=order)
    return own.renderer(request).answer(
        "inspect/usage.html", key=key, usage=found, page=page, only=only, order=order, filters=FILTERS, orders=ORDERS
    )


async def changes(request: Request) -> Response:
    """Return what normalizing changed, by count and by place, in the corpus or in the encoded text. Rules: N1–N6."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    of_text = fields.get("changes_of") == "text" and "text" in fields
    lowercase = trained.model.lowercase
    text = check_text(fields, own.settings, lowercase=lowercase) if of_text else trained.inputs.corpus
    found = await beside(lambda: RawChanges.of(text, lowercase=lowercase))
    number = number_at("mapping", fields, maximum=len(found.mapped)) if fields.get("mapping") else len(found.mapped)
    only = found.mapped[number] if number < len(found.mapped) else None
    size = own.settings.inspected_rows
    # Two lists have pages; the address says which of them is turned.
    places_turned = request.query_params.get("list") == "places"
    mapped_page = page_of(fields, "mapped_page") if places_turned else turned_to(fields, "mapped_page")
    places_page = turned_to(fields, "places_page") if places_turned else page_of(fields, "places_page")
    return own.renderer(request).answer(
        "inspect/changes.html",
        key=key,
        changes=found,
        mapped=found.mapped_page(mapped_page, size=size),
        places=found.page(places_page, size=size, only=only),
        only=only,
        number=number if only else None,
        of_text=of_text,
        has_text="text" in fields,
        lowercase=lowercase,
    )


async def token(request: Request) -> Response:
    """Say everything of one token. Raises: FieldErrors."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    prefix = prefix_of(fields, trained)
    text = text_history_of(fields, trained, own.settings)
    encoding = text.encoding(prefix) if text else None
    wanted = token_asked(fields, trained, own.settings, encoding)
    report = await beside(
        lambda: TokenReport.of(
            trained.history,
            prefix,
            wanted,
            encoding=encoding,
            max_nodes=own.settings.tree_nodes,
            max_code_points=own.settings.tree_code_points,
            max_places=own.settings.inspected_places,
        )
    )
    return own.renderer(request).answer("inspect/token.html", key=key, report=report)


async def curve(request: Request) -> Response:
    """Return the encoded text's curve beside the corpus's. Rules: W6, E6."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    prefix = prefix_of(fields, trained)
    text = text_history_of(fields, trained, own.settings)

    def look() -> SecondCurve | None:
        if text is None:
            return None
        code_points = len(normalize(trained.inputs.corpus, trained.model.lowercase))
        return SecondCurve.of(trained.history, code_points, text, prefix)

    shown = await beside(look)
    return own.renderer(request).answer(
        "inspect/curve.html", key=key, curve=shown, has_text="text" in fields, prefix=prefix
    )


async def compare(request: Request) -> Response:
    """Return the encoded text under two prefixes, with the boundaries that differ. Rules: V4, E2.

    Raises: FieldErrors.
    """
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    active, last = prefix_of(fields, trained), len(trained.model.merges)
    other = number_at("other_prefix", fields, maximum=last) if "other_prefix" in fields else active // 2
    text = text_history_of(fields, trained, own.settings)
    comparison = (
        None if text is None else await beside(lambda: Comparison.of(text.encoding(other), text.encoding(active)))
    )
    return own.renderer(request).answer(
        "inspect/compare.html",
        key=key,
        comparison=comparison,
        prefix=active,
        other=other,
        maximum=last,
        page=comparison.page(turned_to(fields, "compare_page"), page_tokens=own.settings.tokens_per_page)
        if comparison
        else None,
    )
