"""Pages of the tables, the corpus and an encoding, as several answers need them."""

from __future__ import annotations

from collections.abc import Mapping

from pairloom.merges import Merge
from pairloom.views import tables
from pairloom.views.corpus import CorpusPage
from pairloom.views.curve import Curve
from pairloom.views.encoding import EncodingView
from pairloom.views.paging import Page
from pairloom.views.selection import Selection
from pairloom.views.summary import Summary
from pairloom.views.tables import VocabularyRow
from pairloom.web.forms import FieldErrors, NumberError, check_text, whole_number
from pairloom.web.settings import Settings
from pairloom.web.training import Trained

# Page numbers are made by these pages themselves; one that is out of range means the nearest.
_ANY_PAGE = 10**9


def prefix_of(fields: Mapping[str, str], trained: Trained) -> int:
    """Return the active prefix of a request. Rules: V4, W7. Raises: FieldErrors."""
    return number_at("prefix", fields, maximum=len(trained.model.merges))


def page_of(fields: Mapping[str, str], name: str = "page") -> int:
    """Return the page that a request asks for, the first one without a word. Raises: FieldErrors."""
    return number_at(name, fields, maximum=_ANY_PAGE) if name in fields else 0


def turned_to(fields: Mapping[str, str], name: str) -> int:
    """Return the page that a pager asks for: by its place from 0, or typed as it is counted, from 1.

    `name` is the field of the page that is shown: a number that is none leaves it where it is. Raises: FieldErrors.
    """
    typed = fields.get("page_number", "").strip()
    if typed.isascii() and typed.isdigit():
        return min(max(int(typed[:9]) - 1, 0), _ANY_PAGE)
    return page_of(fields, "page" if "page" in fields else name)


def number_at(name: str, fields: Mapping[str, str], *, maximum: int) -> int:
    """Return a whole number typed into a field. Raises: FieldErrors."""
    try:
        return whole_number(name, fields.get(name, ""), maximum=maximum)
    except NumberError as error:
        raise FieldErrors({name: error}) from None


def corpus_page(trained: Trained, prefix: int, index: int) -> CorpusPage:
    """Return a page of the coloured corpus. Rule: W13."""
    return trained.corpus.page(index, trained.history, prefix)


def page_of_selection(prefix: int, settings: Settings) -> int:
    """Return the page of the merge table that has the selected row; at prefix 0, without one, the first. Rule: W5."""
    return max(prefix - 1, 0) // settings.table_rows


def merge_page(trained: Trained, settings: Settings, index: int) -> Page[Merge]:
    """Return a page of the merge table. Rule: W5."""
    return tables.merge_page(trained.model, index, size=settings.table_rows)


def vocabulary_page(trained: Trained, settings: Settings, index: int, *, prefix: int) -> Page[VocabularyRow]:
    """Return a page of the vocabulary. Rules: V3, W8."""
    return tables.vocabulary_page(trained.model, index, size=settings.table_rows, prefix=prefix)


def everything(trained: Trained, settings: Settings, fields: Mapping[str, str], *, key: str) -> dict[str, object]:
    """Return all that is shown of a model, as `shown.html` takes it, in the state that the fields tell.

    Without a word about it: at the last merge, with the page of the table that has its row (W5), else the first pages,
    no encoding. Raises: FieldErrors.
    """
    prefix = prefix_of(fields, trained) if "prefix" in fields else len(trained.model.merges)
    return {
        "key": key,
        "summary": Summary.of(trained.word_counts, trained.history),
        "selection": Selection.of(trained.history, prefix),
        "curve": Curve.of(trained.history),
        "corpus": corpus_page(trained, prefix, page_of(fields, "corpus_page")),
        "merges": merge_page(
            trained,
            settings,
            page_of(fields, "merges_page") if "merges_page" in fields else page_of_selection(prefix, settings),
        ),
        "vocabulary": vocabulary_page(trained, settings, page_of(fields, "vocabulary_page"), prefix=prefix),
        "encoding": encoding_view(trained, fields, settings, prefix=prefix) if "text" in fields else None,
    }


def encoding_view(trained: Trained, fields: Mapping[str, str], settings: Settings, *, prefix: int) -> EncodingView:
    """Return the encoding of the text in a request. Rules: E7, W9. Raises: FieldErrors."""
    text = check_text(fields, settings, lowercase=trained.model.lowercase)
    return EncodingView.of(
        trained.model,
        trained.model.encode(text, prefix),
        prefix=prefix,
        page=turned_to(fields, "encoding_page"),
        page_tokens=settings.tokens_per_page,
    )
