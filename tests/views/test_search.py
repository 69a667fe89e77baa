"""Looking for a typed token."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairloom.unicode_data import MARKER
from pairloom.views.display import plain
from pairloom.views.search import Found, find, typed_token

TOKENS = ("l", "o", "low", "▁low", "slow", "low")


def test_the_very_token_comes_first_then_what_contains_it() -> None:
    found = [find(TOKENS, "low", number) for number in range(5)]
    assert found == [
        Found("low", 2, 0, 4, is_exact=True),
        Found("low", 5, 1, 4, is_exact=True),
        Found("low", 3, 2, 4, is_exact=False),
        Found("low", 4, 3, 4, is_exact=False),
        Found("low", 2, 0, 4, is_exact=True),
    ]
    assert find(TOKENS, "x") is None
    assert find((), "x") is None


@pytest.mark.parametrize(
    ("typed", "token"),
    [
        (" low", "▁low"),
        ("▁low", "▁low"),
        (r"\u200b", "\u200b"),
        (r"x\u{E0001}y", "x\U000e0001y"),
        (r"\\u200b", r"\u200b"),
        (r"\\\u200b", "\\\u200b"),
        (r"C:\up", r"C:\up"),
        (r"\ud800\u{110000}", r"\ud800\u{110000}"),
        ("\u25cc\u0301", "\u0301"),
        ("\u25cc", "\u25cc"),
    ],
)
def test_what_is_typed(typed: str, token: str) -> None:
    assert typed_token(typed) == token


@given(st.text() | st.text(st.sampled_from("\\u{}0a1e\u200b\u0301\u25cc▁b\U000e0001"), max_size=14))
def test_every_token_can_be_typed_as_it_is_shown(token: str) -> None:
    assert typed_token(plain(token)) == token.replace(" ", MARKER)
