"""What surrounds the commands: help, versions, examples, what is loaded when, and that the reference is complete."""

import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from pairloom.cli.ending import exit_code_of
from pairloom.cli.options import WithExamples
from pairloom.cli.program import COMMANDS, program
from pairloom.kernel import KERNEL
from tests.support.command_line import run, run_process
from tests.support.repository import ROOT

REFERENCE = (ROOT / "docs" / "command-line.md").read_text("utf-8")


def command_named(name: str) -> WithExamples:
    command = program.get_command(click.Context(program), name)
    assert isinstance(command, WithExamples)
    return command


def test_version() -> None:
    assert run("--version").out == (
        f"pairloom {importlib.metadata.version('pairloom')}\n"
        f"kernel {KERNEL}\n"
        f"Python {platform.python_version()} ({platform.python_implementation()})\n"
        "Unicode 17.0.0\n"
        "conventions 1\n"
    )


def test_help_shows_every_command_and_example() -> None:
    out = run("--help").out
    for name, summary in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(summary)}$", out, re.MULTILINE)
        assert command_named(name).get_short_help_str(limit=200) == summary
        helped = run(name, "--help").out
        for example in command_named(name).examples:
            assert f"\n  {example}\n" in helped
        assert run(name, "-h").out == helped
    for example in program.examples:
        assert f"\n  {example}\n" in out


def test_every_option_is_explained() -> None:
    for name in COMMANDS:
        for parameter in command_named(name).params:
            if isinstance(parameter, click.Option):
                assert parameter.help
                assert parameter.help.endswith((".", "of them."))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("encod",), "No such command 'encod'; see pairloom --help"),
        (("--nothing",), "No such option '--nothing'; see pairloom --help"),
        (("train", "--nothing"), "No such option '--nothing'; see pairloom train --help"),
        (("encode", "-m"), "Option '-m' requires an argument; see pairloom --help"),
        (("serve", "here"), "Got unexpected extra argument (here); see pairloom serve --help"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out, ended.err) == (2, "", f"pairloom: error: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "option"), [(("train", "-o"), "-o"), (("vocab", "-m"), "-m"), (("normalize",), "[FILES]...")]
)
def test_an_empty_name_is_no_file(arguments: tuple[str, ...], option: str) -> None:
    ended = run(*arguments, "", text="low")
    assert (ended.code, ended.out) == (2, "")
    assert option in ended.err
    assert "the name of the file is empty" in ended.err


def test_no_command_is_a_call_for_help() -> None:
    ended = run()
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == run("--help").out


def test_help_in_a_locale_without_the_marker() -> None:
    process = run_process("merges", "--help", environment={"PYTHONIOENCODING": "latin-1"})
    assert (process.returncode, process.stderr) == (0, b"")
    assert b"--token \\u2581low" in process.stdout


def test_as_a_module() -> None:
    process = run_process("--version")
    assert process.stdout.decode() == run("--version").out


def test_errors_in_the_program_itself_are_not_hidden() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        exit_code_of(fail)


def test_too_little_memory(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise MemoryError

    assert exit_code_of(fail) == 1
    assert capsys.readouterr().err == "pairloom: error: not enough memory: give a smaller input\n"


BEFORE_MAIN = """
import sys
sys.path.insert(0, {source!r})
before = set(sys.modules)
import pairloom.cli
print(*set(sys.modules) - before)
"""


def test_hardly_anything_is_loaded_before_ctrl_c_is_caught() -> None:
    code = BEFORE_MAIN.format(source=str(ROOT / "src"))
    process = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in process.stdout.decode().split()}
    assert loaded <= {"pairloom", "__future__", "importlib", "warnings"}


LOADED = """
import sys
from pairloom.cli.program import program
try:
    program.main({arguments!r}, "pairloom")
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["normalize"], ["train", "--help"], ["encode", "--help"]])
def test_a_command_loads_what_it_needs(arguments: list[str]) -> None:
    code = LOADED.format(arguments=arguments)
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, input=b"")
    loaded = set(process.stderr.decode().split())
    others = {f"pairloom.cli.{name.replace('import', 'import_')}" for name in COMMANDS if name not in arguments}
    heavy = {"pairloom.web", "starlette", "uvicorn", "numpy", "asyncio", "importlib.metadata", "pairloom.educational"}
    if arguments == ["normalize"]:
        heavy |= {"pairloom.model", "pairloom.trainer", "hashlib"}
    assert not loaded & (others | heavy)


# -- the examples are true


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples speak of, and `pairloom` among the programs."""
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "chapters").mkdir()
    (folder / "chapters" / "one.txt").write_text("low low lower\n")
    (folder / "book.txt").write_text("low low lower, a new text\n")
    (folder / "names.txt").write_text("low\nlower\n")
    (folder / "codes.bpe").write_text("#version: 0.1\nl o\nlo w\n")
    (folder / "programs").mkdir()
    script = folder / "programs" / "pairloom"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pairloom "$@"\n')
    script.chmod(0o755)
    return folder


def ends_well(line: str, workshop: Path) -> str:
    path = f"{workshop / 'programs'}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", line],
        cwd=workshop,
        env=os.environ | {"PATH": path},
        capture_output=True,
        check=False,
    )
    # What an export cannot carry, what an import finds, and what a corpus takes is said there, too.
    quiet = not any(word in line for word in ("export", "import", "--workers", "encode-dataset"))
    assert process.returncode == 0, (line, process.stderr)
    assert not process.stderr or not quiet, (line, process.stderr)
    return process.stdout.decode()


# The first example of train writes the model that the others read.
# Those of serve, site and check are run where there is what they need: tests of their own.
ELSEWHERE = {"serve", "site", "check", "completion"}
EXAMPLES = [example for name in COMMANDS if name not in ELSEWHERE for example in command_named(name).examples]


def test_the_examples_run(workshop: Path) -> None:
    for place, example in enumerate(EXAMPLES):
        out = ends_well(example if place == 0 else example.replace("-o model.json", "-o other.json"), workshop)
        assert out or "-o " in example
    assert ends_well(
        "echo 'lower  wool' | pairloom encode -m model.json --json | pairloom decode -m model.json", workshop
    ) == ("lower wool\n")
    for example in program.examples:
        ends_well(example, workshop)


# -- the reference is complete


def sections() -> dict[str, str]:
    """The text under each `## pairloom NAME`."""
    parts = re.split(r"^## (.*)$", REFERENCE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_reference_has_every_command() -> None:
    documented = [title.removeprefix("`pairloom ").removesuffix("`") for title in sections() if title.startswith("`")]
    assert documented == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_reference_has_every_option_and_no_other(name: str) -> None:
    text = sections()[f"`pairloom {name}`"]
    documented = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    expected = []
    for parameter in command_named(name).params:
        spelling = spelled(parameter)
        takes_value = isinstance(parameter, click.Option) and not parameter.is_flag
        expected.append(f"{spelling} {value_of(parameter)}" if takes_value else spelling)
    assert documented == expected


def spelled(parameter: click.Parameter) -> str:
    if not isinstance(parameter, click.Option):
        return "FILES" if parameter.metavar == "[FILES]..." else str(parameter.metavar)
    # `--marker/--no-marker`: both spellings of a flag.
    return "/".join([", ".join(parameter.opts), *parameter.secondary_opts])


def value_of(parameter: click.Parameter) -> str:
    # In a table of Markdown a bare | would end the cell.
    if isinstance(parameter.type, click.Choice):
        return "/".join(parameter.type.choices)
    assert parameter.metavar is not None
    return parameter.metavar


@pytest.mark.parametrize("name", COMMANDS)
def test_the_reference_has_the_defaults(name: str) -> None:
    text = sections()[f"`pairloom {name}`"]
    for parameter in command_named(name).params:
        shown = isinstance(parameter.default, int | str) and not isinstance(parameter.default, bool)
        if isinstance(parameter, click.Option) and shown and parameter.default != "-":
            (row,) = re.findall(rf"^\| `{re.escape(', '.join(parameter.opts))} .*$", text, re.MULTILINE)
            assert f"`{parameter.default}`" in row


def test_the_reference_has_the_exit_codes() -> None:
    from pairloom.cli import ending

    documented = set(re.findall(r"^\| (\d+) \|", REFERENCE, re.MULTILINE))
    codes = {ending.OK, ending.WRONG_INPUT, ending.WRONG_USE, ending.INTERRUPTED, ending.PIPE_CLOSED, 129, 143}
    assert documented == {str(code) for code in codes}
    told = run("--help").out.partition("Exit codes:")[2]
    assert set(re.findall(r"\d+", told)) == documented
