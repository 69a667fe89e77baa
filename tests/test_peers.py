"""Against Hugging Face `tokenizers`: with its own tie rule, the plain algorithm learns the same merges.

With `min_frequency=2`, splitting at whitespace and the marker put before every word it does our job, except that it
orders ties by token IDs (`smallest_ids`). Its alphabet is in code-point order too, and its IDs are shifted by nothing
since there are no special tokens. What it takes for whitespace is Unicode's White_Space, which has U+0085 and lacks
U+FEFF: texts are normalized by us first, and U+0085 is left out.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import settings
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import pairloom
from pairloom import educational

VECTORS = Path(__file__).parent / "vectors"
ALPHABETS = ("ab", "abc", "abcd", "aab.", "abcdefgh", "a😀😁", "\uffff\U00010000ab", "e\u0301é", "σςa", "河边有座")


def learned_by_hugging_face(text: str, merge_limit: int) -> list[tuple[str, str]]:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    alphabet = len(set(text) - {" "}) + 1
    trainer = trainers.BpeTrainer(
        vocab_size=alphabet + merge_limit, min_frequency=2, show_progress=False, special_tokens=[]
    )
    tokenizer.train_from_iterator([text], trainer)
    return [(left, right) for left, right in json.loads(tokenizer.to_str())["model"]["merges"]]


def learned_here(text: str, merge_limit: int, rule: str) -> list[tuple[str, str]]:
    counts = educational.count_words([text], lowercase=False, pre_tokenizer="whitespace")
    choose = educational.tie_rule(rule, counts)
    return [(left, right) for left, right, *_ in educational.train(counts, merge_limit, choose=choose)]


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")


def random_corpus(seed: int) -> str:
    drawn = random.Random(seed)
    alphabet = drawn.choice(ALPHABETS)
    longest = drawn.choice([3, 6, 12])
    distinct = ["".join(drawn.choices(alphabet, k=drawn.randint(1, longest))) for _ in range(drawn.randint(1, 12))]
    return " ".join(drawn.choices(distinct, k=drawn.randint(1, 30)))


# 3,200 corpora, and as many times more as the profile of Hypothesis asks for.
BLOCKS = 8 * max(1, settings.default.max_examples // 100) if settings.default else 8


@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_corpora(block: int) -> None:
    for seed in range(block * 400, (block + 1) * 400):
        text = random_corpus(seed)
        limit = random.Random(seed).choice([1000, 1000, 5])
        expected = learned_by_hugging_face(text, limit)
        assert learned_here(text, limit, "smallest_ids") == expected, f"seed {seed}: {text!a}"


def test_the_random_corpora_have_ties_that_the_rules_decide_differently() -> None:
    differing = sum(
        learned_here(text, 1000, "smallest_ids") != learned_here(text, 1000, "ours")
        for text in map(random_corpus, range(400))
    )
    assert differing >= 40


def prose() -> list[str]:
    vectors = json.loads((VECTORS / "training.json").read_text("ascii"))
    texts = [vector["corpus"] for vector in vectors if vector["name"].startswith("prose")]
    return [*texts, Path(educational.__file__).read_text("utf-8")]


@pytest.mark.parametrize("text", prose(), ids=range(len(prose())))
def test_prose(text: str) -> None:
    normalized = pairloom.normalize(text)
    expected = learned_by_hugging_face(normalized, 1000)
    assert len(expected) > 20
    assert learned_here(normalized, 1000, "smallest_ids") == expected
