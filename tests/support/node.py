"""Node.js as a second opinion on Unicode: its engine is where the project's rules N1 to N4 come from."""

import json
import shutil
import subprocess
from functools import cache
from typing import Any

import pytest

UNICODE = "17.0"


@cache
def _why_not() -> str | None:
    node = shutil.which("node")
    if node is None:
        return "Node.js is not installed"
    asked = subprocess.run(
        [node, "--print", "process.versions.unicode"], capture_output=True, text=True, check=True, timeout=60
    )
    found = asked.stdout.strip()
    return None if found == UNICODE else f"Node.js carries Unicode {found}, the project's tables are of {UNICODE}"


def require_node() -> None:
    """Skip the test where there is no Node.js with the Unicode version of the project's tables."""
    reason = _why_not()
    if reason is not None:
        pytest.skip(reason)  # that there is no Node.js, or one of another Unicode


def ask_node(*arguments: str, question: object = None) -> Any:
    """Run one Node.js process, `question` as JSON on its standard input; return what it prints, read as JSON."""
    answer = subprocess.run(
        ["node", *arguments], input=json.dumps(question).encode(), stdout=subprocess.PIPE, check=True, timeout=300
    )
    return json.loads(answer.stdout)
