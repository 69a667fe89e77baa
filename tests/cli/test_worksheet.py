"""`pairloom worksheet`: seeded problems and their computed key, on paper, in both languages."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pairloom.cli.paper_html import html, shown
from pairloom.cli.paper_markdown import code, markdown
from pairloom.views.lesson.generator import LANGUAGES, generate
from pairloom.views.lesson.messages import MESSAGES
from pairloom.views.lesson.problems import KINDS, Kind
from pairloom.views.lesson.sentences import Row, Sentence, Symbol
from pairloom.views.lesson.wording import answer_text
from pairloom.views.lesson.worksheet import Paragraph, Worksheet
from pairloom.web.catalogue import load_catalogues
from tests.support.command_line import run, run_process

ANSWER = {"en": "Answer: ", "de": "Antwort: "}
NEVER = {"en": "never", "de": "nie"}


class Reader(HTMLParser):
    """Which tags a document has, and its text."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


def bare(line: str) -> str:
    """A line of Markdown without its signs."""
    return line.replace("`", "").replace("*", "").strip()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_key_has_the_answers_of_the_engine(tmp_path: Path, language: str, level: int) -> None:
    key = tmp_path / "key.md"
    ended = run(
        *("worksheet", "--language", language, "--level", str(level), "--count", "12", "--seed", "paper"),
        *("--key", key),
    )
    assert (ended.code, ended.err) == (0, "")
    given = [bare(line) for line in key.read_text("utf-8").splitlines() if line.startswith(f"**{ANSWER[language]}")]
    problems = [generate("mixed", seed="paper", level=level, number=number, language=language) for number in range(12)]
    expected = [answer_text(problem).replace("never", NEVER[language]) for problem in problems]
    assert given == [ANSWER[language] + answer for answer in expected]
    # No answer on the sheet: there is room for it instead.
    blanks = [line for line in ended.out.splitlines() if line.startswith(ANSWER[language].strip())]
    assert len(blanks) == 12
    assert all(re.fullmatch(r"\w+: …+", line) for line in blanks)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_alone(kind: Kind) -> None:
    out = run("worksheet", "--kind", kind, "--count", "3").out
    assert len(re.findall(r"^## Problem \d", out, re.MULTILINE)) == 3
    name = MESSAGES[f"kind.{kind}"].singular
    assert [line for line in out.splitlines() if line.startswith("## Pro")] == [
        f"## Problem {number}: {name}" for number in (1, 2, 3)
    ]


def test_the_same_options_give_the_same_sheet_in_every_process() -> None:
    arguments = ("worksheet", "--level", "3", "--key-page")
    first = run(*arguments).out
    for seed in ("0", "1"):
        process = run_process(*arguments, environment={"PYTHONHASHSEED": seed})
        assert (process.returncode, process.stdout.decode()) == (0, first)
    assert run(*arguments, "--seed", "2").out != first


def test_both_languages_say_the_same_with_the_same_words_of_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("weave weaver weavers weaving woven thread threads threaded", "utf-8")
    arguments = ("worksheet", "--level", "2", "--key-page", tmp_path / "words.txt")
    english, german = (run(*arguments, "--language", language).out for language in LANGUAGES)
    assert re.findall(r"`[^`]+`", english) != []
    assert english.count("## ") == german.count("## ")
    assert not re.search(r"\b(the|merge|word|which|pairs|answer)\b", german, re.IGNORECASE)


def test_a_key_page_is_a_page_of_its_own() -> None:
    out = run("worksheet", "--count", "1", "--key-page").out
    sheet, key = out.split("\n---\n")
    assert sheet.startswith("# Worksheet")
    assert key.startswith("\n# Answer key")
    document = run("worksheet", "--count", "1", "--key-page", "--format", "html").out
    assert document.count('<div class="part">') == 2
    assert ".part + .part { break-before: page" in document


@pytest.mark.parametrize("language", LANGUAGES)
def test_html_needs_nothing_else(language: str) -> None:
    document = run("worksheet", "--format", "html", "--key-page", "--language", language, "--level", "3").out
    reader = Reader(document)
    assert document.startswith(f'<!doctype html>\n<html lang="{language}">')
    assert not {"script", "link", "img", "iframe"} & set(reader.tags)
    assert "@import" not in document
    assert "url(" not in document
    assert not [name for name, _ in reader.attributes if name in {"src", "href"} or name.startswith("on")]
    assert reader.tags.count("h1") == 2
    markdown_words = re.findall(r"\w+", run("worksheet", "--key-page", "--language", language, "--level", "3").out)
    html_words = re.findall(r"\w+", reader.text)
    # The same problems; only the signs of the form differ.
    assert set(markdown_words) - set(html_words) - {"---"} <= {str(number) for number in range(1, 60)}


HOSTILE = (
    "<script>alert(1)</script> `code` **bold** |cell| \x1b[31mred \u202eturned \x00nul [link](x) \\ # <b>&amp;</b>"
)


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_n9_a_hostile_corpus_is_shown_as_text(tmp_path: Path, form: str) -> None:
    (tmp_path / "hostile.txt").write_text(f"{HOSTILE} {HOSTILE}", "utf-8")
    for kind in ("next_merges", "split", "unknown", "until_whole"):
        ended = run(
            *("worksheet", "--kind", kind, "--count", "8", "--level", "3", "--key-page", "--format", form),
            tmp_path / "hostile.txt",
        )
        assert (ended.code, ended.err) == (0, "")
        assert not set(ended.out) & {"\x00", "\x1b", "\u202e"}
        if form == "html":
            assert set(Reader(ended.out).tags) <= set(
                Reader(run("worksheet", "--format", "html", "--key-page").out).tags
            ) | {"samp"}


@pytest.mark.parametrize("text", ["`", "``", "a`b", "|", "\\", "<b>", "&amp;", "*", "\x00", "\u202e", " "])
def test_n9_no_symbol_ends_its_code_span(text: str) -> None:
    written = code(text)
    if written.startswith("`"):
        assert not set("`|\\<>&") & set(written[1:-1])
    else:
        inside = written.removeprefix("<code>").removesuffix("</code>")
        assert re.fullmatch(r"(?:[^\x00-\x7f]|[0-9A-Za-z]|&#\d+;)+", inside)


def test_n9_symbols_in_html_and_markdown() -> None:
    said = Paragraph((Sentence.of("solved.start", tokens=Row(("<b>", "|", "▁a"))),))
    word = Paragraph((Sentence.of("asked.until_whole", word=Symbol("a\u202eb")),))
    english = load_catalogues()["en"]
    assert "&lt;b&gt;" in html([[said]], english)
    assert "<samp>\\u202e</samp>" in html([[word]], english)
    assert "<code>&#60;b&#62;</code> <code>&#124;</code> `▁a`" in markdown([said], english)
    assert shown("\u0301").startswith("\u25cc")


def test_n1_an_own_corpus_can_be_lower_cased(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("WEAVE Weaver WEAVERS weaving THREAD Threads", "utf-8")
    out = run("worksheet", "--lowercase", "--kind", "next_merges", tmp_path / "words.txt").out
    symbols = re.findall(r"`([^`\n]+)`", out)
    assert "thread" in "".join(symbols)
    assert not re.search(r"[A-Z]", "".join(symbols))
    assert "a corpus of the teacher’s" in out


def test_standard_input_is_read_only_when_it_is_named() -> None:
    assert run("worksheet", text="nothing of this").out == run("worksheet").out
    named = run("worksheet", "-", text="weave weaver weavers weaving thread threads threaded")
    assert named.code == 0
    assert named.out != run("worksheet").out


def test_key_and_sheet_do_not_go_to_one_place(tmp_path: Path) -> None:
    ended = run("worksheet", "--key", "-")
    assert ended.code == 2
    assert "--key-page puts both into one" in ended.err
    ended = run("worksheet", "--key", tmp_path / "a.md", "-o", tmp_path / "." / "a.md")
    assert ended.code == 2
    assert "a.md are one file" in ended.err
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_when_something_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("a", "utf-8")
    ended = run("worksheet", "--key", tmp_path / "key.md", "-o", tmp_path / "sheet.md", tmp_path / "one.txt")
    assert (ended.code, ended.out) == (1, "")
    assert "give a longer text" in ended.err
    assert {path.name for path in tmp_path.iterdir()} == {"one.txt"}


def test_a_forbidden_code_point_is_told_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("snow▁man", "utf-8")
    ended = run("worksheet", tmp_path / "bad.txt")
    assert ended.code == 1
    assert "bad.txt" in ended.err


@pytest.mark.parametrize(
    "arguments", [("--level", "4"), ("--count", "0"), ("--kind", "riddle"), ("--language", "fr"), ("--key", "")]
)
def test_wrong_use(arguments: tuple[str, ...]) -> None:
    assert run("worksheet", *arguments).code == 2


LOADED = """
import sys
from pairloom.cli.program import program
try:
    program.main(["worksheet", "--language", "de"], "pairloom")
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""


def test_it_needs_nothing_of_the_extra_web() -> None:
    import subprocess
    import sys

    process = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, check=True)
    loaded = set(process.stderr.decode().split())
    assert not loaded & {"starlette", "jinja2", "markupsafe", "uvicorn", "asyncio", "numpy", "pairloom.educational"}


def test_a_worksheet_has_what_was_asked_for() -> None:
    worksheet = Worksheet.of("tie", seed="1", level=2, count=4, language="en")
    assert [problem.kind for problem in worksheet.problems] == ["tie"] * 4
