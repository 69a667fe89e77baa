"""Word counts → merges → model, in one go or in portions."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from math import inf

from pairloom import kernel
from pairloom.checks import check_at_least
from pairloom.errors import EmptyCorpus, SettingError
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.portions import in_one_go
from pairloom.trained_model import trained_model_in_portions
from pairloom.word_counts import WordCounts, count_words, with_markers


def train(
    corpus: str | Iterable[str],
    merge_limit: int = 1000,
    *,
    lowercase: bool = False,
    pre_tokenizer: str = "whitespace",
    min_frequency: int = 2,
) -> Model:
    """Return the model of a corpus.

    Rules: T1–T10. The result depends on nothing but the arguments (T9).

    Args:
        corpus: one text, or an iterable of texts, each on its own; no limit of length.
        merge_limit: at most so many merges, from 0.
        lowercase: whether the model lower-cases what it sees (N1, N7).
        pre_tokenizer: "whitespace" (P1) or "punctuation" (P2).
        min_frequency: a pair needs this frequency, from 1.

    Raises:
        NotText, ForbiddenCodePoint, EmptyCorpus, SettingError.

    Cost: O(n log n) in the code points of the distinct words, also for one long word.

    >>> [(merge.result, merge.frequency, merge.replacements) for merge in train("aaaa").merges]
    [('aa', 3, 2)]
    """
    # Settings first: a long corpus should not be read for a mistyped number.
    check_at_least("merge_limit", merge_limit, minimum=0)
    check_at_least("min_frequency", min_frequency, minimum=1)
    word_counts = count_words(corpus, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    trainer = Trainer(word_counts, merge_limit, min_frequency=min_frequency)
    trainer.run()
    return trainer.model()


def train_from_word_counts(
    word_counts: WordCounts | Mapping[str, int],
    merge_limit: int = 1000,
    *,
    lowercase: bool | None = None,
    pre_tokenizer: str | None = None,
    marker: bool = True,
    min_frequency: int = 2,
) -> Model:
    """Return the model of a table of word counts.

    Rule: P3. The keys of a plain mapping are pre-tokens without marker; `marker` puts it in front of each. A
    `WordCounts` brings its own settings: what is given here beside it must agree.

    Args:
        word_counts: pre-tokens, already normalized and without whitespace, with counts of at least 1.
        merge_limit: as for `train`.
        lowercase: of the model; None is the table's own, for a plain mapping False.
        pre_tokenizer: likewise, for a plain mapping "whitespace".
        marker: see above.
        min_frequency: as for `train`.

    Raises:
        CountError, CountOverflow, EmptyCorpus, SettingError.

    >>> model = train_from_word_counts({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 3, marker=False)
    >>> [(merge.result, merge.frequency) for merge in model.merges]
    [('ug', 20), ('un', 16), ('hug', 15)]
    """
    if isinstance(word_counts, WordCounts):
        table = word_counts
        _check_agreement("lowercase", lowercase, table.lowercase)
        _check_agreement("pre_tokenizer", pre_tokenizer, table.pre_tokenizer)
        # True is the default and so may merely not have been thought of; False was meant.
        _check_agreement("marker", None if marker else marker, table.marker)
    else:
        table = with_markers(
            word_counts,
            lowercase=False if lowercase is None else lowercase,
            pre_tokenizer="whitespace" if pre_tokenizer is None else pre_tokenizer,
            marker=marker,
        )
    trainer = Trainer(table, merge_limit, min_frequency=min_frequency)
    trainer.run()
    return trainer.model()


class Trainer:
    """A training that is done step by step, or in portions, and can be left at any time.

    The one object of this package that has a state. Nothing outside it changes while it works.

    Args:
        word_counts: what `count_words` returns, or a `WordCounts` made by hand.
        merge_limit: at most so many merges, from 0.
        min_frequency: a pair needs this frequency, from 1.

    Raises:
        EmptyCorpus (T10), CorpusTooLarge (the compiled kernel), SettingError.

    >>> from pairloom.word_counts import count_words
    >>> trainer = Trainer(count_words("low low lower"), 2)
    >>> trainer.step().result, trainer.step().result, trainer.step(), trainer.stop_reason
    ('lo', 'low', None, 'merge_limit')
    """

    def __init__(self, word_counts: WordCounts, merge_limit: int = 1000, *, min_frequency: int = 2) -> None:
        if not isinstance(word_counts, WordCounts):
            raise SettingError(setting="word_counts", value=word_counts, allowed="what count_words returns")
        self.merge_limit = check_at_least("merge_limit", merge_limit, minimum=0)
        self.min_frequency = check_at_least("min_frequency", min_frequency, minimum=1)
        if not word_counts:
            raise EmptyCorpus
        self.word_counts = word_counts
        self._run = kernel.TrainingRun(
            word_counts.counts, min_frequency=self.min_frequency, expected_merges=self.merge_limit
        )
        self.alphabet = self._run.alphabet
        self.initial_tokens = self._run.initial_tokens
        self._measured = 0
        self._result_code_points = 0

    @property
    def merge_count(self) -> int:
        """The number of merges learned so far."""
        return self._run.learned_count

    @property
    def stop_reason(self) -> str | None:
        """Why training is over, "merge_limit" or "no_pair", or None while it is not. Rule: T3."""
        if self.merge_count >= self.merge_limit:
            return "merge_limit"
        return "no_pair" if self._run.is_exhausted else None

    @property
    def is_done(self) -> bool:
        """Whether no further merge will be learned."""
        return self.stop_reason is not None

    @property
    def operations(self) -> int:
        """The work done so far, in touched positions, pairs and heap entries: a measure that no clock disturbs."""
        return self._run.operations

    @property
    def result_code_points(self) -> int:
        """Code points of all results so far: what the vocabulary will hold beside the base alphabet.

        A word of n code points that holds one half twice can make n² / 8 of them: whoever has little memory may want
        to leave such a training.
        """
        self._result_code_points += sum(len(learned.result) for learned in self._run.learned[self._measured :])
        self._measured = len(self._run.learned)
        return self._result_code_points

    def step(self) -> Merge | None:
        """Learn one merge and return it, or return None when training is over."""
        if not self.run(1):
            return None
        rank = self.merge_count - 1
        learned = self._run.learned[rank]
        # Training never makes a string twice (T8), so IDs simply continue behind the alphabet.
        return Merge(rank, *learned, id=len(self.alphabet) + rank, is_new=True)

    def run(self, max_merges: int | None = None, *, max_operations: int | None = None) -> int:
        """Do a portion of the work and return how many merges it learned.

        The portion ends at `max_merges` merges, after about `max_operations` operations (each a fraction of a
        microsecond to a few), or with training itself; None is no bound. The first portions may learn nothing: the
        first counts are work, too.

        Raises:
            WorkUnfinished: an exception (Ctrl-C, no memory) broke into an earlier portion. `model` still gives what was
                learned before.
            SettingError: a bound that is no whole number, of at least 0 merges or 1 operation.
        """
        before = self.merge_count
        limit = self.merge_limit
        stop_at: float = inf
        if max_merges is not None:
            limit = min(limit, before + check_at_least("max_merges", max_merges, minimum=0))
        if max_operations is not None:
            stop_at = self.operations + check_at_least("max_operations", max_operations, minimum=1)
        while self.merge_count < limit and self.operations < stop_at and not self._run.is_exhausted:
            self._run.advance(max_operations=stop_at - self.operations, max_merges=limit - self.merge_count)
        return self.merge_count - before

    def model(self) -> Model:
        """Return the model of the merges learned so far; its `stop_reason` is None if training was not over."""
        return in_one_go(self.model_in_portions())

    def model_in_portions(self) -> Generator[None, None, Model]:
        """Yield now and then; return what `model` returns. No portion may be trained in between."""
        return trained_model_in_portions(
            self.alphabet,
            self._run.learned,
            lowercase=self.word_counts.lowercase,
            pre_tokenizer=self.word_counts.pre_tokenizer,
            marker=self.word_counts.marker,
            min_frequency=self.min_frequency,
            initial_tokens=self.initial_tokens,
            stop_reason=self.stop_reason,
            left_out=self.word_counts.left_out,
        )


def _check_agreement(setting: str, given: object, own: object) -> None:
    """Raise SettingError where a setting given beside a `WordCounts` is not the table's own; None agrees."""
    if given is not None and given != own:
        raise SettingError(setting=setting, value=given, allowed=f"{own!r}, as the word counts have it, or nothing")
