"""The lesson: its text, its practice problems, and both on paper. Rule: S7."""

from __future__ import annotations

from collections import Counter

from starlette.requests import Request
from starlette.responses import Response

from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.views.lesson.checking import check
from pairloom.views.lesson.fixed import FIXED
from pairloom.web.asking import Asked, asked_of, fixed, worksheet_of
from pairloom.web.compression import compressed
from pairloom.web.listing import listing
from pairloom.web.offload import beside
from pairloom.web.presets import PRESETS
from pairloom.web.scenes import scenes
from pairloom.web.services import services


def first_listing() -> str:
    """Return the listing for the text that the walkthrough begins with."""
    return listing(Counter(pre_tokenize(normalize(PRESETS[0].text), "punctuation")))


async def text(request: Request) -> Response:
    """Return the text of the lesson, for its place beside the walkthrough."""
    return compressed(
        request, services(request).renderer(request).answer("lesson/text.html", context=_context(), printed=False)
    )


async def printed(request: Request) -> Response:
    """Return the lesson as a document of its own: on paper, and where no script runs."""
    return compressed(
        request, services(request).renderer(request).answer("lesson/printed.html", context=_context(), printed=True)
    )


def _context() -> dict[str, object]:
    problems = [fixed(name) for name in FIXED]
    return {"scenes": scenes(), "listing": first_listing(), "problems": problems}


async def worksheet(request: Request) -> Response:
    """Return problems for a class and their key, each beginning on a page of its own. Raises: MalformedForm."""
    own = services(request)
    renderer = own.renderer(request)
    asked = worksheet_of(request.query_params, renderer.catalogue.language, own.settings)
    # Forty problems take tens of milliseconds, and any site can link here.
    answer = await beside(lambda: renderer.answer("lesson/worksheet.html", parts=(asked.sheet(), asked.key())))
    return compressed(request, answer)


async def tools(request: Request) -> Response:
    """Return what the walkthrough has beside its steps: predictions, a link, pictures, a word's life, other rules."""
    return services(request).renderer(request).answer("lesson/tools.html")


async def problem(request: Request) -> Response:
    """Return a generated problem, without its answer."""
    own = services(request)
    renderer = own.renderer(request)
    asked = await _asked(request)
    return renderer.answer("lesson/generated.html", asked=asked, printed=False)


async def answer(request: Request) -> Response:
    """Say whether an answer is right, and if not, why."""
    own = services(request)
    fields = await own.fields(request)
    asked = await _asked(request)
    verdict = check(asked.problem, fields.get("answer", ""))
    return own.renderer(request).answer("lesson/verdict.html", asked=asked, verdict=verdict)


async def solution(request: Request) -> Response:
    """Return the solution of a problem, worked out."""
    asked = await _asked(request)
    return services(request).renderer(request).answer("lesson/solution.html", asked=asked)


async def _asked(request: Request) -> Asked:
    own = services(request)
    return asked_of(await own.fields(request), own.renderer(request).catalogue.language)
