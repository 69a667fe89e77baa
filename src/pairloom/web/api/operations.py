"""What each address does: a request and a model → typed data, by the same views as the pages.

The name of a function is the last part of its address; its docstring and its types are its description. Each calls the
functions of `pairloom.views` that the handlers of the pages call: only what the pages turn into markup is data here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pairloom.errors import SettingError, TextTooLong
from pairloom.history import Pair, TextHistory
from pairloom.merges import Merge
from pairloom.normalizer import normalize_within
from pairloom.views import tables
from pairloom.views.corpus import CorpusPage
from pairloom.views.curve import Curve
from pairloom.views.encoding import EncodingView
from pairloom.views.granularity import WordLevel, words_and_marks
from pairloom.views.paging import Page
from pairloom.views.pairs import CountedPair, PairOrder
from pairloom.views.search import Found, find
from pairloom.views.selection import Selection
from pairloom.views.summary import Summary
from pairloom.views.tables import VocabularyRow
from pairloom.views.ties import Choice
from pairloom.views.token_tree import TokenOrigin
from pairloom.views.walkthrough import CorpusFigures, Step, learned_page
from pairloom.web.api import requests
from pairloom.web.forms import NumberError, check_text
from pairloom.web.handlers.searching import NothingFound, NothingTyped
from pairloom.web.presets import PRESETS
from pairloom.web.settings import Settings
from pairloom.web.training import Trained


@dataclass(frozen=True, slots=True)
class Training:
    """What a training came to; tables, corpus and graph have addresses of their own."""

    summary: Summary


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph (W6): the exact number at every prefix, and the line that the page draws through some of them."""

    token_counts: Sequence[int]
    line: Curve


@dataclass(frozen=True, slots=True)
class MergesPage:
    """A page of the merge table, and what a search found."""

    page: Page[Merge]
    found: Found | None


@dataclass(frozen=True, slots=True)
class VocabularyPage:
    """A page of the vocabulary, and what a search found."""

    page: Page[VocabularyRow]
    found: Found | None


@dataclass(frozen=True, slots=True)
class StepData:
    """The walkthrough at a prefix (S3, S4), and why the next pair is the next one."""

    figures: CorpusFigures
    step: Step
    vocabulary: int
    characters_per_token: float
    choice: Choice | None


@dataclass(frozen=True, slots=True)
class Character:
    """A code point of the base alphabet with its ID."""

    id: int
    token: str


@dataclass(frozen=True, slots=True)
class Ids:
    """The IDs of a text, every one of them known (E4)."""

    ids: Sequence[int]


@dataclass(frozen=True, slots=True)
class Decoded:
    """The normalized text of some IDs (D1)."""

    text: str


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalized text and both lengths, in code points."""

    text: str
    code_points: int
    raw_code_points: int


@dataclass(frozen=True, slots=True)
class Levels:
    """One text in characters, in tokens at a prefix and in words, side by side (S6)."""

    characters: EncodingView
    subwords: EncodingView
    words: WordLevel


@dataclass(frozen=True, slots=True)
class PresetText:
    """A text of the walkthrough: what to watch in it, and another one to encode."""

    name: str
    language: str
    title: str
    watch: str
    to_encode: str
    text: str


@dataclass(frozen=True, slots=True)
class Presets:
    """The walkthrough's texts to choose from (S1)."""

    presets: Sequence[PresetText]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests and of pages; rules L1–L3, and `docs/pages.md`."""

    corpus_max_code_points: int
    text_max_code_points: int
    merge_limit_max: int
    vocabulary_max_code_points: int
    body_max_bytes: int
    table_rows: int
    tokens_per_page: int
    corpus_page_tokens: int
    pairs_per_page: int
    merges_per_page: int
    inspected_rows: int
    inspected_places: int
    life_rows: int


def selection(trained: Trained, asked: requests.AtPrefix, _: Settings) -> Selection:
    """Return what the active prefix chooses: its merge, and the corpus tokens (W5, W6)."""
    return Selection.of(trained.history, trained.model.check_prefix(asked.prefix))


def curve(trained: Trained, _asked: requests.OfModel, _: Settings) -> Graph:
    """Return the graph: corpus tokens at every prefix (W6)."""
    return Graph(trained.history.token_counts, Curve.of(trained.history))


def merges(trained: Trained, asked: requests.MergesAsked, settings: Settings) -> MergesPage:
    """Return a page of the merge table (W5)."""
    found = _found([merge.result for merge in trained.model.merges], asked.token, asked.match, settings)
    row = found.place if found else asked.rank
    if asked.rank is not None and asked.rank >= len(trained.model.merges):
        largest = max(len(trained.model.merges) - 1, 0)
        raise NumberError(setting="rank", value=asked.rank, minimum=0, maximum=largest)
    index = asked.page if row is None else row // settings.table_rows
    return MergesPage(tables.merge_page(trained.model, index, size=settings.table_rows), found)


def vocabulary(trained: Trained, asked: requests.VocabularyAsked, settings: Settings) -> VocabularyPage:
    """Return a page of the vocabulary, the full one whatever the prefix (V3, W8)."""
    found = _found(trained.model.vocabulary, asked.token, asked.match, settings)
    row = found.place if found else asked.token_id
    if row is not None:
        tables.rank_of_token_id(trained.model, row)
    index = asked.page if row is None else row // settings.table_rows
    page = tables.vocabulary_page(trained.model, index, size=settings.table_rows, prefix=asked.prefix)
    return VocabularyPage(page, found)


def _found(tokens: Sequence[str], token: str | None, match: int, settings: Settings) -> Found | None:
    if token is None:
        return None
    if len(token) > settings.search_max_code_points:
        raise TextTooLong(stage="raw", length=len(token), limit=settings.search_max_code_points)
    if not token:
        raise NothingTyped
    found = find(tokens, token, match)
    if found is None:
        raise NothingFound
    return found


def corpus(trained: Trained, asked: requests.CorpusAsked, _: Settings) -> CorpusPage:
    """Return a page of the corpus in boxes at a prefix (W13, S5), with the places of the next pair marked."""
    history = trained.history
    at = Step.of(history, trained.model.check_prefix(asked.prefix))
    upcoming: Pair | None = (at.upcoming.left, at.upcoming.right) if at.upcoming else None
    sought: str | Pair | None = None
    if asked.next_place == "made":
        sought = at.last.result if at.last else None
    elif asked.next_place == "next":
        sought = upcoming
    elif asked.next_place == "token":
        if asked.token_id is None:
            raise requests.NotAsDescribed(reason="next_place `token` needs a token_id")
        tables.rank_of_token_id(trained.model, asked.token_id)
        sought = trained.model.vocabulary[asked.token_id]
    page = min(asked.page, len(trained.corpus.starts) - 1)
    if sought is not None:
        found = trained.corpus.next_page_with(sought, history, at.prefix, after=page)
        page = page if found is None else found
    return trained.corpus.page(page, history, at.prefix, upcoming=upcoming)


def encode(trained: Trained, asked: requests.EncodeAsked, settings: Settings) -> EncodingView:
    """Return the encoding of a text: tokens with IDs, unknown ones with null, and its numbers (W9, E3–E6, E8)."""
    model = trained.model
    text = check_text({"text": asked.text}, settings, lowercase=model.lowercase)
    encoding = model.encode(text, asked.prefix)
    size = settings.tokens_per_page if asked.page is not None else max(len(encoding.tokens), 1)
    prefix = model.check_prefix(asked.prefix)
    return EncodingView.of(model, encoding, prefix=prefix, page=_small(asked.page or 0), page_tokens=size)


def ids(trained: Trained, asked: requests.TextAsked, settings: Settings) -> Ids:
    """Return the IDs of a whole text; an error if any token has none (E4)."""
    text = check_text({"text": asked.text}, settings, lowercase=trained.model.lowercase)
    return Ids(trained.model.encode(text, asked.prefix).known_ids())


def decode(trained: Trained, asked: requests.DecodeAsked, settings: Settings) -> Decoded:
    """Return the normalized text that IDs stand for (D1, D2)."""
    # A text of n code points has at most n + 1 tokens: each of its words adds a marker, all but one a space.
    most = settings.text_max_code_points + 1
    if len(asked.ids) > most:
        raise SettingError(setting="ids", value=f"a list of {len(asked.ids)}", allowed=f"at most {most} IDs")
    vocabulary = trained.model.vocabulary
    length = sum(len(vocabulary[each]) for each in asked.ids if 0 <= each < len(vocabulary))
    if length > most:
        raise TextTooLong(stage="normalized", length=length, limit=most)
    return Decoded(trained.model.decode(asked.ids))


def step(trained: Trained, asked: requests.AtPrefix, _: Settings) -> StepData:
    """Return the walkthrough's numbers at a prefix, the next merge and why it is that one (S2–S4, T4)."""
    at = Step.of(trained.history, trained.model.check_prefix(asked.prefix))
    order = PairOrder.of(trained.history, at.prefix)
    return StepData(
        figures=CorpusFigures.of(trained.word_counts, trained.history),
        step=at,
        vocabulary=at.vocabulary,
        characters_per_token=at.characters_per_token,
        choice=Choice.of(trained.history, at.prefix, order) if at.upcoming else None,
    )


def pairs(trained: Trained, asked: requests.PageAtPrefix, settings: Settings) -> Page[CountedPair]:
    """Return a page of the pairs at a prefix, most frequent first (S3, T4)."""
    order = PairOrder.of(trained.history, trained.model.check_prefix(asked.prefix))
    return order.page(asked.page, size=settings.walkthrough_all_pairs)


def learned(trained: Trained, asked: requests.PageAtPrefix, settings: Settings) -> Page[Merge]:
    """Return a page of the merges made so far (S4)."""
    return learned_page(
        trained.history, trained.model.check_prefix(asked.prefix), asked.page, size=settings.walkthrough_merges
    )


def alphabet(trained: Trained, asked: requests.PageAtPrefix, settings: Settings) -> Page[Character]:
    """Return a page of the base alphabet (S4, T1)."""
    page = Page.of(trained.model.alphabet, asked.page, size=settings.tokens_per_page)
    rows = tuple(Character(page.first + place, token) for place, token in enumerate(page.rows))
    return Page(page.index, page.count, page.first, page.total, rows)


def token(trained: Trained, asked: requests.TokenAsked, settings: Settings) -> TokenOrigin:
    """Return where a token came from: its tree, its code points, how often it stands in the corpus at a prefix."""
    prefix = trained.model.check_prefix(asked.prefix)
    return TokenOrigin.of(
        trained.history,
        prefix,
        asked.token_id,
        max_nodes=settings.tree_nodes,
        max_code_points=settings.tree_code_points,
    )


def granularities(trained: Trained, asked: requests.GranularitiesAsked, settings: Settings) -> Levels:
    """Return a text in characters, tokens and words, each with its tokens and unknowns; `page` turns all three (S6)."""
    model, size = trained.model, settings.tokens_per_page
    text = check_text({"text": asked.text}, settings, lowercase=model.lowercase)
    prefix = model.check_prefix(asked.prefix)
    history = trained.texts.get(text)
    if history is None:
        history = TextHistory.of(text, model)
        trained.texts.put(text, history)
    page = _small(asked.page)
    known = words_and_marks(trained.word_counts.counts, model)
    return Levels(
        characters=EncodingView.of(model, history.encoding(0), prefix=0, page=page, page_tokens=size),
        subwords=EncodingView.of(model, history.encoding(prefix), prefix=prefix, page=page, page_tokens=size),
        words=WordLevel.of(text, model, known, page=page, page_tokens=size),
    )


def normalize(asked: requests.NormalizeAsked, settings: Settings) -> Normalized:
    """Return the normalized text (N1–N8)."""
    text = normalize_within(
        asked.text, lowercase=asked.lowercase, max_code_points=settings.corpus_max_code_points, allow_empty=True
    )
    return Normalized(text, len(text), len(asked.text))


def presets(_: Settings) -> Presets:
    """Return the walkthrough's texts to choose from (S1)."""
    return Presets(
        [PresetText(each.name, each.language, each.title, each.watch, each.to_encode, each.text) for each in PRESETS]
    )


def limits(settings: Settings) -> Limits:
    """Return the limits of requests and of pages (L1–L3)."""
    return Limits(
        corpus_max_code_points=settings.corpus_max_code_points,
        text_max_code_points=settings.text_max_code_points,
        merge_limit_max=settings.merge_limit_max,
        vocabulary_max_code_points=settings.vocabulary_max_code_points,
        body_max_bytes=settings.body_max_bytes,
        table_rows=settings.table_rows,
        tokens_per_page=settings.tokens_per_page,
        corpus_page_tokens=settings.corpus_page_tokens,
        pairs_per_page=settings.walkthrough_all_pairs,
        merges_per_page=settings.walkthrough_merges,
        inspected_rows=settings.inspected_rows,
        inspected_places=settings.inspected_places,
        life_rows=settings.life_rows,
    )


def _small(page: int) -> int:
    """Return a page number that arithmetic takes; there is no page so far out."""
    return min(page, 10**9)


OF_MODELS: tuple[Callable[..., object], ...] = (
    selection,
    curve,
    merges,
    vocabulary,
    corpus,
    encode,
    ids,
    decode,
    step,
    pairs,
    learned,
    alphabet,
    token,
    granularities,
)
"""Operations on a model: (trained, request, settings) → data."""

OF_TEXTS: tuple[Callable[..., object], ...] = (normalize,)
"""Operations without a model: (request, settings) → data."""

OF_NOTHING: tuple[Callable[..., object], ...] = (presets, limits)
"""What is only read: (settings) → data."""
