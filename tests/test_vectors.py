"""Every golden vector, on every implementation."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pairloom import educational
from tests.support.implementations import Implementation, Refusal, Trained, on_every_implementation

FOLDER = Path(__file__).parent / "vectors"
FILES = ("imported", "normalization", "ranks", "refusals", "reports", "training", "word_counts")
PAGE_LIMIT = 40_000  # L1

Vector = dict[str, Any]


def load(folder: Path, name: str) -> list[Vector]:
    """The vectors of one file; none at all is an error, because a test without cases passes unseen."""
    vectors: list[Vector] = json.loads((folder / f"{name}.json").read_text("ascii"))
    if not vectors:
        raise ValueError(f"{name}.json holds no vector")
    return vectors


def check_folder(folder: Path) -> None:
    """Raise unless the folder holds exactly the files of SHA256SUMS, unchanged, and each holds vectors."""
    listed = {}
    for line in (folder / "SHA256SUMS").read_text("ascii").splitlines():
        checksum, name = line.split("  ", 1)
        listed[name] = checksum
    present = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.json")}
    if present != listed or sorted(present) != [f"{name}.json" for name in FILES]:
        raise ValueError(f"the vectors of {folder.name} are not those of SHA256SUMS")
    for name in FILES:
        load(folder, name)


def cases(*names: str) -> pytest.MarkDecorator:
    """Parametrize a test with every vector of some files."""
    return pytest.mark.parametrize(
        "vector",
        [
            pytest.param(vector, id=f"{name}-{vector.get('name', number)}")
            for name in names
            for number, vector in enumerate(load(FOLDER, name))
        ],
    )


# ---------------------------------------------------------------- the folder itself


def test_the_vectors_are_complete_and_unedited() -> None:
    check_folder(FOLDER)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        check_folder(tmp_path)
    shutil.copy(FOLDER / "SHA256SUMS", tmp_path)
    with pytest.raises(ValueError, match="SHA256SUMS"):
        check_folder(tmp_path)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "vectors"))


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_refused(copied: Path, name: str) -> None:
    (copied / f"{name}.json").unlink()
    with pytest.raises(ValueError, match="SHA256SUMS"):
        check_folder(copied)


@pytest.mark.parametrize("name", FILES)
def test_an_edited_file_is_refused(copied: Path, name: str) -> None:
    path = copied / f"{name}.json"
    path.write_text(path.read_text("ascii").replace("true", "false", 1) + "\n", "ascii")
    with pytest.raises(ValueError, match="SHA256SUMS"):
        check_folder(copied)


def test_a_file_without_vectors_is_refused_whatever_the_checksums_say(copied: Path) -> None:
    (copied / "ranks.json").write_text("[]", "ascii")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in copied.glob("*.json")]
    (copied / "SHA256SUMS").write_text("\n".join(sums) + "\n", "ascii")
    with pytest.raises(ValueError, match="holds no vector"):
        check_folder(copied)


# ---------------------------------------------------------------- N


@on_every_implementation
@cases("normalization")
def test_normalization(implementation: Implementation, vector: Vector) -> None:
    assert implementation.normalize(vector["input"], lowercase=vector["lowercase"]) == vector["normalized"]


@on_every_implementation
@cases("refusals")
def test_refusals_under_the_limits_of_the_pages(implementation: Implementation, vector: Vector) -> None:
    text, times = vector.get("input_repeat", (vector.get("input"), 1))
    seen: tuple[object, ...] = (None, None)
    try:
        implementation.normalize_within(
            text * times, lowercase=vector.get("lowercase", False), max_code_points=PAGE_LIMIT
        )
    except Refusal as refusal:
        seen = refusal.args
    assert seen == (vector["error"], vector.get("position", vector.get("length")))


# ---------------------------------------------------------------- P, T, V, E


def check_merges(trained: Trained, expected: list[list[Any]]) -> None:
    assert [list(row) for row in trained.merges] == expected


@on_every_implementation
@cases("training", "reports")
def test_training(implementation: Implementation, vector: Vector) -> None:
    settings = {"lowercase": vector["lowercase"], "pre_tokenizer": vector["pretokenizer"]}
    counts = implementation.count_words(vector["corpus"], **settings)
    assert sum(counts.values()) == vector["pretokens"]
    assert len(counts) == vector["distinct_pretokens"]
    normalized = implementation.normalize(vector["corpus"], lowercase=vector["lowercase"])
    pre_tokens = implementation.pre_tokenize(normalized, vector["pretokenizer"], marker=True)
    assert len(pre_tokens) == vector["pretokens"]
    assert set(pre_tokens) == set(counts)

    trained = implementation.train(vector["corpus"], vector["merge_limit"], **settings)
    assert list(trained.alphabet) == vector["alphabet"]
    assert trained.initial_tokens == vector["initial_tokens"]
    assert trained.stop_reason == vector["stopped"]
    check_merges(trained, vector["merges"])
    assert len(trained.vocabulary) == vector["vocabulary_size"]
    for expected in vector["encodings"]:
        check_encoding(trained, expected)


def check_encoding(trained: Trained, expected: Vector) -> None:
    encoding = trained.encode(expected["text"], expected["prefix"])
    assert encoding.normalized == expected["normalized"]
    assert encoding.code_points == expected["code_points"]
    assert list(encoding.tokens) == expected["tokens"]
    assert list(encoding.ids) == expected["ids"]
    assert encoding.unknown_count == expected["unknown"]
    assert encoding.code_points_per_token == expected["code_points_per_token"]
    assert len(encoding.offsets) == len(encoding.tokens)
    known = [token_id for token_id in encoding.ids if token_id is not None]
    if not encoding.unknown_count:
        assert trained.decode(known) == expected["normalized"]


@on_every_implementation
@cases("word_counts")
def test_word_counts(implementation: Implementation, vector: Vector) -> None:
    trained = implementation.train_from_word_counts(vector["word_counts"], 1000, marker=vector["marker"])
    check_merges(trained, vector["merges"])
    for expected in vector["words"]:
        encoding = trained.encode(expected["word"], expected["prefix"])
        assert list(encoding.tokens) == expected["tokens"]
        assert list(encoding.ids) == expected["ids"]


# ---------------------------------------------------------------- E2 and V2 on lists written by hand


@on_every_implementation
@cases("imported")
def test_imported_lists(implementation: Implementation, vector: Vector) -> None:
    model = implementation.from_merges(vector["alphabet"], vector["merges"], marker=False)
    assert list(model.vocabulary) == vector["vocabulary"]
    for expected in vector["words"]:
        encoding = model.encode(expected["word"], None)
        assert list(encoding.tokens) == expected["tokens"]
        assert [model.vocabulary[token_id or 0] for token_id in encoding.ids] == expected["tokens"]


@on_every_implementation
@cases("ranks")
def test_ranks(implementation: Implementation, vector: Vector) -> None:
    model = implementation.from_merges(vector["alphabet"], vector["merges"], marker=False)
    encoding = model.encode(vector["word"], None)
    assert list(encoding.tokens) == vector["tokens"]
    assert list(encoding.ids) == vector["ids"]


@cases("ranks")
def test_ranks_tell_apart_what_others_do(vector: Vector) -> None:
    pairs = [(left, right) for left, right in vector["merges"]]
    assert (replay_in_order(vector["word"], pairs) != vector["tokens"]) == vector["replay_in_order_differs"]
    assert (replace_all(vector["word"], pairs) != vector["tokens"]) == vector["replace_all_differs"]


def test_the_rank_vectors_do_tell_them_apart() -> None:
    vectors = load(FOLDER, "ranks")
    assert any(vector["replay_in_order_differs"] for vector in vectors)
    assert any(vector["replace_all_differs"] for vector in vectors)


def replay_in_order(word: str, merges: Sequence[tuple[str, str]]) -> list[str]:
    """What E2 is not: each merge once, in the order of the list."""
    symbols = list(word)
    for left, right in merges:
        symbols = educational.merge(symbols, left, right)
    return symbols


def replace_all(word: str, merges: Sequence[tuple[str, str]]) -> list[str]:
    """What E2 is not either: all occurrences of the lowest-ranked pair at once, then look again."""
    symbols = list(word)
    while present := [pair for pair in pairwise(symbols) if pair in merges]:
        symbols = educational.merge(symbols, *min(present, key=merges.index))
    return symbols
