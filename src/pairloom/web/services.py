"""What handlers work with: made once by the app factory, found on the app's state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from pairloom.web.catalogue import choose_language
from pairloom.web.forms import MalformedForm, decode_form, ungrouped
from pairloom.web.models import Models
from pairloom.web.opened_files import OpenedFiles
from pairloom.web.rendering import Renderer
from pairloom.web.settings import Settings
from pairloom.web.statics import Addresses

FORM_TYPE = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that lives as long as the app."""

    settings: Settings
    statics: Addresses
    renderers: Mapping[str, Renderer]
    models: Models
    opened: OpenedFiles

    def renderer(self, request: Request) -> Renderer:
        """Return the renderer of the reader's language. Rule: G.

        In this order: the language of the page that asks, the one just chosen, the one chosen before, the one that the
        browser prefers. A page names its own, because another tab may have chosen another one since.
        """
        preferred = choose_language(request.headers.get("accept-language", ""), tuple(self.renderers))
        asked = (
            request.headers.get("page-language", ""),
            chosen_language(request),
            request.cookies.get("lang", ""),
            preferred,
        )
        return next(self.renderers[each] for each in asked if each in self.renderers)

    async def fields(self, request: Request) -> dict[str, str]:
        """Return the fields of the request's form, numbers as the page's language writes them read (G).

        Raises: MalformedForm.
        """
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM_TYPE:
            raise MalformedForm("not a form")
        fields = decode_form(await request.body(), max_fields=self.settings.form_max_fields)
        return ungrouped(fields, self.renderer(request).catalogue.grouping_sign)


def services(request: Request) -> Services:
    """Return the services of the app that a request came to."""
    return cast(Services, request.app.state.services)


def chosen_language(request: Request) -> str:
    """Return the language that the address names, nothing if it names none."""
    return request.query_params.get("lang", "")
