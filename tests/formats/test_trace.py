"""The trace of a training, replayed from the file alone. Rules: T2–T7."""

import json
from collections import Counter
from itertools import pairwise

from hypothesis import given

from pairloom.formats.json_guard import read_json
from pairloom.formats.trace import trace_portions
from pairloom.history import History
from pairloom.trainer import Trainer, train
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import Training, trainings
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
    if len(rows) < 60:
        replay(data)


@given(training=trainings())
def test_any_training_is_replayed(training: Training) -> None:
    model = train(training.corpus, 12)
    replay(b"".join(trace_portions(History.of(count_words(training.corpus), model))))
