"""Quotients of two counts, rounded for the eye: half up, from the exact quotient, never from a float of it.

A float is a quotient that was rounded before: 2.675 is a little less as a float, and Python's own formatting rounds
halves to even digits. What readers work out on paper is what stands on the page.
"""

from __future__ import annotations


def hundredths(numerator: int, denominator: int) -> int:
    """Return how many hundredths a quotient has, rounded half up. Rule: E6.

    Args:
        numerator: 0 or more.
        denominator: 1 or more.

    >>> hundredths(42, 16), hundredths(107, 40), hundredths(2, 3)  # 2.625, 2.675, 0.6666…
    (263, 268, 67)
    """
    return (200 * numerator + denominator) // (2 * denominator)
