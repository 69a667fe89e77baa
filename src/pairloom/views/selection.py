"""The active prefix and the merge that it chooses: one choice for table, graph, slider and number field. Rule: W5."""

from __future__ import annotations

from dataclasses import dataclass

from pairloom.history import History
from pairloom.merges import Merge
from pairloom.views.curve import Place, place


@dataclass(frozen=True, slots=True)
class Selection:
    """A prefix of a model on a corpus.

    Attributes:
        prefix: active merges, from 0 to `maximum`.
        maximum: all merges.
        merge: the last active one (rank `prefix` − 1), None at prefix 0: the initial tokens.
        corpus_tokens: of the corpus at this prefix, weighted (T7).
        initial_tokens: of the corpus at prefix 0.
    """

    prefix: int
    maximum: int
    merge: Merge | None
    corpus_tokens: int
    initial_tokens: int

    @property
    def place(self) -> Place:
        """Where it stands in the graph. Rule: W6."""
        return place(self.prefix, self.corpus_tokens, maximum=self.maximum, top=self.initial_tokens)

    @classmethod
    def of(cls, history: History, prefix: int) -> Selection:
        """Return the selection of a prefix. Raises: PrefixError."""
        checked = history.model.check_prefix(prefix)
        merge = history.model.merges[checked - 1] if checked else None
        counts = history.token_counts
        return cls(checked, len(history.model.merges), merge, counts[checked], counts[0])
