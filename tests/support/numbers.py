"""Numbers as people write them, worked out in another way than the product does."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def two_decimals(numerator: int, denominator: int) -> str:
    """Return a quotient with two decimals, rounded half up."""
    exact = Fraction(numerator, denominator) * 100
    whole = Decimal(exact.numerator) / Decimal(exact.denominator)
    return str(whole.quantize(Decimal(1), ROUND_HALF_UP) / 100 + Decimal("0.00"))
