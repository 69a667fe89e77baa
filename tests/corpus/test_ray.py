"""Everything that is tested on Ray, each file in a network namespace with nothing but the loopback interface.

A local Ray listens on all interfaces, whatever address it is given; so the cases stand in `on_ray/`, where nobody
collects them by accident, and run from here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.corpus.faults import SCHEDULES
from tests.support import loopback_only

CASES = sorted(path.name for path in (Path(__file__).parent / "on_ray").glob("cases_*.py"))

_WHY_NOT = loopback_only.why_not()
in_a_namespace = pytest.mark.skipif(_WHY_NOT is not None, reason=f"Ray is tested on loopback only; {_WHY_NOT}")


@in_a_namespace
def test_the_namespace_has_no_other_interface() -> None:
    program = "from tests.support.loopback_only import interfaces; print(interfaces())"
    assert loopback_only.run(["-c", program]).stdout == "['lo']\n"
    # And nothing outside can be reached from it.
    program = "import socket; socket.create_connection(('192.0.2.1', 9), timeout=2)"
    assert "Network is unreachable" in loopback_only.run(["-c", program]).stderr


@in_a_namespace
@pytest.mark.parametrize("cases", CASES)
def test_on_ray(cases: str) -> None:
    pytest_arguments = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-W", "default", "-o", "testpaths="]
    ended = loopback_only.run([*pytest_arguments, f"tests/corpus/on_ray/{cases}"], timeout_s=600 + 60 * SCHEDULES)
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
    assert re.search(r"^\d+ passed", ended.stdout.splitlines()[-1]), "none is skipped"
    sys.stdout.write(ended.stdout[-300:])
