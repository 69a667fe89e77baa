"""A training seen step by step: the numbers at one prefix, and what comes next. Rules: S1–S4."""

from __future__ import annotations

from dataclasses import dataclass

from pairloom.history import History
from pairloom.merges import Merge
from pairloom.views.paging import Page
from pairloom.word_counts import WordCounts


@dataclass(frozen=True, slots=True)
class CorpusFigures:
    """What is counted before any merge. Rule: S1.

    Attributes:
        pre_tokens: how many there are in the text.
        distinct_pre_tokens: different ones among them.
        characters: different code points of the pre-tokens, the marker among them: the base alphabet (T1).
    """

    pre_tokens: int
    distinct_pre_tokens: int
    characters: int

    @classmethod
    def of(cls, word_counts: WordCounts, history: History) -> CorpusFigures:
        """Return the figures of a corpus and its training."""
        return cls(word_counts.total, len(word_counts), len(history.model.alphabet))


@dataclass(frozen=True, slots=True)
class Step:
    """A trained model after so many merges.

    Attributes:
        prefix, maximum: merges made, of all that the corpus yields.
        last: the merge that was made last, None at the start.
        upcoming: the merge that comes next, None at the end.
        base, merged: entries of the vocabulary: code points, and what was merged so far (S4).
        initial_tokens, corpus_tokens: tokens of the corpus at the start and now, weighted (T7).
    """

    prefix: int
    maximum: int
    last: Merge | None
    upcoming: Merge | None
    base: int
    merged: int
    initial_tokens: int
    corpus_tokens: int

    @classmethod
    def of(cls, history: History, prefix: int) -> Step:
        """Return the step at a prefix of a trained model. Raises: PrefixError.

        >>> from pairloom.trainer import train
        >>> from pairloom.word_counts import count_words
        >>> step = Step.of(History.of(count_words("low low"), train("low low")), 2)
        >>> step.last.result, step.upcoming.result, step.vocabulary, step.corpus_tokens, step.characters_per_token
        ('low', '▁low', 6, 4, 2.0)
        """
        merges = history.model.merges
        checked = history.model.check_prefix(prefix)
        return cls(
            prefix=checked,
            maximum=len(merges),
            last=merges[checked - 1] if checked else None,
            upcoming=merges[checked] if checked < len(merges) else None,
            base=len(history.model.alphabet),
            merged=checked,
            initial_tokens=history.token_counts[0],
            corpus_tokens=history.token_counts[checked],
        )

    @property
    def vocabulary(self) -> int:
        """Entries of the vocabulary: base and merged together (S4)."""
        return self.base + self.merged

    @property
    def characters_per_token(self) -> float:
        """Corpus tokens at the start ÷ now: 1 at the start (S4)."""
        return self.initial_tokens / self.corpus_tokens


def learned_page(history: History, prefix: int, index: int | None, *, size: int) -> Page[Merge]:
    """Return a page of the merges that were made so far, in order; None means the page of the last one. Rule: S4.

    Raises: PrefixError.
    """
    made = history.model.merges[: history.model.check_prefix(prefix)]
    return Page.of(made, len(made) if index is None else index, size=size)
