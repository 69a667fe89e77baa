"""Pairloom: character-level byte-pair encoding that can be seen, trusted and used.

The public names; each is loaded when it is first asked for, so that `import pairloom` stays light.
"""

from __future__ import annotations

from importlib import import_module

# As in `typing`, which takes longer to load than all of this: Ctrl-C would break into it before anything can catch it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pairloom.encoder import Encoding as Encoding
    from pairloom.errors import CorpusTooLarge as CorpusTooLarge
    from pairloom.errors import CountError as CountError
    from pairloom.errors import CountOverflow as CountOverflow
    from pairloom.errors import EmptyCorpus as EmptyCorpus
    from pairloom.errors import ForbiddenCodePoint as ForbiddenCodePoint
    from pairloom.errors import InvalidMerge as InvalidMerge
    from pairloom.errors import InvalidUtf8 as InvalidUtf8
    from pairloom.errors import KernelUnavailable as KernelUnavailable
    from pairloom.errors import ModelError as ModelError
    from pairloom.errors import NotText as NotText
    from pairloom.errors import PairloomError as PairloomError
    from pairloom.errors import PrefixError as PrefixError
    from pairloom.errors import SettingError as SettingError
    from pairloom.errors import TextError as TextError
    from pairloom.errors import TextTooLong as TextTooLong
    from pairloom.errors import UnknownTokenId as UnknownTokenId
    from pairloom.errors import UnknownTokens as UnknownTokens
    from pairloom.errors import UnsupportedVersion as UnsupportedVersion
    from pairloom.errors import WorkUnfinished as WorkUnfinished
    from pairloom.formats.model_file import load as load
    from pairloom.history import History as History
    from pairloom.history import HistoryBuilder as HistoryBuilder
    from pairloom.history import TextHistory as TextHistory
    from pairloom.merges import Merge as Merge
    from pairloom.model import Model as Model
    from pairloom.normalizer import normalize as normalize
    from pairloom.pre_tokenizer import pre_tokenize as pre_tokenize
    from pairloom.token_ids import EncodedBatch as EncodedBatch
    from pairloom.token_ids import TokenIds as TokenIds
    from pairloom.trainer import Trainer as Trainer
    from pairloom.trainer import train as train
    from pairloom.trainer import train_from_word_counts as train_from_word_counts
    from pairloom.word_counts import WordCounter as WordCounter
    from pairloom.word_counts import WordCounts as WordCounts
    from pairloom.word_counts import count_words as count_words

_HOMES = {
    "encoder": ("Encoding",),
    "errors": (
        "CorpusTooLarge",
        "CountError",
        "CountOverflow",
        "EmptyCorpus",
        "ForbiddenCodePoint",
        "InvalidMerge",
        "InvalidUtf8",
        "KernelUnavailable",
        "ModelError",
        "NotText",
        "PairloomError",
        "PrefixError",
        "SettingError",
        "TextError",
        "TextTooLong",
        "UnknownTokenId",
        "UnknownTokens",
        "UnsupportedVersion",
        "WorkUnfinished",
    ),
    "formats.model_file": ("load",),
    "history": ("History", "HistoryBuilder", "TextHistory"),
    "merges": ("Merge",),
    "model": ("Model",),
    "normalizer": ("normalize",),
    "pre_tokenizer": ("pre_tokenize",),
    "token_ids": ("EncodedBatch", "TokenIds"),
    "trainer": ("Trainer", "train", "train_from_word_counts"),
    "word_counts": ("WordCounter", "WordCounts", "count_words"),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605  # computed from the one table above


def __getattr__(name: str) -> object:
    """Load the module that holds a public name, once."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names beside what is loaded already."""
    return sorted({*globals(), *_MODULE_OF})
