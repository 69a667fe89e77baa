"""One training of the pages from the normalized text to everything that the pages ask of a model, in portions.

A portion is what the generator does between two yields; it is sent the number of operations that it may spend.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Generator
from dataclasses import dataclass

from pairloom.history import History, HistoryBuilder, TextHistory
from pairloom.model import Model
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.trainer import Trainer
from pairloom.views.corpus import CorpusPages
from pairloom.views.display import visible
from pairloom.web.forms import CheckedInputs, Inputs
from pairloom.word_counts import WordCounts


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training has come. `stage` is "counting", "merging" or "looking back" (building the history)."""

    stage: str
    merges: int
    merge_limit: int


class LastTexts:
    """The texts that a model was asked about last: who steps through it asks about the same one again and again."""

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._histories: OrderedDict[str, TextHistory] = OrderedDict()

    def get(self, text: str) -> TextHistory | None:
        """Return the history of a text if it was among the last."""
        return self._histories.get(text)

    def put(self, text: str, history: TextHistory) -> None:
        """Remember the history of a text in the place of the oldest."""
        self._histories[text] = history
        if len(self._histories) > self._most:
            self._histories.popitem(last=False)


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A model with all that its views need, shared by everybody who asks for the same inputs.

    Never changed, but for the texts that it was asked about, of which it remembers what it would compute again.
    """

    inputs: Inputs
    model: Model
    word_counts: WordCounts
    history: History
    corpus: CorpusPages
    texts: LastTexts

    @property
    def estimated_bytes(self) -> int:
        """What it keeps in memory, about: strings and numbers per merge, per distinct word and per code point."""
        symbols = sum(map(len, self.word_counts.counts))
        return (
            4_000
            + 900 * len(self.model.merges)
            + 300 * len(self.word_counts)
            + 60 * symbols
            + (12 * len(self.corpus.pre_tokens) + 4 * len(self.inputs.corpus))
        )


def train_in_portions(checked: CheckedInputs, *, corpus_page_tokens: int) -> Generator[Progress, int, Trained]:
    """Train, then prepare what the views need. Rules: W2 (portions; can be closed between any two)."""
    inputs = checked.inputs
    yield Progress("counting", 0, inputs.merge_limit)
    pre_tokens = pre_tokenize(checked.normalized, inputs.pre_tokenizer)
    yield Progress("counting", 0, inputs.merge_limit)
    counted = Counter(pre_tokens)
    word_counts = WordCounts(counted, lowercase=inputs.lowercase, pre_tokenizer=inputs.pre_tokenizer)
    operations = yield Progress("merging", 0, inputs.merge_limit)
    trainer = Trainer(word_counts, inputs.merge_limit)
    while not trainer.is_done:
        trainer.run(max_operations=operations)
        operations = yield Progress("merging", trainer.merge_count, inputs.merge_limit)
    model = trainer.model()
    merges = len(model.merges)
    operations = yield Progress("looking back", merges, inputs.merge_limit)
    builder = HistoryBuilder(word_counts, model)
    while not builder.run(max_operations=operations):
        operations = yield Progress("looking back", merges, inputs.merge_limit)
    # One string object a distinct word: a corpus repeats its words.
    same = {word: word for word in word_counts.counts}
    corpus = CorpusPages.cut(
        tuple(same[word] for word in pre_tokens), page_tokens=_page_tokens(word_counts, corpus_page_tokens)
    )
    return Trained(inputs, model, word_counts, builder.history(), corpus, LastTexts())


def _page_tokens(word_counts: WordCounts, most: int) -> int:
    """Return how many initial tokens a page of the corpus holds: half where much is written out, at twice the bytes."""
    written_out = {each for each in set().union(*word_counts.counts) if visible(each)[0].kind != "text"}
    if not written_out:
        return most
    total = sum(len(word) * count for word, count in word_counts.counts.items())
    found = sum(count for word, count in word_counts.counts.items() for each in word if each in written_out)
    return most // 2 if 4 * found > total else most
