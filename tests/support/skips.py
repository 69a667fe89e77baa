"""A skipped test has a reason, and under CI an accepted one: else the run fails (a pytest plugin).

A test that is skipped where nobody looks is a test that does not exist. Where a tool may be missing on a developer's
machine (Chromium, Node.js), the test says so in its reason and is skipped; on CI, where `CI=true`, everything that this
project needs is installed, so that a skip there means that something broke. `ACCEPTED_ON_CI` lists what may be skipped
there all the same, each entry with its why.
"""

import os
import re

import pytest

# Beginnings of reasons. Empty: nothing that this project has needs a skip on CI.
ACCEPTED_ON_CI: tuple[str, ...] = ()

# What pytest puts in the place of a reason that nobody gave.
NO_REASON = {"", "unconditional skip", "<Skipped instance>", "Skipped"}

_refused: list[str] = []


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The reason that a skipped or an expectedly failed test gave, without pytest's prefix."""
    wasxfail: str | None = getattr(report, "wasxfail", None)
    if wasxfail is not None:
        return re.sub(r"^reason: ", "", wasxfail)
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return re.sub(r"^Skipped(: |$)", "", text).strip()


def is_accepted(reason: str, *, on_ci: bool) -> bool:
    """Whether a skip for this reason leaves the run green."""
    if reason in NO_REASON:
        return False
    return not on_ci or reason.startswith(ACCEPTED_ON_CI)


def _look_at(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.outcome != "skipped":
        return
    reason = reason_of(report)
    if not is_accepted(reason, on_ci=os.environ.get("CI") == "true"):
        _refused.append(f"{report.nodeid}: {reason or 'no reason given'}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Look at each test's outcome (with pytest-xdist: in the process that gathers them)."""
    _look_at(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Look at each module's outcome: a whole module may be skipped."""
    _look_at(report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Turn a green run with a refused skip into a failed one."""
    is_worker = hasattr(session.config, "workerinput")
    if _refused and exitstatus == 0 and not is_worker:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was refused, and why."""
    if not _refused:
        return
    terminalreporter.section("skips that are not accepted", sep="=", red=True)
    for line in dict.fromkeys(_refused):
        terminalreporter.write_line(line)
    terminalreporter.write_line("Every skip needs a reason; under CI=true one of tests/support/skips.py.")
