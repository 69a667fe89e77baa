"""The tie explanation is what the plain algorithm does, under every rule. Rules: T4, S3."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom import educational
from pairloom.history import History
from pairloom.trainer import train, train_from_word_counts
from pairloom.views.pairs import CountedPair, PairOrder
from pairloom.views.ties import OTHER_RULES, Choice
from pairloom.word_counts import count_words
from tests.support.strategies import Training, tables, trainings

Pair = tuple[str, str]


def pair_of(counted: CountedPair) -> Pair:
    return counted.left, counted.right


def corpus_at(counts: dict[str, int], merges: list[Pair]) -> list[tuple[list[str], int]]:
    """The corpus after these merges, by the plain algorithm."""
    corpus = [(list(word), count) for word, count in counts.items()]
    for left, right in merges:
        corpus = [(educational.merge(symbols, left, right), count) for symbols, count in corpus]
    return corpus


def taken_by(rule: str, counts: dict[str, int], merges: list[Pair], tied: list[Pair]) -> Pair:
    """What the oracle takes after these merges; choosing among one makes it follow ours up to here."""
    choose = educational.tie_rule(rule, counts)
    for pair in merges:
        choose([pair])
    return choose(tied)


def check_every_choice(history: History, counts: dict[str, int]) -> None:
    merges = [(merge.left, merge.right) for merge in history.model.merges]
    for prefix in range(len(merges) + 1):
        order = PairOrder.of(history, prefix)
        choice = Choice.of(history, prefix, order, most_tied=10**6)
        frequencies = educational.count_pairs(corpus_at(counts, merges[:prefix]))
        if prefix == len(merges):
            assert choice is None
            assert max(frequencies.values(), default=0) < 2
            continue
        assert choice is not None
        highest = max(frequencies.values())
        met = [pair for pair in frequencies if frequencies[pair] == highest]
        assert pair_of(choice.chosen) == merges[prefix]
        assert [pair_of(each) for each in choice.tied] == sorted(met)
        assert choice.tied_count == len(met)
        assert {each.frequency for each in choice.tied} == {highest}
        assert [each.rule for each in choice.others] == list(OTHER_RULES)
        for other in choice.others:
            assert pair_of(other.pair) == taken_by(other.rule, counts, merges[:prefix], met), other.rule
            assert other.is_ours == (pair_of(other.pair) == merges[prefix])
        ordered = sorted(frequencies.items(), key=lambda item: (-item[1], item[0]))
        runner_up = choice.runner_up
        assert (runner_up and (pair_of(runner_up), runner_up.frequency)) == (ordered[1] if len(ordered) > 1 else None)
        check_what_decided(choice, runner_up)


def check_what_decided(choice: Choice, runner_up: CountedPair | None) -> None:
    if len(choice.tied) == 1:
        assert (choice.decided_by, choice.difference) == ("frequency", None)
        return
    assert runner_up is not None
    assert choice.difference is not None
    ours, theirs = pair_of(choice.chosen), pair_of(runner_up)
    side = 0 if ours[0] != theirs[0] else 1
    assert choice.decided_by == ("left", "right")[side]
    place = choice.difference.place
    assert ours[side][:place] == theirs[side][:place]
    assert (ours[side][place : place + 1] or None) == choice.difference.smaller
    assert theirs[side][place] == choice.difference.larger
    assert (choice.difference.smaller or "") < choice.difference.larger


@given(training=trainings())
def test_every_choice_of_a_training_is_the_oracles(training: Training) -> None:
    settings = {"lowercase": training.lowercase, "pre_tokenizer": training.pre_tokenizer}
    word_counts = count_words(training.corpus, **settings)  # type: ignore[arg-type]  # handed on as they are
    model = train(training.corpus, 40_000, **settings)  # type: ignore[arg-type]  # likewise
    check_every_choice(History.of(word_counts, model), dict(word_counts.counts))


@given(counts=tables(max_count=3))
def test_every_choice_among_few_counts_is_the_oracles(counts: dict[str, int]) -> None:
    """Small counts: nearly everything is tied."""
    from pairloom.word_counts import WordCounts

    model = train_from_word_counts(counts, 40_000, marker=False)
    check_every_choice(History.of(WordCounts(counts, marker=False), model), counts)


def test_many_tied_pairs_are_looked_for_word_by_word() -> None:
    text = " ".join(f"{chr(0x4E00 + i)}{chr(0x5E00 - i)}" for i in range(60))
    text = f"{text} {text}"
    counts = count_words(text)
    check_every_choice(History.of(counts, train(text)), dict(counts.counts))


def test_the_rules_differ_where_they_are_known_to() -> None:
    text = "ba ba ab ab"
    history = History.of(count_words(text, pre_tokenizer="punctuation"), train(text, pre_tokenizer="punctuation"))
    choice = Choice.of(history, 0, PairOrder.of(history, 0))
    assert choice is not None
    assert pair_of(choice.chosen) == ("a", "b")
    assert {each.rule: each.pair.result for each in choice.others} == {
        "first_seen": "▁b",
        "smallest_ids": "ab",
        "largest_pair": "▁b",
        "sentencepiece": "ab",
    }


@given(training=trainings(), size=st.integers(1, 20), data=st.data())
def test_s3_pages_of_pairs_are_in_order(training: Training, size: int, data: st.DataObject) -> None:
    model = train(training.corpus, training.merge_limit)
    history = History.of(count_words(training.corpus), model)
    prefix = data.draw(st.integers(0, len(model.merges)))
    order = PairOrder.of(history, prefix)
    whole = [(pair_of(each), each.frequency) for page in range(999) for each in _rows(order, page, size)]
    assert whole == history.top_pairs(prefix, limit=order.total + 1)
    last = order.page(10**9, size=size)
    assert last.index == last.count - 1
    assert order.page(-1, size=size) == order.page(0, size=size)


def _rows(order: PairOrder, page: int, size: int) -> tuple[CountedPair, ...]:
    return tuple(order.page(page, size=size).rows) if page * size < order.total else ()


@pytest.mark.parametrize("text", ["a", "ab cd"])
def test_nothing_to_choose(text: str) -> None:
    history = History.of(count_words(text), train(text))
    order = PairOrder.of(history, 0)
    assert Choice.of(history, 0, order) is None
    assert order.total == len(history.pair_counts(0))
