"""Look-alikes in the vocabulary and the corpus, each with the closest likeness that holds. Rule: N6."""

import pytest
from hypothesis import given

from pairloom.history import History
from pairloom.trainer import train
from pairloom.views.look_alikes import MAX_CODE_POINTS, look_alikes
from pairloom.word_counts import count_words
from tests.support.strategies import Training, trainings


def found(token: str, corpus: str, limit: int = 0) -> list[tuple[str, str, bool]]:
    alike = look_alikes(token, History.of(count_words(corpus), train(corpus, limit)))
    assert alike is not None
    return [(each.token, each.likeness, each.id is not None) for each in alike]


@pytest.mark.parametrize(
    ("token", "corpus", "other", "likeness"),
    [
        ("a", "a \u0430", "\u0430", "script"),  # Cyrillic
        ("\u0410", "A \u0410 \u0391", "A", "script"),
        ("\u00e9", "\u00e9 e", "e", "marks"),
        ("K", "K \u212a", "\u212a", "canonical"),  # KELVIN SIGN
        ("f", "f \uff46", "\uff46", "compatible"),
        ("a", "a A", "A", "case"),
        ("ß", "ß ẞ", "ẞ", "case"),
    ],
)
def test_single_code_points(token: str, corpus: str, other: str, likeness: str) -> None:
    assert (other, likeness, True) in found(token, corpus)
    back = found(other, corpus)
    assert (token, likeness, True) in back


def test_composed_and_decomposed_across_entries() -> None:
    corpus = "caf\u00e9 cafe\u0301 cafe\u0301"
    assert found("\u00e9", corpus)[0] == ("e\u0301", "canonical", False)
    # As soon as the two have become one token it is an entry.
    assert ("e\u0301", "canonical", True) in found("\u00e9", corpus, 40)
    assert found("e\u0301", corpus)[0] == ("\u00e9", "canonical", True)


def test_what_cannot_be_seen() -> None:
    assert found("▁ab", "ab a\u200bb a\u200bb a\u200bb ab", 40)[0] == ("▁a\u200bb", "invisible", True)


def test_places_of_what_is_no_entry_are_weighted() -> None:
    corpus = "\u00e9 xe\u0301x xe\u0301xe\u0301"
    alike = look_alikes("\u00e9", History.of(count_words(corpus), train(corpus, 0)))
    assert alike
    assert (alike[0].token, alike[0].places) == ("e\u0301", 3)


def test_a_long_token_is_not_looked_for() -> None:
    corpus = "a" * (MAX_CODE_POINTS + 1)
    history = History.of(count_words(corpus), train(corpus, 0))
    assert look_alikes(corpus, history) is None
    assert look_alikes(corpus[1:], history) is not None


@given(training=trainings())
def test_likeness_goes_both_ways(training: Training) -> None:
    model = train(training.corpus, 40)
    history = History.of(count_words(training.corpus), model)
    alike = {
        token: {each.token: each.likeness for each in look_alikes(token, history) or () if each.id is not None}
        for token in model.vocabulary
    }
    for token, others in alike.items():
        assert token not in others
        assert all(alike[other].get(token) == likeness for other, likeness in others.items() if len(other) <= 32)
