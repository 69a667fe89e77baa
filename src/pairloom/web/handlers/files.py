"""The trace and the model as files, and a model file to open, with a report."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pairloom.errors import PairloomError
from pairloom.formats import csv_table, trace
from pairloom.formats.model_file import dumps
from pairloom.formats.model_report import ModelReport, report_on
from pairloom.views.boundaries import Comparison
from pairloom.views.encoding import EncodingView
from pairloom.views.paging import Page
from pairloom.web.forms import FieldErrors, MalformedForm, check_text
from pairloom.web.handlers.fragments import prefix_of, turned_to
from pairloom.web.models import ModelGone
from pairloom.web.offload import beside
from pairloom.web.services import Services, services
from pairloom.web.training import Trained

FILES = ("model.json", "trace.json", "merges.csv")
"""What can be had of a model, by the ends of the names."""


async def download(request: Request) -> Response:
    """Return the model, the trace or the merge table as a file, named by the model's fingerprint.

    Raises: MalformedForm.
    """
    own = services(request)
    name = request.path_params["name"]
    if name not in FILES:
        raise MalformedForm("no such file")
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    media_type = csv_table.MEDIA_TYPE if name.endswith(".csv") else trace.MEDIA_TYPE
    answer = StreamingResponse(_portions(name, trained), media_type=media_type)
    # ASCII by construction; what the file holds is UTF-8.
    answer.headers["content-disposition"] = f'attachment; filename="pairloom-{trained.model.fingerprint[:8]}-{name}"'
    answer.headers["model-key"] = key
    return answer


async def _portions(name: str, trained: Trained) -> AsyncGenerator[bytes, None]:
    if name == "model.json":
        yield await beside(lambda: dumps(trained.model))
        return
    portions: Iterator[bytes]
    portions = (
        csv_table.merges_csv(trained.model.merges) if name == "merges.csv" else trace.trace_portions(trained.history)
    )
    for portion in portions:
        yield portion
        await asyncio.sleep(0)


async def opened(request: Request) -> Response:
    """Read a model file, the body of the request, and report on it. Raises: MalformedForm."""
    own = services(request)
    # Of this type no other site's page can send anything without asking first.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != trace.MEDIA_TYPE:
        raise MalformedForm("not JSON")
    data = await request.body()
    key = own.opened.key(data)
    report = own.opened.get(key)
    if report is None:
        report = await beside(lambda: report_on(data))
        own.opened.put(key, report)
    return own.renderer(request).answer("inspect/opened.html", context=_shown(own, report, 0), file_key=key)


async def merges(request: Request) -> Response:
    """Turn to another page of the merge table of an opened file. Rule: W5."""
    own = services(request)
    fields = await own.fields(request)
    key, report = _opened(own, fields)
    shown = _shown(own, report, turned_to(fields, "file_merges_page"))
    return own.renderer(request).answer("inspect/opened_merges.html", context=shown, file_key=key)


async def encoded(request: Request) -> Response:
    """Encode a text with the model of an opened file. Raises: FieldErrors."""
    own = services(request)
    fields = await own.fields(request)
    key, report = _opened(own, fields)
    if report.model is None:
        raise MalformedForm("the file holds no model")
    text = _file_text(fields, own, report)
    model = report.model
    view = EncodingView.of(
        model,
        model.encode(text),
        prefix=len(model.merges),
        page=turned_to(fields, "file_encoding_page"),
        page_tokens=own.settings.tokens_per_page,
    )
    return own.renderer(request).answer("inspect/opened_encoding.html", encoding=view, file_key=key)


async def compared(request: Request) -> Response:
    """Return the encoded text under the trained model, at this prefix, and under that of an opened file."""
    own = services(request)
    fields = await own.fields(request)
    key, trained = await own.models.get(request, fields)
    file_key, report = _opened(own, fields)
    if report.model is None:
        raise MalformedForm("the file holds no model")
    comparison, page = None, None
    model, prefix = report.model, prefix_of(fields, trained)
    if "text" in fields:
        text = check_text(fields, own.settings, lowercase=trained.model.lowercase or report.model.lowercase)
        comparison = await beside(lambda: Comparison.of(trained.model.encode(text, prefix), model.encode(text)))
        page = comparison.page(turned_to(fields, "file_compare_page"), page_tokens=own.settings.tokens_per_page)
    return own.renderer(request).answer(
        "inspect/opened_compare.html", key=key, comparison=comparison, page=page, prefix=prefix, file_key=file_key
    )


def _opened(own: Services, fields: dict[str, str]) -> tuple[str, ModelReport]:
    """Return the key and the report of an opened file. Raises: ModelGone."""
    key = fields.get("file_key", "")
    report = own.opened.get(key)
    if report is None:
        raise ModelGone
    return key, report


def _file_text(fields: dict[str, str], own: Services, report: ModelReport) -> str:
    assert report.model is not None
    named = {"text": fields.get("file_text", "")}
    try:
        return check_text(named, own.settings, lowercase=report.model.lowercase)
    except FieldErrors as error:
        errors: dict[str, PairloomError] = {"file_text": error.errors["text"]}
        raise FieldErrors(errors) from None


def _shown(own: Services, report: ModelReport, page: int) -> dict[str, object]:
    rows = report.model.merges if report.model else ()
    return {"report": report, "merges": Page.of(rows, page, size=own.settings.table_rows)}
