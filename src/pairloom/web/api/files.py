"""Files as data: the trace and the model of a training, and a model file sent along, with a report on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from pairloom.formats import trace as trace_file
from pairloom.formats.model_file import dumps
from pairloom.formats.model_report import CheckName, ModelReport, report_on
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.views.boundaries import Comparison
from pairloom.views.encoding import EncodingView
from pairloom.views.paging import Page
from pairloom.web.api.answers import ErrorBody, described
from pairloom.web.api.requests import Asked, AtPrefix, OfModel, PageNumber, Text
from pairloom.web.forms import check_text
from pairloom.web.offload import beside
from pairloom.web.settings import Settings
from pairloom.web.training import Trained

File = Annotated[str, Meta(description="The text of a model file, inline; the limit of bodies is its limit.")]

# Rounds of a trace between two turns of the event loop.
_ROUNDS = 50


class TraceAsked(OfModel, frozen=True, kw_only=True):
    """A page of a trace; it turns words and rounds together."""

    page: PageNumber = 0


class FileReportAsked(Asked, frozen=True, kw_only=True):
    """A model file, and which page of its merge table is wanted."""

    file: File
    page: PageNumber = 0


class FileEncodeAsked(Asked, frozen=True, kw_only=True):
    """A text to encode with a model file."""

    file: File
    text: Text
    page: Annotated[int, Meta(ge=0)] | None = None
    """Of the tokens; null means all of them at once."""


class FileCompareAsked(AtPrefix, frozen=True, kw_only=True):
    """A text under a model at a prefix, and under that of a file."""

    file: File
    text: Text


@dataclass(frozen=True, slots=True)
class CountedWord:
    """A distinct word of a corpus, as training sees it, and how often it occurs."""

    word: str
    count: int


@dataclass(frozen=True, slots=True)
class Trace:
    """What a trace file holds: what training began with, its words, and every round (`docs/trace-file.md`)."""

    min_frequency: int | None
    initial_tokens: int | None
    stop_reason: str | None
    fingerprint: str
    words: Page[CountedWord]
    rounds: Page[trace_file.Round]


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file: its name and its text, which is ASCII."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FileCheck:
    """One check of a file; `passed` is null where it was not made, `error` why it failed."""

    name: CheckName
    passed: bool | None
    error: ErrorBody | None


@dataclass(frozen=True, slots=True)
class HeldModel:
    """The model that a file holds, even if it does not hold together."""

    fingerprint: str
    is_trained: bool
    lowercase: bool
    pre_tokenizer: str
    marker: bool
    stop_reason: str | None
    alphabet: int
    vocabulary: int
    merges: Page[Merge]


@dataclass(frozen=True, slots=True)
class FileReport:
    """A report on a model file; `reused`, `repeated` and `idle` are ranks of merges (V2, T8)."""

    size_bytes: int
    is_sound: bool
    checks: tuple[FileCheck, ...]
    model: HeldModel | None
    reused: tuple[int, ...]
    repeated: tuple[int, ...]
    idle: tuple[int, ...]


async def trace(trained: Trained, asked: TraceAsked, settings: Settings) -> Trace:
    """Return a page of the trace: the words in order of code points, and every round with what it was chosen from."""
    rounds: list[trace_file.Round] = []
    for each in trace_file.rounds(trained.history):
        rounds.append(each)
        if len(rounds) % _ROUNDS == 0:
            await asyncio.sleep(0)
    words = [CountedWord(word, count) for word, count in sorted(trained.word_counts.counts.items())]
    model = trained.model
    return Trace(
        min_frequency=model.min_frequency,
        initial_tokens=model.initial_tokens,
        stop_reason=model.stop_reason,
        fingerprint=model.fingerprint,
        words=Page.of(words, asked.page, size=settings.table_rows),
        rounds=Page.of(rounds, asked.page, size=settings.table_rows),
    )


async def model_file(trained: Trained, _asked: OfModel, _: Settings) -> ModelFile:
    """Return the model as the text of a model file, which the library opens."""
    data = await beside(lambda: dumps(trained.model))
    return ModelFile(f"pairloom-{trained.model.fingerprint[:8]}-model.json", data.decode("ascii"))


async def file_report(asked: FileReportAsked, settings: Settings) -> FileReport:
    """Return what a model file holds, every check of it by name, and a page of its merges (W5)."""
    report = await _report(asked.file)
    checks = tuple(
        FileCheck(each.name, each.passed, None if each.objection is None else described(each.objection))
        for each in report.checks
    )
    held = None if report.model is None else _held(report.model, asked.page, settings)
    return FileReport(report.size_bytes, report.is_sound, checks, held, report.reused, report.repeated, report.idle)


async def file_encode(asked: FileEncodeAsked, settings: Settings) -> EncodingView:
    """Return the encoding of a text under the model of a file (W9, E3–E6, E8)."""
    model = await _model(asked.file)
    text = check_text({"text": asked.text}, settings, lowercase=model.lowercase)
    encoding = model.encode(text)
    size = settings.tokens_per_page if asked.page is not None else max(len(encoding.tokens), 1)
    page = min(asked.page or 0, len(encoding.tokens))
    return EncodingView.of(model, encoding, prefix=len(model.merges), page=page, page_tokens=size)


async def file_compare(trained: Trained, asked: FileCompareAsked, settings: Settings) -> Comparison:
    """Return a text under a model at a prefix, first, and under that of a file, second, cut where both agree."""
    prefix = trained.model.check_prefix(asked.prefix)
    model = await _model(asked.file)
    text = check_text({"text": asked.text}, settings, lowercase=trained.model.lowercase or model.lowercase)
    return Comparison.of(trained.model.encode(text, prefix), model.encode(text))


def _held(model: Model, page: int, settings: Settings) -> HeldModel:
    return HeldModel(
        fingerprint=model.fingerprint,
        is_trained=model.is_trained,
        lowercase=model.lowercase,
        pre_tokenizer=model.pre_tokenizer,
        marker=model.marker,
        stop_reason=model.stop_reason,
        alphabet=len(model.alphabet),
        vocabulary=len(model.vocabulary),
        merges=Page.of(model.merges, page, size=settings.table_rows),
    )


async def _report(file: str) -> ModelReport:
    # What is no character makes bytes that are no UTF-8: one more check that such a file fails.
    data = file.encode("utf-8", "surrogatepass")
    return await beside(lambda: report_on(data))


async def _model(file: str) -> Model:
    """Return the model of a file, even if it does not hold together. Raises: the objection, if it holds none."""
    report = await _report(file)
    if report.model is None:
        raise next(each.objection for each in report.checks if each.objection is not None)
    return report.model


OF_MODELS: tuple[Callable[..., object], ...] = (trace, model_file, file_compare)
"""Operations on a model: (trained, request, settings) → data, to be awaited."""

OF_TEXTS: tuple[Callable[..., object], ...] = (file_report, file_encode)
"""Operations without a model of their own: (request, settings) → data, to be awaited."""
