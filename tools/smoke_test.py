"""Try what was installed, from outside of the repository: `python -I tools/smoke_test.py [OPTION] KERNEL`.

Without an option the pages are tried as well; `--without-pages` where they are not installed, `--notebook` where the
walkthrough for notebooks is.

The interpreter is that of a fresh environment, which has nothing beside the package and what it asks for; so this needs
the standard library alone. KERNEL is the one that has to run. Every failure ends the program with what was seen.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from pathlib import Path

import pairloom

CORPUS = "low low lower newest newest widest"
MERGES = [("e", "s", 3), ("es", "t", 3), ("l", "o", 3)]
TIMEOUT_S = 60


def expect(what: str, seen: object, wanted: object) -> None:
    """Leave with a report unless what was seen is what was wanted."""
    if seen != wanted:
        sys.exit(f"{what}: {seen!r} instead of {wanted!r}")
    print(f"  {what}: as it should be")


def program(*arguments: str, given: str = "") -> str:
    """Run the installed command and return what it prints."""
    command = [str(Path(sysconfig.get_path("scripts")) / "pairloom"), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=TIMEOUT_S, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def try_library(folder: Path) -> None:
    """Train, encode, decode, save and load."""
    expect("library: from the installed package", "site-packages" in pairloom.__file__, wanted=True)
    model = pairloom.train(CORPUS, merge_limit=100)
    expect("library: merges", [(merge.left, merge.right, merge.frequency) for merge in model.merges[:3]], MERGES)
    expect("library: an unknown has no ID", model.encode("fast").ids, (10, None, None, 7, 8))
    expect("library: decoding", model.decode(model.encode("lowest  low").known_ids()), "lowest low")
    model.save(folder / "library.json")
    expect("library: saving and loading", pairloom.load(folder / "library.json") == model, wanted=True)


def try_command_line(folder: Path, kernel: str) -> None:
    """Train, encode and decode through pipes and files."""
    expect("command line: the kernel", f"kernel {kernel}" in program("--version").splitlines(), wanted=True)
    model = str(folder / "m.json")
    program("train", "--merges", "10", "-o", model, given="low low lower")
    expect(
        "command line: encode", program("encode", "-m", model, given="lower slow"), "▁low:8 e:0 r:3 ▁:5 s:UNK low:7\n"
    )
    encoded = program("encode", "-m", model, "--json", given="lower  wool")
    expect("command line: decode", program("decode", "-m", model, given=encoded), "lower wool\n")


def try_no_pages() -> None:
    """Without the extra, serving says what to install."""
    command = [str(Path(sysconfig.get_path("scripts")) / "pairloom"), "serve", "--port", "0"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=TIMEOUT_S, check=False)
    expect("pages: missing, and said so", (done.returncode, "pip install" in done.stderr), (1, True))


def try_pages() -> None:
    """Serve the pages on a free port, fetch each view and a static file, and train over HTTP."""
    command = [str(Path(sysconfig.get_path("scripts")) / "pairloom"), "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            address = next((word for word in said.split() if word.startswith("http://")), None)
            if address is None:
                sys.exit(f"pages: the server names no address: {said!r}")
            _try_addresses(address.rstrip("/"))
        finally:
            server.terminate()
            server.wait(TIMEOUT_S)


def _try_addresses(address: str) -> None:
    for path in ("/", "/walkthrough", "/method", "/lesson", "/healthz"):
        with urllib.request.urlopen(address + path, timeout=TIMEOUT_S) as answer:
            expect(f"pages: {path}", answer.status, 200)
            document = answer.read().decode()
        if path == "/":
            (script,) = [
                part.split('"')[0] for part in document.split('src="')[1:] if "htmx.min.js" in part.split('"')[0]
            ]
            with urllib.request.urlopen(address + script, timeout=TIMEOUT_S) as answer:
                expect("pages: the vendored script", len(answer.read()) > 10_000, wanted=True)
    body = json.dumps({"corpus": CORPUS}).encode()
    asked = urllib.request.Request(f"{address}/api/train", body, {"content-type": "application/json"})
    with urllib.request.urlopen(asked, timeout=TIMEOUT_S) as answer:
        summary = json.load(answer)["data"]["summary"]
    expect("pages: training over HTTP", summary["fingerprint"], pairloom.train(CORPUS).fingerprint)


def try_notebook() -> None:
    """Show a model, and ask the widget of the walkthrough for a step."""
    from pairloom import notebook

    bundle = pairloom.train(CORPUS).encode("<b>")._repr_mimebundle_()
    expect("notebook: a display that only shows", "<b>" in bundle["text/html"], wanted=False)
    widget = notebook.Walkthrough(CORPUS, language="de")
    state = widget.get_state()
    expect("notebook: the widget speaks", "Schritt" in state["_shell"], wanted=True)
    expect("notebook: the widget has its script", "hx-partial" in state["_esm"], wanted=True)


def main() -> None:
    """Try it all."""
    *options, kernel = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        try_library(Path(folder))
        try_command_line(Path(folder), kernel)
    if "--without-pages" in options:
        try_no_pages()
    elif "--notebook" in options:
        try_notebook()
    else:
        try_pages()


if __name__ == "__main__":
    main()
