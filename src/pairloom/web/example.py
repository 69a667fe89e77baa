"""Little examples, step by step: the one that stands where a model will be, and that of the Method page.

Computed by the library itself, so that it can show nothing untrue.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pairloom.history import History
from pairloom.merges import Merge
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize
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
    """Return the example at every prefix, from none to all merges."""
    return steps(TEXT, History.of(count_words(TEXT), train(TEXT)))


def steps(text: str, history: History) -> tuple[Step, ...]:
    """Return a short text at every prefix of the model that was trained on it."""
    model = history.model
    pages = CorpusPages.cut(pre_tokenize(normalize(text), model.pre_tokenizer), page_tokens=1000)
    return tuple(
        Step(
            prefix,
            model.merges[prefix - 1] if prefix else None,
            history.token_counts[prefix],
            pages.page(0, history, prefix),
        )
        for prefix in range(len(model.merges) + 1)
    )
