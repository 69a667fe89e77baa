"""How a byte-level tokenizer (GPT-2 and its followers) is told from one of characters."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

EXPLANATION: Final = (
    "a byte-level tokenizer, as of GPT-2: its symbols stand for bytes (Ġ is a space, Ã© the two bytes of é), so its "
    "merges cut inside characters. Pairloom's smallest unit is a code point, and no model here could give its tokens. "
    "Train one on the text itself (pairloom train), and see docs/coming-from.md"
)


def byte_symbols() -> frozenset[str]:
    """Return the 256 code points that GPT-2 writes bytes with: printable Latin-1 as it is, the rest from U+0100 on.

    >>> symbols = byte_symbols()
    >>> len(symbols), "Ġ" in symbols, " " in symbols
    (256, True, False)
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    return frozenset(map(chr, [*printable, *range(0x100, 0x100 + 256 - len(printable))]))


def is_byte_level(vocabulary: Container[str]) -> bool:
    """Whether a vocabulary has a symbol for each byte; no text of characters has all of them by chance."""
    return all(symbol in vocabulary for symbol in byte_symbols())
