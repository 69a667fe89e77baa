#!/usr/bin/env python3
"""Make or renew the virtual environment .venv: `python tools/setup.py run|dev|full|bench`.

Packages are installed from a lock file with hashes first, then the project itself, without its dependencies and
without build isolation (the build tools are in the lock). What was installed is noted in the environment, keyed on
the contents of the files that decide it, so that the next call has nothing to do and says nothing.
"""

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
KERNEL = ROOT / "src" / "pairloom" / "kernel"
LOCKS = {"run": "run.lock", "dev": "dev.lock", "full": "full.lock", "bench": "bench.lock"}
# What an environment holds beside its own kind: the lock files agree in every package that they share.
HOLDS = {"run": (), "dev": ("run",), "full": ("run", "dev"), "bench": ("run", "dev")}
# A peer that only has a source distribution, of an old kind; the benchmarks do without it where it does not build.
YOUTOKENTOME = "youtokentome.lock"


def key_of(kind: str) -> str:
    """A digest of everything that decides what the environment holds."""
    digest = hashlib.sha256(f"{ROOT}\0{sys.version}\0".encode())
    # The sources of the compiled kernel among them: a changed one is built anew.
    kernel = sorted(path for path in KERNEL.iterdir() if path.suffix in {".h", ".pxi", ".pyx"})
    for path in (ROOT / "pyproject.toml", ROOT / "requirements" / LOCKS[kind], Path(__file__), *kernel):
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current(kind: str) -> bool:
    """Whether the environment was completed with this kind's packages, or with more."""
    note = VENV / f".installed-{kind}"
    return PYTHON.exists() and note.exists() and note.read_text() == key_of(kind)


def is_usable() -> bool:
    """Whether there is an environment of this very Python at this very place."""
    note = VENV / ".made-for"
    return PYTHON.exists() and note.exists() and note.read_text() == f"{ROOT}\n{sys.version}"


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a second `make` in the same folder wait until the first is done."""
    name = "pairloom-setup-" + hashlib.sha256(str(ROOT).encode()).hexdigest()[:16]
    with (Path(tempfile.gettempdir()) / name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def install(*arguments: str) -> None:
    """Run pip inside the environment; its own words are the best report of what went wrong."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "-qq", "install"]
    subprocess.run([*command, *arguments], check=True, cwd=ROOT)


def install_youtokentome() -> None:
    """Build the peer that comes as source; whether that works depends on the machine's compiler."""
    lock = ROOT / "requirements" / YOUTOKENTOME
    try:
        install("--require-hashes", "--no-deps", "--no-build-isolation", "--requirement", str(lock))
    except subprocess.CalledProcessError:
        print("youtokentome does not build here: its rows will say so.", flush=True)


def set_up(kind: str) -> None:
    """Bring the environment to what `kind` needs."""
    if not is_usable():
        if VENV.exists():
            shutil.rmtree(VENV)
        print(f"Making .venv with Python {sys.version.split()[0]} …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
        (VENV / ".made-for").write_text(f"{ROOT}\n{sys.version}")
    print(f"Installing what requirements/{LOCKS[kind]} names …", flush=True)
    install("--require-hashes", "--requirement", f"requirements/{LOCKS[kind]}")
    # What an earlier build left would be taken for the new one where there is no compiler any more.
    for left in (*KERNEL.glob("_compiled*.so"), *KERNEL.glob("_compiled*.pyd"), KERNEL / "_compiled.c"):
        left.unlink(missing_ok=True)
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    install("--no-deps", "--no-build-isolation", "--editable", ".")
    if not any(KERNEL.glob("_compiled*.so")) and not any(KERNEL.glob("_compiled*.pyd")):
        print("The compiled kernel was not built (no C compiler, or no Python headers): the pure one runs.", flush=True)
    if kind == "bench":
        install_youtokentome()
    for done in (*HOLDS[kind], kind):
        (VENV / f".installed-{done}").write_text(key_of(done))


def main() -> int:
    """Set up unless nothing is to be done."""
    if len(sys.argv) != 2 or sys.argv[1] not in LOCKS:
        print(f"usage: {Path(sys.argv[0]).name} {'|'.join(LOCKS)}", file=sys.stderr)
        return 2
    kind = sys.argv[1]
    if is_current(kind):
        return 0
    with one_at_a_time():
        if is_current(kind):
            return 0
        try:
            set_up(kind)
        except subprocess.CalledProcessError as error:
            print(f"The set-up stopped: {' '.join(map(str, error.cmd))}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
