"""Train: inputs in, a stream of progress and then the result out. Rules: W1–W3."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from starlette.requests import Request
from starlette.responses import Response

from pairloom.web.event_stream import EventStream
from pairloom.web.forms import CheckedInputs, FieldErrors, NoText, check_inputs
from pairloom.web.handlers.failures import messages_of
from pairloom.web.handlers.fragments import everything
from pairloom.web.models import Models
from pairloom.web.offload import beside
from pairloom.web.rendering import Renderer
from pairloom.web.scheduler import Busy
from pairloom.web.services import services
from pairloom.web.training import Trained


async def train(request: Request) -> Response:
    """Train, or show at once what is still in memory.

    Raises:
        FieldErrors: shown at the fields, nothing trained.
        Busy: as long as nothing has been sent; later it is an event like any other.
    """
    own = services(request)
    fields = await own.fields(request)
    try:
        checked = check_inputs(fields, own.settings)
    except FieldErrors as error:
        if fields.get("corpus"):
            raise
        # Not a text without words, but none at all.
        raise FieldErrors({**error.errors, "corpus": NoText()}) from None
    if own.models.remembered(checked) is None:
        own.models.scheduler.check_room(own.models.key(checked))
    return EventStream(_events(own.models, own.renderer(request), checked))


async def _events(models: Models, renderer: Renderer, checked: CheckedInputs) -> AsyncGenerator[str, None]:
    trained = models.remembered(checked)
    if trained is None:
        interval_s = models.settings.progress_interval_ms / 1000
        try:
            with models.training(checked) as job:
                shown = None
                while not await job.is_over_within(interval_s):
                    if job.latest != shown:
                        shown = job.latest
                        yield renderer.render("progress.html", progress=shown)
                trained = job.result()
        except Busy:
            yield renderer.render("busy.html")
            return
        except FieldErrors as error:
            yield renderer.render("field_errors.html", messages=messages_of(error, renderer))
            return
    done = trained
    yield await beside(lambda: _result(models, renderer, models.key(checked), done))


def _result(models: Models, renderer: Renderer, key: str, trained: Trained) -> str:
    # What comes next is a step of the slider, and it should be as quick as the others.
    renderer.prepare("prefix.html", "encoding.html")
    return renderer.render("trained.html", **everything(trained, models.settings, {}, key=key))
