"""The app factory: settings in, an ASGI app out. Nothing outside it holds state."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from pairloom.web import security
from pairloom.web.catalogue import Catalogue, load_catalogues
from pairloom.web.handlers import (
    classroom,
    documents,
    failures,
    files,
    inspecting,
    lesson,
    model_views,
    training,
    walkthrough,
)
from pairloom.web.models import Models
from pairloom.web.opened_files import OpenedFiles
from pairloom.web.rendering import Renderer
from pairloom.web.scheduler import Gate
from pairloom.web.services import Services
from pairloom.web.settings import Settings
from pairloom.web.statics import Addresses, package_statics

ROUTES = (
    Route("/", documents.workbench, methods=["GET"]),
    Route("/lesson", documents.lesson, methods=["GET"]),
    Route("/walkthrough", documents.walkthrough, methods=["GET"]),
    Route("/method", documents.method, methods=["GET"]),
    Route("/method/text", documents.method_text, methods=["GET"]),
    Route("/walkthrough/", documents.without_slash, methods=["GET"]),
    Route("/method/", documents.without_slash, methods=["GET"]),
    Route("/healthz", documents.health, methods=["GET"]),
    Route("/static/{version}/{path:path}", documents.static, methods=["GET"]),
    Route("/workbench/train", training.train, methods=["POST"]),
    Route("/workbench/shown", model_views.shown, methods=["POST"]),
    Route("/workbench/prefix", model_views.prefix, methods=["POST"]),
    Route("/workbench/corpus", model_views.corpus, methods=["POST"]),
    Route("/workbench/merges", model_views.merges, methods=["POST"]),
    Route("/workbench/vocabulary", model_views.vocabulary, methods=["POST"]),
    Route("/workbench/encode", model_views.encode, methods=["POST"]),
    Route("/workbench/ids", model_views.ids, methods=["POST"]),
    Route("/workbench/inspect", inspecting.tools, methods=["GET"]),
    Route("/workbench/inspect/stop", inspecting.stop, methods=["POST"]),
    Route("/workbench/inspect/usage", inspecting.usage, methods=["POST"]),
    Route("/workbench/inspect/changes", inspecting.changes, methods=["POST"]),
    Route("/workbench/inspect/token", inspecting.token, methods=["POST"]),
    Route("/workbench/inspect/curve", inspecting.curve, methods=["POST"]),
    Route("/workbench/inspect/compare", inspecting.compare, methods=["POST"]),
    Route("/workbench/files/{name}", files.download, methods=["POST"]),
    Route("/workbench/opened", files.opened, methods=["POST"]),
    Route("/workbench/opened/merges", files.merges, methods=["POST"]),
    Route("/workbench/opened/encode", files.encoded, methods=["POST"]),
    Route("/workbench/opened/compare", files.compared, methods=["POST"]),
    Route("/walkthrough/train", walkthrough.train, methods=["POST"]),
    Route("/walkthrough/shown", walkthrough.shown, methods=["POST"]),
    Route("/walkthrough/step", walkthrough.step, methods=["POST"]),
    Route("/walkthrough/pairs", walkthrough.pairs, methods=["POST"]),
    Route("/walkthrough/corpus", walkthrough.corpus, methods=["POST"]),
    Route("/walkthrough/merges", walkthrough.merges, methods=["POST"]),
    Route("/walkthrough/alphabet", walkthrough.alphabet, methods=["POST"]),
    Route("/walkthrough/encode", walkthrough.encode, methods=["POST"]),
    Route("/walkthrough/encode/{level}", walkthrough.level, methods=["POST"]),
    Route("/walkthrough/token", walkthrough.token, methods=["POST"]),
    Route("/walkthrough/predict", classroom.predict, methods=["POST"]),
    Route("/walkthrough/program", classroom.program, methods=["POST"]),
    Route("/walkthrough/link", classroom.link, methods=["POST"]),
    Route("/walkthrough/picture", classroom.picture, methods=["POST"]),
    Route("/walkthrough/life", classroom.life, methods=["POST"]),
    Route("/walkthrough/rule", classroom.rule, methods=["POST"]),
    Route("/lesson/text", lesson.text, methods=["GET"]),
    Route("/lesson/tools", lesson.tools, methods=["GET"]),
    Route("/lesson/print", lesson.printed, methods=["GET"]),
    Route("/lesson/worksheet", lesson.worksheet, methods=["GET"]),
    Route("/lesson/problem", lesson.problem, methods=["POST"]),
    Route("/lesson/answer", lesson.answer, methods=["POST"]),
    Route("/lesson/solution", lesson.solution, methods=["POST"]),
)


def create_app(
    settings: Settings | None = None,
    *,
    gate: Gate | None = None,
    after_training: Callable[[], object] | None = None,
    catalogues: Mapping[str, Catalogue] | None = None,
    api: bool = True,
    statics: Addresses | None = None,
) -> Starlette:
    """Return the app.

    Args:
        settings: every limit; the documented ones if None.
        gate: awaited before each slice of a training; tests hold trainings with it.
        after_training: called whenever a model has been trained and is remembered.
        catalogues: the languages by their codes, English among them; all there are if None.
        api: whether the JSON twin is there; the static edition has none, nor what it needs.
        statics: where views and static files are; this package's own, from the app itself, if None.
    """
    settings = settings or Settings()
    statics = statics or package_statics()
    app = Starlette(
        routes=[*ROUTES, *(_api_routes() if api else ())],
        exception_handlers=dict(failures.HANDLERS),
        middleware=[
            Middleware(security.AnswerHeaders),
            Middleware(security.QuietErrors),
            Middleware(security.HostCheck, allowed_hosts=settings.allowed_hosts),
            Middleware(security.CrossSiteCheck),
            Middleware(security.WholeBody, max_bytes=settings.body_max_bytes, deadline_s=settings.body_deadline_s),
        ],
    )
    # The one address of each view is in the table; Starlette would make up others, on any method, by Host header.
    app.router.redirect_slashes = False
    app.state.services = Services(
        settings=settings,
        statics=statics,
        renderers=Renderer.of_each(catalogues or load_catalogues(), settings, statics),
        models=Models(settings, gate=gate, after_training=after_training),
        opened=OpenedFiles(max_bytes=settings.opened_files_max_bytes),
    )
    return app


def _api_routes() -> tuple[Route, ...]:
    from pairloom.web.api.handlers import ROUTES as API_ROUTES

    return API_ROUTES
