"""Other tools' libraries, loaded when something needs them, with an answer for those who do not have them."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from pairloom.errors import PairloomError

_ADVICE: Final = {
    "pyarrow": "Parquet needs pyarrow: pip install '.[parquet]' in the folder of Pairloom, or take the format tsv",
    "tokenizers": "--verify asks Hugging Face's own library: pip install tokenizers",
    "subword_nmt": "--verify asks subword-nmt itself: pip install subword-nmt",
}


class MissingPeer(PairloomError):
    """A format, or a check, needs a library that is not installed; `name` is that of the package."""

    code = "formats.missing_peer"
    template = "{advice}"
    attributes = ("name", "advice")

    def __init__(self, *, name: str, advice: str) -> None:
        super().__init__()
        self.name = name
        self.advice = advice


class PeerRefuses(PairloomError):
    """Another tool does not read the exported file at all; `name` is that of the package, `reason` why."""

    code = "formats.peer_refuses"
    template = "{name} refuses the file: {reason}; export without --verify"
    attributes = ("name", "reason")

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__()
        self.name = name
        self.reason = reason


def peer(module: str) -> Any:
    """Return a module of another tool. Raises: MissingPeer, with what to install."""
    return loaded(module, advice=_ADVICE[module.partition(".")[0]])


def loaded(module: str, *, advice: str) -> Any:
    """Return a module of a library. Raises: MissingPeer, if it is that library which is missing."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        raise MissingPeer(name=package, advice=advice) from None
