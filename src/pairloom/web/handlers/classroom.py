"""What the walkthrough has for a class: predictions, links, pictures, a word's life, another tool's rule. Rule: S7."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pairloom.errors import PairloomError, mark_message
from pairloom.history import HistoryBuilder
from pairloom.unicode_data import MARKER
from pairloom.views.lesson.checking import check
from pairloom.views.other_rule import Comparison, training_under
from pairloom.views.step_picture import step_picture
from pairloom.views.ties import OTHER_RULES, OtherRule
from pairloom.views.word_life import WordLife
from pairloom.web.forms import FieldErrors, MalformedForm, check_text
from pairloom.web.handlers.fragments import page_of, prefix_of
from pairloom.web.handlers.walkthrough import asked, at_prefix, own_fields
from pairloom.web.listing import listing
from pairloom.web.models import unless_gone
from pairloom.web.offload import beside
from pairloom.web.predicting import predicted, question_at
from pairloom.web.services import services
from pairloom.web.training import Trained

# Operations of the other training between two turns of the event loop: about 2 ms of them.
_PORTION: Final = 500


class NoSuchWord(PairloomError, ValueError):
    """A word was asked about that the corpus does not have. What was typed stands in the field beside it."""

    code = "life.no_such_word"
    template = mark_message("the corpus does not have this word: type one of its pre-tokens; capitals count")


class NoWord(PairloomError, ValueError):
    """A word was asked about, but none was typed."""

    code = "life.no_word"
    template = mark_message("type a word")


@own_fields
async def predict(request: Request) -> Response:
    """Judge a prediction. A right one, and the wish to see the answer, bring the step that was hidden."""
    own = services(request)
    fields, key, trained = await asked(request)
    prefix = prefix_of(fields, trained)
    question = question_at(trained.history, prefix, _wanted(fields))
    if question is None:
        raise MalformedForm("nothing to predict")
    verdict = None if fields.get("reveal") == "on" else check(question, fields.get("answer", ""))
    if verdict is not None and not verdict.is_right:
        return own.renderer(request).answer("lesson/wrong.html", key=key, verdict=verdict, problem=question)
    context = at_prefix(trained, own.settings, {**fields, "revealed": str(prefix)}, key=key)
    return own.renderer(request).answer("walk_step.html", context={**context, "verdict": verdict})


def _wanted(fields: dict[str, str]) -> str:
    wanted = fields.get("predict", "")
    if not wanted:
        raise MalformedForm("nothing was asked")
    return wanted


@own_fields
async def program(request: Request) -> Response:
    """Return the lesson's Python program with the words of this corpus: it prints this model's merges."""
    _, _, trained = await asked(request)
    shown = await beside(lambda: listing(trained.word_counts.counts))
    return services(request).renderer(request).answer("lesson/listing.html", listing=shown)


@own_fields
async def link(request: Request) -> Response:
    """Say what model a link leads to, before anything on the page changes. Raises: FieldErrors."""
    own = services(request)
    fields, _, trained = await asked(request)
    prefix_of(fields, trained)
    check_text(fields, own.settings, lowercase=trained.model.lowercase)
    return JSONResponse({"fingerprint": trained.model.fingerprint, "merges": len(trained.model.merges)})


@own_fields
async def picture(request: Request) -> Response:
    """Return the step as a picture, an SVG document; while a question is open, without what it asks for."""
    own = services(request)
    fields, _, trained = await asked(request)
    labels = own.renderer(request).catalogue
    page = page_of(fields, "corpus_page")
    drawn = step_picture(
        trained.history,
        trained.corpus,
        prefix_of(fields, trained),
        page,
        labels=labels,
        shows_next=not _is_asked(fields, trained),
    )
    return Response(drawn, media_type="image/svg+xml")


def _is_asked(fields: dict[str, str], trained: Trained) -> bool:
    """Whether a question is open: then nothing may tell of merges to come. Raises: FieldErrors, MalformedForm."""
    return bool(fields.get("predict")) and predicted(fields, trained.history, prefix_of(fields, trained)) is not None


@own_fields
async def life(request: Request) -> Response:
    """Return what became of a word of the corpus, merge by merge. Raises: FieldErrors."""
    own = services(request)
    fields, key, trained = await asked(request)
    if _is_asked(fields, trained):
        return own.renderer(request).answer("lesson/later.html")
    word = typed_word(fields.get("word", ""), trained)
    made = WordLife.of(trained.history, word)
    page = made.changes(page_of(fields, "life_page"), size=own.settings.life_rows)
    return own.renderer(request).answer("lesson/life.html", key=key, life=made, changes=page, trained=trained)


def typed_word(typed: str, trained: Trained) -> str:
    """Return the pre-token that was typed: as it is, with the marker in front, or with spaces for markers.

    Raises: FieldErrors, the corpus has no such word.
    """
    counts = trained.word_counts.counts
    bare = typed.strip().replace(" ", MARKER)
    if not bare:
        raise FieldErrors({"word": NoWord()})
    for word in (MARKER + bare, bare):
        if word in counts:
            return word
    raise FieldErrors({"word": NoSuchWord()})


async def compare_in_portions(trained: Trained, name: OtherRule) -> Comparison:
    """Train and look back in portions, so that everybody else is answered in between."""
    training = training_under(trained.history, name)
    while not training.run(max_operations=_PORTION):  # noqa: ASYNC110  # the work is done here, others get a turn
        await asyncio.sleep(0)
    builder = HistoryBuilder(trained.word_counts, training.model())
    while not builder.run(max_operations=_PORTION):  # noqa: ASYNC110  # likewise
        await asyncio.sleep(0)
    return Comparison.of(trained.history, builder.history(), name)


@own_fields
async def rule(request: Request) -> Response:
    """Train the same corpus under another tool's tie rule, and show where the two part. Raises: MalformedForm."""
    own = services(request)
    fields, key, trained = await asked(request)
    name = next((each for each in OTHER_RULES if each == fields.get("rule")), None)
    if name is None:
        raise MalformedForm("no such rule")
    if _is_asked(fields, trained):
        return own.renderer(request).answer("lesson/later.html")
    comparison = await unless_gone(request.receive, compare_in_portions(trained, name))
    return own.renderer(request).answer("lesson/rule.html", key=key, comparison=comparison, trained=trained)
