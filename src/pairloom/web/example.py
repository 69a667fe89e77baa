"""The little example that stands where a model will be: three words and what merging does to them.

Computed by the library itself, so that it can show nothing untrue.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pairloom.history import History
from pairloom.merges import Merge
from pairloom.trainer import train
from pairloom.views.corpus import CorpusPage, CorpusPages
from pairloom.word_counts import count_words

TEXT = "low lower lowest slow slowest"


@dataclass(frozen=True, slots=True)
class Step:
    """The example at one prefix; `merge` is what came last, None at the start."""

    prefix: int
    merge: Merge | None
    tokens: int
    page: CorpusPage


@cache
def worked_example() -> tuple[Step, ...]:
    """Return the example at a few prefixes, from none to all merges."""
    history = History.of(count_words(TEXT), train(TEXT))
    model = history.model
    pages = CorpusPages.cut([f"▁{word}" for word in TEXT.split()], page_tokens=1000)
    return tuple(
        Step(
            prefix,
            model.merges[prefix - 1] if prefix else None,
            history.token_counts[prefix],
            pages.page(0, history, prefix),
        )
        for prefix in range(len(model.merges) + 1)
    )
