"""Random corpora and texts from pools of code points that are chosen to meet; the same for the same seed."""

from __future__ import annotations

import random

from tests.support.strategies import POOLS

_SPACES = " " * 6 + "\t\n\u00a0\u3000\ufeff"


def words(drawn: random.Random, pool: str, *, most: int = 12) -> str:
    """Some words, a few of them often, with whitespace of several kinds between them."""
    distinct = ["".join(drawn.choices(pool, k=drawn.randint(1, 8))) for _ in range(drawn.randint(1, 6))]
    return "".join(word + drawn.choice(_SPACES) for word in drawn.choices(distinct, k=drawn.randint(1, most)))


def text(drawn: random.Random, *, known: str = "") -> str:
    """A text of one or two pools and perhaps the letters of a corpus; it may be empty."""
    letters = drawn.choice(POOLS) + (drawn.choice(POOLS) if drawn.random() < 0.3 else "") + known * 2 + _SPACES
    return "".join(drawn.choices(letters, k=drawn.randint(0, 40)))
