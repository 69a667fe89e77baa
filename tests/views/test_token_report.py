"""Everything that is said of one token. Rules: T7, V1, E3, E8."""

import unicodedata

from pairloom.encoder import Encoding
from pairloom.history import History
from pairloom.trainer import train
from pairloom.views.token_report import TokenReport
from pairloom.views.token_tree import places_of
from pairloom.word_counts import count_words
from tests.support.vectors import TrainedVector, on_every_vector


def report_on(history: History, prefix: int, token: str, encoding: Encoding | None = None) -> TokenReport:
    return TokenReport.of(history, prefix, token, encoding=encoding, max_nodes=63, max_code_points=40, max_places=20)


@on_every_vector()
def test_every_entry_of_the_vectors(vector: TrainedVector) -> None:
    model, history = vector.model, vector.history
    texts = [each["text"] for each in vector.data["encodings"]]
    for prefix in {0, len(model.merges) // 2, len(model.merges)}:
        encoding = model.encode(texts[0] if texts else "", prefix)
        for token_id, token in list(enumerate(model.vocabulary))[:: max(1, len(model.vocabulary) // 40)]:
            report = report_on(history, prefix, token, encoding)
            assert (report.id, report.prefix) == (token_id, prefix)
            assert report.rank == (None if token_id < len(model.alphabet) else token_id - len(model.alphabet))
            assert report.is_active == (report.rank is None or report.rank < prefix)
            assert report.places == places_of(history, prefix, token)
            assert report.tree is not None
            assert report.tree.spelled() == token
            assert report.in_text is not None
            assert report.in_text.total == encoding.tokens.count(token)
            for place in report.in_text.rows:
                assert encoding.tokens[place.number] == token
                assert encoding.offsets[place.number] == (place.start, place.end)
            for point in report.code_points.rows:
                assert point.category == unicodedata.category(point.text)
                assert point.id == model.token_id(point.text)


def test_an_unknown_token_has_no_id_no_tree_and_its_code_points() -> None:
    history = History.of(count_words("low low"), train("low low"))
    report = report_on(history, 1, "Ж", history.model.encode("Ж low Ж", 1))
    assert (report.id, report.rank, report.tree, report.is_active, report.places) == (None, None, None, False, 0)
    assert [each.name for each in report.code_points.rows] == ["CYRILLIC CAPITAL LETTER ZHE"]
    assert report.in_text is not None
    assert [(each.start, each.end) for each in report.in_text.rows] == [(0, 1), (6, 7)]


def test_words_are_listed_by_places_and_never_silently_shortened() -> None:
    text = " ".join(f"a{chr(0x4E00 + number)}" for number in range(30)) + " aab aab"
    history = History.of(count_words(text), train(text, 0))
    report = report_on(history, 0, "a")
    assert (report.words.total, len(report.words.rows)) == (31, 20)
    assert (report.words.rows[0].word, report.words.rows[0].count, report.words.rows[0].places) == ("▁aab", 2, 2)
    assert report.places == 34
    assert report.in_text is None
