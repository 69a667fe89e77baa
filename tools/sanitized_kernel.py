"""Lets a Python take its kernel from the file that PAIRLOOM_SANITIZED names; `test-sanitized.sh` starts each with it.

Everything else of the package stays where it is, and nothing is loaded that Python has not loaded for itself: some
tests look at what is.
"""

import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import ExtensionFileLoader

NAME = "pairloom.kernel._compiled"


class SanitizedKernel:
    """Finds one module, the kernel, and no other."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG004  # the protocol's
        """Say where the kernel is, as a finder of `sys.meta_path` does."""
        if name != NAME:
            return None
        place = os.environ["PAIRLOOM_SANITIZED"]
        spec = ModuleSpec(name, ExtensionFileLoader(name, place), origin=place)
        spec.has_location = True
        return spec


if os.environ.get("PAIRLOOM_SANITIZED"):
    sys.meta_path.insert(0, SanitizedKernel)
