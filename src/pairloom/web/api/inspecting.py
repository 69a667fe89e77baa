"""The inspectors of the workbench as data: why training stopped, what is used, what changed, a token, a second text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from pairloom.errors import TextTooLong
from pairloom.normalizer import normalize
from pairloom.views.boundaries import Comparison
from pairloom.views.paging import Page
from pairloom.views.raw_changes import Change, Mapped, RawChanges
from pairloom.views.second_curve import SecondCurve
from pairloom.views.stop_report import StopReport
from pairloom.views.tables import rank_of_token_id
from pairloom.views.token_report import TokenReport
from pairloom.views.usage import Usage, Used
from pairloom.web.api.requests import (
    AtPrefix,
    NotAsDescribed,
    OfModel,
    PageAtPrefix,
    PageNumber,
    Text,
    TextAsked,
    check_unicode,
)
from pairloom.web.forms import NumberError, check_text
from pairloom.web.handlers.searching import NothingTyped
from pairloom.web.inspecting import text_history_of
from pairloom.web.settings import Settings
from pairloom.web.training import Trained


class StopAsked(OfModel, frozen=True, kw_only=True):
    """Why training stopped, with a page of the pairs that are left."""

    page: PageNumber = 0


class UsageAsked(PageAtPrefix, frozen=True, kw_only=True):
    """A page of the active entries of the vocabulary with how often they stand in the corpus."""

    only: Literal["used", "unused", "active"] = "used"
    order: Literal["most", "least", "id"] = "most"


class ChangesAsked(OfModel, frozen=True, kw_only=True):
    """What normalizing changed, in the corpus or in a text; each of the two lists has pages of its own."""

    text: Annotated[str | None, Meta(description="At most 4,000 code points (L1); null means the corpus.")] = None
    mapped_page: PageNumber = 0
    page: PageNumber = 0
    mapping: Annotated[int, Meta(ge=0, description="Only places of this distinct change, from 0.")] | None = None


class InspectAsked(AtPrefix, frozen=True, kw_only=True):
    """One token, by its ID or as it is, with its marker; it need not be in the vocabulary."""

    token_id: int | None = None
    token: str | None = None
    text: Annotated[str | None, Meta(description="Where it is looked for too; at most 4,000 code points (L1).")] = None


class CompareAsked(AtPrefix, frozen=True, kw_only=True):
    """A text under two prefixes of one model."""

    text: Text
    other_prefix: Annotated[int | None, Meta(description="The other one; null means half of `prefix`.")] = None


@dataclass(frozen=True, slots=True)
class UsagePage:
    """The usage of the vocabulary at a prefix in numbers, and a page of its entries."""

    prefix: int
    corpus_tokens: int
    active: int
    used: int
    unused: int
    once: int
    page: Page[Used]


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """How many places normalizing changed, the distinct changes with their counts, and the places in order."""

    raw_code_points: int
    code_points: int
    total: int
    mapped: Page[Mapped]
    places: Page[Change]


@dataclass(frozen=True, slots=True)
class Beside:
    """A text's curve beside the corpus's; null for an empty text, of which nothing is per code point (E5)."""

    curve: SecondCurve | None


def stop(trained: Trained, asked: StopAsked, settings: Settings) -> StopReport:
    """Return why training stopped, with a page of the best remaining pairs (T3)."""
    return StopReport.of(trained.history, asked.page, size=settings.inspected_rows)


def usage(trained: Trained, asked: UsageAsked, settings: Settings) -> UsagePage:
    """Return which entries of the vocabulary stand in the corpus at a prefix, and how often."""
    found = Usage.of(trained.history, asked.prefix)
    page = found.page(asked.page, size=settings.inspected_rows, only=asked.only, order=asked.order)
    return UsagePage(found.prefix, found.corpus_tokens, len(found.entries), found.used, found.unused, found.once, page)


def changes(trained: Trained, asked: ChangesAsked, settings: Settings) -> ChangesPage:
    """Return what normalizing changed, by count and by place, in the corpus or in a text (N1–N6)."""
    lowercase = trained.model.lowercase
    text = trained.inputs.corpus
    if asked.text is not None:
        text = check_text({"text": asked.text}, settings, lowercase=lowercase)
    found = RawChanges.of(text, lowercase=lowercase)
    if asked.mapping is not None and asked.mapping >= len(found.mapped):
        raise NumberError(setting="mapping", value=asked.mapping, minimum=0, maximum=max(len(found.mapped) - 1, 0))
    return ChangesPage(
        raw_code_points=found.raw_code_points,
        code_points=found.code_points,
        total=found.total,
        mapped=found.mapped_page(asked.mapped_page, size=settings.inspected_rows),
        places=found.page(
            asked.page,
            size=settings.inspected_rows,
            only=None if asked.mapping is None else found.mapped[asked.mapping],
        ),
    )


def inspect(trained: Trained, asked: InspectAsked, settings: Settings) -> TokenReport:
    """Return everything of one token: code points, look-alikes, ID, merges, places in the corpus and in a text (E8)."""
    prefix = trained.model.check_prefix(asked.prefix)
    named = {} if asked.text is None else {"text": asked.text}
    text = text_history_of(named, trained, settings)
    return TokenReport.of(
        trained.history,
        prefix,
        _token(trained, asked, settings),
        encoding=text.encoding(prefix) if text else None,
        max_nodes=settings.tree_nodes,
        max_code_points=settings.tree_code_points,
        max_places=settings.inspected_places,
    )


def _token(trained: Trained, asked: InspectAsked, settings: Settings) -> str:
    if (asked.token is None) == (asked.token_id is None):
        raise NotAsDescribed(reason="name one token, by `token` or by `token_id`")
    if asked.token_id is not None:
        rank_of_token_id(trained.model, asked.token_id)
        return trained.model.vocabulary[asked.token_id]
    token = check_unicode("token", asked.token or "")
    if len(token) > settings.search_max_code_points:
        raise TextTooLong(stage="raw", length=len(token), limit=settings.search_max_code_points)
    if not token:
        raise NothingTyped
    return token


def second_curve(trained: Trained, asked: TextAsked, settings: Settings) -> Beside:
    """Return a text's tokens at every prefix beside the corpus's, and where each flattens (W6, E6)."""
    prefix = trained.model.check_prefix(asked.prefix)
    text = text_history_of({"text": asked.text}, trained, settings)
    assert text is not None  # one came along
    code_points = len(normalize(trained.inputs.corpus, trained.model.lowercase))
    return Beside(SecondCurve.of(trained.history, code_points, text, prefix))


def compare(trained: Trained, asked: CompareAsked, settings: Settings) -> Comparison:
    """Return a text under `other_prefix`, first, and under `prefix`, second, cut where both agree (V4, E2).

    Without `other_prefix` it is half of `prefix`.
    """
    prefix = trained.model.check_prefix(asked.prefix)
    other = prefix // 2 if asked.other_prefix is None else trained.model.check_prefix(asked.other_prefix)
    text = text_history_of({"text": asked.text}, trained, settings)
    assert text is not None  # one came along
    return Comparison.of(text.encoding(other), text.encoding(prefix))


OF_MODELS: tuple[Callable[..., object], ...] = (stop, usage, changes, inspect, second_curve, compare)
"""Operations on a model: (trained, request, settings) → data."""
