"""Two encodings of one text, boundaries that differ marked. Rule: E8."""

from hypothesis import given
from hypothesis import strategies as st

from pairloom.encoder import Encoding
from pairloom.model import Model
from pairloom.trainer import train
from pairloom.unicode_data import MARKER, WHITESPACE
from pairloom.views.boundaries import Comparison
from tests.support.strategies import Training, texts, trainings
from tests.support.vectors import TrainedVector, on_every_vector


def cuts(encoding: Encoding) -> set[int]:
    """Where tokens begin, counted in code points of all tokens together, markers included."""
    places: set[int] = set()
    place = 0
    for token in encoding.tokens:
        places.add(place)
        place += len(token)
    return places


def check(first: Encoding, second: Encoding) -> None:
    """For encodings of one normalized text, by models with the same markers."""
    compared = Comparison.of(first, second)
    for side, encoding in (("first", first), ("second", second)):
        tokens = [token for piece in compared.pieces for token in getattr(piece, side)]
        assert tuple(token.text for token in tokens) == encoding.tokens
        assert tuple(token.id for token in tokens) == encoding.ids
    one, other = cuts(first), cuts(second)
    assert compared.is_same_text
    assert compared.only_first == len(one - other)
    assert compared.only_second == len(other - one)
    assert compared.shared == max(0, len(one & other) - 1)
    own = [token.is_own for piece in compared.pieces for token in piece.first]
    place = 0
    for token, is_own in zip(first.tokens, own, strict=True):
        assert is_own == (place not in other)
        place += len(token)
    for piece in compared.pieces:
        spelled = ["".join(token.text for token in side) for side in (piece.first, piece.second)]
        assert spelled[0] == spelled[1]
        assert piece.is_same == ([each.text for each in piece.first] == [each.text for each in piece.second])
        assert piece.is_same == (len(piece.first) == len(piece.second) == 1)


@given(training=trainings(), text=texts(), data=st.data())
def test_two_prefixes(training: Training, text: str, data: st.DataObject) -> None:
    model = train(training.corpus, 40_000, lowercase=data.draw(st.booleans()))
    prefixes = st.integers(0, len(model.merges))
    for sample in (text, training.corpus[0]):
        check(model.encode(sample, data.draw(prefixes)), model.encode(sample, data.draw(prefixes)))


@on_every_vector()
def test_the_encodings_of_the_vectors(vector: TrainedVector) -> None:
    last = len(vector.model.merges)
    for each in vector.data["encodings"]:
        check(vector.model.encode(each["text"], each["prefix"]), vector.model.encode(each["text"], last // 2))


@given(training=trainings(), other=trainings(), text=texts(), lowercase=st.booleans(), marker=st.booleans())
def test_models_of_other_settings_are_compared_too(
    training: Training, other: Training, text: str, lowercase: bool, marker: bool
) -> None:
    first = train(training.corpus, 40_000, lowercase=lowercase)
    second = Model.from_merges(
        sorted({*"".join(other.corpus)} - {*WHITESPACE} | ({MARKER} if marker else set())), [], marker=marker
    )
    one, two = first.encode(text), second.encode(text)
    compared = Comparison.of(one, two)
    assert tuple(token.text for piece in compared.pieces for token in piece.first) == one.tokens
    assert tuple(token.text for piece in compared.pieces for token in piece.second) == two.tokens
    assert all(piece.start <= piece.end for piece in compared.pieces)


def test_pages_hold_all_pieces_in_order() -> None:
    model = train("low lower lowest " * 9)
    compared = Comparison.of(
        model.encode("low lower lowest slow " * 40, 1), model.encode("low lower lowest slow " * 40)
    )
    pages = [compared.page(index, page_tokens=20) for index in range(compared.page(0, page_tokens=20).count)]
    assert tuple(piece for page in pages for piece in page.rows) == compared.pieces
    assert len(pages) > 3
    for page in pages:
        assert max(sum(len(each.first) for each in page.rows), sum(len(each.second) for each in page.rows)) <= 20
    assert compared.first_difference is not None
    assert Comparison.of(model.encode(""), model.encode("")).first_difference is None
