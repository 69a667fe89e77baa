"""One corpus under the tie rules of two tools: where they part, why, and what it changes in the end."""

from __future__ import annotations

from pairloom.history import History
from pairloom.kernel.tie_training import TieRule
from pairloom.views.other_rule import Comparison, OtherRuleTraining
from pairloom.word_counts import WordCounts


def difference_of_rules(
    word_counts: WordCounts, left: TieRule, right: TieRule, *, merge_limit: int = 1000, min_frequency: int = 2
) -> Comparison:
    """Return the comparison of two trainings that differ in nothing but what decides ties.

    In a `Comparison`, "ours" is then the training under `left`, "theirs" that under `right`.

    Args:
        word_counts: the corpus, words in the order of their first appearance: "first_seen" depends on it.
        left, right: rules, as `pairloom.educational.tie_rule` names them.
        merge_limit, min_frequency: of both.

    Raises:
        EmptyCorpus, SettingError.

    Cost: two trainings and two histories.

    >>> from pairloom.word_counts import count_words
    >>> found = difference_of_rules(count_words("ab ab cd cd"), "first_seen", "smallest_ids")
    >>> found.first.rank, found.first.ours.result, found.first.theirs.result
    (0, '▁a', 'ab')
    """
    one, other = (_history(word_counts, rule, merge_limit, min_frequency) for rule in (left, right))
    return Comparison.of(one, other, right)


def _history(word_counts: WordCounts, rule: TieRule, merge_limit: int, min_frequency: int) -> History:
    training = OtherRuleTraining(word_counts, rule, merge_limit, min_frequency=min_frequency)
    training.run()
    return History.of(word_counts, training.model())
