"""What the server program logs: what failed and where in our code, never a value. Values are people's texts.

A traceback of Python ends with the message of the error, which may well quote a text; so does what asyncio says of a
task that failed. Both are told here by the type of the error and the lines of code that it went through.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Mapping
from types import TracebackType
from typing import Any

_log = logging.getLogger("pairloom.web")
_Failure = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def told(error: BaseException) -> str:
    """Return the type of an error and the lines that it went through, without its message.

    >>> told(KeyError("somebody's text"))
    'KeyError'
    """
    return "\n".join([type(error).__name__, *traceback.format_tb(error.__traceback__)]).rstrip()


class QuietFormatter(logging.Formatter):
    """Format a record with its failure as `told` tells it."""

    def formatException(self, ei: _Failure) -> str:  # noqa: N802  # the library's name
        """Return the failure without its message, and without the messages of those before it."""
        return "" if ei[1] is None else told(ei[1])


def quiet_asyncio(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log what the event loop has to say of a failure; the handler of its exceptions."""
    error = context.get("exception")
    _log.error("%s: %s", context.get("message"), told(error) if isinstance(error, BaseException) else "no exception")


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"quiet": {"()": QuietFormatter, "format": "%(levelname)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "quiet"}},
    # A warning of uvicorn's is a line for every request that is no HTTP: strangers would fill a disk with them.
    "loggers": {
        name: {"handlers": ["stderr"], "level": level}
        for name, level in (("uvicorn", "ERROR"), ("asyncio", "WARNING"), ("pairloom.web", "WARNING"))
    },
}
"""What `logging.config` is given: uvicorn, asyncio and our own, on standard error."""
