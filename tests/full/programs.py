"""A marimo and a JupyterLab of the tests' own, each with one notebook open, and the end of both."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_S = 120

HOSTILE = "<script>document.title='taken'</script> <img src=x onerror=document.title='taken'> \u202e low low lower"

SETUP = f"""
import pairloom
from pairloom import notebook
model = pairloom.train({HOSTILE!r} + " " + {HOSTILE!r})
"""
SHOWN = (
    "model",
    f"model.encode({HOSTILE!r})",
    "notebook.merges(model)",
    "notebook.diff(model, pairloom.train('low newest'), '<script>low')",
    "notebook.curve(model, name='<script>')",
)


def marimo_notebook() -> str:
    """A marimo notebook: displays, the widget, and a cell that goes along with its prefix."""
    cells = [f"import marimo as mo\n{SETUP}", *SHOWN, "walk = mo.ui.anywidget(notebook.Walkthrough())\nwalk"]
    cells.append("mo.md(f\"the prefix is {walk.value['prefix']}\")")
    parts = ["import marimo", "app = marimo.App()"]
    for cell in cells:
        body = "\n".join(f"    {line}" for line in cell.splitlines())
        parts.append(f"@app.cell\ndef _():\n{body}\n    return")
    return "\n\n".join([*parts, 'if __name__ == "__main__":\n    app.run()']) + "\n"


def jupyter_notebook() -> str:
    """The same for JupyterLab."""
    cells = [SETUP, *SHOWN, "walk = notebook.Walkthrough()\nwalk"]
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "id": f"cell-{number}",
                    "metadata": {},
                    "source": cell.strip(),
                    "execution_count": None,
                    "outputs": [],
                }
                for number, cell in enumerate(cells)
            ],
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextmanager
def running(command: list[str], address: str, *, folder: Path) -> Iterator[None]:
    """Run a server inside this block; wait until it answers, and end it with everything that it started."""
    homes = {name: str(folder / name) for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "XDG_CONFIG_HOME")}
    log = folder / "log"
    with log.open("w") as file:
        server = subprocess.Popen(
            [str(Path(sys.executable).with_name(command[0])), *command[1:]],
            cwd=folder,
            env=os.environ | homes,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_for(address, server, log)
        yield
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait(20)


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"it does not answer at {address}:\n{log.read_text()[-3000:]}")
