"""The walkthrough on texts so small that every number can be counted by hand, rule by rule: S1–S6."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest
from starlette.applications import Starlette

import pairloom
from pairloom.web.app import create_app
from tests.web.asgi import Answer
from tests.web.test_walkthrough import COUNTED, asked_in, marked_pairs, part, rows, text, train

Ask = Callable[..., Awaitable[Answer]]

# ▁aaaa twice and ▁ab: a + a stands at 6 positions and is replaced 4 times.
RUNS = "aaaa aaaa ab"


def walking(through: Callable[[Starlette, str, Ask], Awaitable[None]], corpus: str, **more: str) -> None:
    """Train on a text and do something with what came: the app, the first answer, and what asks for more."""

    async def main() -> None:
        app = create_app()
        first = await train(app, corpus, **more)
        await through(app, first, asked_in(app, first))

    asyncio.run(main())


def numbers(markup: str) -> list[str]:
    return re.findall(r"<dd>(.*?)</dd>", part(markup, "numbers"))


def next_line(markup: str) -> str:
    return text(re.findall(r'<p class="next".*?</p>', markup, re.DOTALL)[0])


def colors(markup: str) -> dict[int, int]:
    """Per token ID the colour of its boxes in the corpus; each has one."""
    found = {(int(token_id), int(color)) for color, token_id in re.findall(r"class=c(\d+) data-t=(\d+)", markup)}
    assert len(dict(found)) == len(found)
    return dict(found)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["4", "4", "8"]),  # ▁Low ▁low , ▁LOW: L O W l o w , ▁
        ({"walk_lowercase": "on"}, ["4", "2", "5"]),
        ({"walk_pre_tokenizer": "whitespace"}, ["3", "3", "8"]),
        ({"walk_pre_tokenizer": "whitespace", "walk_lowercase": "on"}, ["3", "2", "5"]),
    ],
)
def test_s1_each_setting_says_what_is_counted(chosen: dict[str, str], expected: list[str]) -> None:
    async def through(_: Starlette, first: str, __: Ask) -> None:
        assert numbers(first) == expected

    walking(through, "Low low, LOW", **{"pre_tokenizer": "punctuation", **chosen})


def test_s3_pairs_are_counted_at_every_position() -> None:
    async def through(_: Starlette, first: str, asking: Ask) -> None:
        assert next_line(first) == "Next merge #1: a + a → aa (6 times)"
        assert rows(part(first, "pairs-view")) == [
            ["a + a", "aa next", "6"],
            ["▁ + a", "▁a", "3"],
            ["a + b", "ab", "1"],
        ]
        assert text(part(first, "why-view")).startswith(
            "a + a is the most frequent pair: 6 times. Runner-up: ▁ + a, 3 times."
        )
        answer = await asking("step", prefix="1")
        assert next_line(answer.text) == "Next merge #2: aa + aa → aaaa (2 times)"
        assert [row[2] for row in rows(part(answer.text, "pairs-view"))] == ["2", "2", "1", "1"]

    walking(through, RUNS)


def test_s3_what_other_tools_would_take_is_not_ours_by_rule() -> None:
    """After a + a → aa the two words are ▁ aa a: its ID is the largest, though its string is the smallest."""

    async def through(_: Starlette, __: str, asking: Ask) -> None:
        answer = await asking("step", prefix="1")
        assert next_line(answer.text).startswith("Next merge #2: aa + a → aaa")
        assert re.findall(r"</th><td>(.*?)</td>", re.sub(r"</?(?:bdi|span)[^>]*>", "", answer.text)) == [
            "▁ + aa",
            "▁ + aa",
            "▁ + aa",
            "the same",
        ]

    walking(through, "aaa aaa")


def test_s3_the_top_twelve_in_order_and_the_next_one_named() -> None:
    async def through(_: Starlette, first: str, asking: Ask) -> None:
        shown = rows(part(first, "pairs-view"))
        assert len(shown) == 12
        assert shown[:3] == [["e + r", "er next", "11"], ["n + d", "nd", "9"], ["a + n", "an", "8"]]
        assert [row for row in shown if "next" in row[1]] == shown[:1]
        assert part(first, "pairs-view").count('class="is-next"') == 1
        # Nothing is next any more where no pair stands twice.
        last = part((await asking("step", prefix="39")).text, "pairs-view")
        assert 'class="is-next"' not in last
        assert {row[2] for row in rows(last)} == {"1"}

    walking(through, COUNTED)


def test_s3_equals_stand_by_left_and_then_by_right_symbol() -> None:
    """Four pairs, twice each; the marker is larger than any letter, and the one counted first is the last in order."""

    async def through(_: Starlette, first: str, __: Ask) -> None:
        assert [row[0] for row in rows(part(first, "pairs-view"))] == ["a + a", "a + b", "b + a", "▁ + b"]
        why = part(first, "why-view")
        assert text(why).startswith(
            "A tie: 4 pairs occur 2 times each. The first two pairs have the same left token, so the smaller right "
            "token wins, compared code point by code point. a U+0061 comes before b U+0062. Runner-up: a + b."
        )
        assert [text(each) for each in re.findall(r"</th><td>(.*?)</td>", why)] == [
            "▁ + b",
            "the same",
            "▁ + b",
            "the same",
        ]

    walking(through, "baab baab")


def test_s4_frequency_and_replacements_are_two_numbers() -> None:
    async def through(_: Starlette, __: str, asking: Ask) -> None:
        answer = await asking("step", prefix="1")
        assert rows(part(answer.text, "merges-view")) == [["1", "a + a → aa", "6", "4"]]
        figures = [text(each) for each in re.findall(r"<dd>(.*?)</dd>", part(answer.text, "figures"))]
        assert figures[1] == "9 −4 by the last merge"
        assert "(4 replacements)" in text(answer.text)

    walking(through, RUNS)


def test_s4_sizes_base_characters_and_a_friendly_line() -> None:
    """▁aaaa twice and ▁ab: 13 tokens, then 9, 7, 5 and so on; three characters."""

    async def through(_: Starlette, first: str, asking: Ask) -> None:
        assert "No merges yet." in text(part(first, "merges-view"))
        assert re.findall(r"<bdi>(.*?)</bdi><b>(\d)</b>", part(first, "alphabet-view")) == [
            ("a", "0"),
            ("b", "1"),
            ("▁", "2"),
        ]
        for prefix, (tokens, ratio) in enumerate([(13, "1.00"), (9, "1.44"), (7, "1.86"), (5, "2.60")]):
            answer = await asking("step", prefix=str(prefix))
            figures = [text(each) for each in re.findall(r"<dd>(.*?)</dd>", part(answer.text, "figures"))]
            assert figures[0] == f"{3 + prefix} = 3 base + {prefix} merged"
            assert figures[1].split()[0] == str(tokens)
            assert figures[2] == f"{ratio} = 13 at the start ÷ {tokens} now, markers counted"
            assert ("friendly" in answer.text) == (prefix == 0)
            assert text(part(answer.text, "place")) == f"{prefix} / 3"

    walking(through, RUNS)


def test_s4_the_list_shows_the_merge_that_was_made_last() -> None:
    async def through(_: Starlette, __: str, asking: Ask) -> None:
        for prefix, first in ((30, 1), (31, 31), (39, 31)):
            shown = rows(part((await asking("step", prefix=str(prefix))).text, "merges-view"))
            assert [row[0] for row in shown] == [str(number) for number in range(first, prefix + 1)]

    walking(through, COUNTED)


def test_s5_what_the_last_merge_made_is_marked() -> None:
    async def through(_: Starlette, first: str, asking: Ask) -> None:
        assert "<mark class=c" not in part(first, "corpus-view")
        for prefix, made in ((1, ["aa"] * 4), (2, ["aaaa"] * 2), (3, ["▁aaaa"] * 2)):
            corpus = part((await asking("step", prefix=str(prefix))).text, "corpus-view")
            assert re.findall(r"<mark class=c\d+ data-t=\d+>(.*?)</mark>", corpus) == made
            assert f"by the last merge: {len(made)} places" in text(corpus)

    walking(through, RUNS)


def test_s5_places_do_not_overlap() -> None:
    async def through(_: Starlette, first: str, __: Ask) -> None:
        assert marked_pairs(part(first, "corpus-view")) == [["a", "a"]] * 4
        assert "4 places (6 counted, some overlap)" in text(part(first, "corpus-view"))

    walking(through, RUNS)


def test_s5_a_run_over_the_end_of_a_part_keeps_its_places() -> None:
    """▁ and 700 x: places begin at 1, 3, 5 …; the one at 299 has its right symbol in the second part, from 300."""

    async def through(_: Starlette, first: str, asking: Ask) -> None:
        corpus = part(first, "corpus-view")
        assert re.findall(r"<i[^>]*>▁</i><b>", corpus)
        assert re.findall(r"</b><b><i [^>]*>x</i></b></bdi><u>…</u>", corpus)
        assert "150 of 350 places" in text(corpus)
        answer = await asking("corpus", page="1")
        assert re.findall(
            r'<p class="flow"><u>…</u><bdi><i [^>]*>x</i><b><i [^>]*>x</i><i [^>]*>x</i></b>', answer.text
        )
        assert "150 of 350 places" in text(answer.text)

    walking(through, "x" * 700)


def test_s5_the_colour_is_a_matter_of_the_id() -> None:
    async def through(_: Starlette, first: str, asking: Ask) -> None:
        at_start = colors(part(first, "corpus-view"))
        assert sorted(at_start) == list(range(22))
        # As many colours as there can be, the same for one token wherever it is shown.
        for begin in range(11):
            assert len({at_start[token_id] for token_id in range(begin, begin + 12)}) == 12
        chips = re.findall(r"class=c(\d+) data-token=(\d+)", part(first, "alphabet-view"))
        assert {int(token_id): int(color) for color, token_id in chips} == at_start
        known = dict(at_start)
        for prefix in range(1, 40):
            answer = await asking("step", prefix=str(prefix), text=COUNTED)
            now = colors(part(answer.text, "corpus-view"))
            assert {token_id: known.setdefault(token_id, color) for token_id, color in now.items()} == now
            boxes = re.findall(r"<li class=c(\d+)><bdi>.*?</bdi><b>(\d+)</b>", part(answer.text, "subwords-view"))
            assert boxes
            assert all(known[int(token_id)] == int(color) for color, token_id in boxes)
        # Tokens of one length have many colours.
        model = pairloom.train(COUNTED, 40_000, pre_tokenizer="punctuation")
        assert len({known[token_id] for token_id, token in enumerate(model.vocabulary) if len(token) == 2}) > 4

    walking(through, COUNTED)


@pytest.mark.parametrize("pre_tokenizer", ["punctuation", "whitespace"])
def test_s6_word_level_is_of_words_and_marks(pre_tokenizer: str) -> None:
    """Whatever the model's own pre-tokens are: a word of the corpus is known without the comma that stood behind it."""

    async def through(_: Starlette, first: str, __: Ask) -> None:
        words = part(first, "words-view")
        assert re.findall(r"<li(?: class=(unk))?><bdi>(.*?)</bdi>", words) == [
            ("", "▁weave"),
            ("unk", "▁loom"),
            ("", ","),
            ("", "▁weaver"),
            ("", "."),
        ]
        assert text(words).split(" unknown")[0].endswith("5 tokens · 1")

    walking(through, "weave, weaver. weave,", pre_tokenizer=pre_tokenizer, text="weave loom, weaver.")


def test_s6_a_word_behind_a_mark_is_another_one() -> None:
    """Only what begins a word has the marker: “weave” in brackets is not the corpus's “▁weave”."""

    async def through(_: Starlette, first: str, __: Ask) -> None:
        assert re.findall(r"<li(?: class=(unk))?><bdi>(.*?)</bdi>", part(first, "words-view")) == [
            ("unk", "▁loom"),
            ("", "▁("),
            ("unk", "weave"),
            ("", ")"),
        ]

    walking(through, "weave (loom)", text="loom (weave)")


def test_s6_three_levels_of_one_text_at_every_prefix() -> None:
    """At prefix 1 there is aa, at 2 aaaa, at 3 ▁aaaa; x is unknown at every level, as UNK and never as a number."""
    encoded = {
        0: "▁:2 a:0 a:0 a:0 a:0 b:1 ▁:2 x:UNK",
        1: "▁:2 aa:3 aa:3 b:1 ▁:2 x:UNK",
        2: "▁:2 aaaa:4 b:1 ▁:2 x:UNK",
        3: "▁aaaa:5 b:1 ▁:2 x:UNK",
    }

    def shown(markup: str) -> str:
        return " ".join(map(":".join, re.findall(r"<li class=\w+><bdi>(.*?)</bdi><b>(.*?)</b>", markup)))

    async def through(_: Starlette, __: str, asking: Ask) -> None:
        for prefix, expected in encoded.items():
            answer = await asking("encode", prefix=str(prefix), text="aaaab x")
            subwords = part(answer.text, "subwords-view")
            assert shown(subwords) == expected
            assert f"[{', '.join(each.split(':')[1] for each in expected.split())}]" in text(subwords)
            assert f"{len(expected.split())} tokens · 1 unknown" in text(subwords)
            characters = part(answer.text, "characters-view")
            assert shown(characters) == encoded[0]
            assert "8 tokens · 1 unknown" in text(characters)
            assert "2 tokens · 2 unknown" in text(part(answer.text, "words-view"))
            step = await asking("step", prefix=str(prefix), text="aaaab x")
            assert shown(part(step.text, "subwords-view")) == expected

    walking(through, RUNS)
