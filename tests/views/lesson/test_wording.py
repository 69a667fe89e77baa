"""The words of questions where their number depends on the corpus."""

import pytest

from pairloom.history import History
from pairloom.trainer import train_from_word_counts
from pairloom.views.lesson.problems import tie
from pairloom.views.lesson.wording import question
from pairloom.word_counts import count_words


@pytest.mark.parametrize(
    ("corpus", "codes"),
    [
        ("ab ab cd cd", ["asked.tie"]),
        ("ab ab", ["asked.tie_of_two"]),
        ("ab ab cd cd ef ef gh gh ij ij kl kl mn mn", ["asked.tie", "asked.more_tied"]),
    ],
)
def test_how_many_pairs_are_tied_is_said_as_it_is(corpus: str, codes: list[str]) -> None:
    table = count_words(corpus)
    problem = tie(History.of(table, train_from_word_counts(table)), 0)
    assert problem is not None
    assert [sentence.code for sentence in question(problem)] == codes
