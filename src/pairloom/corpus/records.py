"""Records, which resuming goes by: JSON objects under a seal, so that one that was changed is never believed.

A record is written whole or not at all; but folders are copied, edited and half deleted, and a record that says
something else than what was done would make a wrong result out of that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

_SEAL: Final = "seal"


def digest_of(value: object) -> str:
    """Return a short digest of a value that JSON can hold."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:32]


def sealed(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with its seal: a digest of all the rest."""
    return {**record, _SEAL: digest_of(record)}


def unsealed(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record that was sealed. Raises: ValueError, if it is none, or another one."""
    record = {name: value[name] for name in value if name != _SEAL}
    if value.get(_SEAL) != digest_of(record):
        raise ValueError("it says something else than what was written")
    return record
