"""The explanation of a word is its encoding: same steps, same tokens, at every prefix. Rule: E2."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pairloom.educational import encode_word
from pairloom.model import Model
from pairloom.views.explanation import WordExplanation, explain_text
from tests.support.strategies import Imported, imported_lists, words_over


@given(imported_lists(), st.data())
def test_each_step_takes_the_lowest_rank_and_the_leftmost(drawn: Imported, data: st.DataObject) -> None:
    model = Model.from_merges(drawn.alphabet, drawn.merges, marker=False)
    word = data.draw(words_over(drawn.alphabet))
    prefix = data.draw(st.integers(0, len(drawn.merges)))
    explained = WordExplanation.of(model, word, prefix)
    ranks = {pair: drawn.merges.index(pair) for pair in drawn.merges[:prefix]}
    assert list(explained.tokens) == encode_word(word, ranks)
    for step in explained.steps:
        best = min(step.candidates, key=lambda pair: (pair.rank, pair.place))
        assert step.chosen == best
        assert "".join(step.symbols) == word
        assert step.is_tied == ([pair.rank for pair in step.candidates].count(best.rank) > 1)
    assert explained.ids == tuple(map(model.token_id, explained.tokens))


def test_a_text_gives_its_words() -> None:
    model = Model.from_merges("ab▁", [("▁", "a")], lowercase=True)
    assert [(each.word, each.tokens) for each in explain_text(model, " A  ab\n")] == [
        ("▁a", ("▁a",)),
        ("▁ab", ("▁a", "b")),
    ]
    assert explain_text(model, "") == ()
