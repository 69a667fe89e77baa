"""The normalizer against a JavaScript engine, whose `toLowerCase` and `\\s` rules N1 to N5 name.

One Node.js process answers all cases of a test; where there is none with Unicode 17, the committed vectors still hold.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import product
from typing import cast

import pytest

from pairloom import unicode_data
from pairloom.normalizer import normalize
from tests.support.node import ask_node, require_node

pytestmark = pytest.mark.node

# Lower case sees the text before whitespace is touched (N3).
NORMALIZE = r"""
let input = "";
process.stdin.on("data", (part) => (input += part)).on("end", () => {
  const { texts, lowercase } = JSON.parse(input);
  const fold = (text) => (lowercase ? text.toLowerCase() : text).replace(/\s+/gu, " ").trim();
  process.stdout.write(JSON.stringify(texts.map(fold)));
});
"""

SIGMA = "Σ"
# Around a sigma: cased; cased and ignorable; ignorable; neither; whitespace that is ignorable; whitespace; a sigma.
CONTEXT = ("A", "ʰ", "'", "1", "\ufeff", " ", SIGMA)


def expected(texts: Sequence[str], *, lowercase: bool) -> list[str]:
    answer = ask_node("--eval", NORMALIZE, question={"texts": texts, "lowercase": lowercase})
    return cast("list[str]", answer)


def assert_node_agrees(texts: Iterable[str], *, lowercase: bool = True) -> None:
    require_node()
    texts = list(texts)
    assert texts
    told = expected(texts, lowercase=lowercase)
    assert len(told) == len(texts)
    differing = [
        (text, ours, theirs)
        for text, theirs in zip(texts, told, strict=True)
        if (ours := normalize(text, lowercase=lowercase)) != theirs
    ]
    assert differing[:10] == []


def test_every_short_context_of_a_sigma() -> None:
    assert_node_agrees("".join(parts) for length in range(1, 6) for parts in product(CONTEXT, repeat=length))


def test_every_case_ignorable_code_point_and_its_neighbours_around_a_sigma() -> None:
    # Where a property begins or ends is where a table can be wrong by one.
    def is_of_interest(code_point: int) -> bool:
        return any(
            unicode_data.is_case_ignorable(near) or unicode_data.is_cased(near)
            for near in (code_point - 1, code_point, code_point + 1)
        )

    around = [chr(cp) for cp in range(1, 0x110000) if not 0xD800 <= cp <= 0xDFFF and is_of_interest(cp)]
    assert len(around) > 7_000
    texts = (text for one in around for text in (f"{one}Σ", f"AΣ{one}", f"AΣ{one}A", f"A{one}Σ", f"1{one}Σ{one}1"))
    assert_node_agrees(texts)


def test_random_texts_of_tricky_code_points() -> None:
    choose = random.Random(17)
    tricky = [
        *CONTEXT,
        *unicode_data.WHITESPACE,
        *"aZßẞİıIΑςσ\u0301\u0307\u0345\u00ad\u200b\u200c\u200d\u180e\u0085\x00\x1c\x1f.:·_^`’ǅǈǲᾼⅫⓏ𐐀𐐨𝐀🅐中א",
        *map(chr, choose.sample(sorted(unicode_data.LOWERCASE), 60)),
        *("\U00010d50", "\U00010d70", "\U00016ea0", "\u1c89", "\ua7ce", "\U0001e900", "\U000e0041", "\U0001f3fb"),
    ]
    weights = [20 if code_point == SIGMA else 3 if code_point in CONTEXT else 1 for code_point in tricky]
    texts = ["".join(choose.choices(tricky, weights, k=choose.randrange(1, 40))) for _ in range(5_000)]
    assert_node_agrees(texts, lowercase=True)
    assert_node_agrees(texts, lowercase=False)


def test_long_runs_around_a_sigma() -> None:
    assert_node_agrees(
        f"{start}{run * 3_000}Σ{run * 3_000}{end}" for run in "'ʰ\ufeff" for start in "A1" for end in "A1"
    )


@pytest.mark.parametrize("lowercase", [True, False])
def test_every_code_point_alone_and_between_letters(lowercase: bool) -> None:
    # One text for each 256 code points: a differing one is still easy to find, and the process has little to carry.
    allowed = [chr(cp) for cp in range(0x30000) if not 0xD800 <= cp <= 0xDFFF and chr(cp) != unicode_data.MARKER]
    assert_node_agrees(
        ("x".join(allowed[start : start + 256]) for start in range(0, len(allowed), 256)), lowercase=lowercase
    )
