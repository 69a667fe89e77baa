"""The public API is a promise: names, signatures, fields and types, here written out once more."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import pairloom

# Everything that `import pairloom` offers; a new name is put here on purpose.
ERRORS = {
    "CorpusTooLarge",
    "CountError",
    "CountOverflow",
    "EmptyCorpus",
    "ForbiddenCodePoint",
    "InvalidMerge",
    "InvalidUtf8",
    "KernelUnavailable",
    "ModelError",
    "NotText",
    "PairloomError",
    "PrefixError",
    "SettingError",
    "TextError",
    "TextTooLong",
    "UnknownTokenId",
    "UnknownTokens",
    "UnsupportedVersion",
    "WorkUnfinished",
}
NAMES = ERRORS | {
    *("EncodedBatch", "Encoding", "History", "HistoryBuilder", "Merge", "Model", "TextHistory", "TokenIds", "Trainer"),
    *("WordCounter", "WordCounts"),
    *("count_words", "load", "normalize", "pre_tokenize", "train", "train_from_word_counts"),
}

REQUIRED = inspect.Parameter.empty

# name: (parameter: default, …); a star begins those that go by keyword only.
SIGNATURES: dict[str, dict[str, Any]] = {
    "train": {
        "corpus": REQUIRED,
        "merge_limit": 1000,
        "*": None,
        "lowercase": False,
        "pre_tokenizer": "whitespace",
        "min_frequency": 2,
    },
    "train_from_word_counts": {
        "word_counts": REQUIRED,
        "merge_limit": 1000,
        "*": None,
        "lowercase": None,  # the table's own; False for a plain mapping
        "pre_tokenizer": None,  # the table's own; "whitespace" for a plain mapping
        "marker": True,
        "min_frequency": 2,
    },
    "Trainer": {"word_counts": REQUIRED, "merge_limit": 1000, "*": None, "min_frequency": 2},
    "Trainer.step": {},
    "Trainer.run": {"max_merges": None, "*": None, "max_operations": None},
    "Trainer.model": {},
    "Model.from_merges": {
        "alphabet": REQUIRED,
        "merges": REQUIRED,
        "*": None,
        "lowercase": False,
        "pre_tokenizer": "whitespace",
        "marker": True,
    },
    "Model.encode": {"text": REQUIRED, "prefix": None},
    "Model.encode_batch": {"texts": REQUIRED, "prefix": None, "*": None, "offsets": False, "threads": 1},
    "Model.encode_utf8": {
        "data": REQUIRED,
        "prefix": None,
        "*": None,
        "offsets": False,
        "threads": 1,
        "name": "<bytes>",
    },
    "Model.encode_file": {"file": REQUIRED, "prefix": None, "*": None, "threads": 1, "name": "<bytes>"},
    "Model.decode": {"ids": REQUIRED},
    "Model.decode_batch": {"ids": REQUIRED},
    "Model.decode_blocks": {"blocks": REQUIRED},
    "Model.save": {"path": REQUIRED},
    "Encoding.known_ids": {},
    "normalize": {"text": REQUIRED, "lowercase": False},
    "load": {"path": REQUIRED},
    "count_words": {
        "texts": REQUIRED,
        "*": None,
        "lowercase": False,
        "pre_tokenizer": "whitespace",
        "threads": 1,
    },
    "WordCounter": {"*": None, "lowercase": False, "pre_tokenizer": "whitespace", "threads": 1},
    "WordCounter.add": {"text": REQUIRED, "*": None, "text_index": None},
    "WordCounter.add_utf8": {"source": REQUIRED, "*": None, "name": "<bytes>", "by_line": False},
    "WordCounter.word_counts": {},
    "WordCounts": {"counts": REQUIRED, "*": None, "lowercase": False, "pre_tokenizer": "whitespace", "marker": True},
}

MERGE_FIELDS = {
    "rank": int,
    "left": str,
    "right": str,
    "result": str,
    "frequency": int,
    "replacements": int,
    "corpus_tokens": int,
    "id": int,
    "is_new": bool,
}


def test_the_names() -> None:
    assert set(pairloom.__all__) == NAMES
    assert len(pairloom.__all__) == len(NAMES)
    assert set(dir(pairloom)) >= NAMES
    for name in NAMES:
        assert getattr(pairloom, name).__name__ == name


def test_a_star_import_gives_them_all() -> None:
    namespace: dict[str, object] = {}
    exec("from pairloom import *", namespace)
    assert set(namespace) - {"__builtins__"} == NAMES


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(AttributeError, match="tokenise"):
        _ = pairloom.tokenise
    assert not hasattr(pairloom, "numpy")


@pytest.mark.parametrize("path", SIGNATURES)
def test_signatures(path: str) -> None:
    value: Any = pairloom
    for name in path.split("."):
        value = getattr(value, name)
    seen: dict[str, Any] = {}
    for parameter in inspect.signature(value).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            seen.setdefault("*", None)
        assert parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        seen[parameter.name] = parameter.default
    assert seen == SIGNATURES[path]
    assert list(seen) == list(SIGNATURES[path])


def is_tuple_of(value: object, *kinds: type) -> bool:
    return type(value) is tuple and all(type(item) in kinds for item in value)


@pytest.fixture(scope="module", params=["whitespace", "punctuation"])
def trained(request: pytest.FixtureRequest) -> pairloom.Model:
    return pairloom.train(corpus="low low lower aaaa", merge_limit=5, lowercase=True, pre_tokenizer=request.param)


@pytest.fixture(scope="module")
def imported() -> pairloom.Model:
    return pairloom.Model.from_merges(["b", "a", "▁"], [("a", "b"), ["ab", "a"]])  # type: ignore[list-item]  # JSON's


def test_what_a_trained_model_has(trained: pairloom.Model) -> None:
    assert is_tuple_of(trained.alphabet, str)
    assert is_tuple_of(trained.vocabulary, str)
    assert is_tuple_of(trained.merges, pairloom.Merge)
    assert trained.lowercase is True
    assert trained.pre_tokenizer in ("whitespace", "punctuation")
    assert trained.marker is True
    assert (type(trained.min_frequency), trained.min_frequency) == (int, 2)
    assert (type(trained.initial_tokens), trained.initial_tokens) == (int, 19)
    assert trained.stop_reason in ("merge_limit", "no_pair")
    assert type(trained.fingerprint) is str
    assert trained.merges
    for rank, merge in enumerate(trained.merges):
        assert {name: type(getattr(merge, name)) for name in MERGE_FIELDS} == MERGE_FIELDS
        assert (merge.rank, merge.result) == (rank, merge.left + merge.right)


def test_what_an_imported_model_has(imported: pairloom.Model) -> None:
    """Beside the rest, no numbers: they are None, not 0."""
    assert is_tuple_of(imported.alphabet, str)
    assert is_tuple_of(imported.vocabulary, str)
    assert is_tuple_of(imported.merges, pairloom.Merge)
    assert (imported.lowercase, imported.pre_tokenizer, imported.marker) == (False, "whitespace", True)
    assert (imported.min_frequency, imported.initial_tokens, imported.stop_reason) == (None, None, None)
    for merge in imported.merges:
        assert (merge.frequency, merge.replacements, merge.corpus_tokens) == (None, None, None)
        assert (type(merge.id), type(merge.is_new), type(merge.rank)) == (int, bool, int)


def test_the_fields_of_a_merge_in_their_order() -> None:
    assert [field.name for field in dataclasses.fields(pairloom.Merge)] == list(MERGE_FIELDS)


def test_what_an_encoding_has(trained: pairloom.Model) -> None:
    encoding = trained.encode("Low slow", prefix=1)
    assert type(encoding) is pairloom.Encoding
    assert is_tuple_of(encoding.tokens, str)
    assert is_tuple_of(encoding.ids, int, type(None))
    assert is_tuple_of(encoding.offsets, tuple)
    assert all(is_tuple_of(place, int) and len(place) == 2 for place in encoding.offsets)
    assert (type(encoding.normalized), encoding.normalized) == (str, "low slow")
    assert (type(encoding.code_points), encoding.code_points) == (int, 8)
    assert (type(encoding.unknown_count), encoding.unknown_count) == (int, 1)
    assert type(encoding.code_points_per_token) is float
    assert trained.encode("").code_points_per_token is None
    assert is_tuple_of(trained.encode("low").known_ids(), int)


def test_what_the_functions_return(trained: pairloom.Model, tmp_path: Path) -> None:
    assert type(pairloom.normalize("A  b", lowercase=True)) is str
    assert type(trained.decode([0])) is str
    assert [type(encoding) for encoding in trained.encode_batch(["a", "b"])] == [pairloom.Encoding] * 2
    assert trained.save(tmp_path / "m.json") is None  # type: ignore[func-returns-value]  # what is tested
    assert type(pairloom.load(tmp_path / "m.json")) is pairloom.Model
    assert type(pairloom.train_from_word_counts({"hug": 10, "pug": 5}, merge_limit=1000, marker=True)) is pairloom.Model
    trainer = pairloom.Trainer(pairloom.count_words("low low"), 2)
    assert type(trainer.run(max_merges=1)) is int
    assert type(trainer.step()) is pairloom.Merge
    assert trainer.step() is None
    assert type(trainer.model()) is pairloom.Model


def test_annotations_are_those_of_the_promise() -> None:
    """What a type checker reads; strings, because annotations are not evaluated."""
    annotations: Mapping[str, Mapping[str, str]] = {
        "train": {"corpus": "str | Iterable[str]", "merge_limit": "int", "lowercase": "bool", "return": "Model"},
        "train_from_word_counts": {"word_counts": "WordCounts | Mapping[str, int]", "return": "Model"},
        "normalize": {"text": "str", "lowercase": "bool", "return": "str"},
    }
    for name, expected in annotations.items():
        assert expected.items() <= getattr(pairloom, name).__annotations__.items()
    assert pairloom.Model.encode.__annotations__ == {"text": "str", "prefix": "int | None", "return": "Encoding"}
    assert pairloom.Model.decode.__annotations__ == {"ids": "Iterable[int]", "return": "str"}
    assert pairloom.Trainer.step.__annotations__ == {"return": "Merge | None"}
    fields = {field.name: field.type for field in dataclasses.fields(pairloom.Model)}
    assert {name: fields[name] for name in fields if not name.startswith("_")} == {
        "alphabet": "tuple[str, ...]",
        "vocabulary": "tuple[str, ...]",
        "merges": "tuple[Merge, ...]",
        "lowercase": "bool",
        "pre_tokenizer": "str",
        "marker": "bool",
        "min_frequency": "int | None",
        "initial_tokens": "int | None",
        "stop_reason": "str | None",
    }


# ---------------------------------------------------------------- nothing changes after it is returned


def values(trained: pairloom.Model, imported: pairloom.Model) -> Iterable[object]:
    counts = pairloom.count_words("low low", lowercase=trained.lowercase, pre_tokenizer=trained.pre_tokenizer)
    yield from (trained, imported, trained.merges[0], trained.encode("low"), counts)
    yield trained.encode_utf8(b"low", offsets=True)
    yield pairloom.History.of(counts, trained)
    yield pairloom.TextHistory.of("low", trained)


def test_returned_values_refuse_assignment(trained: pairloom.Model, imported: pairloom.Model) -> None:
    for value in values(trained, imported):
        assert dataclasses.is_dataclass(value)
        assert not hasattr(value, "__dict__"), f"{type(value).__name__} has no slots"
        for field in dataclasses.fields(value):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(value, field.name, None)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(value, field.name)
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, "something_new", 1)  # noqa: B010  # a type checker would refuse it, too


def test_an_error_is_what_its_kind_is_elsewhere_in_python() -> None:
    """`except ValueError` and `except TypeError` catch what they should; `except PairloomError` catches all."""
    for name in ERRORS:
        error = getattr(pairloom, name)
        assert issubclass(error, pairloom.PairloomError)
        if name not in ("PairloomError", "NotText", "KernelUnavailable", "WorkUnfinished"):
            assert issubclass(error, ValueError)
    assert issubclass(pairloom.NotText, TypeError)
    assert issubclass(pairloom.KernelUnavailable, ImportError)
    assert issubclass(pairloom.WorkUnfinished, RuntimeError)
    assert issubclass(pairloom.PrefixError, pairloom.SettingError)
    for name in ("ForbiddenCodePoint", "TextTooLong", "EmptyCorpus", "CorpusTooLarge", "InvalidUtf8"):
        assert issubclass(getattr(pairloom, name), pairloom.TextError)
    for name in ("UnsupportedVersion", "InvalidMerge"):
        assert issubclass(getattr(pairloom, name), pairloom.ModelError)
    assert issubclass(pairloom.CountOverflow, pairloom.CountError)
