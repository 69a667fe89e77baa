"""The example notebooks run from top to bottom, in a kernel of their own; what they claim, they check.

They are committed without outputs: what they show is computed where they are read, and no diff holds a picture.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.repository import ROOT

FOLDER = ROOT / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TIMEOUT_S = 300

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def test_the_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "first_model",
        "german_and_chinese",
        "how_many_merges",
        "to_hugging_face",
    ]


@each_notebook
def test_it_is_committed_as_it_was_written(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    assert notebook["metadata"].keys() == {"kernelspec", "language_info"}
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            compile(source(cell), path.stem, "exec")
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", "\n".join(map(source, notebook["cells"]))):
        assert (path.parent / link).exists(), link


@each_notebook
def test_it_runs(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("run_one.py")), str(path), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=TIMEOUT_S, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    cells = [cell for cell in json.loads(done.stdout)["cells"] if cell["cell_type"] == "code"]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert all(cell["execution_count"] for cell in cells)
    assert [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"] == []
    shown = [output["data"] for output in outputs if output["output_type"] in {"execute_result", "display_data"}]
    assert any("text/html" in data for data in shown)
    assert all("text/plain" in data for data in shown)
