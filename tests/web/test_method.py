"""The Method page: what it states is what the settings say and what the engine does. Rule: M."""

import gettext
import gzip
import html
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pairloom import educational, train, unicode_data
from pairloom.web.app import create_app
from pairloom.web.catalogue import Catalogue, load_catalogues
from pairloom.web.method_example import ENCODED, TEXT, TIE_RULES, method_example
from pairloom.web.rendering import Renderer
from pairloom.web.settings import KIB, MIB, Settings
from pairloom.web.statics import package_statics
from tests.web.asgi import ask_now

CONVENTIONS = Path(__file__).resolve().parents[2] / "docs" / "conventions"
WORDS = {f"▁{word}": 1 for word in TEXT.split()}
MODEL = train(TEXT)
VOID = {"br", "col", "hr", "img", "input", "wbr"}

each_language = pytest.mark.parametrize("language", list(load_catalogues()))


def render(language: str = "en", settings: Settings | None = None) -> str:
    renderer = Renderer(load_catalogues()[language], settings or Settings(), package_statics())
    return renderer.render("method.html", method=method_example())


def plain(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", markup)).split())


def section(markup: str, name: str) -> str:
    found = re.search(rf'<h3 id="method-{name}">.*?(?=<h3|\Z)', markup, re.DOTALL)
    assert found, name
    return found[0]


def rows(table: str) -> list[list[str]]:
    body = table.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [
            re.sub(r" (?=\+)|(?<=\+) ", "", plain(cell))
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    ]


def tables(markup: str) -> list[list[list[str]]]:
    return [rows(table) for table in re.findall(r"<table.*?</table>", markup, re.DOTALL)]


def boxes(markup: str) -> list[tuple[str, str]]:
    return re.findall(r"<li class=\"?\w+\"?><bdi>(.*?)</bdi><b>(\w+)</b>", markup)


@each_language
def test_limits_are_those_of_the_settings(language: str) -> None:
    number = load_catalogues()[language].number
    own = replace(
        Settings(),
        corpus_max_code_points=54_321,
        text_max_code_points=4_321,
        merge_limit_max=65_432,
        merge_limit_default=2_345,
        saved_state_max_bytes=96 * KIB,
        cache_max_bytes=1_234 * MIB,
    )
    markup = render(language, own)
    corpus, text, merge_limit = (row[1] for row in tables(section(markup, "limits"))[0])
    assert corpus.startswith(number(54_321))
    assert text.startswith(number(4_321))
    assert re.findall(r"\d[\d.,]*\d|\d", merge_limit) == ["0", number(65_432), number(2_345)]
    memory = section(markup, "memory")
    assert "96\u00a0KiB" in memory
    assert f"{number(1_234)}\u00a0MiB" in memory


@each_language
def test_the_worked_example_is_the_engines_and_the_plain_algorithms(language: str) -> None:
    table = tables(section(render(language), "training"))[0]
    plainly = educational.train(WORDS, 100)
    assert [(merge.left, merge.right) for merge in MODEL.merges] == [merge[:2] for merge in plainly]
    initial = sum(map(len, WORDS))
    assert [row[:5] for row in table] == [["–", "–", "–", "–", str(initial)]] + [
        [str(rank), f"{left}+{right}", str(frequency), str(replacements), str(tokens)]
        for rank, (left, right, frequency, replacements, tokens) in enumerate(plainly)
    ]
    for prefix, row in enumerate(table):
        assert row[5] == " ".join(" ".join(MODEL.encode(word, prefix).tokens) for word in TEXT.split())


def test_the_example_shows_an_overlap_and_a_tie() -> None:
    example = method_example()
    assert [merge.rank for merge in MODEL.merges if merge.frequency != merge.replacements] == [example.overlap.rank]
    ties = []
    for merge in MODEL.merges:
        counts = educational.count_pairs([(list(MODEL.encode(word, merge.rank).tokens), 1) for word in TEXT.split()])
        if len(best := {pair for pair, count in counts.items() if count == merge.frequency}) > 1:
            ties.append((merge.rank, best))
    tie = example.tie
    assert ties == [(tie.merge.rank, {(tie.merge.left, tie.merge.right), tie.loser})]
    assert (chr(tie.smaller), chr(tie.larger)) == ("h", "▁")
    assert tie.smaller < tie.larger


@each_language
def test_its_sentences_carry_the_engines_numbers(language: str) -> None:
    last = plain(section(render(language), "training").partition("</table>")[2])
    overlap, tie = method_example().overlap, method_example().tie
    numbers = re.findall(r"(?<![+\w])\d+", last)
    assert numbers == [
        *map(str, (overlap.rank, overlap.frequency, overlap.replacements)),
        *map(str, (tie.merge.rank, tie.merge.frequency)),
    ]
    for name in (f"{overlap.left} + {overlap.right}", " + ".join(tie.loser), "U+0068", "U+2581"):
        assert name in last
    assert last.count(f"{tie.merge.left} + {tie.merge.right}") == 2


@each_language
def test_what_else_is_counted(language: str) -> None:
    text = plain(section(render(language), "normalization"))
    assert f"Unicode {unicode_data.UNICODE_VERSION.partition('.')[0]}" in text
    assert f" {len(unicode_data.WHITESPACE)} " in text
    ending = plain(section(render(language), "training").partition("<table")[0])
    assert MODEL.min_frequency == 2
    assert {"en": "twice", "de": "zweimal"}[language] in ending


def test_the_lower_case_that_it_names() -> None:
    """`İ` becomes two code points, `Σ` at the end of a word `ς`."""
    encoding = train("İ ΟΔΟΣ", lowercase=True).encode("İ ΟΔΟΣ")
    assert encoding.normalized == "i\u0307 οδος"


@each_language
def test_vocabulary_and_encoding_of_the_example(language: str) -> None:
    markup = render(language)
    assert boxes(section(markup, "vocabulary")) == [(token, str(i)) for i, token in enumerate(MODEL.vocabulary)]
    encoding = MODEL.encode(ENCODED)
    assert encoding.unknown_count > 0
    shown = [(token, "UNK" if i is None else str(i)) for token, i in zip(encoding.tokens, encoding.ids, strict=True)]
    assert boxes(section(markup, "encoding")) == shown
    assert ENCODED in plain(section(markup, "encoding"))


def test_what_other_tools_take_is_what_their_rule_says() -> None:
    table = tables(section(render(), "differences"))[0]
    rank = method_example().tie.merge.rank
    expected = []
    for rule in TIE_RULES:
        left, right, *_ = educational.train(WORDS, rank + 1, choose=educational.tie_rule(rule, WORDS))[rank]
        expected.append(f"{left}+{right}")
    assert [row[2] for row in table] == expected
    assert [row[0] for row in table] == [
        "Pairloom T4",
        "Hugging Face tokenizers, rustbpe",
        "subword-nmt",
        "minbpe and tiktoken’s teaching module",
        "SentencePiece",
    ]


@each_language
def test_its_text_is_in_the_document_that_was_asked_for_and_in_no_other(language: str) -> None:
    app = create_app()
    head = [("page-language", language)]
    text = ask_now(app, "GET", "/method/text", headers=head)
    assert text.headers["content-language"] == language
    assert text.text == render(language)
    document = ask_now(app, "GET", "/method", headers=head).text
    assert (
        f'data-text="/method/text" data-script="{package_statics().address("js/method.js")}" lang="{language}">'
        in document
    )
    assert text.text in document
    for view in ("/", "/lesson", "/walkthrough"):
        other = ask_now(app, "GET", view, headers=head).text
        assert other.count('id="method-') == len(("method-title", "method-text"))
        assert re.search(r'<div id="method-text"[^>]*>\s*</div>', other)
        assert not re.search(r'<div id="method-text"[^>]* lang=', other)


@each_language
def test_its_text_comes_compressed_and_is_a_small_fragment(language: str) -> None:
    head = [("page-language", language), ("accept-encoding", "gzip")]
    answer = ask_now(create_app(), "GET", "/method/text", headers=head)
    assert gzip.decompress(answer.body).decode() == render(language)
    assert "accept-encoding" in answer.headers["vary"]
    assert len(answer.body) <= 6 * KIB


def test_each_statement_links_to_where_it_can_be_tried() -> None:
    markup = render()
    statements = re.findall(r"<div><dt>(.*?)</dt>(.*?)</div>", markup, re.DOTALL)
    assert len(statements) > 20
    for term, statement in statements:
        assert 'class="try"' in statement, term
    for name in ("limits", "training", "memory"):
        assert 'class="try"' in section(markup, name)


def test_each_link_leads_to_a_place_that_is_there() -> None:
    links = re.findall(r'<a class="try" href="([^"]*)" data-view="([^"]*)" data-focus="([^"]*)">', render())
    assert len(links) == render().count('class="try"')
    assert all(address == f"/#{place}" and view == "workbench" for address, view, place in links)
    app = create_app()
    document = ask_now(app, "GET", "/method").text
    assert 'id="method"' in document
    # What comes with a model is there once one is trained.
    result = ask_now(app, "POST", "/workbench/train", form={"corpus": TEXT, "merge_limit": "9"}).text
    there = set(re.findall(r'\sid="([^"]+)"', document + result))
    assert {place for _, _, place in links} <= there


def test_the_language_is_kept_as_long_as_it_says() -> None:
    assert "for a year, as a cookie" in section(render(), "memory")
    assert "Max-Age=31536000" in ask_now(create_app(), "GET", "/method?lang=de").headers["set-cookie"]


def test_the_table_of_contents_has_every_section_once() -> None:
    markup = render()
    contents = re.findall(r'<a href="#([\w-]+)">', markup.partition("</nav>")[0])
    assert contents == re.findall(r'<h3 id="([\w-]+)">', markup)
    ids = re.findall(r'\sid="([^"]+)"', markup)
    assert len(ids) == len(set(ids))
    assert all(each == "method" or each.startswith("method-") for each in ids)


def test_each_rule_that_it_cites_is_documented() -> None:
    documented = "".join(path.read_text(encoding="utf-8") for path in CONVENTIONS.glob("*.md"))
    cited = re.findall(r'<small class="rule">([^<]*)</small>', render())
    numbers = {number for group in cited for number in re.split(r", |–", group)}
    assert len(numbers) > 25
    for number in numbers:
        assert re.fullmatch(r"[NPTVELDW]\d+", number), number
        assert re.search(rf"\b{number}\b", documented), number


class Balance(HTMLParser):
    """Fails where an element is closed that is not the one last opened; HTML lets `</li>` be left out."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        if tag == "li" and self.open[-1] == "li":
            self.open.pop()
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul") and self.open[-1] == "li":
            self.open.pop()
        assert self.open.pop() == tag, self.getpos()


@each_language
def test_its_markup_is_balanced(language: str) -> None:
    parser = Balance()
    parser.feed(render(language))
    assert parser.open == []


class Bracketed(gettext.NullTranslations):
    """A language in which every message stands in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return message if "sign" in context else f"⟦{message}⟧"


def test_all_of_its_words_can_be_translated() -> None:
    renderer = Renderer(Catalogue("xx", Bracketed()), Settings(), package_statics())
    left = renderer.render("method.html", method=method_example())
    # Sentences may hold names of options, which are messages themselves.
    while "⟦" in left:
        inner = re.sub(r"⟦[^⟦⟧]*⟧", "", left)
        assert inner != left
        left = inner
    left = re.sub(r"<(bdi|small class=\"rule\"|li class=\"?\w+\"?).*?</(bdi|small|li)>", "", left, flags=re.DOTALL)
    names = {"Pairloom", "Hugging", "Face", "tokenizers,", "rustbpe", "subword-nmt", "SentencePiece"}
    signs = {"+", "–", "UNK", "aclanthology.org", "github.com"}
    assert {word for word in plain(left).split() if not word.isdecimal()} == names | signs
