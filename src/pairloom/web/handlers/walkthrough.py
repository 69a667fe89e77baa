"""The walkthrough: a training seen merge by merge, on inputs of its own. Rules: S1–S6."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import wraps

from starlette.requests import Request
from starlette.responses import Response

from pairloom.history import Pair, TextHistory
from pairloom.views.corpus import CorpusPage
from pairloom.views.encoding import EncodedToken, EncodingView
from pairloom.views.granularity import WordLevel, words_and_marks
from pairloom.views.paging import Page
from pairloom.views.pairs import PairOrder
from pairloom.views.ties import Choice
from pairloom.views.token_tree import TokenOrigin
from pairloom.views.walkthrough import CorpusFigures, Step, learned_page
from pairloom.web.event_stream import EventStream
from pairloom.web.forms import CheckedInputs, FieldErrors, MalformedForm, check_inputs, check_text
from pairloom.web.handlers.failures import messages_of
from pairloom.web.handlers.fragments import number_at, page_of, prefix_of, turned_to
from pairloom.web.models import Models
from pairloom.web.offload import beside
from pairloom.web.predicting import predicted, question_at, wanted_of
from pairloom.web.rendering import Renderer
from pairloom.web.scheduler import Busy
from pairloom.web.services import services
from pairloom.web.settings import Settings
from pairloom.web.training import Trained

Fields = Mapping[str, str]
Handler = Callable[[Request], Awaitable[Response]]
_OWN = "walk_"


def own_fields(handler: Handler) -> Handler:
    """Let a handler name the fields of its objections as the walkthrough's page does."""

    @wraps(handler)
    async def naming(request: Request) -> Response:
        try:
            return await handler(request)
        except FieldErrors as error:
            raise _own(error) from None

    return naming


def _own(error: FieldErrors) -> FieldErrors:
    """Return objections at the fields as the walkthrough's page names them."""
    return FieldErrors({f"{_OWN}{name}": each for name, each in error.errors.items()})


LEVELS = ("characters", "subwords", "words")
"""What one and the same text is cut into, side by side. Rule: S6."""


@own_fields
async def train(request: Request) -> Response:
    """Train on the walkthrough's corpus, until no pair is left. Rule: S1. Raises: FieldErrors, MalformedForm, Busy."""
    own = services(request)
    fields = _unlimited(await own.fields(request), own.settings)
    checked = check_inputs(fields, own.settings)
    # A training begins at prefix 0, or where a link says, and on first pages; of the rest of the form only the text to
    # encode means something, and whether it is to be predicted what comes.
    wanted_of(fields)
    begun = {"prefix": fields["begin_at"]} if "begin_at" in fields else {}
    fields = {name: fields[name] for name in ("text", "predict") if name in fields} | begun
    if own.models.remembered(checked) is None:
        own.models.scheduler.check_room(own.models.key(checked))
    return EventStream(_events(own.models, own.renderer(request), checked, fields))


async def _events(
    models: Models, renderer: Renderer, checked: CheckedInputs, fields: Fields
) -> AsyncGenerator[str, None]:
    trained = models.remembered(checked)
    if trained is None:
        interval_s = models.settings.progress_interval_ms / 1000
        try:
            with models.training(checked) as job:
                while not await job.is_over_within(interval_s):
                    yield renderer.render("walk_progress.html", progress=job.latest)
                trained = job.result()
        except Busy:
            yield renderer.render("walk_busy.html")
            return
        except FieldErrors as error:
            yield renderer.render("field_errors.html", messages=messages_of(_own(error), renderer))
            return
    done = trained
    try:
        shown = await beside(lambda: _shown(models, renderer, models.key(checked), done, fields))
    except FieldErrors as error:
        # A prefix that this corpus does not have; its slider is not there yet, so it is said at the corpus.
        (objection,) = error.errors.values()
        messages = {"walk-corpus": renderer.error(objection)}
        yield renderer.render("field_errors.html", messages=messages)
        return
    yield shown


def _shown(models: Models, renderer: Renderer, key: str, trained: Trained, fields: Fields) -> str:
    return renderer.render("walk_shown.html", **_everything(trained, models.settings, fields, key=key))


@own_fields
async def shown(request: Request) -> Response:
    """Show everything again, as it is; the page asks for it when its language changes. Rule: G."""
    own = services(request)
    fields, key, trained = await asked(request)
    context = _everything(trained, own.settings, fields, key=key)
    return own.renderer(request).answer("walk_shown.html", context=context)


@own_fields
async def step(request: Request) -> Response:
    """Go to a prefix: everything that depends on it, and nothing else. Rules: S2–S6."""
    own = services(request)
    fields, key, trained = await asked(request)
    context = at_prefix(trained, own.settings, fields, key=key)
    return own.renderer(request).answer("walk_step.html", context=context)


@own_fields
async def pairs(request: Request) -> Response:
    """Turn to another page of the pairs, or between the top of them and all. Rule: S3."""
    own = services(request)
    fields, key, trained = await asked(request)
    prefix = prefix_of(fields, trained)
    order = PairOrder.of(trained.history, prefix)
    page = _pair_page(order, own.settings, fields, page=turned_to(fields, "pairs_page"))
    context = {"key": key, "step": Step.of(trained.history, prefix), **_question(trained, fields, prefix), **page}
    return own.renderer(request).answer("walk_pairs.html", context=context)


@own_fields
async def corpus(request: Request) -> Response:
    """Turn to another page of the corpus: by number, or to the next place of something. Rule: S5.

    `place` is "made" (the last merge), "next" (the next pair) or "token" (the chosen token).
    """
    own = services(request)
    fields, key, trained = await asked(request)
    history = trained.history
    at = Step.of(history, prefix_of(fields, trained))
    page = turned_to(fields, "corpus_page")
    what = _sought(fields.get("place", ""), at, trained, fields)
    if what is not None:
        found = trained.corpus.next_page_with(what, history, at.prefix, after=page)
        page = page if found is None else found
    question = _question(trained, fields, at.prefix)
    shown = _corpus_page(trained, at, page, is_asked=question["question"] is not None)
    return own.renderer(request).answer("walk_corpus.html", context=question, key=key, step=at, corpus=shown)


def _sought(place: str, at: Step, trained: Trained, fields: Fields) -> str | Pair | None:
    if place == "made" and at.last:
        return at.last.result
    if place == "next" and at.upcoming:
        return at.upcoming.left, at.upcoming.right
    return trained.model.vocabulary[_token_id(fields, trained)] if place == "token" else None


@own_fields
async def merges(request: Request) -> Response:
    """Turn to another page of the merges made so far. Rule: S4."""
    own = services(request)
    fields, key, trained = await asked(request)
    at = Step.of(trained.history, prefix_of(fields, trained))
    learned = learned_page(
        trained.history, at.prefix, turned_to(fields, "merges_page"), size=own.settings.walkthrough_merges
    )
    return own.renderer(request).answer("walk_merges.html", key=key, step=at, learned=learned)


@own_fields
async def alphabet(request: Request) -> Response:
    """Turn to another page of the base characters. Rule: S4."""
    own = services(request)
    fields, key, trained = await asked(request)
    page = _alphabet_page(trained, own.settings, turned_to(fields, "alphabet_page"))
    return own.renderer(request).answer("walk_alphabet.html", key=key, alphabet=page)


@own_fields
async def encode(request: Request) -> Response:
    """Encode a text with the first merges; beside it, characters and words. Rule: S6. Raises: FieldErrors."""
    own = services(request)
    fields, key, trained = await asked(request)
    levels = _levels(trained, own.settings, fields, prefix=prefix_of(fields, trained))
    return own.renderer(request).answer("walk_levels.html", context=levels, key=key)


@own_fields
async def level(request: Request) -> Response:
    """Turn to another page of a text in characters, tokens or words. Rules: S6, W9. Raises: FieldErrors."""
    own = services(request)
    fields, key, trained = await asked(request)
    name = request.path_params["level"]
    if name not in LEVELS:
        raise MalformedForm("no such level")
    turned = {**fields, f"{name}_page": str(turned_to(fields, f"{name}_page"))}
    levels = _levels(trained, own.settings, turned, prefix=prefix_of(fields, trained), only=name)
    return own.renderer(request).answer(f"walk_{name}.html", context=levels, key=key)


@own_fields
async def token(request: Request) -> Response:
    """Say where a token came from. Raises: FieldErrors."""
    own = services(request)
    fields, key, trained = await asked(request)
    return own.renderer(request).answer(
        "walk_origin.html",
        key=key,
        step=Step.of(trained.history, prefix_of(fields, trained)),
        origin=_origin(trained, own.settings, fields),
    )


async def asked(request: Request) -> tuple[dict[str, str], str, Trained]:
    """Return the fields, the key and the model of a request. Raises: ModelGone, FieldErrors, Busy, ClientGone."""
    own = services(request)
    fields = _unlimited(await own.fields(request), own.settings)
    key, trained = await own.models.get(request, fields)
    return fields, key, trained


def _unlimited(fields: Fields, settings: Settings) -> dict[str, str]:
    """Return the fields as the workbench names them, with a merge limit that no corpus of the pages reaches. Rule: S1.

    One document holds both forms; where their fields would have one name, the walkthrough's begin with `walk_`.

    A merge leaves at least one token less, and of a corpus of n code points at most n tokens can go: each pre-token
    keeps one, and its marker is one more than its code points.
    """
    named = {name.removeprefix(_OWN): value for name, value in fields.items()}
    return {**named, "merge_limit": str(settings.corpus_max_code_points)}


def _everything(trained: Trained, settings: Settings, fields: Fields, *, key: str) -> dict[str, object]:
    """Return all that is shown of a training, as `walk_shown.html` takes it; without a word about it at prefix 0."""
    fields = {"prefix": "0", **fields}
    return {
        **at_prefix(trained, settings, fields, key=key),
        "fingerprint": trained.model.fingerprint,
        "figures": CorpusFigures.of(trained.word_counts, trained.history),
        "alphabet": _alphabet_page(trained, settings, page_of(fields, "alphabet_page")),
    } | _levels_if_any(trained, settings, fields)


def _levels_if_any(
    trained: Trained, settings: Settings, fields: Fields, *, only: str | None = None
) -> dict[str, object]:
    """Return the levels of the text in a request, if there is one that can be encoded.

    What is wrong with a text is said where it is encoded; everything else goes on without it.
    """
    if "text" in fields:
        try:
            return _levels(trained, settings, fields, prefix=prefix_of(fields, trained), only=only)
        except FieldErrors as error:
            if error.errors.keys() != {"text"}:
                raise
    return {"subwords": None}


def at_prefix(trained: Trained, settings: Settings, fields: Fields, *, key: str) -> dict[str, object]:
    """Return what depends on the prefix, as `walk_step.html` takes it. Raises: FieldErrors, MalformedForm."""
    prefix = prefix_of(fields, trained)
    at = Step.of(trained.history, prefix)
    order = PairOrder.of(trained.history, prefix)
    question = _question(trained, fields, prefix)
    is_asked = question["question"] is not None
    return {
        "key": key,
        "step": at,
        **question,
        "choice": None if is_asked else Choice.of(trained.history, prefix, order),
        "corpus": _corpus_page(trained, at, page_of(fields, "corpus_page"), is_asked=is_asked),
        "learned": learned_page(trained.history, prefix, None, size=settings.walkthrough_merges),
        "origin": _origin(trained, settings, fields) if "token_id" in fields else None,
        **_pair_page(order, settings, fields, page=page_of(fields, "pairs_page")),
        # A step changes one level of the three.
        **_levels_if_any(trained, settings, fields, only="subwords"),
    }


def _pair_page(order: PairOrder, settings: Settings, fields: Fields, *, page: int) -> dict[str, object]:
    shows_all = fields.get("pairs_wanted", fields.get("pairs_all")) == "on"
    size = settings.walkthrough_all_pairs if shows_all else settings.walkthrough_pairs
    return {"pairs": order.page(page if shows_all else 0, size=size), "shows_all": shows_all}


def _question(trained: Trained, fields: Fields, prefix: int) -> dict[str, object]:
    """Return what is asked before it is shown, and what has been: `question`, `answered` and `predicting`. Rule: S7."""
    question = predicted(fields, trained.history, prefix)
    wanted = fields.get("predict", "")
    answered = question_at(trained.history, prefix, wanted) if wanted and question is None else None
    return {"question": question, "answered": answered, "predicting": wanted != "", "verdict": None}


def _corpus_page(trained: Trained, at: Step, index: int, *, is_asked: bool) -> CorpusPage:
    upcoming = (at.upcoming.left, at.upcoming.right) if at.upcoming and not is_asked else None
    return trained.corpus.page(index, trained.history, at.prefix, upcoming=upcoming)


def _alphabet_page(trained: Trained, settings: Settings, index: int) -> Page[EncodedToken]:
    page = Page.of(trained.model.alphabet, index, size=settings.tokens_per_page)
    rows = tuple(EncodedToken(each, page.first + place, (0, 0)) for place, each in enumerate(page.rows))
    return Page(page.index, page.count, page.first, page.total, rows)


def _token_id(fields: Fields, trained: Trained) -> int:
    return number_at("token_id", fields, maximum=len(trained.model.vocabulary) - 1)


def _origin(trained: Trained, settings: Settings, fields: Fields) -> TokenOrigin:
    return TokenOrigin.of(
        trained.history,
        prefix_of(fields, trained),
        _token_id(fields, trained),
        max_nodes=settings.tree_nodes,
        max_code_points=settings.tree_code_points,
    )


def _levels(
    trained: Trained, settings: Settings, fields: Fields, *, prefix: int, only: str | None = None
) -> dict[str, object]:
    """Return a text in characters, in tokens after so many merges and in words, or one of them. Raises: FieldErrors."""
    model, size = trained.model, settings.tokens_per_page
    text = fields.get("text", "")
    if (history := trained.texts.get(text)) is None:
        history = TextHistory.of(check_text(fields, settings, lowercase=model.lowercase), model)
        trained.texts.put(text, history)
    made: dict[str, object] = {"prefix": prefix}
    pages = {name: page_of(fields, f"{name}_page") for name in LEVELS if only in (None, name)}
    if "words" in pages:
        known = words_and_marks(trained.word_counts.counts, model)
        made["words"] = WordLevel.of(text, model, known, page=pages.pop("words"), page_tokens=size)
    for name, page in pages.items():
        at = prefix if name == "subwords" else 0
        made[name] = EncodingView.of(model, history.encoding(at), prefix=at, page=page, page_tokens=size)
    return made
