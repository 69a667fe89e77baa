"""Atomic writing: the old file or the new one, never half of one; permissions, links, devices."""

import errno
import os
import resource
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pairloom.formats.atomic import check_replaceable, replacing

OLD = b"the old file\n"


def write(path: Path, data: bytes) -> None:
    with replacing(path) as file:
        file.write(data)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    write(path, b"one")
    assert path.read_bytes() == b"one"
    write(path, b"two")
    assert path.read_bytes() == b"two"
    assert names(tmp_path) == ["m.json"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit, OSError])
@pytest.mark.parametrize("there_before", [True, False])
def test_a_failure_leaves_the_old_file(tmp_path: Path, failure: type[BaseException], there_before: bool) -> None:
    path = tmp_path / "m.json"
    if there_before:
        path.write_bytes(OLD)

    def half_write() -> None:
        with replacing(path) as file:
            file.write(b"half of")
            raise failure

    with pytest.raises(failure):
        half_write()
    assert names(tmp_path) == (["m.json"] if there_before else [])
    if there_before:
        assert path.read_bytes() == OLD


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_at_the_very_end(tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(OLD)

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "the disk")

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    with pytest.raises(OSError, match="the disk"):
        write(path, b"new")
    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["m.json"]


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002, 0o000])
def test_a_new_file_has_the_permissions_of_open(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        (tmp_path / "opened").write_bytes(b"")
        write(tmp_path / "replaced", b"")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "replaced") == mode_of(tmp_path / "opened")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o777])
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(OLD)
    path.chmod(mode)
    with replacing(path) as file:
        (temporary,) = set(names(tmp_path)) - {"m.json"}
        # In place before anything is written: a private file is never readable by others, not even for a moment.
        assert mode_of(tmp_path / temporary) == mode
        file.write(b"new")
    assert mode_of(path) == mode


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    link = tmp_path / "link"
    link.symlink_to("folder/m.json")
    for data in (b"made through the link", b"replaced through the link"):
        write(link, data)
        assert link.is_symlink()
        assert (folder / "m.json").read_bytes() == data
    assert names(folder) == ["m.json"]


def test_a_device_and_a_pipe_are_written_to(tmp_path: Path) -> None:
    write(Path("/dev/null"), b"gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe, b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_cannot_be_written_is_refused_before_anything_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(IsADirectoryError):
        write(tmp_path, b"")
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "no" / "m.json", b"")
    path = tmp_path / "m.json"
    path.write_bytes(OLD)
    # Root may write everything, so the answer of the system is put in by hand.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError):
        check_replaceable(path)
    with pytest.raises(PermissionError):
        write(path, b"new")
    assert path.read_bytes() == OLD


def test_names_that_are_no_file(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_bytes(OLD)
    for name in ("new/", "m.json/", "no/new/"):
        with pytest.raises(OSError, match=name.rstrip("/")) as caught, replacing(f"{tmp_path}/{name}"):
            pytest.fail("nothing is given to write to")
        assert Path(caught.value.filename) == tmp_path / name
    with pytest.raises(FileNotFoundError):
        check_replaceable("")
    assert names(tmp_path) == ["m.json"]


@pytest.mark.parametrize("there_before", [True, False])
def test_a_folder_that_may_not_be_written_is_refused_before_anything_happens(
    tmp_path: Path, there_before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.json"
    if there_before:
        path.write_bytes(OLD)
    # Root may write everything, so the answer of the system is put in by hand.
    monkeypatch.setattr(os, "access", lambda asked, _: asked != tmp_path)
    with pytest.raises(PermissionError, match="its folder may not be written") as caught:
        check_replaceable(path)
    assert caught.value.filename == str(path)
    # What is not replaced needs no folder.
    monkeypatch.setattr(os, "access", lambda asked, _: asked != Path("/dev"))
    check_replaceable("/dev/null")


@pytest.mark.parametrize("step", ["open", "write", "fsync", "replace"])
def test_every_failure_names_the_file_that_was_asked_for(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.json"

    def fail(*arguments: object) -> None:
        hidden = [os.fspath(name) for name in arguments if isinstance(name, Path)]
        raise OSError(errno.ENOSPC, "full", *hidden[:1], *([0, hidden[1]] if hidden[1:] else []))

    if step != "write":
        monkeypatch.setattr(Path if step == "replace" else os, step, fail)

    def half_write() -> None:
        with replacing(path) as file:
            file.write(b"new")
            if step == "write":
                fail()

    with pytest.raises(OSError, match="full") as caught:
        half_write()
    assert (caught.value.filename, caught.value.filename2) == (str(path), None)
    assert str(caught.value) == f"[Errno {errno.ENOSPC}] full: '{path}'"
    monkeypatch.undo()
    assert names(tmp_path) == []


def test_errors_about_other_files_keep_their_names(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "m.json"):
        (tmp_path / "none").read_bytes()
    assert caught.value.filename == str(tmp_path / "none")


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(OLD)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            write(path, b"x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["m.json"]


WRITES_FOR_EVER = """
    import sys
    from pairloom.formats.atomic import replacing
    print("ready", flush=True)
    while True:
        with replacing(sys.argv[1]) as file:
            for _ in range(200):
                file.write(b"new" * 1000)
"""


@pytest.mark.parametrize("seed", range(10))
def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(OLD)
    writer = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITES_FOR_EVER), str(path)], stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    # Let it get somewhere else each time: a number of looks at the folder, not a number of seconds.
    for _ in range(seed * 300):
        names(tmp_path)
    writer.kill()
    writer.wait()
    writer.stdout.close()
    assert path.read_bytes() in (OLD, b"new" * 200_000)
    assert [name for name in names(tmp_path) if not name.endswith(".tmp")] == ["m.json"]
