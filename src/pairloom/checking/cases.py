"""What a program is asked: the golden vectors, and random cases drawn where implementations have been wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from pairloom.checking.protocol import Answer, Request, right_answer
from pairloom.errors import PairloomError
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.unicode_data import MARKER, WHITESPACE

# Pools of code points that are chosen to meet: each is a place where some tool was wrong.
POOLS: Final = (
    "ab",
    "abc",
    "aA.",
    "\uffff\U00010000a",  # UTF-16 would order these two the other way round
    "e\u0301é①ﬁ",  # composed, decomposed, compatibility
    "Σσςa.'",  # final sigma
    "İiIı",  # the one mapping that grows
    "a\x1c\x85\u200b\ufeff",  # white space to some
    "a_1-'",
    "क्षि",
    "❤\ufe0f!",
    "河边有",
)
_SPACES: Final = (" ", " ", " ", " ", "  ", "\n", "\t", "\u00a0", "\u3000")


@dataclass(frozen=True, slots=True)
class Case:
    """A request with the right answer; `name` says where it comes from."""

    name: str
    request: Request
    answer: Answer


def vectors() -> list[Case]:
    """Return the golden vectors in the form of the protocol, as `cases.jsonl` holds them."""
    text = files("pairloom.checking").joinpath("cases.jsonl").read_text("ascii")
    return [Case(**json.loads(line)) for line in text.splitlines()]


def random_cases(count: int, *, seed: int) -> Iterator[Case]:
    """Yield so many random cases, small ones first; the same for the same seed."""
    drawn = random.Random(seed)  # noqa: S311  # to be repeated, not to be secret
    for number in range(count):
        largest = 2 + 10 * number // max(count, 1)
        request = _request(drawn, largest)
        yield Case(f"random case {number} of seed {seed}", request, right_answer(request))


def _request(drawn: random.Random, largest: int) -> Request:
    kind = drawn.choice(["train", "train", "table", "encode", "encode", "list", "list", "normalize", "refused"])
    lowercase, pre_tokenizer = drawn.random() < 0.4, drawn.choice(PRE_TOKENIZERS)
    pool = drawn.choice(POOLS)
    text = _text(drawn, pool, largest)
    if kind == "normalize":
        return {"op": "normalize", "text": text, "lowercase": lowercase}
    if kind == "list":
        return _by_hand(drawn)
    if kind == "table":
        return _table(drawn, pool)
    if kind == "refused":
        return {"op": "normalize", "text": _with_marker(drawn, text), "lowercase": lowercase}
    training: Request = {
        "op": "train",
        "text": text,
        "merge_limit": drawn.choice([1000, 1000, 1000, 2, 0]),
        "lowercase": lowercase,
        "pre_tokenizer": pre_tokenizer,
        "min_frequency": drawn.choice([2, 2, 2, 1, 3]),
    }
    if kind == "train":
        return training
    learned = right_answer(training)
    model = {
        "alphabet": learned.get("alphabet", [MARKER]),
        "merges": [merge[:2] for merge in learned.get("merges", [])],
        "lowercase": lowercase,
        "pre_tokenizer": pre_tokenizer,
        "marker": True,
    }
    prefix = drawn.choice([None, None, drawn.randint(0, len(model["merges"]))])
    other = drawn.choice([text, _text(drawn, pool, largest), _text(drawn, drawn.choice(POOLS), largest)])
    return {"op": "encode", "model": model, "text": other, "prefix": prefix}


def _text(drawn: random.Random, pool: str, largest: int) -> str:
    words = ["".join(drawn.choices(pool, k=drawn.randint(1, 5))) for _ in range(drawn.randint(1, 4))]
    chosen = drawn.choices(words, k=drawn.randint(0 if drawn.random() < 0.1 else 1, largest))
    text = "".join(word + drawn.choice(_SPACES) for word in chosen)
    return _with_marker(drawn, text) if drawn.random() < 0.03 else text


def _with_marker(drawn: random.Random, text: str) -> str:
    """Return a text with literal markers: behind what is wide, and behind white space, their positions differ. N8."""
    for _ in range(drawn.randint(1, 2)):
        place = drawn.randint(0, len(text))
        text = f"{text[:place]}{MARKER}{text[place:]}"
    return drawn.choice(["", " ", "\U00010000"]) + text


def _table(drawn: random.Random, pool: str) -> Request:
    """Return a training on word counts, with the marker in front of the words and without. Rule: P3."""
    letters = [letter for letter in pool if letter not in WHITESPACE]
    words = ["".join(drawn.choices(letters, k=drawn.randint(1, 5))) for _ in range(drawn.randint(1, 4))]
    return {
        "op": "train",
        "word_counts": {word: drawn.randint(1, 4) for word in words},
        "marker": drawn.random() < 0.5,
        "merge_limit": drawn.choice([1000, 1000, 2]),
        "min_frequency": 2,
    }


def _by_hand(drawn: random.Random) -> Request:
    """Return a list in which pairs and results repeat, and in which merges would cross from one pre-token to the next.

    Replaying in order and ranks differ there (E2, V2); and that encoding cuts words, too, no trained list shows (P4).
    """
    letters = drawn.choice(["a", "a", "ab", "ab", "a."])
    marker = drawn.random() < 0.5
    made, merges = [*letters, *(MARKER if marker else "")], []
    for _ in range(drawn.randint(1, 9)):
        left, right = drawn.choice(made), drawn.choice(made)
        if len(left + right) <= 7:
            merges.append([left, right])
            made.append(left + right)
    model = {
        "alphabet": sorted({*letters, *(MARKER if marker else "")}),
        "merges": merges,
        "lowercase": False,
        "pre_tokenizer": drawn.choice(PRE_TOKENIZERS),
        "marker": marker,
    }
    spaced = letters + drawn.choice(["", " "])
    return {
        "op": "encode",
        "model": model,
        "text": "".join(drawn.choices(spaced, k=drawn.randint(1, 12))),
        "prefix": None,
    }


def is_sound(request: Request) -> bool:
    """Whether a request can be asked at all: a list whose merges have their parts."""
    try:
        right_answer(request)
    except PairloomError:
        return False
    return True
