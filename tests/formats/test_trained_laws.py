"""What a file may say of a training: all that a training can come to, and as little else as the rules can tell."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairloom.errors import CountError, ModelError
from pairloom.formats.model_document import TIE_RULE
from pairloom.formats.model_file import dumps, loads
from pairloom.formats.trained_merges import Insides
from pairloom.model import Model
from pairloom.trainer import Trainer, train_from_word_counts
from pairloom.unicode_data import MARKER
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import POOLS, Imported, Training, imported_lists, tables, trainings

Row = tuple[str, str, int, int]


def file_of(alphabet: str, rows: list[Row], *, initial: int, **values: object) -> bytes:
    """A file in which fingerprint, checksum and corpus tokens are right: (left, right, frequency, replacements)."""
    tokens = initial
    merges = []
    for left, right, frequency, replacements in rows:
        tokens -= replacements
        numbers = {"frequency": frequency, "replacements": replacements, "corpus_tokens": tokens}
        merges.append({"left": left, "right": right, **numbers})
    document: dict[str, Any] = {
        "format": "pairloom-model",
        "version": 1,
        "conventions": 1,
        "unicode_version": "17.0.0",
        "lowercase": False,
        "pre_tokenizer": "whitespace",
        "marker": MARKER in alphabet,
        "min_frequency": 1,
        "tie_rule": TIE_RULE,
        "initial_tokens": initial,
        "stop_reason": "merge_limit",
        "merge_count": len(merges),
        "alphabet": list(alphabet),
        "merges": merges,
    } | values
    keys = ("conventions", "lowercase", "pre_tokenizer", "marker", "alphabet")
    pairs = [[left, right] for left, right, _, _ in rows]
    decisive = {key: document[key] for key in keys} | {"unicode": document["unicode_version"], "merges": pairs}
    document["fingerprint"] = _sha256(decisive)
    document["checksum"] = _sha256(document)
    return json.dumps(document).encode()


def _sha256(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# (alphabet, rows, initial tokens, settings, where): nearest to each stands a file that is taken, further down.
IMPOSSIBLE: list[tuple[str, list[Row], int, dict[str, object], str]] = [
    # T4: a+z stood there from the start and is smaller than b+c, though not than the merge just before it.
    ("abcz", [("b", "c", 3, 3), ("a", "bc", 3, 3), ("a", "z", 3, 3)], 20, {}, "merges[2]"),
    # b+bc is smaller than c+d; its part bc was made first of all.
    ("bcd", [("b", "c", 3, 3), ("c", "d", 3, 3), ("b", "bc", 3, 3)], 20, {}, "merges[2]"),
    # Two aa cannot stand in front of three b.
    ("ab", [("a", "a", 3, 2), ("aa", "b", 3, 3)], 20, {}, "merges[1].frequency"),
    # ab+c has used up the ab that ab+d would need.
    ("abcd", [("a", "b", 3, 3), ("ab", "c", 2, 2), ("ab", "d", 2, 2)], 20, {}, "merges[2].frequency"),
    # Two replacements take four aa, or five where the positions are four: there are four.
    ("a", [("a", "a", 7, 4), ("aa", "aa", 4, 2)], 20, {}, "merges[1].frequency"),
    # So many code points are not in the corpus: 40 a, 40 b, a marker.
    ("ab▁", [("a", "b", 40, 40)], 41, {}, "initial_tokens"),
    ("ab▁", [("a", "b", 40, 40)], 80, {}, "initial_tokens"),
    # Five a are the least for frequency 4 with two replacements.
    ("a", [("a", "a", 4, 2)], 4, {}, "initial_tokens"),
    # Five words hold a code point each beside the marker.
    ("ab▁", [("▁", "a", 5, 5)], 10, {}, "initial_tokens"),
    ("ab▁", [("▁", "a", 3, 3), ("▁", "b", 2, 2)], 9, {}, "initial_tokens"),
    # T1, T10, P1: a corpus holds a word, and a word more than its marker.
    ("▁", [], 2, {}, "alphabet"),
    ("", [], 1, {}, "alphabet"),
    # N1, N7
    ("Aa▁", [], 4, {"lowercase": True}, "alphabet[0]"),
    ("aΣ▁", [], 4, {"lowercase": True}, "alphabet[1]"),
    # P2, P4
    ("-a", [("a", "-", 2, 2)], 4, {"pre_tokenizer": "punctuation"}, "merges[0]"),
    ("-a\u0301", [("-", "\u0301", 2, 2), ("-\u0301", "a", 2, 2)], 6, {"pre_tokenizer": "punctuation"}, "merges[1]"),
    # At the start of a word a mark is of the word's class.
    (
        "-\u0301▁",
        [("▁", "\u0301", 2, 2), ("▁\u0301", "-", 2, 2)],
        6,
        {"pre_tokenizer": "punctuation"},
        "merges[1]",
    ),
    # T8: where abc stands, a+b has been merged before b+c could be, and a+bc is never side by side.
    ("abc", [("a", "b", 5, 5), ("b", "c", 4, 4), ("a", "bc", 3, 3)], 30, {}, "merges[2]"),
    # aaa is aa a, never a aa; four a are two aa.
    ("a", [("a", "a", 5, 3), ("a", "aa", 1, 1)], 20, {}, "merges[1]"),
    ("a", [("a", "a", 9, 5), ("aa", "a", 2, 2), ("aaa", "a", 1, 1)], 20, {}, "merges[2]"),
]


@pytest.mark.parametrize(("alphabet", "rows", "initial", "values", "where"), IMPOSSIBLE)
def test_what_no_training_comes_to(
    alphabet: str, rows: list[Row], initial: int, values: dict[str, object], where: str
) -> None:
    with pytest.raises(ModelError) as caught:
        loads(file_of(alphabet, rows, initial=initial, **values))
    assert caught.value.where == where


# The next file to each of the above that a training does come to.
POSSIBLE: list[tuple[str, list[Row], int, dict[str, object]]] = [
    ("abcz", [("b", "c", 3, 3), ("a", "bc", 3, 3), ("a", "z", 2, 2)], 20, {}),
    ("abcz", [("a", "z", 3, 3), ("b", "c", 3, 3), ("a", "bc", 3, 3)], 20, {}),
    ("bcd", [("b", "c", 3, 3), ("c", "d", 3, 3), ("b", "bc", 2, 2)], 20, {}),
    ("ab", [("a", "a", 3, 2), ("aa", "b", 2, 2)], 20, {}),
    ("abcd", [("a", "b", 4, 4), ("ab", "c", 2, 2), ("ab", "d", 2, 2)], 20, {}),
    ("a", [("a", "a", 8, 5), ("aa", "aa", 4, 2)], 20, {}),
    ("ab▁", [("a", "b", 40, 40)], 81, {}),
    ("a", [("a", "a", 4, 2)], 5, {}),
    ("ab▁", [("▁", "a", 5, 5)], 11, {}),
    ("ab▁", [("▁", "a", 3, 3), ("▁", "b", 2, 2)], 10, {}),
    ("a▁", [], 2, {}),
    ("aςσ▁", [], 4, {"lowercase": True}),
    ("-a", [("a", "-", 2, 2)], 4, {}),
    ("-\u0301", [("-", "\u0301", 2, 2), ("-\u0301", "-", 2, 2)], 6, {"pre_tokenizer": "punctuation"}),
    ("-\u0301", [("\u0301", "-", 2, 2)], 6, {"pre_tokenizer": "punctuation"}),
    ("a\u0301▁", [("▁", "\u0301", 2, 2), ("▁\u0301", "a", 2, 2)], 6, {"pre_tokenizer": "punctuation"}),
    ("abc", [("b", "c", 5, 5), ("a", "b", 4, 4), ("a", "bc", 3, 3)], 30, {}),
    ("a", [("a", "a", 9, 5), ("aa", "a", 2, 2), ("aa", "aa", 1, 1)], 20, {}),
]


@pytest.mark.parametrize(("alphabet", "rows", "initial", "values"), POSSIBLE)
def test_its_neighbours_are_taken(alphabet: str, rows: list[Row], initial: int, values: dict[str, object]) -> None:
    assert len(loads(file_of(alphabet, rows, initial=initial, **values)).merges) == len(rows)


# -- nothing that a training comes to is refused


def trained_step_by_step(counts: WordCounts, merge_limit: int, min_frequency: int) -> None:
    trainer = Trainer(counts, merge_limit, min_frequency=min_frequency)
    assert loads(dumps(trainer.model())) == trainer.model()
    while trainer.run(3):
        assert loads(dumps(trainer.model())) == trainer.model()


@given(trainings())
def test_every_training_on_texts_is_taken(training: Training) -> None:
    counts = count_words(training.corpus, lowercase=training.lowercase, pre_tokenizer=training.pre_tokenizer)
    trained_step_by_step(counts, training.merge_limit, training.min_frequency)


@st.composite
def counted_by_hand(draw: st.DrawFn) -> WordCounts:
    """A table with any settings, as far as the words fit: whatever does not is left out."""
    lowercase, marker = draw(st.booleans()), draw(st.booleans())
    pre_tokenizer = draw(st.sampled_from(["whitespace", "punctuation"]))
    words = {}
    for word, count in draw(tables()).items():
        key = MARKER + word if marker and draw(st.booleans()) else word
        try:
            WordCounts({key: count}, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=marker)
        except CountError:
            continue
        words[key] = count
    if not words:
        words = {MARKER + "aaaa" if marker else "aaaa": 2}
    return WordCounts(words, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=marker)


@given(counted_by_hand(), st.one_of(st.just(1000), st.integers(0, 12)), st.integers(1, 4))
def test_every_training_on_a_table_is_taken(counts: WordCounts, merge_limit: int, min_frequency: int) -> None:
    trained_step_by_step(counts, merge_limit, min_frequency)


@given(st.sampled_from(POOLS), st.data())
def test_ties_and_overlaps_in_long_words(pool: str, data: st.DataObject) -> None:
    letters = st.sampled_from(pool.replace("\ufeff", "")[:3])
    word = st.text(letters, min_size=1, max_size=60)
    counts = data.draw(st.dictionaries(word, st.integers(1, 3), min_size=1, max_size=3))
    for min_frequency in (1, 2):
        model = train_from_word_counts(counts, marker=data.draw(st.booleans()), min_frequency=min_frequency)
        assert loads(dumps(model)) == model


@settings(max_examples=300)
@given(imported_lists())
def test_two_symbols_side_by_side_are_what_the_encoder_leaves(listed: Imported) -> None:
    model = Model.from_merges(listed.alphabet, listed.merges, marker=False)
    insides = Insides()
    seen = set(model.alphabet)
    for merge in model.merges:
        left_alone = model.encode(merge.result, merge.rank).tokens == (merge.left, merge.right)
        assert insides.are_left_side_by_side(merge) == left_alone
        if not left_alone or merge.result in seen:
            break  # from here on it is no list that a training could make
        seen.add(merge.result)
        insides.add(merge)
