"""What has to be the same on every worker, and a look at whether it is."""

from __future__ import annotations

import platform
from importlib.metadata import version

from pairloom.corpus.errors import VersionsDiffer, WorkFolderError
from pairloom.corpus.storage import Folder
from pairloom.fingerprint import CONVENTIONS
from pairloom.unicode_data import UNICODE_VERSION

TABLES = 1
"""The format of runs, tables and records; a change of the hash or of their order is a new one."""


def versions() -> dict[str, str]:
    """Return the versions that decide what is counted and how it is kept."""
    return {
        "pairloom": version("pairloom"),
        "conventions": str(CONVENTIONS),
        "unicode": UNICODE_VERSION,
        "tables": str(TABLES),
    }


def check_worker(expected: dict[str, str], folder: Folder) -> None:
    """Look at this process before it does any work: has it the driver's versions, and does it see the work folder?

    Args:
        expected: the driver's versions, and as "job" what stands in the folder's `job.json`.

    Raises:
        VersionsDiffer, WorkFolderError.
    """
    ours = versions()
    differing = [
        f"{name} {ours.get(name, 'none')}, the driver {value}"
        for name, value in expected.items()
        if name != "job" and ours.get(name) != value
    ]
    if differing:
        raise VersionsDiffer(worker=platform.node(), differing="; ".join(differing))
    if (folder.read_json("job.json") or {}).get("job") != expected["job"]:
        reason = f"the worker on {platform.node()} does not see it: name one that every node reaches"
        raise WorkFolderError(folder=folder.address, reason=reason)


def check_node(asked: tuple[dict[str, str], Folder]) -> None:
    """Do `check_worker`, for an engine that hands over one value."""
    check_worker(*asked)
