"""One training of the pages from the normalized text to everything that the pages ask of a model, in portions.

A portion is what the generator does between two yields; it is sent the number of operations that it may spend.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

from pairloom.errors import PairloomError, mark_message
from pairloom.history import History, HistoryBuilder, TextHistory
from pairloom.model import Model
from pairloom.pre_tokenizer import pre_tokenize_in_portions
from pairloom.trainer import Trainer
from pairloom.views.corpus import CorpusPages
from pairloom.views.display import visible
from pairloom.web.forms import CheckedInputs, FieldErrors, Inputs
from pairloom.web.settings import Settings
from pairloom.word_counts import WordCounts, trusted_word_counts

Value = TypeVar("Value")


class VocabularyTooLarge(PairloomError, ValueError):
    """A training whose tokens would together be longer than the pages hold. Rule: L2: nothing of it is shown.

    A legal corpus of 40,000 code points, one stretch without a space and the same once more, has a vocabulary of 200
    million code points.
    """

    code = "model.vocabulary_too_large"
    template = mark_message(
        "after {merges} merges the tokens of this text have more than {limit} code points together: a long stretch "
        "without a space stands in it more than once; shorten it, put spaces into it, or learn fewer merges"
    )
    attributes = ("limit", "merges")

    def __init__(self, *, limit: int, merges: int) -> None:
        super().__init__()
        self.limit = limit
        self.merges = merges


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training has come. `stage` is "counting", "merging" or "looking back" (building the history)."""

    stage: str
    merges: int
    merge_limit: int


class LastTexts:
    """The texts that a model was asked about last: who steps through it asks about the same one again and again.

    Some who ask do so from beside the event loop.
    """

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._lock = Lock()
        self._histories: OrderedDict[str, TextHistory] = OrderedDict()

    def get(self, text: str) -> TextHistory | None:
        """Return the history of a text if it was among the last."""
        return self._histories.get(text)

    def put(self, text: str, history: TextHistory) -> None:
        """Remember the history of a text in the place of the oldest."""
        with self._lock:
            self._histories[text] = history
            if len(self._histories) > self._most:
                self._histories.popitem(last=False)

    @property
    def estimated_bytes(self) -> int:
        """What it keeps in memory, about."""
        with self._lock:
            return sum(4 * len(text) + history.estimated_bytes for text, history in self._histories.items())


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
    own_bytes: int

    @property
    def estimated_bytes(self) -> int:
        """What it keeps in memory, about; the texts are counted anew, since they come later."""
        return self.own_bytes + self.texts.estimated_bytes


def own_bytes(inputs: Inputs, model: Model, history: History, corpus: CorpusPages) -> int:
    """Return what a training keeps in memory, about: a test holds it against what is measured.

    Cost: linear in the merges and the distinct words.
    """
    return (
        2_000
        + 300 * len(model.merges)
        + 260 * len(model.vocabulary)
        + 4 * sum(map(len, model.vocabulary))
        + 330 * len(history.word_counts)
        + 16 * len(corpus.pre_tokens)
        + 4 * len(inputs.corpus)
        + history.estimated_bytes
    )


def train_in_portions(checked: CheckedInputs, settings: Settings) -> Generator[Progress, None, Trained]:
    """Train, then prepare what the views need. Rules: W2 (portions; can be closed between any two).

    Raises:
        FieldErrors: the vocabulary would be too large.
    """
    inputs, portion = checked.inputs, settings.portion_operations
    counting = Progress("counting", 0, inputs.merge_limit)
    yield counting
    pre_tokens: list[str] = []
    parts = pre_tokenize_in_portions(checked.normalized, inputs.pre_tokenizer, max_code_points=2 * portion)
    for part in parts:
        pre_tokens += part
        yield counting
    counts = Counter(pre_tokens)
    yield counting
    # One string object a distinct word: a corpus repeats its words.
    same = {word: word for word in counts}
    pre_tokens = [same[word] for word in pre_tokens]
    yield counting
    word_counts = trusted_word_counts(counts, lowercase=inputs.lowercase, pre_tokenizer=inputs.pre_tokenizer)
    trainer = Trainer(word_counts, inputs.merge_limit)
    yield Progress("merging", 0, inputs.merge_limit)
    while not trainer.is_done:
        trainer.run(max_operations=portion)
        _check_vocabulary(trainer, settings)
        yield Progress("merging", trainer.merge_count, inputs.merge_limit)
    looking_back = Progress("looking back", trainer.merge_count, inputs.merge_limit)
    model = yield from _each(trainer.model_in_portions(), looking_back)
    yield from _each(model.fingerprint_in_portions(), looking_back)
    builder = HistoryBuilder(word_counts, model)
    yield looking_back
    while not builder.run(max_operations=portion):
        yield looking_back
    yield looking_back
    history = builder.history()
    yield looking_back
    page_tokens = yield from _each(_page_tokens(word_counts, trainer.alphabet, settings), looking_back)
    corpus = CorpusPages.cut(pre_tokens, page_tokens=page_tokens)
    yield looking_back
    size = own_bytes(inputs, model, history, corpus)
    return Trained(inputs, model, word_counts, history, corpus, LastTexts(), size)


def _each(work: Generator[None, None, Value], progress: Progress) -> Generator[Progress, None, Value]:
    """Yield the same progress at each turn of some work; return what it comes to."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: Value = end.value
            return value
        yield progress


def _check_vocabulary(trainer: Trainer, settings: Settings) -> None:
    if trainer.result_code_points > settings.vocabulary_max_code_points:
        error = VocabularyTooLarge(limit=settings.vocabulary_max_code_points, merges=trainer.merge_count)
        raise FieldErrors({"corpus": error})


def _page_tokens(word_counts: WordCounts, alphabet: Sequence[str], settings: Settings) -> Generator[None, None, int]:
    """Return how many initial tokens a page of the corpus holds: half where much is written out, at twice the bytes."""
    written_out: set[str] = set()
    for start in range(0, len(alphabet), settings.portion_operations):
        part = alphabet[start : start + settings.portion_operations]
        written_out.update(each for each in part if visible(each)[0].kind != "text")
        yield
    if not written_out:
        return settings.corpus_page_tokens
    total = sum(len(word) * count for word, count in word_counts.counts.items())
    found = sum(count for word, count in word_counts.counts.items() for each in word if each in written_out)
    return settings.corpus_page_tokens // 2 if 4 * found > total else settings.corpus_page_tokens
