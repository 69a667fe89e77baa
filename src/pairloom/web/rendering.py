"""Templates → pages and fragments, one environment a language, every sentence through its catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from pairloom.errors import PairloomError
from pairloom.web.catalogue import Catalogue
from pairloom.web.lesson_markup import LessonMarkup
from pairloom.web.markup import TokenMarkup
from pairloom.web.settings import Settings
from pairloom.web.statics import Addresses


class Renderer:
    """Render the pages' templates in one language."""

    def __init__(self, catalogue: Catalogue, settings: Settings, statics: Addresses) -> None:
        self.catalogue = catalogue
        self.tokens = TokenMarkup(
            catalogue,
            shown_code_points=settings.token_shown_code_points,
            page_bytes=settings.page_shown_bytes,
        )
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
            view_at=partial(statics.view, page=catalogue.language),
            is_site=statics.is_site,
            tokens=self.tokens,
            languages={self.catalogue.language: self.catalogue.name},
            said=self.said,
            lesson=LessonMarkup(catalogue, self.tokens),
        )
        environment.filters.update(number=catalogue.number, shown=self.tokens.token)
        self.environment = environment
        self.all_languages: Mapping[str, Renderer] = {catalogue.language: self}

    @classmethod
    def of_each(
        cls, catalogues: Mapping[str, Catalogue], settings: Settings, statics: Addresses
    ) -> dict[str, Renderer]:
        """Return a renderer a language, each of which knows the others."""
        made = {language: cls(catalogue, settings, statics) for language, catalogue in catalogues.items()}
        for renderer in made.values():
            renderer.all_languages = made
            renderer.environment.globals["languages"] = {code: each.catalogue.name for code, each in made.items()}
        return made

    def prepare(self, *templates: str) -> None:
        """Compile templates before they are needed, all if none is named: it takes some milliseconds each, once."""
        for template in templates or _all_templates():
            self.environment.get_template(template)

    def render(self, template: str, **context: object) -> str:
        """Return a rendered template."""
        return self.environment.get_template(template).render(context)

    def said(self, template: str, **context: object) -> Markup:
        """Return a sentence that stays on the page as it is, with its wording in each language. Rule: G."""
        return self._said({code: each.render(template, **context).strip() for code, each in self.all_languages.items()})

    def error(self, error: PairloomError) -> Markup:
        """Return an error's message, with its wording in each language."""
        return self._said({code: each.catalogue.error(error) for code, each in self.all_languages.items()})

    def _said(self, wordings: Mapping[str, str]) -> Markup:
        own = wordings[self.catalogue.language]
        return Markup('<span data-said="{}">{}</span>').format(json.dumps(wordings, ensure_ascii=False), own)

    def answer(
        self, template: str, *, status_code: int = 200, context: Mapping[str, object] | None = None, **more: object
    ) -> HTMLResponse:
        """Return a rendered template as an answer; the key of the model that it is about goes along in a header."""
        values = {**(context or {}), **more}
        headers = {"content-language": self.catalogue.language, "vary": "accept-language, cookie, page-language"}
        if isinstance(key := values.get("key"), str):
            headers["model-key"] = key
        return HTMLResponse(self.render(template, **values), status_code=status_code, headers=headers)


def _template(name: str) -> str:
    return (files("pairloom.web") / "templates" / name).read_text(encoding="utf-8")


def _all_templates() -> list[str]:
    root = files("pairloom.web") / "templates"
    inside = [f"said/{each.name}" for each in (root / "said").iterdir()]
    return sorted(inside + [each.name for each in root.iterdir() if each.name.endswith(".html")])
