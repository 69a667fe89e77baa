"""Run one notebook and write it, with its outputs, to standard output: `python run_one.py NOTEBOOK FOLDER`.

A process of its own: what a kernel's client leaves open at its end is no concern of the tests' own.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

TIMEOUT_S = 120


def main() -> None:
    path, folder = Path(sys.argv[1]), Path(sys.argv[2])
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has no types
    client = NotebookClient(notebook, timeout=TIMEOUT_S, resources={"metadata": {"path": str(folder)}})
    kernel = client.create_kernel_manager()
    # Sockets in the file system: nobody else on the machine can speak to the kernel.
    kernel.transport, kernel.ip = "ipc", str(folder / "k")
    client.execute()
    sys.stdout.write(nbformat.writes(notebook))  # type: ignore[no-untyped-call]  # as above


if __name__ == "__main__":
    main()
