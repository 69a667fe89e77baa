"""Keys and inputs → trained models, through the cache and the scheduler."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from starlette.requests import Request
from starlette.types import Receive

from pairloom.web.forms import CheckedInputs, check_inputs, has_inputs
from pairloom.web.model_cache import ModelCache
from pairloom.web.refusals import ClientGone
from pairloom.web.scheduler import Gate, Job, Scheduler
from pairloom.web.settings import Settings
from pairloom.web.training import Trained, train_in_portions

Answer = TypeVar("Answer")


class ModelGone(Exception):
    """No model is remembered under the key, and the request brought no inputs: 409, and the page asks again."""


class Models:
    """Where the pages get their models from."""

    def __init__(
        self,
        settings: Settings,
        *,
        gate: Gate | None = None,
        after_training: Callable[[], object] | None = None,
    ) -> None:
        self.settings = settings
        self.cache = ModelCache(max_bytes=settings.cache_max_bytes)
        self.scheduler = Scheduler(settings, self._remember, gate=gate)
        self.after_training = after_training

    def _remember(self, key: str, trained: Trained) -> None:
        self.cache.put(key, trained)
        if self.after_training is not None:
            self.after_training()

    def key(self, checked: CheckedInputs) -> str:
        """Return the key that stands for these inputs."""
        return self.cache.key(checked.inputs)

    def remembered(self, checked: CheckedInputs) -> Trained | None:
        """Return the model of these inputs if it is in memory."""
        return self.cache.get(self.key(checked))

    @contextmanager
    def training(self, checked: CheckedInputs) -> Iterator[Job]:
        """Take part in the training of these inputs inside this block. Raises: Busy."""
        work = train_in_portions(checked, self.settings)
        is_small = len(checked.normalized) <= self.settings.small_corpus_code_points
        with self.scheduler.listen(self.key(checked), lambda: work, is_small=is_small) as job:
            yield job

    async def get(self, request: Request, fields: Mapping[str, str]) -> tuple[str, Trained]:
        """Return the key and the model that a request is about, trained again if its inputs came along.

        Raises:
            ModelGone, FieldErrors, Busy, ClientGone.
        """
        trained = self.cache.get(fields.get("key", ""))
        if trained is not None:
            return fields["key"], trained
        if not has_inputs(fields):
            raise ModelGone
        checked = check_inputs(fields, self.settings)
        trained = self.remembered(checked)
        if trained is None:
            with self.training(checked) as job:
                await unless_gone(request.receive, job.over.wait())
                trained = job.result()
        return self.key(checked), trained


async def unless_gone(receive: Receive, work: Awaitable[Answer]) -> Answer:
    """Return what `work` returns, or stop it and raise ClientGone as soon as the client hangs up."""
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnect(receive))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientGone
        return working.result()
    finally:
        for task in (working, gone):
            if not task.done():
                task.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
