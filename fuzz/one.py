"""One target under atheris: `python -m fuzz.one TARGET [options of libFuzzer] [folders]`. It never comes back."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

atheris: Any = import_module("atheris")

# The compiled kernel gives no coverage; that of the pure one, which does the same, shows the way.
with atheris.instrument_imports(include=["pairloom", "fuzz"], exclude=["pairloom.web", "pairloom.unicode_tables"]):
    targets = import_module("fuzz.targets").TARGETS

name = sys.argv.pop(1)
atheris.Setup(sys.argv, targets[name])
atheris.Fuzz()
