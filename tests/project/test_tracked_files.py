"""What is committed is true on every machine."""

import re

from tests.support.repository import ROOT, tracked, tracked_texts

# Folders of somebody's machine. /tmp and the like are everybody's; Pyodide's home is in its own file system.
PRIVATE_PATH = re.compile(r"(?<![\w.~-])/(?:work|farm|root|home|Users)/(?!pyodide\b)")
# Packages are named, never the places that they come from: those are the user's own setting.
REGISTRY = re.compile(r"pypi\.org|pythonhosted|npmjs\.(?:org|com)|deb\.debian|jsdelivr|unpkg", re.IGNORECASE)
VENDORED = "src/pairloom/web/static/vendor/"
GENERATED = ("requirements/", "tools/pyodide/package-lock.json", "src/pairloom/unicode_tables.py")


def test_no_file_names_a_folder_of_one_machine() -> None:
    assert {name for name, text in tracked_texts().items() if PRIVATE_PATH.search(text)} == set()


def test_no_file_names_a_package_registry() -> None:
    this_file = "tests/project/test_tracked_files.py"
    found = {name for name, text in tracked_texts().items() if REGISTRY.search(text)}
    assert {name for name in found if not name.startswith(VENDORED)} - {this_file} == set()


def test_every_text_ends_with_one_line_end_and_has_no_trailing_blanks() -> None:
    exempt = (VENDORED, "tests/vectors/", "fuzz/corpus/", "LICENSE", *GENERATED)
    for name, text in tracked_texts().items():
        if text and not name.startswith(exempt):
            assert text.endswith("\n"), name
            assert not text.endswith("\n\n"), name
            assert "\r" not in text, name
            assert not re.search(r"[ \t]\n", text), name


def test_no_module_has_grown_past_its_idea() -> None:
    sizes = {name: text.count("\n") for name, text in tracked_texts().items() if name.endswith(".py")}
    long = {name for name, lines in sizes.items() if lines > 400 and name.startswith("src/")}
    assert long - set(GENERATED) == set()


def test_a_script_that_starts_with_its_interpreter_can_be_started() -> None:
    for path in tracked():
        if path.read_bytes().startswith(b"#!"):
            assert path.stat().st_mode & 0o100, path.relative_to(ROOT)
