"""Whatever was trained comes back from every format, with what the format cannot carry named beside it."""

from __future__ import annotations

import pytest
from hypothesis import given

from pairloom.errors import EmptyCorpus, SettingError
from pairloom.formats.exchange import FORMATS, export_files, guess_format, import_files
from pairloom.formats.hugging_face import settings_of_model
from pairloom.model import Model
from pairloom.trainer import train
from tests.support.strategies import Imported, Training, imported_lists, trainings


def check(form: str, model: Model) -> None:
    made = FORMATS[form]
    imported = import_files(
        form,
        export_files(model, form),
        settings=None if made.carries_settings else settings_of_model(model),
        alphabet=() if made.carries_alphabet else model.alphabet,
    )
    assert imported.errors == ()
    assert imported.model.fingerprint == model.fingerprint
    if made.carries_numbers:
        assert imported.model == model


@pytest.mark.parametrize("form", FORMATS)
@given(trainings())
def test_a_training_there_and_back(form: str, training: Training) -> None:
    try:
        model = train(
            training.corpus,
            min(training.merge_limit, 100),
            min_frequency=training.min_frequency,
            lowercase=training.lowercase,
            pre_tokenizer=training.pre_tokenizer,
        )
    except EmptyCorpus:
        return
    check(form, model)


@pytest.mark.parametrize("form", FORMATS)
@given(imported_lists())
def test_a_list_there_and_back(form: str, drawn: Imported) -> None:
    pairs = drawn.merges
    if form in {"tokenizer.json", "vocab-merges"}:
        pairs = tuple(dict.fromkeys(pairs))  # these leave a repeated pair out, and say so
    check(form, Model.from_merges(drawn.alphabet, pairs, marker=False))


def test_no_such_format() -> None:
    with pytest.raises(SettingError):
        export_files(train("a a"), "nothing")
    with pytest.raises(SettingError):
        import_files("nothing", {})


@pytest.mark.parametrize(
    ("names", "form"),
    [
        (["a/trace.json"], "trace.json"),
        (["my.trace.csv"], "trace.csv"),
        (["merges.csv"], "trace.csv"),
        (["x.codes"], "subword-nmt"),
        (["codes"], "subword-nmt"),
        (["m.json"], None),
        ([], None),
        (["a", "b", "c"], None),
    ],
)
def test_names_that_say_the_format(names: list[str], form: str | None) -> None:
    assert guess_format(names) == form
