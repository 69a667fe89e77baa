"""The prefix curve: corpus tokens after so many merges, drawn by itself or with the plotting library that is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from itertools import chain
from typing import Any

from pairloom.errors import ModelError
from pairloom.history import History
from pairloom.model import Model
from pairloom.notebook.displays import Bundle, bundle
from pairloom.notebook.markup import told, whole
from pairloom.notebook.tables import Table
from pairloom.views.curve import place, round_numbers, thinned

LABELS = ("merges", "corpus tokens")
"""What the axes count: tokens of the corpus, repeated words every time. Not bytes, and no compression ratio (W6)."""

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 560, 220, 64, 12, 44


@dataclass(frozen=True, slots=True)
class Curve:
    """Corpus tokens at every prefix from 0 to all merges. A notebook draws it without any library.

    Attributes:
        token_counts: one number a prefix, exact.
        name: what a plot calls it.
    """

    token_counts: Sequence[int]
    name: str

    def table(self) -> Table:
        """Return `prefix` and `corpus_tokens`, a row a prefix, for a data frame or any other plot."""
        return Table({"prefix": range(len(self.token_counts)), "corpus_tokens": self.token_counts})

    def matplotlib(self, axes: Any = None) -> Any:
        """Return matplotlib's axes with the curve on them: on those given, or on new ones.

        Raises:
            ModuleNotFoundError: matplotlib is not installed.
        """
        if axes is None:
            _, axes = _library("matplotlib.pyplot").subplots()
        axes.plot(range(len(self.token_counts)), self.token_counts, label=self.name)
        axes.set_xlabel(LABELS[0])
        axes.set_ylabel(LABELS[1])
        axes.set_ylim(bottom=0)
        axes.legend()
        return axes

    def altair(self) -> Any:
        """Return an Altair chart of the curve; charts are laid over each other with `+`.

        Altair refuses tables of more than 5,000 rows, so the line goes through the places of `thinned`, exact values.

        Raises:
            ModuleNotFoundError: altair is not installed.
        """
        library = _library("altair")
        rows = [{"prefix": at, "corpus_tokens": self.token_counts[at], "name": self.name} for at in self._places()]
        return (
            library.Chart(library.Data(values=rows))
            .mark_line()
            .encode(
                x=library.X("prefix:Q", title=LABELS[0]),
                y=library.Y("corpus_tokens:Q", title=LABELS[1], scale=library.Scale(zero=True)),
                color=library.Color("name:N", title=None),
            )
        )

    def plotly(self, figure: Any = None) -> Any:
        """Return a Plotly figure with the curve: the one given, or a new one.

        Raises:
            ModuleNotFoundError: plotly is not installed.
        """
        if figure is None:
            figure = _library("plotly.graph_objects").Figure()
        figure.add_scatter(x=list(range(len(self.token_counts))), y=list(self.token_counts), name=self.name)
        figure.update_layout(xaxis_title=LABELS[0], yaxis_title=LABELS[1], yaxis_rangemode="tozero")
        return figure

    def _places(self) -> list[int]:
        return thinned(self.token_counts)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:  # noqa: ARG002  # the protocol's
        last = len(self.token_counts) - 1
        some = sorted({last * part // 8 for part in range(9)})
        values = ", ".join(f"{at:,}: {self.token_counts[at]:,}" for at in some)
        words = f"{told(self.name)}: corpus tokens after so many merges of {last:,}: {values}"
        return bundle(whole(self._svg(words)), words)

    def _svg(self, words: str) -> str:
        """The curve as a picture with axes; its words are read where it is not seen."""
        last, top = len(self.token_counts) - 1, self.token_counts[0]

        def at(prefix: int, count: int) -> tuple[float, float]:
            found = place(prefix, count, maximum=last, top=top)
            height = _HEIGHT - _TOP - _BOTTOM
            return _LEFT + found.x / 100 * (_WIDTH - _LEFT - 16), _TOP + found.y / 100 * height

        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(each, self.token_counts[each]) for each in self._places()))
        ticks = chain(
            (_tick(_LEFT - 6, at(0, count)[1] + 4, f"{count:,}", anchor="end") for count in round_numbers(top)),
            (_tick(at(each, 0)[0], at(0, 0)[1] + 16, f"{each:,}", anchor="middle") for each in round_numbers(last)),
        )
        grid = "".join(
            f'<line x1="{_LEFT}" x2="{_WIDTH - 16}" y1="{at(0, count)[1]:.1f}" y2="{at(0, count)[1]:.1f}" '
            'stroke="currentColor" stroke-opacity="0.2"/>'
            for count in round_numbers(top)
        )
        names = _tick(_LEFT, _HEIGHT - 8, f"{told(self.name)}: {LABELS[1]} after so many {LABELS[0]}", anchor="start")
        return (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" style="max-width:100%" '
            f'font-family="sans-serif" font-size="11" fill="currentColor"><title>{escape(words)}</title>{grid}'
            f'{"".join(ticks)}{names}<polyline points="{line}" fill="none" stroke="#0f7c86" stroke-width="2"/></svg>'
        )


def _tick(x: float, y: float, words: str, *, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _library(name: str) -> Any:
    """Load a plotting library that may be missing; the error says what else there is."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        known = name.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != known:
            raise
        words = f"{known} is not installed: pip install {known}, or let the notebook draw the curve itself"
        raise ModuleNotFoundError(words, name=known) from None


def curve(source: Model | History, name: str = "corpus") -> Curve:
    """Return the curve of a trained model, or of a history.

    Args:
        source: a model that was trained; of an imported one, its `History` on some word counts.
        name: what a plot calls it.

    Raises:
        ModelError: an imported model, which has no numbers of training.

    >>> from pairloom import train
    >>> curve(train("low low lower")).token_counts
    (14, 11, 8, 5)
    """
    if isinstance(source, History):
        return Curve(source.token_counts, name)
    counts = [source.initial_tokens, *(merge.corpus_tokens for merge in source.merges)]
    known = tuple(count for count in counts if count is not None)
    if len(known) < len(counts):
        reason = "an imported model has no numbers of training: give History.of(word_counts, model) instead"
        raise ModelError(reason=reason)
    return Curve(known, name)
