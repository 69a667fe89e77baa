"""The pages of the documentation, and the code blocks, links and headings in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and the line on which the text begins, from 1."""

    language: str
    text: str
    line: int


def pages() -> list[Path]:
    """Every page of the documentation, the README and the other pages at the top among them."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def name(page: Path) -> str:
    """The page's path from the root of the project."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> Iterator[Block]:
    for found in _FENCE.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)) + 1)


def prose(text: str) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", text)


def links(text: str) -> list[str]:
    return _LINK.findall(prose(text))


def headings(text: str) -> list[str]:
    return _HEADING.findall(prose(text))


def anchors(text: str) -> set[str]:
    """The fragments that a link may name, as the usual Markdown renderers make them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(text)}
