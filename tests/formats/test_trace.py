"""The trace of a training, replayed from the file alone, and read back to the very model. Rules: T2–T7."""

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.formats.json_guard import read_json
from pairloom.formats.trace import dumps, loads, trace_portions
from pairloom.history import History
from pairloom.model import Model
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.trainer import Trainer, train, train_from_word_counts
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import Imported, Training, corpora, imported_lists, trainings
from tests.support.vectors import TrainedVector, on_every_vector

MERGE = ("rank", "left", "right", "result", "frequency", "replacements", "corpus_tokens", "id", "is_new")


def replay(data: bytes) -> None:
    """Train on the words of the file and compare each round, pairs and ties counted anew."""
    trace = json.loads(data)
    assert read_json(data) == trace
    words = WordCounts(
        dict(trace["words"]), lowercase=trace["lowercase"], pre_tokenizer=trace["pre_tokenizer"], marker=trace["marker"]
    )
    trainer = Trainer(words, len(trace["rounds"]), min_frequency=trace["min_frequency"])
    for each in trace["rounds"]:
        prefix = trainer.model()
        history = History.of(words, prefix)
        counted: Counter[tuple[str, str]] = Counter()
        for _, tokens, count in history.segments():
            for pair in pairwise(tokens):
                counted[pair] += count
        merge = trainer.step()
        assert merge is not None
        assert {name: each[name] for name in MERGE} == {name: getattr(merge, name) for name in MERGE}
        assert each["pairs"] == len(counted)
        assert each["tied"] == sum(count == merge.frequency for count in counted.values())
    model = trainer.model()
    assert model.fingerprint == trace["fingerprint"]
    assert (list(model.alphabet), model.initial_tokens) == (trace["alphabet"], trace["initial_tokens"])


@on_every_vector()
def test_the_traces_of_the_vectors(vector: TrainedVector) -> None:
    data = b"".join(trace_portions(vector.history))
    assert data.isascii()
    trace = json.loads(data)
    rows = [[each["left"], each["right"], *(each[name] for name in MERGE[4:])] for each in trace["rounds"]]
    assert rows == [list(each) for each in vector.data["merges"]]
    assert (trace["initial_tokens"], trace["stop_reason"]) == (vector.data["initial_tokens"], vector.data["stopped"])
    assert trace["alphabet"] == vector.data["alphabet"]
    assert loads(data).model == vector.model
    if len(rows) < 60:
        replay(data)


@given(training=trainings())
def test_any_training_is_replayed(training: Training) -> None:
    model = train(training.corpus, 12)
    replay(b"".join(trace_portions(History.of(count_words(training.corpus), model))))


@given(
    corpora().filter(lambda texts: any(text.strip() for text in texts)), st.booleans(), st.sampled_from(PRE_TOKENIZERS)
)
def test_a_training_comes_back_with_all_its_numbers(texts: list[str], lowercase: bool, pre_tokenizer: str) -> None:
    words = count_words(texts, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    if not words.counts:  # whitespace alone
        return
    model = train_from_word_counts(words, 50)
    assert loads(dumps(model)).model == model
    assert loads(b"".join(trace_portions(History.of(words, model)))).model == model


@given(imported_lists())
def test_a_list_made_by_hand_comes_back(drawn: Imported) -> None:
    model = Model.from_merges(drawn.alphabet, drawn.merges, marker=False)
    assert loads(dumps(model)).model == model


def test_without_words_a_round_is_a_merge() -> None:
    model = train("low low lower", 10)
    whole = json.loads(b"".join(trace_portions(History.of(count_words("low low lower"), model))))
    alone = json.loads(dumps(model))
    assert whole.pop("words") == [["▁low", 2], ["▁lower", 1]]
    for each in whole["rounds"]:
        assert (each.pop("pairs"), each.pop("tied")) != (None, None)
    assert whole == alone
    assert tuple(alone["rounds"][0]) == MERGE


TEXT = "low low lower newest newest widest"
TRACE = json.loads(b"".join(trace_portions(History.of(count_words(TEXT), train(TEXT)))))


def changed(key: str, to: object, *, rank: int | None = None) -> bytes:
    trace: dict[str, Any] = json.loads(json.dumps(TRACE))
    (trace if rank is None else trace["rounds"][rank])[key] = to
    return json.dumps(trace, indent=1).encode()


def without_the_last_round() -> bytes:
    """What the words would make goes on, and the file says that no pair was left."""
    fewer = train(TEXT, len(TRACE["rounds"]) - 1)
    trace = json.loads(b"".join(trace_portions(History.of(count_words(TEXT), fewer))))
    return json.dumps(trace | {"stop_reason": TRACE["stop_reason"]}).encode()


@pytest.mark.parametrize(
    ("data", "kind", "reason"),
    [
        (changed("pairs", 15, rank=0), "numbers", "pairs is 15; replayed it is 14"),
        (changed("tied", 1, rank=0), "numbers", "tied is 1; replayed it is 6"),
        (changed("tied", 6.0, rank=0), "numbers", "tied is 6.0; replayed it is 6"),
        (changed("words", {}), "shape", "a list of pairs"),
        (changed("words", [*TRACE["words"], TRACE["words"][0]]), "shape", "twice"),
        (changed("words", [[["low"], 1]]), "shape", "no text"),
        (changed("words", []), "numbers", "no word"),
        (changed("words", [["▁low", 0]]), "numbers", "low"),
        (changed("words", [["▁low", 3]]), "numbers", "another alphabet"),
        (changed("words", [["▁low", 3], *TRACE["words"][1:]]), "numbers", "alphabet or another number"),
        (
            changed("words", [*TRACE["words"][:2], ["▁newest", 1], ["▁widest", 2]]),
            "numbers",
            "tied is 6; replayed",
        ),
        (without_the_last_round(), "numbers", "rounds or more"),
    ],
)
def test_words_and_rounds_agree(data: bytes, kind: str, reason: str) -> None:
    read = loads(data)
    assert read.accepted is None
    assert [finding.kind for finding in read.errors] == [kind]
    assert reason in read.errors[0].message
    assert read.errors[0].line is not None


def test_words_without_what_they_say_of_a_round() -> None:
    alone = json.loads(dumps(train(TEXT)))
    read = loads(json.dumps(alone | {"words": TRACE["words"]}).encode())
    assert [(finding.kind, "tied" in finding.message) for finding in read.errors] == [("shape", True)]


def test_words_of_a_list_that_was_not_trained() -> None:
    bare = Model.from_merges(TRACE["alphabet"], [("l", "o")])
    history = History.of(count_words(TEXT), bare)
    read = loads(b"".join(trace_portions(history)))
    assert [finding.kind for finding in read.errors] == ["numbers"]
    assert "no training" in read.errors[0].message


def test_the_rounds_alone_rebuild_the_training() -> None:
    """Replayed by hand, with nothing of this package: the words, and the pairs in their order."""
    text = "low low lower newest newest"
    trace = json.loads(dumps(train(text, 100)))
    words = [["▁", *word] for word in text.split()]
    assert sum(map(len, words)) == trace["initial_tokens"]
    for each in trace["rounds"]:
        replacements = 0
        for word in words:
            place = 0
            while place < len(word) - 1:
                if word[place : place + 2] == [each["left"], each["right"]]:
                    word[place : place + 2] = [each["result"]]
                    replacements += 1
                place += 1
        assert replacements == each["replacements"]
        assert sum(map(len, words)) == each["corpus_tokens"]
