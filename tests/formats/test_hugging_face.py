"""Our `tokenizer.json` in Hugging Face's own library: its IDs are ours; what cannot be is what the export says."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer

import pairloom
from pairloom.formats import hugging_face
from pairloom.formats.exchange import export_files, import_files
from pairloom.formats.hugging_face import TOKENIZER_JSON, VOCAB_MERGES, Exported
from pairloom.formats.verifying import disagreements
from pairloom.model import Model
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.trainer import train
from tests.support import random_texts
from tests.support.strategies import POOLS

VECTORS = Path(__file__).parents[1] / "vectors"
SETTINGS = [(lowercase, name) for lowercase in (False, True) for name in PRE_TOKENIZERS]


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")


def vectors(name: str) -> list[dict[str, object]]:
    loaded: list[dict[str, object]] = json.loads((VECTORS / f"{name}.json").read_text("ascii"))
    assert loaded
    return loaded


def tokenizer_of(model: Model) -> Tokenizer:
    return Tokenizer.from_str(hugging_face.dumps(model).decode("ascii"))


def check_text(model: Model, theirs: Tokenizer, text: str) -> None:
    """IDs, tokens and, with nothing unknown, decoding are the same; an unknown one has the one ID behind ours."""
    ours, encoded = model.encode(text), theirs.encode(text)
    unknown = len(model.vocabulary)
    assert encoded.ids == [unknown if token_id is None else token_id for token_id in ours.ids], ascii(text)
    if not ours.unknown_count:
        assert tuple(encoded.tokens) == ours.tokens
        assert theirs.decode(encoded.ids) == model.decode(ours.known_ids())


@pytest.mark.parametrize("name", ["training", "reports"])
def test_the_corpora_and_texts_of_all_vectors(name: str) -> None:
    for vector in vectors(name):
        model = train(
            str(vector["corpus"]),
            int(str(vector["merge_limit"])),
            lowercase=bool(vector["lowercase"]),
            pre_tokenizer=str(vector["pretokenizer"]),
        )
        theirs = tokenizer_of(model)
        check_text(model, theirs, str(vector["corpus"]))
        encodings = vector["encodings"]
        assert isinstance(encodings, list)
        for encoding in encodings:
            check_text(model, theirs, encoding["text"])


# 10,000 texts in all.
@pytest.mark.parametrize("block", range(8))
def test_random_texts(block: int) -> None:
    drawn = random.Random(block)
    for _ in range(125):
        pool = drawn.choice(POOLS)
        lowercase, pre_tokenizer = drawn.choice(SETTINGS)
        corpus = random_texts.words(drawn, pool) + " a"
        model = train(corpus, 60, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
        theirs = tokenizer_of(model)
        for _ in range(10):
            check_text(model, theirs, random_texts.text(drawn, known=pool))


def test_every_lower_case_of_unicode_17_is_carried() -> None:
    """One text a code point: where the library's own tables end, the export would have to say so."""
    from pairloom.unicode_data import LOWERCASE

    letters = "".join(LOWERCASE.values())
    model = train(letters, 0, lowercase=True)
    theirs = tokenizer_of(model)
    for code_point in LOWERCASE:
        check_text(model, theirs, chr(code_point))


@pytest.mark.parametrize("name", ["imported", "ranks"])
def test_lists_that_make_strings_twice(name: str) -> None:
    for vector in vectors(name):
        alphabet, merges = vector["alphabet"], vector["merges"]
        assert isinstance(alphabet, list)
        assert isinstance(merges, list)
        model = Model.from_merges(alphabet, [tuple(merge) for merge in merges], marker=False)
        theirs = tokenizer_of(model)
        words = [vector["word"]] if "word" in vector else [word["word"] for word in vector["words"]]  # type: ignore[attr-defined]  # data
        for word in words:
            check_text(model, theirs, str(word))


def test_a_pair_listed_twice_is_left_out_and_said() -> None:
    model = Model.from_merges("abc", [("a", "b"), ("b", "c"), ("a", "b")], marker=False)
    check_text(model, tokenizer_of(model), "abc")
    assert any("repeat a pair" in limit for limit in hugging_face.limits(model))


@pytest.mark.parametrize(("lowercase", "pre_tokenizer"), SETTINGS)
@pytest.mark.parametrize("form", [TOKENIZER_JSON, VOCAB_MERGES])
def test_there_and_back(form: str, lowercase: bool, pre_tokenizer: str) -> None:
    model = train("Low low, LOWER don't newest <unk>", 40, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    settings = hugging_face.settings_of_model(model)
    imported = import_files(form, export_files(model, form), settings=None if form == TOKENIZER_JSON else settings)
    assert imported.model.fingerprint == model.fingerprint
    assert imported.counts == {"left-out": 1}


def test_a_model_without_marker_there_and_back() -> None:
    model = pairloom.train_from_word_counts({"hug": 10, "pug": 5}, 9, marker=False)
    theirs = tokenizer_of(model)
    for text in ("hug pug", "", "  pughug  x"):
        check_text(model, theirs, text)
    assert import_files(TOKENIZER_JSON, export_files(model, TOKENIZER_JSON)).model.fingerprint == model.fingerprint


def test_an_entry_for_unknowns_is_found_whatever_the_tokens_are() -> None:
    model = train("<unk> <unk> <<unk>> <<unk>>", 100)
    exported = Exported.of(model)
    assert exported.unknown not in model.vocabulary
    theirs = tokenizer_of(model)
    check_text(model, theirs, "<unk> <<unk>> é")
    assert import_files(TOKENIZER_JSON, export_files(model, TOKENIZER_JSON)).model.fingerprint == model.fingerprint


@pytest.mark.parametrize("form", [TOKENIZER_JSON, VOCAB_MERGES])
def test_verifying_finds_the_affected_texts(form: str) -> None:
    model = train("low low lower", 10)
    found = list(disagreements(model, form, export_files(model, form), ["lower", "slow", "", "low▁low"]))
    assert [(each.text, each.place, each.reason) for each in found] == [(1, 1, "unknown"), (3, None, "refused")]
    assert found[0].ours == ("s", None)
    assert found[0].theirs == ("<unk>", len(model.vocabulary))


def test_verifying_sees_a_wrong_export() -> None:
    model = train("low low lower", 10)
    document = json.loads(hugging_face.dumps(model))
    document["model"]["merges"].pop()
    data = {TOKENIZER_JSON: json.dumps(document).encode("ascii")}
    (found,) = disagreements(model, TOKENIZER_JSON, data, ["low"])
    assert (found.text, found.place, found.reason) == (0, 0, "different")
    assert found.ours == ("▁low", model.token_id("▁low"))
