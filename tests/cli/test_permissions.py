"""Files that may not be read or written: Pairloom's own words and exit code 1, and said before the work, not after."""

import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from pairloom.formats.model_file import dumps, save
from pairloom.trainer import train
from tests.support.command_line import Ended

# Root may do everything, so there the command goes on as nobody: once it is loaded, since nobody may not be able to.
AS_NOBODY = """
    import os, sys
    import difflib  # which click loads while it reads the options
    from pairloom.cli import main, program
    program.program.get_command(None, sys.argv[1])
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    main(sys.argv[1:])
"""


def run_as_nobody(*arguments: str | Path, text: bytes = b"") -> Ended:
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(AS_NOBODY), *map(str, arguments)],
        input=text,
        capture_output=True,
        check=False,
    )
    return Ended(process.returncode, process.stdout.decode(), process.stderr.decode())


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may use; not pytest's own, which lies in one that is closed to others."""
    with tempfile.TemporaryDirectory(prefix="pairloom-") as name:
        Path(name).chmod(0o777)
        yield Path(name)


def test_a_text_that_may_not_be_read(folder: Path) -> None:
    path = folder / "c.txt"
    path.write_text("low")
    path.chmod(0o200)
    for command in ("train", "normalize"):
        ended = run_as_nobody(command, path)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == f"pairloom: error: {path}: Permission denied; check the permissions\n"


def test_a_model_that_may_not_be_read(folder: Path) -> None:
    path = folder / "m.json"
    save(train("low"), path)
    path.chmod(0)
    for command in ("vocab", "encode"):
        ended = run_as_nobody(command, "-m", path)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == f"pairloom: error: {path}: Permission denied; check the permissions\n"


def test_a_file_that_may_be_written_and_not_read(folder: Path) -> None:
    path = folder / "m.json"
    path.write_text("old")
    path.chmod(0o222)
    assert run_as_nobody("train", "-o", path, text=b"low low") == Ended(0, "", "")
    path.chmod(0o644)
    assert path.read_bytes() == dumps(train("low low"))


def test_a_folder_that_may_not_be_written_is_refused_before_the_work(folder: Path) -> None:
    for name in ("new.json", "old.json"):
        path = folder / name
        if name == "old.json":
            folder.chmod(0o777)
            path.write_text("old")
            path.chmod(0o666)
        folder.chmod(0o555)
        # The corpus is not even looked for.
        ended = run_as_nobody("train", "-o", path, folder / "none.txt")
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == f"pairloom: error: {path}: its folder may not be written; check the permissions\n"
    assert os.listdir(folder) == ["old.json"]  # noqa: PTH208  # names alone


def test_a_folder_that_may_not_be_searched(folder: Path) -> None:
    (folder / "closed").mkdir()
    (folder / "closed").chmod(0o600)
    path = folder / "closed" / "m.json"
    ended = run_as_nobody("train", "-o", path, text=b"low")
    assert (ended.code, ended.err) == (1, f"pairloom: error: {path}: Permission denied; check the permissions\n")
