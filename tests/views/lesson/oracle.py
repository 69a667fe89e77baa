"""The answers to problems, by the plain algorithm alone."""

from __future__ import annotations

from itertools import pairwise

from pairloom import educational
from pairloom.views.lesson.problems import (
    MergesAnswer,
    Problem,
    ReplacementsAnswer,
    SplitAnswer,
    WholeAnswer,
)

Pair = tuple[str, str]
Corpus = list[tuple[list[str], int]]


def counts_of(problem: Problem) -> dict[str, int]:
    return dict(problem.history.word_counts.counts)


def merges_of(counts: dict[str, int]) -> list[Pair]:
    """All merges that the corpus yields."""
    return [(left, right) for left, right, *_ in educational.train(counts, 10**6)]


def corpus_at(counts: dict[str, int], merges: list[Pair]) -> Corpus:
    """The corpus after these merges, replayed."""
    corpus = [(list(word), count) for word, count in counts.items()]
    for left, right in merges:
        corpus = [(educational.merge(symbols, left, right), count) for symbols, count in corpus]
    return corpus


def check_problem(problem: Problem) -> None:
    """Assert that an answer, with all that explains it, is what the plain algorithm finds."""
    counts = counts_of(problem)
    merges = merges_of(counts)
    assert [(merge.left, merge.right) for merge in problem.model.merges] == merges
    match problem.answer:
        case MergesAnswer():
            check_rounds(problem, problem.answer, counts, merges)
        case SplitAnswer():
            check_split(problem, problem.answer, counts, merges)
        case ReplacementsAnswer():
            check_replacements(problem, problem.answer, counts, merges)
        case WholeAnswer():
            check_whole(problem, problem.answer, counts, merges)


def check_rounds(problem: Problem, answer: MergesAnswer, counts: dict[str, int], merges: list[Pair]) -> None:
    trained = educational.train(counts, problem.prefix + len(answer.rounds))
    assert len(trained) == problem.prefix + len(answer.rounds)
    for place, each in enumerate(answer.rounds):
        assert each.prefix == each.merge.rank == problem.prefix + place
        merge = each.merge
        assert (merge.left, merge.right, merge.frequency, merge.replacements, merge.corpus_tokens) == trained[
            each.prefix
        ]
        frequencies = educational.count_pairs(corpus_at(counts, merges[: each.prefix]))
        shown = {(pair.left, pair.right): pair.frequency for pair in each.order.page(0, size=10**6).rows}
        assert shown == frequencies
        tied = [pair for pair, frequency in frequencies.items() if frequency == max(frequencies.values())]
        assert each.choice.tied_count == len(tied)
        if problem.kind == "tie":
            assert len(tied) > 1


def check_split(problem: Problem, answer: SplitAnswer, counts: dict[str, int], merges: list[Pair]) -> None:
    word = problem.word
    assert word is not None
    model = educational.Model(educational.base_alphabet(counts), merges)
    ranks = {pair: rank for rank, pair in enumerate(merges[: problem.prefix])}
    vocabulary = model.vocabulary()
    assert list(answer.tokens) == educational.encode_word(word, ranks)
    assert answer.ids == tuple(vocabulary.index(token) if token in vocabulary else None for token in answer.tokens)
    assert answer.unknown == tuple(dict.fromkeys(char for char in word if char not in model.alphabet))
    assert problem.kind == ("unknown" if answer.unknown else "split")
    # Step by step: the lowest rank, then the leftmost.
    symbols = list(word)
    for step in answer.steps:
        rank, place = min((ranks[pair], place) for place, pair in enumerate(pairwise(symbols)) if pair in ranks)
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
        assert (step.merge.rank, step.tokens) == (rank, tuple(symbols))
    assert tuple(symbols) == answer.tokens


def check_replacements(
    problem: Problem, answer: ReplacementsAnswer, counts: dict[str, int], merges: list[Pair]
) -> None:
    corpus = corpus_at(counts, merges[: problem.prefix])
    assert answer.frequency == educational.count_pairs(corpus)[answer.pair]
    merged = corpus_at(counts, [*merges[: problem.prefix], answer.pair])
    before, after = (sum(len(symbols) * count for symbols, count in each) for each in (corpus, merged))
    assert answer.replacements == before - after
    assert sum(each.count * each.positions for each in answer.words) == answer.frequency
    assert sum(each.count * each.replaced for each in answer.words) == answer.replacements


def check_whole(problem: Problem, answer: WholeAnswer, counts: dict[str, int], merges: list[Pair]) -> None:
    word = problem.word
    assert word is not None
    corpus: Corpus = [(list(word), counts[word])]
    needed = 0 if len(word) == 1 else None
    for number, (left, right) in enumerate(merges, 1):
        corpus = [(educational.merge(symbols, left, right), count) for symbols, count in corpus]
        if needed is None and len(corpus[0][0]) == 1:
            needed = number
    assert answer.merges == needed
