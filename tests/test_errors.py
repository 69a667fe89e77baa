"""Errors that were really raised: attributes, code, message, and the way between processes."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

import pairloom
from pairloom.errors import PairloomError
from pairloom.normalizer import normalize_within

MODEL = pairloom.train("low low lower")
HUGE = 10**5000  # more digits than Python turns into a string


def within(text: str, *, lowercase: bool = False) -> str:
    return normalize_within(text, lowercase=lowercase, max_code_points=3, allow_empty=False)


# What is done, the code that is seen, and what the message must name.
RAISED: list[tuple[str, Callable[[], object], list[str]]] = [
    ("text.not_text", lambda: pairloom.normalize(b"low"), ["bytes"]),  # type: ignore[arg-type]  # what is tested
    ("text.marker", lambda: pairloom.normalize("lo▁w"), ["2", "U+2581"]),
    ("text.marker", lambda: pairloom.train(["low", "lo▁w"]), ["text 1", "position 2"]),
    ("text.surrogate", lambda: pairloom.normalize("\udc00"), ["0", "U+DC00"]),
    ("text.surrogate", lambda: pairloom.train(["low", "\udc00"]), ["text 1", "position 0"]),
    ("text.raw_too_long", lambda: within("lowe"), ["4", "3"]),
    ("text.normalized_too_long", lambda: within("İİ", lowercase=True), ["4", "3"]),
    ("text.empty_corpus", lambda: pairloom.train(" "), []),
    ("setting.merge_limit", lambda: pairloom.train("low", -1), ["merge_limit", "-1", "0"]),
    ("setting.merge_limit", lambda: pairloom.train("low", -HUGE), ["merge_limit"]),
    ("setting.min_frequency", lambda: pairloom.train("low", min_frequency=0), ["min_frequency", "1"]),
    ("setting.pre_tokenizer", lambda: pairloom.train("low", pre_tokenizer="x\ud800\n"), ["whitespace", "punctuation"]),
    ("setting.prefix", lambda: MODEL.encode("low", 4), ["4", "0", "3"]),
    ("setting.prefix", lambda: MODEL.encode("low", HUGE), ["0", "3"]),
    ("setting.prefix", lambda: MODEL.encode("low", "1" * 5000), ["0", "3"]),  # type: ignore[arg-type]  # what is tested
    ("decode.unknown_id", lambda: MODEL.decode([0, 9]), ["9", "position 1", "8"]),
    ("decode.unknown_id", lambda: MODEL.decode([HUGE]), ["position 0", "8"]),
    ("decode.unknown_id", lambda: MODEL.decode([None]), ["None"]),  # type: ignore[list-item]  # what is tested
    ("encode.unknown_tokens", lambda: MODEL.encode("slow").known_ids(), ["1", "'s'"]),
    ("counts.invalid", lambda: pairloom.train_from_word_counts({"low": 0}), ["low"]),
    ("counts.invalid", lambda: pairloom.train_from_word_counts({"low": -HUGE}), ["low"]),
    ("counts.overflow", lambda: pairloom.train_from_word_counts({"low": HUGE}), ["low"]),
    ("model.invalid", lambda: pairloom.Model.from_merges(["ab"], []), ["alphabet[0]", "ab"]),
    ("model.invalid_merge", lambda: pairloom.Model.from_merges("a▁", [("a", "b")]), ["0", "b"]),
]


@pytest.mark.parametrize(("code", "call", "named"), RAISED, ids=[f"{row[0]}-{i}" for i, row in enumerate(RAISED)])
def test_what_an_error_says(code: str, call: Callable[[], object], named: list[str]) -> None:
    with pytest.raises(PairloomError) as caught:
        call()
    error = caught.value
    assert error.code == code
    message = str(error)
    assert message
    assert len(message) < 500
    for part in named:
        assert part in message
    message.encode("utf-8")  # it can be written anywhere
    assert "\n" not in message
    assert error.details == {name: getattr(error, name) for name in error.attributes}


@pytest.mark.parametrize("call", [row[1] for row in RAISED], ids=[f"{row[0]}-{i}" for i, row in enumerate(RAISED)])
def test_an_error_survives_the_way_between_processes(call: Callable[[], object]) -> None:
    with pytest.raises(PairloomError) as caught:
        call()
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert again.code == caught.value.code
    assert again.details == caught.value.details
    assert str(again) == str(caught.value)


def test_many_unknown_tokens_do_not_make_a_long_message() -> None:
    with pytest.raises(pairloom.UnknownTokens) as caught:
        MODEL.encode("x" * 1000).known_ids()
    assert len(caught.value.positions) == 1000
    assert len(str(caught.value)) < 500
    assert "1000" in str(caught.value)
