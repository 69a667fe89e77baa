"""Why a training stopped, and what it would have merged next. Rule: T3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pairloom.history import History
from pairloom.views.paging import Page
from pairloom.views.pairs import CountedPair, PairOrder

Ending = Literal["merge_limit", "merge_limit_exhausted", "no_pair", "one_token_a_word", "unknown"]


@dataclass(frozen=True, slots=True)
class StopReport:
    """The state in which a training ended.

    Attributes:
        ending: "merge_limit" (pairs that qualify were left), "merge_limit_exhausted" (the limit was reached and no pair
            was left either), "no_pair" (pairs are left, all of them too rare), "one_token_a_word" (no pair at all is
            left), "unknown" (the model was not trained here).
        merges: all that were learned.
        min_frequency: what a pair needs; None if the model was not trained here.
        qualifying: how many of the pairs left are frequent enough.
        best: a page of the pairs left, in the order in which they would be chosen (T4).
        tied: how many of them share the highest frequency.
    """

    ending: Ending
    merges: int
    min_frequency: int | None
    qualifying: int
    best: Page[CountedPair]
    tied: int

    @classmethod
    def of(cls, history: History, page: int = 0, *, size: int) -> StopReport:
        """Return why the training of a history ended, with a page of the pairs that are left.

        Args:
            history: a model on the corpus that it was trained on.
            page: of the pairs left, from 0; an index past the end gives the last one.
            size: pairs a page.

        Cost: that of the pair counts at the last prefix, and of sorting what is looked at.

        >>> from pairloom.trainer import train
        >>> from pairloom.word_counts import count_words
        >>> text = "low low lower"
        >>> report = StopReport.of(History.of(count_words(text), train(text)), size=5)
        >>> report.ending, [(pair.result, pair.frequency) for pair in report.best.rows]
        ('no_pair', [('er', 1), ('▁lowe', 1)])
        """
        model = history.model
        order = PairOrder.of(history, len(model.merges))
        qualifying = order.at_least(model.min_frequency) if model.min_frequency is not None else 0
        return cls(
            ending=_ending(model.stop_reason, qualifying=qualifying, left=order.total),
            merges=len(model.merges),
            min_frequency=model.min_frequency,
            qualifying=qualifying,
            best=order.page(page, size=size),
            tied=len(order.most_frequent()),
        )


def _ending(stop_reason: str | None, *, qualifying: int, left: int) -> Ending:
    if stop_reason == "merge_limit":
        return "merge_limit" if qualifying else "merge_limit_exhausted"
    if stop_reason == "no_pair":
        return "no_pair" if left else "one_token_a_word"
    return "unknown"
