"""The README says what it says in the promised order, and what it says of the source is true."""

from __future__ import annotations

import re

from tests.docs.markdown import ROOT, blocks, headings, links, pages
from tools.draw_picture import draw

_README = (ROOT / "README.md").read_text(encoding="utf-8")
_CORE = {path.name for path in (ROOT / "src" / "pairloom").glob("*.py")} - {"__init__.py", "__main__.py"}


def _section(title: str) -> str:
    return re.split(r"^## ", _README.split(f"\n## {title}", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_the_sections_stand_in_their_order() -> None:
    assert headings(_README) == [
        "Pairloom",
        "What it is not",
        "Two commands",
        "The library in six lines",
        "The command line in three",
        "Reading the source",
        "The conventions, and how other tools differ",
        "Speed",
        "Contributing",
    ]


def test_the_reading_order_has_every_module_of_the_core_once() -> None:
    read = [link.rpartition("/")[2] for link in links(_section("Reading the source")) if link.endswith(".py")]
    assert len(read) == len(set(read))
    assert _CORE - set(read) == set()


def test_the_reading_order_goes_the_way_of_the_data() -> None:
    read = [link.rpartition("/")[2] for link in links(_section("Reading the source"))]
    way = ["normalizer.py", "pre_tokenizer.py", "word_counts.py", "trainer.py", "model.py", "encoder.py", "history.py"]
    assert [file for file in read if file in way] == way
    assert read[0] == "educational.py"


def test_the_reading_order_has_every_part_of_the_package() -> None:
    parts = {path.name for path in (ROOT / "src" / "pairloom").iterdir() if (path / "__init__.py").exists()}
    assert {part for part in parts if f"src/pairloom/{part}" not in _section("Reading the source")} == set()


def test_the_library_is_shown_in_six_lines_and_the_command_line_in_three() -> None:
    library = next(block for block in blocks(_README) if block.language == "python")
    assert len(library.text.splitlines()) <= 6
    console = next(block for block in blocks(_README) if block.language == "console")
    assert console.text.count("$ ") == 3


def test_every_make_command_of_the_readme_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wanted = set(re.findall(r"make ([a-z-]+)(?=[`\s]*(?:\s#|`))", _README))
    assert {"run", "test", "bench"} <= wanted
    assert {target for target in wanted if f"\n{target}:" not in makefile} == set()


def test_the_picture_is_what_a_training_draws() -> None:
    assert (ROOT / "docs" / "images" / "prefixes.svg").read_text(encoding="utf-8") == draw()


def test_the_figures_are_the_published_ones() -> None:
    published = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    figures = re.findall(r"\d[\d.]* m?s\b", _section("Speed"))
    assert len(figures) >= 10
    assert [each for each in figures if f"| {each} |" not in published and f"| {each} (" not in published] == []


def test_a_newcomer_learns_how_to_reach_command_and_library() -> None:
    section = _section("Two commands")
    for words in (". .venv/bin/activate", "pip install .", "pip install '.[web]'"):
        assert f"`{words}`" in section
    # There is no published package.
    assert "'pairloom[web]'" not in "".join(page.read_text(encoding="utf-8") for page in pages())


def test_the_exception_at_the_top_level_is_named() -> None:
    assert "`__main__.py`" in _section("Reading the source")
