"""The data on the page are the library's, for every training vector, through the page's own requests.

The answers are read as a browser reads them; every number, token and ID in them is compared with the vector.
"""

from __future__ import annotations

import asyncio
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.applications import Starlette

import pairloom
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.views.display import visible
from pairloom.web.app import create_app
from tests.support.numbers import two_decimals
from tests.web.asgi import ask, events
from tests.web.test_workbench import key_in

VECTORS = Path(__file__).parents[1] / "vectors"
CASES = [case for name in ("training", "reports") for case in json.loads((VECTORS / f"{name}.json").read_text("ascii"))]


class Reader(HTMLParser):
    """Collects the text of elements: cells by row, boxes of the corpus by word, boxes of an encoding with their IDs."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.words: list[list[str]] = []
        self.boxes: list[list[str]] = []
        self.points: list[tuple[int, int]] = []
        self.figures: list[str] = []
        self.facts: dict[str, str] = {}
        self._into: list[str] | None = None
        self._open: list[str] = []
        self._in_flow = False
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag == "p":
            self._in_flow = (names.get("class") or "") == "flow"
            self.facts |= {key: value or "" for key, value in names.items() if key.startswith("data-")}
        elif tag == "tbody":
            self.rows = []
        elif tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self._begin(self.rows[-1])
        elif tag == "bdi" and self._in_flow:
            self.words.append([])
        elif tag in {"i", "mark"} and self._in_flow:
            self._begin(self.words[-1])
        elif tag == "li":
            self.boxes.append([])
        elif tag in {"bdi", "b"} and self.boxes and self._open[-1:] == ["li"]:
            self._begin(self.boxes[-1])
        elif tag == "dd":
            self._begin(self.figures)
        elif tag == "polyline":
            points = (names["points"] or "").split()
            self.points = [(int(x), -int(y)) for x, y in (point.split(",") for point in points)]
        if tag in {"li", "ol"}:
            self._open.append(tag)

    def _begin(self, into: list[str]) -> None:
        into.append("")
        self._into = into

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self._in_flow = False
        if tag == "ol":
            self._open.clear()
        if tag in {"td", "i", "mark", "b", "dd", "table", "tr", "li"} or (tag == "bdi" and self.boxes):
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into[-1] += data


def read(markup: str) -> Reader:
    reader = Reader(markup)
    reader.rows = [[cell.strip() for cell in row] for row in reader.rows]
    return reader


def shown(token: str) -> str:
    """Return a token as its page shows it: with escapes, and whole (the vectors have no very long ones)."""
    assert len(token) <= 120
    return "".join(span.text for span in visible(token))


def number(value: int) -> str:
    return f"{value:,}"


class Workbench:
    """The page's requests for one model."""

    def __init__(self, app: Starlette, key: str) -> None:
        self.app = app
        self.key = key

    async def ask(self, path: str, **fields: str | int) -> str:
        form = {"key": self.key} | {name: str(value) for name, value in fields.items()}
        answer = await ask(self.app, "POST", f"/workbench/{path}", form=form)
        assert answer.status == 200, answer.text
        return answer.text

    async def all_rows(self, path: str, prefix: int, total: int) -> list[list[str]]:
        pages = [read(await self.ask(path, prefix=prefix, page=page)).rows for page in range(-(-total // 100))]
        return [row for page in pages for row in page]

    async def all_words(self, prefix: int) -> list[list[str]]:
        words: list[list[str]] = []
        first = await self.ask("corpus", prefix=prefix, page=0)
        of = re.search(r"page <input[^>]*> of ([\d,]+)", first)
        for page in range(int(of[1].replace(",", "")) if of else 1):
            words += read(await self.ask("corpus", prefix=prefix, page=page)).words
        return words

    async def encoding(self, text: str, prefix: int) -> tuple[list[list[str]], list[str]]:
        answer = read(await self.ask("encode", prefix=prefix, text=text))
        boxes = answer.boxes
        for page in range(1, -(-int(answer.figures[0].replace(",", "")) // 100)):
            boxes += read(await self.ask("encode", prefix=prefix, text=text, page=page)).boxes
        return boxes, answer.figures


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_page_shows_what_the_vector_says(case: dict[str, object]) -> None:
    asyncio.run(compare(case))


async def compare(case: dict[str, object]) -> None:
    app = create_app()
    corpus = str(case["corpus"])
    inputs = {
        "corpus": corpus,
        "merge_limit": str(case["merge_limit"]),
        "pre_tokenizer": str(case["pretokenizer"]),
    } | ({"lowercase": "on"} if case["lowercase"] else {})
    answer = await ask(app, "POST", "/workbench/train", form=inputs)
    result = events(answer.text)[-1]
    page = Workbench(app, key_in(result))
    merges: list[list[object]] = case["merges"]  # type: ignore[assignment]  # as the vectors' README says
    alphabet: list[str] = case["alphabet"]  # type: ignore[assignment]
    encodings: list[dict[str, object]] = case["encodings"]  # type: ignore[assignment]
    counts = [case["initial_tokens"], *(merge[4] for merge in merges)]
    whole = read(result)

    # Summary: pre-tokens, distinct, base alphabet, merges, vocabulary, tokens at first and in the end.
    ends = [case["pretokens"], case["distinct_pretokens"], len(alphabet), len(merges), case["vocabulary_size"]]
    assert whole.figures == [number(int(str(each))) for each in (*ends, counts[0], counts[-1])]
    assert ("at the merge limit" in result) == (case["stopped"] == "merge_limit")

    # The graph: what it draws, and all of it where it is short.
    assert whole.points == [(prefix, counts[prefix]) for prefix, _ in whole.points]
    assert len(whole.points) == min(len(counts), len(whole.points))
    assert len(counts) > 600 or len(whole.points) == len(counts)

    # The merge table.
    rows = await page.all_rows("merges", len(merges), len(merges))
    expected = []
    for rank, (left, right, frequency, replacements, after, token_id, is_new) in enumerate(merges):
        made = f"{left}{right}"
        tokens = [shown(str(token)) for token in (left, right, made)]
        numbers = [number(int(str(each))) for each in (frequency, replacements, after)]
        expected.append([number(rank), *tokens, *numbers, number(int(str(token_id))), "new" if is_new else "reused"])
    assert rows == expected

    # The vocabulary at a prefix in the middle.
    middle = len(merges) // 2
    rows = await page.all_rows("vocabulary", middle, int(str(case["vocabulary_size"])))
    kinds = [("base", "active")] * len(alphabet) + [
        (f"merge of rank {number(rank)}", "active" if rank < middle else "not active")
        for rank, merge in enumerate(merges)
        if merge[6]
    ]
    vocabulary = [*alphabet, *(f"{merge[0]}{merge[1]}" for merge in merges if merge[6])]
    assert rows == [
        [number(token_id), shown(token), *kind]
        for token_id, (token, kind) in enumerate(zip(vocabulary, kinds, strict=True))
    ]

    # Every prefix that the vector has: the selected point, the coloured corpus, the encodings.
    model = pairloom.train(
        corpus,
        int(str(case["merge_limit"])),
        lowercase=bool(case["lowercase"]),
        pre_tokenizer=str(case["pretokenizer"]),
    )
    words = pre_tokenize(pairloom.normalize(corpus, bool(case["lowercase"])), model.pre_tokenizer)
    for prefix in sorted({0, len(merges), *(int(str(each["prefix"])) for each in encodings)}):
        step = await page.ask("prefix", prefix=prefix, merges_page=999)
        assert f"corpus tokens <b>{number(int(str(counts[prefix])))}</b>" in step
        if prefix:
            frequency, replacements = (number(int(str(each))) for each in merges[prefix - 1][2:4])
            assert f"frequency <b>{frequency}</b>" in step
            assert f"replacements <b>{replacements}</b>" in step
            assert f"<tr data-r={prefix - 1} aria-current=true>" in step
        pieces = await page.all_words(prefix)
        segments = {word: model.merge_table.merge(word, prefix=prefix).starts for word in set(words)}
        flat = [token for word in pieces for token in word]
        assert len(flat) == counts[prefix]
        assert "".join(flat) == shown_all(words, segments)
    for each in encodings:
        boxes, figures = await page.encoding(str(each["text"]), int(str(each["prefix"])))
        encoded: list[str] = each["tokens"]  # type: ignore[assignment]
        ids: list[int | None] = each["ids"]  # type: ignore[assignment]
        assert boxes == [
            [shown(token), "UNK" if token_id is None else number(token_id)]
            for token, token_id in zip(encoded, ids, strict=True)
        ]
        assert figures == [
            number(len(encoded)),
            number(int(str(each["code_points"]))),
            two_decimals(int(str(each["code_points"])), len(encoded)) if encoded else "—",
            number(int(str(each["unknown"]))),
        ]


def shown_all(words: list[str], starts: dict[str, list[int]]) -> str:
    """Return the tokens of all words one after the other, each as it is shown."""
    parts: list[str] = []
    for word in words:
        places = [*starts[word], len(word)]
        parts += [shown(word[begin:end]) for begin, end in pairwise(places)]
    return "".join(parts)
