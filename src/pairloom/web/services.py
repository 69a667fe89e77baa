"""What handlers work with: made once by the app factory, found on the app's state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from pairloom.web.catalogue import choose_language
from pairloom.web.forms import MalformedForm, decode_form
from pairloom.web.models import Models
from pairloom.web.rendering import Renderer
from pairloom.web.settings import Settings
from pairloom.web.statics import Statics

FORM_TYPE = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that lives as long as the app."""

    settings: Settings
    statics: Statics
    renderers: Mapping[str, Renderer]
    models: Models

    def renderer(self, request: Request) -> Renderer:
        """Return the renderer of the language that the browser prefers. Rule: G."""
        language = choose_language(request.headers.get("accept-language", ""), tuple(self.renderers))
        return self.renderers[language]

    async def fields(self, request: Request) -> dict[str, str]:
        """Return the fields of the request's form. Raises: MalformedForm."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM_TYPE:
            raise MalformedForm("not a form")
        return decode_form(await request.body(), max_fields=self.settings.form_max_fields)


def services(request: Request) -> Services:
    """Return the services of the app that a request came to."""
    return cast(Services, request.app.state.services)
