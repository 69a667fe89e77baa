"""The same corpus under another tool's tie rule: the first merge that differs, why, and what differs in the end."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from pairloom.checks import check_at_least
from pairloom.errors import EmptyCorpus, WorkUnfinished
from pairloom.history import History
from pairloom.kernel.tie_training import TieRule, TieRuleRun
from pairloom.merges import Merge
from pairloom.model import Model, build_model
from pairloom.views.pairs import PairOrder
from pairloom.views.ties import Choice, OtherRule
from pairloom.word_counts import WordCounts


class OtherRuleTraining:
    """A training under a tie rule, in portions, as `Trainer` is one under ours.

    Args:
        word_counts: the corpus, words in the order of their first appearance: "first seen" depends on it.
        rule: as `pairloom.educational.tie_rule` names it.
        merge_limit: at most so many merges, from 0.
        min_frequency: a pair needs this frequency, from 1.

    Raises:
        EmptyCorpus, SettingError.

    >>> from pairloom.word_counts import count_words
    >>> training = OtherRuleTraining(count_words("ba ba ab ab"), "largest_pair", 2)
    >>> training.run(), [merge.result for merge in training.model().merges]
    (True, ['▁b', '▁ba'])
    """

    def __init__(
        self, word_counts: WordCounts, rule: TieRule, merge_limit: int = 1000, *, min_frequency: int = 2
    ) -> None:
        if not word_counts.counts:
            raise EmptyCorpus
        self._word_counts = word_counts
        self._merge_limit = check_at_least("merge_limit", merge_limit, minimum=0)
        self._min_frequency = check_at_least("min_frequency", min_frequency, minimum=1)
        self._run = TieRuleRun(word_counts.counts, min_frequency=min_frequency, rule=rule)

    @property
    def is_done(self) -> bool:
        """Whether the limit is reached or no pair is left."""
        return len(self._run.learned) >= self._merge_limit or self._run.is_exhausted

    def run(self, *, max_operations: int | None = None) -> bool:
        """Do a portion of the work, about `max_operations` touched positions; return whether all is done.

        Raises:
            WorkUnfinished: an exception broke into an earlier portion.
            SettingError: `max_operations` is no whole number of at least 1.
        """
        left = inf if max_operations is None else check_at_least("max_operations", max_operations, minimum=1)
        until = self._run.operations + left
        while not self.is_done and self._run.operations < until:
            self._run.advance(max_operations=until - self._run.operations)
        return self.is_done

    def model(self) -> Model:
        """Return the model. Raises: WorkUnfinished, unless `run` has returned True.

        Its merges are those of the other rule, and so it is not what our training gives (T4).
        """
        if not self.is_done:
            raise WorkUnfinished(work="training", reason="not_done")
        word_counts = self._word_counts
        return build_model(
            tuple(sorted(set("".join(word_counts.counts)))),
            [
                (each.left, each.right, each.frequency, each.replacements, each.corpus_tokens)
                for each in self._run.learned
            ],
            lowercase=word_counts.lowercase,
            pre_tokenizer=word_counts.pre_tokenizer,
            marker=word_counts.marker,
            min_frequency=self._min_frequency,
            initial_tokens=sum(len(word) * count for word, count in word_counts.counts.items()),
            stop_reason="merge_limit" if len(self._run.learned) >= self._merge_limit else "no_pair",
        )


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first rank at which the two rules take different pairs.

    Up to here both have made the same merges, so both choose among the same pairs.

    Attributes:
        rank: from 0; so many merges are the same.
        ours, theirs: the two merges.
        choice: what was tied here, and why ours is ours.
    """

    rank: int
    ours: Merge
    theirs: Merge
    choice: Choice


@dataclass(frozen=True, slots=True)
class DifferentWord:
    """A word of the corpus that the two models split differently with all merges."""

    word: str
    count: int
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Our training beside one under another rule, same corpus, same limit.

    Attributes:
        rule: the other rule.
        first: where they part; None if they never do.
        ours_merges, theirs_merges: how many each learned.
        ours_tokens, theirs_tokens: corpus tokens of each with all merges.
        only_ours, only_theirs: merged tokens that only one has in its vocabulary, in the order of their making.
        same_rank: how many ranks have the same merge in both.
        words: those split differently in the end, most frequent first.
        other: the history under the other rule.
    """

    rule: TieRule
    first: FirstDifference | None
    ours_merges: int
    theirs_merges: int
    ours_tokens: int
    theirs_tokens: int
    only_ours: tuple[str, ...]
    only_theirs: tuple[str, ...]
    same_rank: int
    words: tuple[DifferentWord, ...]
    other: History

    @classmethod
    def of(cls, history: History, other: History | Model, rule: TieRule) -> Comparison:
        """Return the comparison of two trainings on one corpus, the second one done under `rule`.

        Args:
            history: of our training.
            other: what `OtherRuleTraining` made, or its history: who must not be away for long makes that in portions.
            rule: its rule.

        Cost: linear in the words and merges of both; for a model, that of a history.
        """
        if isinstance(other, Model):
            other = History.of(history.word_counts, other)
        ours, theirs = history.model, other.model
        same = [_pair(a) == _pair(b) for a, b in zip(ours.merges, theirs.merges, strict=False)]
        first = None
        if not all(same):
            rank = same.index(False)
            choice = Choice.of(history, rank, PairOrder.of(history, rank))
            assert choice is not None  # ours has a merge here
            first = FirstDifference(rank, ours.merges[rank], theirs.merges[rank], choice)
        return cls(
            rule=rule,
            first=first,
            ours_merges=len(ours.merges),
            theirs_merges=len(theirs.merges),
            ours_tokens=history.token_counts[-1],
            theirs_tokens=other.token_counts[-1],
            only_ours=_lacking(ours, theirs),
            only_theirs=_lacking(theirs, ours),
            same_rank=sum(same),
            words=_different_words(history, other),
            other=other,
        )


def compare_rules(history: History, rule: OtherRule) -> Comparison:
    """Return the comparison of a training with the same one under another rule, in one go.

    Cost: a training and a history; in portions: `OtherRuleTraining`, `HistoryBuilder`, `Comparison.of`.

    >>> from pairloom.trainer import train
    >>> from pairloom.word_counts import count_words
    >>> comparison = compare_rules(History.of(count_words("ba ba ab ab"), train("ba ba ab ab")), "largest_pair")
    >>> comparison.first.rank, comparison.first.ours.result, comparison.first.theirs.result, comparison.only_theirs
    (0, 'ab', '▁b', ('▁b', '▁a'))
    """
    training = training_under(history, rule)
    training.run()
    return Comparison.of(history, training.model(), rule)


def training_under(history: History, rule: TieRule) -> OtherRuleTraining:
    """Return the training to compare with: same corpus, same minimum frequency, and the limit if ours ended there."""
    model = history.model
    # Where ours ended for want of a pair, the other one is not held back: it may go on for longer. More merges than a
    # corpus has boundaries there cannot be.
    limit = len(model.merges) if model.stop_reason == "merge_limit" else sum(map(len, history.word_counts.counts))
    return OtherRuleTraining(history.word_counts, rule, limit, min_frequency=model.min_frequency or 2)


def _pair(merge: Merge) -> tuple[str, str]:
    return merge.left, merge.right


def _lacking(having: Model, other: Model) -> tuple[str, ...]:
    return tuple(merge.result for merge in having.merges if other.token_id(merge.result) is None)


def _different_words(history: History, other: History) -> tuple[DifferentWord, ...]:
    pairs = zip(history.segments(), other.segments(), strict=True)
    found = [
        DifferentWord(word, count, ours, theirs) for (word, ours, count), (_, theirs, _) in pairs if ours != theirs
    ]
    return tuple(sorted(found, key=lambda each: (-each.count, each.word)))
