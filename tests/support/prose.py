"""Real English for the pages: prose.txt, recorded once from this project's own documents and licence.

Recorded, not read from docs/: what the tests expect (how many merges, the prefix at which a count reaches four figures)
must not change because somebody edits a document. The sign that rule N8 refuses is replaced.
"""

from __future__ import annotations

from pathlib import Path


def real_text(words: int) -> str:
    """Return that many words of real English, at most 40,000 code points."""
    found = Path(__file__).with_name("prose.txt").read_text(encoding="utf-8").split()[:words]
    assert len(found) == words
    return " ".join(found)[:40_000]
