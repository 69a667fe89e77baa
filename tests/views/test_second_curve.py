"""A second text's curve beside the corpus's. Rules: W6, E5, E6."""

import pytest
from hypothesis import given

from pairloom.history import History, TextHistory
from pairloom.normalizer import normalize
from pairloom.trainer import train
from pairloom.views.curve import MAX_POINTS
from pairloom.views.second_curve import SHARES, Line, SecondCurve
from pairloom.word_counts import count_words
from tests.support.strategies import Training, texts, trainings
from tests.support.vectors import TrainedVector, on_every_vector


@on_every_vector()
def test_every_prefix_is_that_of_the_encoder(vector: TrainedVector) -> None:
    model, corpus = vector.model, vector.data["corpus"]
    code_points = len(normalize(corpus, model.lowercase))
    for text in {each["text"] for each in vector.data["encodings"]}:
        curve = SecondCurve.of(vector.history, code_points, TextHistory.of(text, model), 0)
        if curve is None:
            assert normalize(text, model.lowercase) == ""
            continue
        for prefix in {0, len(model.merges) // 3, len(model.merges)}:
            encoding = model.encode(text, prefix)
            assert curve.text.token_counts[prefix] == len(encoding.tokens)
            assert curve.text.code_points == encoding.code_points
            assert curve.unknown == encoding.unknown_count
            assert curve.corpus.token_counts[prefix] == len(model.encode(corpus, prefix).tokens)
            assert curve.text.per_code_point(prefix) == pytest.approx(len(encoding.tokens) / encoding.code_points)


@given(training=trainings(), text=texts())
def test_where_it_flattens(training: Training, text: str) -> None:
    model = train(training.corpus, 40_000)
    counts = TextHistory.of(text, model).token_counts
    line = Line.of(counts, 1)
    saved = counts[0] - counts[-1]
    assert [each.percent for each in line.reached] == (list(SHARES) if saved else [])
    for each in line.reached:
        enough = [prefix for prefix, tokens in enumerate(counts) if 100 * (counts[0] - tokens) >= each.percent * saved]
        assert each.prefix == enough[0]
    assert counts[line.last_change] == counts[-1]
    assert line.last_change == 0 or counts[line.last_change - 1] > counts[-1]


def test_drawing_and_table() -> None:
    corpus = "low lower lowest newest widest " * 30
    model = train(corpus)
    text = TextHistory.of("slower newer lows", model)
    curve = SecondCurve.of(History.of(count_words(corpus), model), len(corpus) - 1, text, 7)
    assert curve is not None
    assert {0, 7, curve.maximum} <= {row.prefix for row in curve.rows}
    assert [row.prefix for row in curve.rows] == sorted({row.prefix for row in curve.rows})
    for line in (curve.corpus, curve.text):
        points = curve.points(line)
        assert len(points) <= MAX_POINTS
        assert (points[0][0], points[-1][0]) == (0, curve.maximum)
        assert all(0 <= curve.place(line, prefix).y <= 100 for prefix, _ in points)
    assert min(curve.place(curve.corpus, 0).y, curve.place(curve.text, 0).y) == 0


def test_of_an_empty_text_there_is_none() -> None:
    model = train("low low")
    assert SecondCurve.of(History.of(count_words("low low"), model), 7, TextHistory.of(" ", model), 0) is None
