"""Templates → pages and fragments, one environment a language, every sentence through its catalogue."""

from __future__ import annotations

from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from starlette.responses import HTMLResponse

from pairloom.web.catalogue import Catalogue
from pairloom.web.markup import TokenMarkup
from pairloom.web.settings import Settings
from pairloom.web.statics import Statics


class Renderer:
    """Render the pages' templates in one language."""

    def __init__(self, catalogue: Catalogue, settings: Settings, statics: Statics) -> None:
        self.catalogue = catalogue
        self.tokens = TokenMarkup(catalogue, shown_code_points=settings.token_shown_code_points)
        environment = Environment(
            loader=FunctionLoader(_template),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
            auto_reload=False,
        )
        environment.install_gettext_callables(  # type: ignore[attr-defined]  # added by the i18n extension
            catalogue.gettext,
            catalogue.ngettext,
            newstyle=True,
            pgettext=catalogue.pgettext,
            npgettext=catalogue.npgettext,
        )
        environment.globals.update(
            settings=settings,
            catalogue=catalogue,
            static=statics.address,
            tokens=self.tokens,
        )
        environment.filters.update(number=catalogue.number, decimal=catalogue.decimal, shown=self.tokens.token)
        self.environment = environment

    def render(self, template: str, **context: object) -> str:
        """Return a rendered template."""
        return self.environment.get_template(template).render(context)

    def answer(self, template: str, *, status_code: int = 200, **context: object) -> HTMLResponse:
        """Return a rendered template as an answer."""
        language = {"content-language": self.catalogue.language, "vary": "accept-language"}
        return HTMLResponse(self.render(template, **context), status_code=status_code, headers=language)


def _template(name: str) -> str:
    return (files("pairloom.web") / "templates" / name).read_text(encoding="utf-8")
