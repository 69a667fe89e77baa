"""The tool behind `make catalogues`: a new language is one file, and what a translation lacks is named."""

import gettext
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from tools import catalogues


@pytest.mark.parametrize(
    ("message", "found"),
    [
        (Message("Train", "Trainieren"), []),
        (Message("Train", ""), ["not translated"]),
        (Message("Train", "Trainieren", flags=["fuzzy"]), ["marked as fuzzy"]),
        (Message("{n} of {all}", "{n} von {alle}"), ["fills in {alle}, which the message does not have"]),
        (Message("{n} of {all}", "{n}"), ["leaves out {all}"]),
        (Message("%(n)s done", "fertig"), ["leaves out %(n)s"]),
        (Message(("{n} merge", "{n} merges"), ("{n} Merge", "{n} Merges")), []),
        (Message(("{n} merge", "{n} merges"), ("{n} Merge", "")), ["not translated"]),
    ],
)
def test_what_a_translation_lacks(message: Message, found: list[str]) -> None:
    assert catalogues.faults(message) == found


def test_messages_of_errors_are_gathered() -> None:
    ids = {message.id for message in catalogues.gather() if message.id}
    assert any("literal ▁" in message for message in ids if isinstance(message, str))


def test_a_new_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    arguments = ["catalogues.py"]
    monkeypatch.setattr("sys.argv", arguments)
    (tmp_path / "de.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgctxt "decimal sign"\nmsgid "."\nmsgstr ","\n'
    )
    assert catalogues.main() == 0
    with (tmp_path / "de.mo").open("rb") as file:
        assert gettext.GNUTranslations(file).pgettext("decimal sign", ".") == ","
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert {path.name for path in before} == {"messages.pot", "de.po", "de.mo"}
    arguments.append("--check")
    assert catalogues.main() == 1  # the other messages are not translated
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
