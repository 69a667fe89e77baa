"""What a training came to, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from pairloom.history import History
from pairloom.word_counts import WordCounts


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers above everything else on the workbench; counts of the corpus are weighted."""

    pre_tokens: int
    distinct_pre_tokens: int
    base_alphabet: int
    vocabulary: int
    merges: int
    initial_tokens: int
    final_tokens: int
    stop_reason: str
    fingerprint: str

    @classmethod
    def of(cls, word_counts: WordCounts, history: History) -> Summary:
        """Return the summary of a model on the corpus that it was trained on."""
        model = history.model
        return cls(
            pre_tokens=word_counts.total,
            distinct_pre_tokens=len(word_counts),
            base_alphabet=len(model.alphabet),
            vocabulary=len(model.vocabulary),
            merges=len(model.merges),
            initial_tokens=history.token_counts[0],
            final_tokens=history.token_counts[-1],
            stop_reason=model.stop_reason or "",
            fingerprint=model.fingerprint,
        )
