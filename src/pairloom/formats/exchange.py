"""Every format for models of other tools: what it is called, who writes and who reads it.

model ── export_files ──▸ files of a tool          files of a tool ── import_files ──▸ report, model
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pairloom.errors import SettingError
from pairloom.formats import csv_table, hugging_face, hugging_face_import, subword_nmt, trace
from pairloom.formats.findings import Imported
from pairloom.formats.merge_list import EncodingSettings
from pairloom.model import Model


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    Attributes:
        name: as the command line calls it.
        summary: in English, what it is.
        files: names of the files if there are several; none for a single one.
        carries_settings: whether lowercase, pre-tokenizer and marker are in it.
        carries_alphabet: whether symbols that no merge uses are in it.
        carries_numbers: whether what training measured is in it.
        dumps: model → content by file name; a single file has the name of the format.
        limits: what it cannot carry of a model, in English.
    """

    name: str
    summary: str
    dumps: Callable[[Model], dict[str, bytes]]
    limits: Callable[[Model], list[str]]
    files: tuple[str, ...] = ()
    carries_settings: bool = False
    carries_alphabet: bool = False
    carries_numbers: bool = False


def _single(name: str, dumps: Callable[[Model], bytes]) -> Callable[[Model], dict[str, bytes]]:
    return lambda model: {name: dumps(model)}


def _no_limits(_: Model) -> list[str]:
    return []


def _limits_of_csv(_: Model) -> list[str]:
    return ["the alphabet and the settings are not in the file: name them when it is imported again"]


FORMATS: Final = {
    made.name: made
    for made in (
        Format(
            hugging_face.TOKENIZER_JSON,
            "Hugging Face tokenizers: encodes as the model does",
            _single(hugging_face.TOKENIZER_JSON, hugging_face.dumps),
            hugging_face.limits,
            carries_settings=True,
            carries_alphabet=True,
        ),
        Format(
            hugging_face.VOCAB_MERGES,
            "tokens with their IDs, and a merge a line, in two files",
            hugging_face.dumps_vocab_merges,
            hugging_face.limits_vocab_merges,
            files=("vocab.json", "merges.txt"),
            carries_alphabet=True,
        ),
        Format(
            subword_nmt.NAME,
            "codes of subword-nmt, version 0.1",
            _single(subword_nmt.NAME, subword_nmt.dumps),
            subword_nmt.limits,
        ),
        Format(
            trace.NAME,
            "every round of the training, to be replayed",
            _single(trace.NAME, trace.dumps),
            _no_limits,
            carries_settings=True,
            carries_alphabet=True,
            carries_numbers=True,
        ),
        Format(
            csv_table.TRACE_NAME,
            "every round of the training, for a spreadsheet",
            _single(csv_table.TRACE_NAME, lambda model: b"".join(csv_table.trace_csv(model))),
            _limits_of_csv,
        ),
    )
}
"""The formats, by name."""


def guess_format(names: Iterable[str]) -> str | None:
    """Return the format that file names suggest, None if they do not.

    >>> guess_format(["my/tokenizer.json"]), guess_format(["vocab.json", "merges.txt"]), guess_format(["codes.bpe"])
    ('tokenizer.json', 'vocab-merges', 'subword-nmt')
    """
    last = [name.replace("\\", "/").rpartition("/")[2].lower() for name in names]
    if len(last) == 2:
        return hugging_face.VOCAB_MERGES
    if len(last) != 1:
        return None
    for name in (trace.NAME, csv_table.TRACE_NAME, hugging_face.TOKENIZER_JSON):
        if last[0].endswith(name):
            return name
    if last[0].endswith((".bpe", ".codes")) or last[0].startswith("codes"):
        return subword_nmt.NAME
    if last[0].endswith(".csv"):
        return csv_table.TRACE_NAME
    return None


def export_files(model: Model, form: str) -> dict[str, bytes]:
    """Return a model in a format: content by file name, a single file under the name of the format.

    Raises:
        SettingError: no such format.
    """
    return _named(form).dumps(model)


def import_files(
    form: str,
    files: Mapping[str, bytes],
    *,
    settings: EncodingSettings | None = None,
    alphabet: Iterable[str] = (),
    end_of_word: str = subword_nmt.STAND_IN,
) -> Imported:
    """Return what files of a format say.

    Args:
        form: its name.
        files: content by file name, as `export_files` returns it.
        settings: how the model splits text, where the format does not say it; None takes what the file suggests.
        alphabet: symbols beside those of the merges, for formats without an alphabet.
        end_of_word: the stand-in for `</w>` in codes of subword-nmt.

    Raises:
        SettingError: no such format.
    """
    _named(form)
    content = list(files.values())
    if form == hugging_face.TOKENIZER_JSON:
        return hugging_face_import.loads(content[0], settings=settings)
    if form == hugging_face.VOCAB_MERGES:
        return hugging_face_import.loads_vocab_merges(files["vocab.json"], files["merges.txt"], settings=settings)
    if form == subword_nmt.NAME:
        return subword_nmt.loads(content[0], settings=settings, alphabet=alphabet, end_of_word=end_of_word)
    if form == trace.NAME:
        return trace.loads(content[0])
    return csv_table.loads(content[0], settings=settings, alphabet=alphabet)


def _named(form: str) -> Format:
    if form not in FORMATS:
        raise SettingError(setting="format", value=form, allowed=" or ".join(FORMATS))
    return FORMATS[form]
