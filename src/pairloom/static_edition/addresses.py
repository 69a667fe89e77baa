"""Where the static edition has its views and files. Runs in the browser too, so it needs the standard library alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from pairloom.web.statics import StaticFile


class SiteAddresses:
    """Every view of every language is a folder under one base path; the source language has no folder of its own.

    >>> site = SiteAddresses("/bpe/", "0123abcd", source="en")
    >>> site.view("/lesson", page="de"), site.view("/", page="de", language="en"), site.address("pairloom.css")
    ('/bpe/de/lesson/', '/bpe/?lang=en', '/bpe/static/0123abcd/pairloom.css')

    Args:
        base: with a slash at both ends.
        version: what stands in the addresses of static files; another one with any other content.
        source: the language of the documents right under the base.
    """

    is_site: ClassVar[bool] = True
    # The app sends none: they lie beside the documents.
    files: Mapping[str, StaticFile] = MappingProxyType({})

    def __init__(self, base: str, version: str, *, source: str) -> None:
        self.base = base
        self.version = version
        self.source = source

    def address(self, path: str) -> str:
        """Return the address of a static file."""
        return f"{self.base}static/{self.version}/{path}"

    def view(self, path: str, *, page: str, language: str | None = None) -> str:
        """Return where a view is in a language, in that of the page if none is named.

        Who names the source language means it, whatever the browser would prefer: `early.js` reads it in the address.
        """
        folder = self.folder(path, language or page)
        return f"{folder}?lang={language}" if language == self.source else folder

    def folder(self, path: str, language: str) -> str:
        """Return the folder that holds the document of a view in a language."""
        prefix = "" if language == self.source else f"{language}/"
        inside = path.strip("/")
        return f"{self.base}{prefix}{inside}/" if inside else f"{self.base}{prefix}"
