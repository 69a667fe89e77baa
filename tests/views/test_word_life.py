"""A word's life is that of the plain algorithm at every prefix."""

import pytest
from hypothesis import given

from pairloom import educational
from pairloom.history import History
from pairloom.model import Model
from pairloom.trainer import train, train_from_word_counts
from pairloom.views.word_life import WordLife
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import Imported, imported_lists, tables


def lives(counts: dict[str, int], merges: list[tuple[str, str]]) -> dict[str, list[tuple[str, ...]]]:
    """Per word its tokens at every prefix, encoded anew with the plain algorithm."""
    return {
        word: [
            tuple(educational.encode_word(word, {pair: merges.index(pair) for pair in merges[:prefix]}))
            for prefix in range(len(merges) + 1)
        ]
        for word in counts
    }


def check_lives(counts: dict[str, int], model: Model) -> None:
    history = History.of(WordCounts(counts, marker=False), model)
    merges = [(merge.left, merge.right) for merge in model.merges]
    at_every_prefix = lives(counts, merges)
    final = [token for word, count in counts.items() for token in at_every_prefix[word][-1] * count]
    for word, count in counts.items():
        life = WordLife.of(history, word)
        stages = at_every_prefix[word]
        assert (life.word, life.count) == (word, count)
        changed = [prefix for prefix in range(1, len(stages)) if stages[prefix] != stages[prefix - 1]]
        assert list(life.prefixes) == [0, *changed]
        changes = life.all_changes()
        assert [(change.prefix, change.tokens) for change in changes] == [(at, stages[at]) for at in [0, *changed]]
        assert [change.merge and change.merge.rank for change in changes] == [None, *(at - 1 for at in changed)]
        whole = [prefix for prefix, tokens in enumerate(stages) if len(tokens) == 1]
        assert life.whole_at == (whole[0] if whole else None)
        had: dict[str, list[int]] = {}
        for prefix, tokens in enumerate(stages):
            for token in set(tokens):
                if len(token) > 1:
                    had.setdefault(token, []).append(prefix)
        gone = {token: prefixes for token, prefixes in had.items() if token not in stages[-1]}
        pieces = life.left_behind()
        assert {piece.token: (piece.first, piece.last) for piece in pieces} == {
            token: (prefixes[0], prefixes[-1]) for token, prefixes in gone.items()
        }
        assert [piece.first for piece in pieces] == sorted(piece.first for piece in pieces)
        for piece in pieces:
            assert piece.id == model.token_id(piece.token)
            assert piece.corpus_count == final.count(piece.token)


@given(counts=tables(max_count=3))
def test_words_of_a_training(counts: dict[str, int]) -> None:
    check_lives(counts, train_from_word_counts(counts, 10**6, marker=False))


@given(imported=imported_lists())
def test_words_of_an_imported_list(imported: Imported) -> None:
    letters = "".join(imported.alphabet)
    counts = {letters[0] * 7: 2, letters * 3: 1, letters[-1]: 1, letters[::-1] + letters: 3}
    check_lives(counts, Model.from_merges(imported.alphabet, imported.merges, marker=False))


def test_pages_of_changes() -> None:
    text = "newest newest lowest low low lower"
    life = WordLife.of(History.of(count_words(text), train(text)), "▁newest")
    whole = life.all_changes()
    paged = [change for index in range(4) for change in life.changes(index, size=2).rows]
    assert paged[: len(whole)] == list(whole)
    assert life.changes(99, size=2).rows == whole[-len(life.changes(99, size=2).rows) :]
    assert life.changes(0, size=2).total == len(whole)


def test_a_word_that_is_not_there() -> None:
    history = History.of(count_words("ab"), train("ab"))
    with pytest.raises(KeyError):
        WordLife.of(history, "▁cd")


def test_one_long_word_is_no_long_wait() -> None:
    """Forty thousand equal symbols: a handful of stages, each found without replaying."""
    text = "a" * 40_000
    life = WordLife.of(History.of(count_words(text), train(text)), f"▁{text}")
    assert len(life.prefixes) < 30
    assert all(piece.corpus_count == 0 for piece in life.left_behind())
