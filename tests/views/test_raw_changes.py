"""Raw → normalized, change by change. Rules: N1–N6."""

from hypothesis import given
from hypothesis import strategies as st

from pairloom.normalizer import normalize
from pairloom.views.raw_changes import CONTEXT, RawChanges
from tests.support.strategies import texts
from tests.support.vectors import TrainedVector, on_every_vector


def patched(text: str, changes: RawChanges) -> str:
    """Make the changes in the raw text, from its end backwards."""
    for each in reversed(changes.page(0, size=10**6).rows):
        assert text[each.start : each.end] == each.raw
        text = text[: each.start] + each.normalized + text[each.end :]
    return text


@given(text=texts(), lowercase=st.booleans())
def test_the_changes_make_the_normalized_text(text: str, lowercase: bool) -> None:
    changes = RawChanges.of(text, lowercase=lowercase)
    normalized = normalize(text, lowercase)
    assert patched(text, changes) == normalized
    assert (changes.raw_code_points, changes.code_points) == (len(text), len(normalized))
    rows = changes.page(0, size=10**6).rows
    assert len(rows) == changes.total == sum(each.count for each in changes.mapped)
    for each in rows:
        assert each.raw != each.normalized
        assert normalized[each.place : each.place + len(each.normalized)] == each.normalized
        assert text[max(0, each.start - CONTEXT) : each.start] == each.before
    for mapped in changes.mapped:
        own = changes.page(0, size=10**6, only=mapped).rows
        assert len(own) == mapped.count
        assert {(each.kind, each.raw, each.normalized) for each in own} == {
            (mapped.kind, mapped.raw, mapped.normalized)
        }
    counts = [each.count for each in changes.mapped]
    assert counts == sorted(counts, reverse=True)


@on_every_vector()
def test_corpora_and_texts_of_the_vectors(vector: TrainedVector) -> None:
    data = vector.data
    assert patched(data["corpus"], RawChanges.of(data["corpus"], lowercase=data["lowercase"])) == normalize(
        data["corpus"], data["lowercase"]
    )
    for each in data["encodings"]:
        assert patched(each["text"], RawChanges.of(each["text"], lowercase=data["lowercase"])) == each["normalized"]


def test_every_kind_by_name() -> None:
    changes = RawChanges.of("\n ΑΣ\t\u3000İx\u00a0y Z", lowercase=True)
    found = [(each.kind, each.raw, each.normalized, each.start, each.place) for each in changes.page(0, size=99).rows]
    assert found == [
        ("trimmed", "\n ", "", 0, 0),
        ("lowercase", "Α", "α", 2, 0),  # Greek
        ("final_sigma", "Σ", "ς", 3, 1),
        ("whitespace", "\t\u3000", " ", 4, 2),
        ("grown", "İ", "i\u0307", 6, 3),
        ("whitespace", "\u00a0", " ", 8, 6),
        ("lowercase", "Z", "z", 11, 9),
    ]


def test_whitespace_alone_is_trimmed() -> None:
    changes = RawChanges.of(" \t\n", lowercase=False)
    assert [(each.kind, each.raw) for each in changes.page(0, size=9).rows] == [("trimmed", " \t\n")]
    assert RawChanges.of("", lowercase=True).total == 0
