"""G: one way to write a number a language, and to type it: counts, ranks and IDs, on every view."""

from __future__ import annotations

import asyncio
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette

from pairloom.web.app import create_app
from pairloom.web.forms import ungrouped
from tests.web.asgi import Answer, ask, events
from tests.web.test_workbench import cells, key_in, partial

SIGNS = {"en": ",", "de": "."}
OTHER = {"en": ".", "de": ","}
# Words of random letters, each twice: some 1,700 merges.
CORPUS = " ".join("".join(random.Random(seed % 450).choices("abcdefgh", k=9)) for seed in range(900))
INPUTS = {"corpus": CORPUS, "merge_limit": "40000", "pre_tokenizer": "whitespace"}


async def post(app: Starlette, language: str, path: str, **fields: object) -> Answer:
    form = {name: str(value) for name, value in fields.items()}
    return await ask(app, "POST", path, form=form, headers=[("page-language", language)])


@given(st.integers(1_000, 10**15), st.sampled_from([",", ".", "\u202f", "'", " "]))
def test_what_a_page_writes_it_reads(number: int, sign: str) -> None:
    written = f"{number:,}".replace(",", sign)
    assert ungrouped({"rank": written, "text": written}, sign) == {"rank": str(number), "text": written}


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "1,00",
            "1,0000",
            "10,00",
            "1000,000",
            ",100",
            "1,",
            "1,000,",
            "1,,000",
            "0,100",
            "01,000",
            "1,000.0",
            "-1,000",
        ),
        *("1.000", "1 000", "1'000", "1,00０", "1,000,00", "1, 000", "", "a", "1,000e3", "+1,000"),
    ],
)
def test_anything_else_stays_as_it_was_typed(typed: str) -> None:
    assert ungrouped({"rank": typed}, ",") == {"rank": typed}


@pytest.mark.parametrize("language", SIGNS)
def test_numbers_are_typed_as_the_page_writes_them(language: str) -> None:
    async def all_of_it() -> None:
        app, sign = create_app(), SIGNS[language]
        grouped = f"40{sign}000"
        answer = await post(app, language, "/workbench/train", **INPUTS | {"merge_limit": grouped})
        assert answer.status == 200
        key = key_in(events(answer.text)[-1])
        # The very same model: the limit was read as 40,000.
        plain = await post(app, language, "/workbench/train", **INPUTS)
        assert key_in(events(plain.text)[-1]) == key
        for path, name, target in (
            ("merges", "rank", "merges-view"),
            ("vocabulary", "token_id", "vocabulary-view"),
            ("prefix", "prefix", "selection"),
        ):
            fields = {"key": key, "prefix": 0, "merges_page": 0}
            right = await post(app, language, f"/workbench/{path}", **fields | {name: f"1{sign}200"})
            assert right.status == 200
            same = await post(app, language, f"/workbench/{path}", **fields | {name: "1200"})
            assert partial(right.text, target) == partial(same.text, target)
            for wrong in (f"1{OTHER[language]}200", f"1{sign}20", f"1{sign}5"):
                answer = await post(app, language, f"/workbench/{path}", **fields | {name: wrong})
                assert answer.status == 422, wrong
                # It says what is allowed, in the form in which it may be typed.
                assert re.search(rf"0 (to|bis) 1\{sign}[0-9]{{3}}", answer.text), answer.text
        for wrong in (f"40{OTHER[language]}000", f"4{sign}00"):
            answer = await post(app, language, "/workbench/train", **INPUTS | {"merge_limit": wrong})
            assert answer.status == 422
            assert grouped in partial(answer.text, "merge-limit-error")

    asyncio.run(all_of_it())


@pytest.mark.parametrize("language", SIGNS)
def test_counts_ranks_and_ids_are_written_alike(language: str) -> None:
    async def all_of_it() -> None:
        app, sign = create_app(), SIGNS[language]

        def number(value: int) -> str:
            return f"{value:,}".replace(",", sign)

        answer = await post(app, language, "/workbench/train", **INPUTS)
        key = key_in(events(answer.text)[-1])
        step = (await post(app, language, "/workbench/prefix", key=key, prefix=1201, merges_page=0)).text
        # Nine code points: the base alphabet of eight letters and the marker, so that ID = 9 + rank.
        for rank, row in enumerate(cells(partial(step, "merges-view")), start=1200):
            assert (row[0].lstrip(">"), row[7].lstrip(">")) == (number(rank), number(rank + 9))
        selection = partial(step, "selection")
        assert f"<b>{number(1200)}</b>" in selection
        assert f">{number(1209)}</button>" in selection
        vocabulary = (await post(app, language, "/workbench/vocabulary", key=key, prefix=0, token_id=1209)).text
        for token_id, row in enumerate(cells(partial(vocabulary, "vocabulary-view")), start=1200):
            assert row[0].lstrip(">") == number(token_id)
            assert number(token_id - 9) in row[2]
        text = " ".join(CORPUS.split()[:60])
        encoding = (await post(app, language, "/workbench/encode", key=key, prefix=1700, text=text)).text
        ids = re.findall(r"<b>([0-9.,]+)</b>", partial(encoding, "encoding-view"))
        assert any(len(each) > 3 for each in ids)
        assert all(each == number(int(re.sub("[.,]", "", each))) for each in ids)
        # What is taken elsewhere is data.
        taken = await post(app, language, "/workbench/ids", key=key, prefix=1700, text=text)
        assert re.fullmatch(r"\[[0-9]+(,[0-9]+)*\]", taken.text)
        assert [number(each) for each in map(int, taken.text[1:-1].split(","))][: len(ids)] == ids

    asyncio.run(all_of_it())
