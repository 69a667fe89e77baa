"""Quotients for the eye: half up, exactly."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from pairloom.views.rounding import hundredths


@given(st.integers(0, 2**70), st.integers(1, 2**70))
def test_the_nearest_hundredth_and_of_two_the_larger(numerator: int, denominator: int) -> None:
    above = Fraction(hundredths(numerator, denominator), 100) - Fraction(numerator, denominator)
    assert -Fraction(1, 200) < above <= Fraction(1, 200)


def test_halves_go_up() -> None:
    """Code points per token, to two places. Rule: E6."""
    assert [hundredths(number, 1000) for number in (5, 15, 25, 2625, 2675, 1005)] == [1, 2, 3, 263, 268, 101]
