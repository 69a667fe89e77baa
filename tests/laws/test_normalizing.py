"""Laws of normalizing and splitting, on every implementation."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pairloom import educational
from pairloom.normalizer import normalize_with_places
from pairloom.pre_tokenizer import PRE_TOKENIZERS, pre_tokenize
from pairloom.unicode_data import LOWERCASE, MARKER, WHITESPACE
from tests.support.implementations import CORE, EDUCATIONAL, Implementation, on_every_implementation, outcome
from tests.support.strategies import forbidden_texts, texts


@on_every_implementation
@given(text=texts(), lowercase=st.booleans())
def test_normalizing_twice_changes_nothing(implementation: Implementation, text: str, lowercase: bool) -> None:
    once = implementation.normalize(text, lowercase=lowercase)
    assert implementation.normalize(once, lowercase=lowercase) == once


@on_every_implementation
@given(text=texts())
def test_without_lowercase_only_whitespace_changes(implementation: Implementation, text: str) -> None:
    """N5, N6: what is no whitespace stays, in its order."""
    normalized = implementation.normalize(text, lowercase=False)
    words = [word for word in re.split(f"[{WHITESPACE}]+", text) if word]
    assert normalized == " ".join(words)


@on_every_implementation
@given(text=texts())
def test_lowercase_leaves_nothing_to_lower(implementation: Implementation, text: str) -> None:
    normalized = implementation.normalize(text, lowercase=True)
    assert normalized.translate(LOWERCASE) == normalized


@given(text=st.one_of(texts(), forbidden_texts()), lowercase=st.booleans())
def test_the_core_equals_the_plain_algorithm(text: str, lowercase: bool) -> None:
    """Refusals too: the kind and the position of the first offence (N8)."""

    def result(implementation: Implementation) -> object:
        return outcome(lambda: implementation.normalize(text, lowercase=lowercase))

    assert result(CORE) == result(EDUCATIONAL)


@given(text=forbidden_texts(), lowercase=st.booleans())
def test_a_refusal_names_the_first_offence(text: str, lowercase: bool) -> None:
    position = next(i for i, char in enumerate(text) if char == MARKER or 0xD800 <= ord(char) <= 0xDFFF)
    kind = "marker" if text[position] == MARKER else "surrogate"
    assert outcome(lambda: CORE.normalize(text, lowercase=lowercase)) == ("refused", kind, position)


@given(text=texts(), lowercase=st.booleans())
def test_places_lead_back_to_the_raw_text(text: str, lowercase: bool) -> None:
    """E8, for every normalized code point: its range, and that ranges never go back."""
    placed = normalize_with_places(text, lowercase=lowercase)
    assert list(zip(placed.text, placed.starts, placed.ends, strict=True)) == educational.normalize(
        text, lowercase=lowercase
    )
    for char, start, end in zip(placed.text, placed.starts, placed.ends, strict=True):
        raw = text[start:end]
        if char == " ":
            assert raw
            assert not raw.strip(WHITESPACE)
        elif lowercase:
            assert char in {"ς", *LOWERCASE.get(ord(raw), raw)}
        else:
            assert raw == char
    assert list(placed.starts) == sorted(placed.starts)
    assert list(placed.ends) == sorted(placed.ends)


@on_every_implementation
@given(text=texts(), pre_tokenizer=st.sampled_from(PRE_TOKENIZERS))
def test_pre_tokens_are_the_text(implementation: Implementation, text: str, pre_tokenizer: str) -> None:
    """P1, P2: nothing is lost, one marker a word, never inside."""
    normalized = implementation.normalize(text, lowercase=False)
    marked = implementation.pre_tokenize(normalized, pre_tokenizer, marker=True)
    assert "".join(marked).replace(MARKER, " ").removeprefix(" ") == normalized
    assert sum(word.startswith(MARKER) for word in marked) == len(normalized.split(" ")) * bool(normalized)
    assert not any(MARKER in word[1:] or word in ("", MARKER) for word in marked)
    bare = implementation.pre_tokenize(normalized, pre_tokenizer, marker=False)
    assert bare == [word.removeprefix(MARKER) for word in marked]


@given(text=texts(), pre_tokenizer=st.sampled_from(PRE_TOKENIZERS), marker=st.booleans())
def test_the_core_splits_as_the_plain_algorithm(text: str, pre_tokenizer: str, marker: bool) -> None:
    normalized = CORE.normalize(text, lowercase=False)
    expected = educational.pre_tokenize(normalized, pre_tokenizer, marker=marker)
    assert pre_tokenize(normalized, pre_tokenizer, marker=marker) == expected
