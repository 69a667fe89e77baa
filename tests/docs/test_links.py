"""Every link inside the documentation leads to a file, and every fragment to a heading in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, anchors, headings, links, name, pages, prose
from tests.support.repository import tracked_texts

_FILE = re.compile(r"`((?:docs|tests|src|tools|benchmarks)/[\w./-]+)`")


@pytest.mark.parametrize("page", pages(), ids=name)
def test_links_resolve(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    broken = [link for link in links(text) if not _resolves(link, page)]
    assert broken == []


@pytest.mark.parametrize("page", pages(), ids=name)
def test_a_page_begins_with_its_one_title(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert headings(text)


@pytest.mark.parametrize("page", pages(), ids=name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    named = _FILE.findall(prose(page.read_text(encoding="utf-8")))
    assert [file for file in named if not (ROOT / file).exists()] == []


def test_the_project_stands_on_its_own_papers() -> None:
    # Its documentation is the contract: nothing in it points to papers that a reader does not have.
    elsewhere = re.compile(r"\b(?:SPEC|DESIGN|STYLE)(?:\.md\b| [A-Z]\d)")
    own = Path(__file__).resolve()
    texts = {path: text for path, text in tracked_texts().items() if ROOT / path != own}
    assert {path for path, text in texts.items() if elsewhere.search(text)} == set()


def test_every_page_is_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        for link in links(page.read_text(encoding="utf-8")):
            target = (page.parent / link.partition("#")[0]).resolve()
            if "://" not in link and target.is_file():
                waiting.append(target)
    assert [name(page) for page in pages() if page not in reached] == []


def _resolves(link: str, page: Path) -> bool:
    if "://" in link or link.startswith("mailto:"):
        return True
    file, _, fragment = link.partition("#")
    target = (page.parent / file).resolve() if file else page
    if not target.exists():
        return False
    return not fragment or fragment in anchors(target.read_text(encoding="utf-8"))
