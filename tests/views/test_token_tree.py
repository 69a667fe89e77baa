"""The tree of every token of a trained model spells the token. Rules: T6, V1."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom import educational
from pairloom.errors import PrefixError, UnknownTokenId
from pairloom.history import History
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.views.token_tree import TokenOrigin, TokenTree, code_points, pieces_of
from pairloom.word_counts import count_words
from tests.support.strategies import Imported, Training, imported_lists, trainings


@given(training=trainings())
def test_every_tree_spells_its_token_by_merges_of_lower_rank(training: Training) -> None:
    model = train(training.corpus, 40_000, pre_tokenizer=training.pre_tokenizer)
    for token_id, token in enumerate(model.vocabulary):
        tree = TokenTree.of(model, token_id)
        assert tree.spelled() == token
        assert tree.folded == 0
        assert len(tree.nodes) == 2 * len(token) - 1
        for node in tree.nodes:
            assert model.vocabulary[node.id] == node.token
            if node.left is None or node.right is None:
                assert node.rank is None
                assert len(node.token) == 1
                continue
            assert node.rank is not None
            merge = model.merges[node.rank]
            left, right = tree.nodes[node.left], tree.nodes[node.right]
            assert (left.token, right.token, node.token) == (merge.left, merge.right, merge.result)
            assert all(part.rank is None or part.rank < node.rank for part in (left, right))


@given(training=trainings(), most=st.integers(1, 9))
def test_a_tree_is_folded_and_still_spells(training: Training, most: int) -> None:
    model = train(training.corpus, 40_000)
    for token_id, token in enumerate(model.vocabulary):
        tree = TokenTree.of(model, token_id, max_nodes=most)
        assert tree.spelled() == token
        assert len(tree.nodes) <= most
        assert (tree.folded == 0) == (2 * len(token) - 1 <= most)


@given(imported=imported_lists())
def test_a_tree_of_a_list_has_the_merges_that_act(imported: Imported) -> None:
    """What the literal encoder does with a token alone are the merges of its tree, each as often."""
    model = Model.from_merges(imported.alphabet, imported.merges, marker=False)
    pairs = [(merge.left, merge.right) for merge in model.merges]
    ranks = {pair: pairs.index(pair) for pair in pairs}
    for token_id, token in enumerate(model.vocabulary):
        tree = TokenTree.of(model, token_id)
        assert tree.spelled() == token
        assert pieces_of(model, token) == tuple(educational.encode_word(token, ranks))
        if pieces_of(model, token) == (token,):
            made = [node for node in tree.nodes if node.left is not None and node.right is not None]
            assert Counter(node.rank for node in made) == Counter(
                rank for _, rank in model.merge_table.merge(token, prefix=len(pairs)).steps
            )


def test_of_several_ways_to_make_a_token_the_one_that_acts() -> None:
    listed = [("a", "b"), ("b", "c"), ("a", "bc"), ("ab", "c")]
    model = Model.from_merges("abc", listed, marker=False)
    assert [node.token for node in TokenTree.of(model, 5).nodes[:3]] == ["abc", "ab", "c"]
    assert TokenTree.of(model, 5).nodes[0].rank == 3
    never = Model.from_merges("abc", listed[:3], marker=False)
    assert (TokenTree.of(never, 5).nodes[0].rank, pieces_of(never, "abc")) == (2, ("ab", "c"))


def test_a_deep_tree() -> None:
    """Every merge of two long words alike adds one letter: a tree as deep as the word is long."""
    word = "".join(map(chr, range(0x4E00, 0x4E00 + 3_000)))
    model = train(f"{word} {word}", 40_000)
    tree = TokenTree.of(model, len(model.vocabulary) - 1)
    assert tree.spelled() == f"▁{word}"


@given(training=trainings(), data=st.data())
def test_places_are_those_of_the_corpus(training: Training, data: st.DataObject) -> None:
    """Rule: S5."""
    model = train(training.corpus, 40_000)
    history = History.of(count_words(training.corpus), model)
    prefix = data.draw(st.integers(0, len(model.merges)))
    corpus = [token for text in training.corpus for token in model.encode(text, prefix).tokens]
    for token_id, token in enumerate(model.vocabulary):
        origin = TokenOrigin.of(history, prefix, token_id, max_nodes=9, max_code_points=5)
        assert origin.places == corpus.count(token)
        assert origin.is_active == (origin.rank is None or origin.rank < prefix)
        assert "".join(each.text for each in origin.code_points.rows) == token[:5]


def test_names_of_code_points() -> None:
    page = code_points("a\x00\U0001f9f5", 0, size=9)
    assert [(each.notation, each.name) for each in page.rows] == [
        ("U+0061", "LATIN SMALL LETTER A"),
        ("U+0000", None),
        ("U+1F9F5", "SPOOL OF THREAD"),
    ]


def test_no_such_token_or_prefix() -> None:
    history = History.of(count_words("low low"), train("low low"))
    for wrong in (-1, 99):
        with pytest.raises(UnknownTokenId):
            TokenTree.of(history.model, wrong)
    with pytest.raises(PrefixError):
        TokenOrigin.of(history, 99, 0, max_nodes=9, max_code_points=9)
