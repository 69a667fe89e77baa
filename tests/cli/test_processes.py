"""The command line as the system sees it: pipes, signals, full disks, locales, closed descriptors."""

import os
import resource
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pairloom.formats.model_file import dumps, load, save
from pairloom.trainer import train
from tests.support.command_line import COMMAND, run_process

C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    save(train("low low lower", 10), tmp_path / "m.json")
    return tmp_path / "m.json"


def test_the_main_job_through_pipes(tmp_path: Path) -> None:
    trained = run_process("train", "--merges", "10", "-o", tmp_path / "m.json", text=b"low low lower")
    assert (trained.returncode, trained.stdout, trained.stderr) == (0, b"", b"")
    encoded = run_process("encode", "-m", tmp_path / "m.json", "--json", text=b"lower  wool\n")
    decoded = run_process("decode", "-m", tmp_path / "m.json", text=encoded.stdout)
    assert decoded.stdout == b"lower wool\n"


@pytest.mark.parametrize("command", ["encode", "decode", "normalize", "merges", "vocab"])
@pytest.mark.parametrize("is_long", [True, False])
def test_a_reader_that_goes_away(command: str, is_long: bool, tmp_path: Path) -> None:
    save(train(" ".join(str(number) for number in range(3000 if is_long else 10)) * 2), tmp_path / "m.json")
    arguments = [] if command == "normalize" else ["-m", str(tmp_path / "m.json")]
    if command in {"encode", "normalize", "decode"}:
        arguments.append("--lines")
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [*COMMAND, command, *arguments],
        input=b"7 8 9\n" * (100_000 if is_long else 1),
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (process.returncode, process.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("text", [b"low", b"low " * 100_000])
def test_a_full_disk_behind_standard_output(text: bytes) -> None:
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run([*COMMAND, "normalize"], input=text, stdout=full, stderr=subprocess.PIPE, check=False)
    assert process.returncode == 1
    assert process.stderr == b"pairloom: error: <stdout>: No space left on device; make room and try again\n"


def test_a_full_disk_keeps_the_old_model(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    old = dumps(train("a"))
    path.write_bytes(old)

    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    process = subprocess.run(
        [*COMMAND, "train", "-o", str(path)],
        input=b"low low lower" * 100,
        stderr=subprocess.PIPE,
        preexec_fn=no_large_files,
        check=False,
    )
    assert process.returncode == 1
    assert process.stderr == f"pairloom: error: {path}: File too large\n".encode()
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


# The command, stopped in the middle of saving: the new file is written and not yet in its place.
STOPS_WHILE_SAVING = """
    import os, sys, time
    from pairloom.cli import main
    def stop(_):
        print("saving", flush=True)
        while True:
            time.sleep(3600)
    os.fsync = stop
    main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("number", "code", "is_tidy"),
    [
        (signal.SIGINT, 130, True),
        (signal.SIGTERM, 143, True),
        (signal.SIGHUP, 129, True),
        (signal.SIGKILL, -signal.SIGKILL, False),
    ],
)
def test_a_signal_while_saving_keeps_the_old_model(
    tmp_path: Path, number: signal.Signals, code: int, is_tidy: bool
) -> None:
    path = tmp_path / "m.json"
    save(train("old"), path)
    program = textwrap.dedent(STOPS_WHILE_SAVING)
    process = subprocess.Popen(
        [sys.executable, "-c", program, "train", "-o", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"low low lower")
    process.stdin.close()
    process.stdin = None
    assert process.stdout.readline() == b"saving\n"
    assert len(list(tmp_path.iterdir())) == 2
    process.send_signal(number)
    _, error = process.communicate()
    assert process.returncode == code
    assert error == (b"pairloom: interrupted\n" if number == signal.SIGINT else b"")
    assert load(path) == train("old")
    assert (list(tmp_path.iterdir()) == [path]) == is_tidy
    # And what is left over disturbs nothing.
    assert run_process("train", "-o", path, text=b"new").returncode == 0
    assert load(path) == train("new")


def test_ctrl_c_while_reading(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    process = subprocess.Popen(
        [*COMMAND, "train", "-o", str(path), "--lines"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stderr is not None
    # More than a pipe holds: once all of it is taken, the command is there and reads.
    process.stdin.write(b"low low lower\n" * 100_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    error = process.stderr.read()
    assert process.wait() == 130
    assert error == b"pairloom: interrupted\n"
    process.stdin.close()
    process.stderr.close()
    assert not list(tmp_path.iterdir())


# Ctrl-C while the program is still being loaded: the first thing that takes its time is click.
IS_INTERRUPTED_LOADING = """
    import os, runpy, signal, sys
    class Finder:
        def find_spec(self, name, *_):
            if name == sys.argv[2]:
                os.kill(os.getpid(), signal.SIGINT)
    sys.meta_path.insert(0, Finder())
    exec(sys.argv[1])
"""


@pytest.mark.parametrize("module", ["pairloom.cli.program", "click", "pairloom.cli.messages"])
@pytest.mark.parametrize(
    "start",
    ["import pairloom.cli; pairloom.cli.main([])", "runpy.run_module('pairloom', run_name='__main__')"],
)
def test_ctrl_c_while_loading(module: str, start: str) -> None:
    program = textwrap.dedent(IS_INTERRUPTED_LOADING)
    process = subprocess.run([sys.executable, "-c", program, start, module], capture_output=True, check=False)
    assert (process.returncode, process.stdout, process.stderr) == (130, b"", b"pairloom: interrupted\n")


@pytest.mark.parametrize(
    "environment",
    [
        C_LOCALE,
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "utf-16"},
        {"PYTHONUTF8": "1"},
    ],
)
def test_a_pipe_is_utf_8_in_every_locale(model_path: Path, environment: dict[str, str]) -> None:
    process = run_process("encode", "-m", model_path, text="low 中".encode(), environment=environment)
    assert process.stdout.decode() == "▁low:8 ▁:5 中:UNK\n"
    process = run_process("normalize", text="é 中\0".encode(), environment=environment)
    assert process.stdout.decode() == "é 中\0\n"


def test_output_without_a_buffer_of_its_own(tmp_path: Path) -> None:
    # Under `python -u` standard output may take less than it is given; a pipe that is read slowly takes little.
    text = b"low " * 200_000
    for unbuffered in ("", "1"):
        process = subprocess.run(
            ["sh", "-c", f'"{sys.executable}" -m pairloom normalize | (sleep 0.1; wc -c)'],
            input=text,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=subprocess.PIPE,
            check=True,
        )
        assert int(process.stdout) == len(text)


def test_numbers_without_a_buffer_of_their_own(model_path: Path, tmp_path: Path) -> None:
    """Nothing is lost, and where there is no room for all of it that is said."""
    (tmp_path / "text.txt").write_bytes(b"low " * 400_000)
    encode = f'"{sys.executable}" -m pairloom encode -m "{model_path}" --format u16 text.txt'
    whole = subprocess.run(["sh", "-c", encode], capture_output=True, cwd=tmp_path, check=True).stdout
    for unbuffered in ("", "1"):
        environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
        slowly = subprocess.run(
            ["sh", "-c", f"{encode} | (sleep 0.1; cat)"], capture_output=True, cwd=tmp_path, env=environment, check=True
        )
        assert slowly.stdout == whole
        limited = subprocess.run(
            ["sh", "-c", f"ulimit -f 1000; {encode} > ids"],
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert (limited.returncode, limited.stderr) == (1, b"pairloom: error: <stdout>: File too large\n")
        assert 0 < (tmp_path / "ids").stat().st_size < len(whole)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with named pipes")
def test_npy_into_a_pipe_is_refused_before_anything_is_written(model_path: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE)
    refused = run_process("encode", "-m", model_path, "--format", "npy", "-o", str(tmp_path / "pipe"), text=b"low")
    assert refused.returncode == 2
    assert b"npy needs a file" in refused.stderr
    assert reader.communicate(timeout=60)[0] == b""


def test_an_error_is_written_in_every_locale(tmp_path: Path) -> None:
    process = run_process("normalize", text="▁".encode(), environment=C_LOCALE)
    assert process.returncode == 1
    assert process.stderr.startswith(
        b"pairloom: error: <stdin>: the text holds a literal \\u2581 (U+2581) at position 0"
    )


def test_a_file_name_that_is_no_utf_8(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\x1b[1m"
    process = subprocess.run([*COMMAND, "normalize", name], capture_output=True, check=False)
    assert process.returncode == 1
    assert b"\\udcff\\u001b[1m: No such file or directory" in process.stderr
    Path(os.fsdecode(name)).write_bytes(b" low ")
    assert subprocess.run([*COMMAND, "normalize", name], capture_output=True, check=True).stdout == b"low\n"


@pytest.mark.parametrize(
    ("redirection", "code", "message"),
    [
        (">&-", 1, b"pairloom: error: <stdout>: Bad file descriptor\n"),
        ("<&-", 1, b"pairloom: error: <stdin>: Bad file descriptor\n"),
        (">&- 2>&-", 1, b""),
    ],
)
def test_closed_descriptors(redirection: str, code: int, message: bytes) -> None:
    line = f'"{sys.executable}" -m pairloom normalize {redirection}'
    process = subprocess.run(["sh", "-c", line], input=b"low", capture_output=True, check=False)
    assert (process.returncode, process.stderr) == (code, message)


def test_standard_output_named_as_a_file(tmp_path: Path) -> None:
    for name in ("-", "/dev/stdout"):
        assert run_process("normalize", "-o", name, text=b" low ").stdout == b"low\n"
    assert run_process("normalize", "-o", "/dev/null", text=b"low").returncode == 0


def test_nohup_is_respected(tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    code = "import signal, pairloom.cli.ending as e; e.end_on_signals(); print(signal.getsignal(signal.SIGHUP).name)"
    process = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, preexec_fn=ignore, check=True)
    assert process.stdout == b"SIG_IGN\n"
